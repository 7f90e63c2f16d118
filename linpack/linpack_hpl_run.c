/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hpl_run.c: the tests of an HPL.dat as options of this program, and HPL's text about
   them. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linpack_choose.h"
#include "linpack_hpl_run.h"
#include "linpack_verdict.h"

enum { STDOUT_DEVICE = 6, STDERR_DEVICE = 7 };

static bool has_file(const linpack_hpl *hpl)
{
    return hpl->device != STDOUT_DEVICE && hpl->device != STDERR_DEVICE;
}

/* ---- Before the job -------------------------------------------------------------------------- */

static int refuse_other_choices(const cm_program *program, const linpack_options *o)
{
    const struct {
        const char *name;
        bool given;
    } others[] = {{"order", o->order != 0},
                  {"series", o->series},
                  {"fit", o->fit},
                  {"matrix", o->matrix},
                  {"algorithm", o->algorithm != LINPACK_GRID},
                  {"grid", o->grid},
                  {"broadcast", o->broadcast_text},
                  {"exchange", o->exchange != LINPACK_DIRECT},
                  {"panel", o->panel != 0},
                  {"look-ahead", o->look_ahead >= 0}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].given)
            return cm_option_error(program, "--hpl %s: the file chooses what --%s would; omit one",
                                   o->hpl_file, others[k].name);
    return 0;
}

/* Returns the place that names the output file ("--hpl FILE:3"), followed by end, for an error
   line. */
static char *said_of(const linpack_options *o, const char *end)
{
    char *said;
    if (asprintf(&said, "--hpl %s:3%s", o->hpl_file, end) < 0)
        cm_abort(CM_EXIT_SYSTEM, "out of memory: HPL's lines");
    return said;
}

static int check_output(const cm_program *program, const linpack_options *o)
{
    if (!has_file(&o->hpl)) return 0;
    if (strcmp(o->hpl.output, o->hpl_file) == 0)
        return cm_option_error(program, "--hpl %s:3: this is the file itself; name another one",
                               o->hpl_file);
    char *said = said_of(o, "");
    int status = cm_result_file_differs(program, said, o->hpl.output, &o->files);
    free(said);
    if (status) return status;
    said = said_of(o, ": ");
    status = cm_result_file_check(program, said, o->hpl.output, o->files.force);
    free(said);
    return status;
}

int linpack_hpl_check(const cm_program *program, linpack_options *o)
{
    char why[512];
    if (!o->hpl_file) return 0;
    const int status = refuse_other_choices(program, o);
    /* Only rank 0 reads the file; the other ranks may run where there is another. */
    if (status || cm_launch_rank() != 0) return status;
    FILE *file = fopen(o->hpl_file, "r");
    if (!file) return cm_option_error(program, "--hpl %s: %s", o->hpl_file, strerror(errno));
    const bool good =
        linpack_hpl_read(file, LINPACK_ORDER_MOST, LINPACK_PANEL_MOST, &o->hpl, why, sizeof why);
    fclose(file);
    if (!good) return cm_option_error(program, "--hpl %s:%s", o->hpl_file, why);
    for (int k = 0; k < o->hpl.order.n; k++) o->orders[k] = o->hpl.order.value[k];
    o->n_orders = o->hpl.order.n;
    return check_output(program, o);
}

/* ---- The job --------------------------------------------------------------------------------- */

void linpack_hpl_begin(linpack_options *o)
{
    linpack_hpl *hpl = &o->hpl;
    cm_bcast(cm_world(), hpl, sizeof *hpl, 0, CM_AUTO);
    const int ranks = cm_size(cm_world());
    for (int k = 0; k < hpl->rows.n && cm_rank(cm_world()) == 0; k++) {
        const long long rows = hpl->rows.value[k], columns = hpl->columns.value[k];
        if (rows * columns > ranks)
            cm_abort(CM_EXIT_USAGE,
                     "--hpl %s:11: the grid %lldx%lld needs %lld ranks, but the job has %d",
                     o->hpl_file, rows, columns, rows * columns, ranks);
    }
    /* No rank goes on before rank 0 has found the grids good. */
    cm_barrier(cm_world(), CM_AUTO);
    o->n_orders = hpl->order.n;
    memcpy(o->orders, hpl->order.value, sizeof hpl->order.value);
    o->grid_given = (linpack_grid){hpl->rows.value[0], hpl->columns.value[0]};
    o->exchange = hpl->swap ? LINPACK_ROLL : LINPACK_DIRECT;
}

