/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hpl_text.c: the lines that HPL 2.3 prints of its tests. */
#include "linpack_hpl.h"
#include <string.h>

void linpack_hpl_print_rule(FILE *out, char of)
{
    enum { WIDTH = 80 };
    for (int k = 0; k < WIDTH; k++) putc(of, out);
    putc('\n', out);
}

void linpack_hpl_print_heading(FILE *out)
{
    linpack_hpl_print_rule(out, '=');
    fprintf(out,
            "T/V                N    NB     P     Q               Time                 Gflops\n");
    linpack_hpl_print_rule(out, '-');
}

void linpack_hpl_name(const linpack_hpl *hpl, const linpack_hpl_test *t, char *text, size_t size)
{
    static const char variant[] = "LCR";
    snprintf(text, size, "W%c%d%d%c%d%c%d", hpl->column_major ? 'C' : 'R', t->depth, t->broadcast,
             variant[t->recursive_fact], t->divisions, variant[t->panel_fact], t->stop);
}

void linpack_hpl_print_time(FILE *out, const linpack_hpl *hpl, const linpack_hpl_test *t,
                            double time_s)
{
    /* HPL pads N behind a name of eight characters. */
    enum { NAME = 8 };
    char name[80];
    const double n = t->order;
    const double Gflop = n / 1e9 * n * (2 * n / 3 + 1.5); /* 2/3 n^3 - n^2 / 2, and 2 n^2 */
    linpack_hpl_name(hpl, t, name, sizeof name);
    fprintf(out, "%-*s%12d %5d %5d %5d %18.2f    %19.4e\n", NAME, name, t->order, t->block, t->rows,
            t->columns, time_s, Gflop / time_s);
}

void linpack_hpl_print_residual(FILE *out, const linpack_hpl *hpl, double residual)
{
    if (!(hpl->threshold > 0)) return;
    linpack_hpl_print_rule(out, '-');
    fprintf(out, "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= %16.8e ...... %s\n", residual,
            residual < hpl->threshold ? "PASSED" : "FAILED");
}

void linpack_hpl_print_end(FILE *out, const linpack_hpl *hpl, const linpack_hpl_counts *c)
{
    linpack_hpl_print_rule(out, '=');
    fprintf(out, "\nFinished %6lld tests with the following results:\n",
            (long long)(c->passed + c->failed + c->skipped + c->unsolved));
    if (hpl->threshold > 0) {
        fprintf(out, "         %6lld tests completed and passed residual checks,\n",
                (long long)c->passed);
        fprintf(out, "         %6lld tests completed and failed residual checks,\n",
                (long long)c->failed);
    } else {
        fprintf(out, "         %6lld tests completed without checking,\n", (long long)c->passed);
    }
    fprintf(out, "         %6lld tests skipped because of illegal input values.\n",
            (long long)c->skipped);
    if (c->unsolved)
        fprintf(out, "         %6lld tests ended without a solution.\n", (long long)c->unsolved);
    linpack_hpl_print_rule(out, '-');
    fprintf(out, "\nEnd of Tests.\n");
    linpack_hpl_print_rule(out, '=');
}

/* ---- What does nothing here ------------------------------------------------------------------ */

enum { WORDS = 64 };

/* Returns which of first .. last the list has, as "1, 3"; empty if none. */
static const char *found_in(const linpack_hpl_list *list, int first, int last, char words[WORDS])
{
    words[0] = '\0';
    for (int value = first; value <= last; value++)
        for (int k = 0; k < list->n; k++) {
            if (list->value[k] != value) continue;
            const size_t used = strlen(words);
            snprintf(words + used, WORDS - used, "%s%d", used ? ", " : "", value);
            break;
        }
    return words;
}

void linpack_hpl_unused(const linpack_hpl *hpl, linpack_hpl_tell *tell, void *context)
{
    char words[WORDS], line[2 * WORDS];
    tell("PFACT, RFACT: a panel is factored in one way", context);
    tell("NBMIN, NDIV: a panel is cut into halves", context);
    if (*found_in(&hpl->broadcast, 1, 3, words)) {
        snprintf(line, sizeof line, "BCAST %s: as 0, one ring", words);
        tell(line, context);
    }
    if (*found_in(&hpl->broadcast, 5, 5, words)) tell("BCAST 5: as 4", context);
    if (hpl->swap == 2) tell("SWAP 2 and the swapping threshold: as SWAP 1", context);
    tell("L1, U: rows are stored one after the other", context);
    if (hpl->swap > 0) tell("Equilibration: rows go round evenly", context);
    tell("memory alignment: chosen by this program", context);
}
