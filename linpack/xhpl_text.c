/* SPDX-License-Identifier: BSD-3-Clause */
/* xhpl_text.c: the lines of HPL 2.3 around its table, written so that what reads HPL's output finds
   them. Only the heading says who wrote them. */
#include "config.h"
#include <float.h>
#include <stdio.h>
#include "xhpl.h"

enum { IN_A_LINE = 8 };

/* HPL breaks a list after eight values, and after 16. */
static void begin_value(FILE *out, int k)
{
    if (k == IN_A_LINE || k == 2 * IN_A_LINE) fputs("\n        ", out);
}

static void print_numbers(FILE *out, const char *name, const linpack_hpl_list *list)
{
    fprintf(out, "\n%-7s:", name);
    for (int k = 0; k < list->n; k++) {
        begin_value(out, k);
        fprintf(out, "%8d ", list->value[k]);
    }
}

static void print_words(FILE *out, const char *name, const linpack_hpl_list *list,
                        const char *const *words)
{
    fprintf(out, "\n%-7s:", name);
    for (int k = 0; k < list->n; k++) {
        begin_value(out, k);
        fprintf(out, "%8s ", words[list->value[k]]);
    }
}

static void print_unused(const char *line, void *out) { fprintf(out, "Unused: %s\n", line); }

static void print_heading(FILE *out, const linpack_hpl *hpl, const char *solver)
{
    linpack_hpl_print_rule(out, '=');
    fprintf(out, "cm-xhpl %s  --  the tests of an HPL.dat, solved by clustermark\n",
            PACKAGE_VERSION);
    fprintf(out, "This is not HPL. Lines are written as HPL 2.3 writes them, for their readers.\n");
    fprintf(out, "%s\n", solver);
    linpack_hpl_unused(hpl, print_unused, out);
    linpack_hpl_print_rule(out, '=');
    fputs("\nAn explanation of the input/output parameters follows:\n"
          "T/V    : Wall time / encoded variant.\n"
          "N      : The order of the coefficient matrix A.\n"
          "NB     : The partitioning blocking factor.\n"
          "P      : The number of process rows.\n"
          "Q      : The number of process columns.\n"
          "Time   : Time in seconds to solve the linear system.\n"
          "Gflops : Rate of execution for solving the linear system.\n"
          "\nThe following parameter values will be used:\n",
          out);
}

static void print_swap(FILE *out, const linpack_hpl *hpl)
{
    static const char *const swaps[] = {"Binary-exchange", "Spread-roll (long)"};
    if (hpl->swap == 2) fprintf(out, "\nSWAP   : Mix (threshold = %d)", hpl->swap_threshold);
    else fprintf(out, "\nSWAP   : %s", swaps[hpl->swap]);
}

static void print_parameters(FILE *out, const linpack_hpl *hpl)
{
    static const char *const variants[] = {"Left", "Crout", "Right"};
    static const char *const broadcasts[] = {"1ring",  "1ringM", "2ring",
                                             "2ringM", "Blong",  "BlongM"};
    static const char *const forms[] = {"transposed form", "no-transposed form"};
    print_numbers(out, "N", &hpl->order);
    print_numbers(out, "NB", &hpl->block);
    fprintf(out, "\nPMAP   : %s-major process mapping", hpl->column_major ? "Column" : "Row");
    print_numbers(out, "P", &hpl->rows);
    print_numbers(out, "Q", &hpl->columns);
    print_words(out, "PFACT", &hpl->panel_fact, variants);
    print_numbers(out, "NBMIN", &hpl->stop);
    print_numbers(out, "NDIV", &hpl->divisions);
    print_words(out, "RFACT", &hpl->recursive_fact, variants);
    print_words(out, "BCAST", &hpl->broadcast, broadcasts);
    print_numbers(out, "DEPTH", &hpl->depth);
    print_swap(out, hpl);
    fprintf(out, "\nL1     : %s", forms[hpl->l1]);
    fprintf(out, "\nU      : %s", forms[hpl->u]);
    fprintf(out, "\nEQUIL  : %s", hpl->equilibrate ? "yes" : "no");
    fprintf(out, "\nALIGN  : %d double precision words\n\n", hpl->align);
}

void xhpl_print_begin(FILE *out, const linpack_hpl *hpl, const char *solver)
{
    print_heading(out, hpl, solver);
    print_parameters(out, hpl);
    if (hpl->threshold > 0) {
        linpack_hpl_print_rule(out, '-');
        fputs("\n- The matrix A is randomly generated for each test.\n"
              "- The following scaled residual check will be computed:\n"
              "      ||Ax-b||_oo / ( eps * ( || x ||_oo * || A ||_oo + || b ||_oo ) * N )\n",
              out);
        fprintf(out, "- The relative machine precision (eps) is taken to be      %21.6e\n",
                DBL_EPSILON / 2);
        fprintf(out,
                "- Computational tests pass if scaled residuals are less than         %11.1f\n\n",
                hpl->threshold);
    }
    fflush(out);
}

void xhpl_print_clock(FILE *out, time_t began, time_t ended)
{
    fprintf(out, "HPL_pdgesv() start time %s\n", ctime(&began));
    fprintf(out, "HPL_pdgesv() end time   %s\n", ctime(&ended));
}

void xhpl_print_skipped(FILE *out, const char *why)
{
    fprintf(out, "cm-xhpl ERROR from process # 0:\n>>> %s <<<\n\n", why);
}

void xhpl_print_norms(FILE *out, const linpack_residual *r, const xhpl_norms *one)
{
    const struct {
        const char *name;
        double value;
    } norms[] = {{"||Ax-b||_oo  . . . . . . . . . . . . . . . . . = ", r->residual},
                 {"||A||_oo . . . . . . . . . . . . . . . . . . . = ", r->a_infinity},
                 {"||A||_1  . . . . . . . . . . . . . . . . . . . = ", one->a},
                 {"||x||_oo . . . . . . . . . . . . . . . . . . . = ", r->x_max},
                 {"||x||_1  . . . . . . . . . . . . . . . . . . . = ", one->x},
                 {"||b||_oo . . . . . . . . . . . . . . . . . . . = ", r->b_max}};
    for (size_t k = 0; k < sizeof norms / sizeof *norms; k++)
        fprintf(out, "%s%18.6f\n", norms[k].name, norms[k].value);
}