/* Sends HPL's lines to where the file says. */
static void tell(linpack_hpl_run *run, char *text)
{
    const linpack_hpl *hpl = &run->all->hpl;
    if (has_file(hpl)) {
        fputs(text, run->file_text);
    } else if (hpl->device == STDERR_DEVICE) {
        fputs(text, stderr);
    } else {
        char *rest = text;
        for (char *line; (line = strsep(&rest, "\n"));)
            if (*line) cm_result_comment(run->result, "%s", line);
    }
}

typedef struct {
    FILE *out;
    char *text;
    size_t size;
} lines;

static void lines_open(lines *l)
{
    *l = (lines){0};
    l->out = open_memstream(&l->text, &l->size);
    if (!l->out) cm_abort(CM_EXIT_SYSTEM, "out of memory: HPL's lines");
}

static void lines_tell(lines *l, linpack_hpl_run *run)
{
    fclose(l->out);
    tell(run, l->text);
    free(l->text);
}

void linpack_hpl_open(linpack_hpl_run *run, const linpack_options *all, double part,
                      cm_result *result)
{
    *run = (linpack_hpl_run){.all = all, .result = result, .part = part, .grid = {0, 0}};
    if (!result) return;
    run->file_text = open_memstream(&run->file, &run->file_size);
    if (!run->file_text) cm_abort(CM_EXIT_SYSTEM, "out of memory: HPL's lines");
}

/* Makes a group of the first P Q ranks, in which ranks stand in the order of our grid: down its
   columns. NULL on all others. */
static cm_group *group_of(const linpack_hpl *hpl, int rows, int columns)
{
    const int rank = cm_rank(cm_world());
    const int place = hpl->column_major ? rank : rank / columns + rank % columns * rows;
    return cm_split(cm_world(), rank < rows * columns ? 0 : -1, place);
}

static void use_grid(linpack_hpl_run *run, int rows, int columns)
{
    if (rows == run->grid.rows && columns == run->grid.columns) return;
    cm_group_free(run->group);
    run->group = group_of(&run->all->hpl, rows, columns);
    run->grid = (linpack_grid){rows, columns};
}

/* Two ranks pass nothing on. Of order 0 the model has no time. */
static cm_algorithm broadcast_of(const linpack_options *own, const linpack_hpl_test *test)
{
    enum { LONG = 4 };
    if (test->broadcast >= LONG) return CM_SCATTER_ALLGATHER;
    if (own->grid_given.columns <= 2 || test->order == 0) return CM_CHAIN(0);
    return linpack_ring(own, test->order, own->grid_given);
}

static void set_options(const linpack_hpl_run *run, linpack_options *own)
{
    const linpack_hpl_test *test = &run->test;
    *own = *run->all;
    own->group = run->group;
    own->orders[0] = test->order;
    own->n_orders = 1;
    own->panel = test->block;
    own->grid_given = run->grid;
    own->look_ahead = test->depth;
    own->broadcast = broadcast_of(own, test);
}

/* Instead of a time and a residual. */
static void tell_why(linpack_hpl_run *run, const char *why)
{
    if (!run->result) return;
    lines l;
    char name[80];
    lines_open(&l);
    linpack_hpl_name(&run->all->hpl, &run->test, name, sizeof name);
    fprintf(l.out, "%s N=%d NB=%d P=%d Q=%d: %s\n", name, run->test.order, run->test.block,
            run->test.rows, run->test.columns, why);
    lines_tell(&l, run);
}

static void skip(linpack_hpl_run *run, const char *why)
{
    run->counts.skipped++;
    tell_why(run, why);
}

/* A matrix of order 0 is right as it is, so that no test of another order is missing. */
static void skip_empty(linpack_hpl_run *run)
{
    run->counts.empty++;
    skip(run, "there are no equations; skipped");
}

void linpack_hpl_tell_large(const linpack_hpl_run *run, const char *program)
{
    const linpack_hpl_test *t = &run->test;
    fprintf(stderr, "%s: N = %d on %dx%d ranks takes more than %g %% of %s; skipped\n", program,
            t->order, t->rows, t->columns, 100 * run->part, linpack_memory_of(run->group));
}

static void skip_large(linpack_hpl_run *run)
{
    skip(run, "the matrix does not fit into the hosts' memory; skipped");
    if (run->result) linpack_hpl_tell_large(run, "cm-linpack");
}

linpack_hpl_kind linpack_hpl_step(linpack_hpl_run *run, linpack_options *own)
{
    const linpack_hpl *hpl = &run->all->hpl;
    while (run->next < linpack_hpl_tests(hpl)) {
        run->test = linpack_hpl_test_of(hpl, run->next++);
        use_grid(run, run->test.rows, run->test.columns);
        if (!run->group) continue;
        set_options(run, own);
        if (run->test.order < 1) return LINPACK_HPL_EMPTY;
        return linpack_fits(own, run->test.order, run->part) ? LINPACK_HPL_TEST : LINPACK_HPL_LARGE;
    }
    return LINPACK_HPL_END;
}

bool linpack_hpl_next(linpack_hpl_run *run, linpack_options *own)
{
    linpack_hpl_kind kind;
    while ((kind = linpack_hpl_step(run, own)) != LINPACK_HPL_TEST) {
        if (kind == LINPACK_HPL_END) return false;
        if (kind == LINPACK_HPL_EMPTY) skip_empty(run);
        else skip_large(run);
    }
    return true;
}

void linpack_hpl_done(linpack_hpl_run *run, const linpack_verdict *verdict, double time_s)
{
    const linpack_hpl *hpl = &run->all->hpl;
    const double residual = verdict->residual.hpl;
    if (!verdict->solved || verdict->outcome == LINPACK_OVERFLOW) {
        char why[40];
        snprintf(why, sizeof why, "%s; no solution", linpack_outcomes[verdict->outcome]);
        run->counts.unsolved++;
        tell_why(run, why);
        return;
    }
    const bool passed = !(hpl->threshold > 0) || residual < hpl->threshold;
    if (passed) run->counts.passed++;
    else run->counts.failed++;
    if (!run->result) return;
    lines l;
    lines_open(&l);
    linpack_hpl_print_heading(l.out);
    linpack_hpl_print_time(l.out, hpl, &run->test, time_s);
    linpack_hpl_print_residual(l.out, hpl, residual);
    lines_tell(&l, run);
}

/* ---- The end --------------------------------------------------------------------------------- */

static bool write_file(const linpack_hpl_run *run)
{
    const linpack_options *o = run->all;
    char *said = said_of(o, ": ");
    const bool good =
        cm_result_file_write(run->result, said, o->hpl.output, run->file, run->file_size);
    free(said);
    return good;
}

bool linpack_hpl_close(linpack_hpl_run *run)
{
    cm_group_free(run->group);
    if (!run->result) return true;
    lines l;
    lines_open(&l);
    linpack_hpl_print_end(l.out, &run->all->hpl, &run->counts);
    lines_tell(&l, run);
    fclose(run->file_text);
    const bool good = !has_file(&run->all->hpl) || write_file(run);
    free(run->file);
    return good;
}

static void write_unused(const char *line, void *result)
{
    cm_result_meta(result, "hpl_unused", "%s", line);
}

void linpack_hpl_meta(cm_result *result, const linpack_options *o)
{
    cm_result_meta(result, "hpl", "%s", o->hpl_file);
    linpack_hpl_unused(&o->hpl, write_unused, result);
}
