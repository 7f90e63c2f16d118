/* SPDX-License-Identifier: BSD-3-Clause */
/* xhpl_run.c: runs the tests of HPL.dat in HPL's order and prints its lines. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linpack_choose.h"
#include "linpack_hpl_run.h"
#include "linpack_system.h"
#include "xhpl.h"

enum { STDOUT_DEVICE = 6, STDERR_DEVICE = 7 };

/* HPL runs what it can allocate, and files are made for 80 to 95 % of the memory. What --write-dat
   fits into 90 % must also fit when a little less is free. */
static const double MEMORY_PART = 0.95;

typedef struct {
    linpack_options *all;
    const linpack_solvers *solvers;
    linpack_matrix matrix;
    linpack_course course; /* shows no progress: xhpl does not */
    linpack_hpl_run run;
    FILE *out;   /* rank 0; elsewhere NULL */
    bool headed; /* the table has a heading */
} job;

/* ---- One test -------------------------------------------------------------------------------- */

static void print_result(job *j, double time_s, time_t began, time_t ended)
{
    const linpack_hpl *hpl = &j->all->hpl;
    if (!j->out) return;
    /* HPL prints one heading if it does not check. */
    if (!j->headed || hpl->threshold > 0) linpack_hpl_print_heading(j->out);
    j->headed = true;
    linpack_hpl_print_time(j->out, hpl, &j->run.test, time_s);
    xhpl_print_clock(j->out, began, ended);
}

/* The sums of the columns of A, of which each rank has some rows, and of x. All ranks of the test
   call it. */
static xhpl_norms norms_of(const linpack_system *s)
{
    const int n = s->map.order;
    double *row = linpack_allocate((size_t)n, sizeof *row, "a row");
    double *sum = linpack_allocate((size_t)n, sizeof *sum, "sums of columns");
    xhpl_norms one = {0, 0};
    for (int l = 1; l <= s->by_rows.rows; l++) {
        linpack_matrix_row(s->matrix, linpack_global_row(&s->by_rows, l), row);
        for (int k = 0; k < n; k++) sum[k] += fabs(row[k]);
    }
    cm_allreduce(s->map.all, sum, sum, (size_t)n, CM_DOUBLE, CM_SUM, CM_AUTO);
    for (int k = 0; k < n; k++) {
        if (sum[k] > one.a) one.a = sum[k];
        one.x += fabs(s->x[k]);
    }
    free(row), free(sum);
    return one;
}

static void check_residual(job *j, linpack_system *s, const cm_subject *subject)
{
    const linpack_hpl *hpl = &j->all->hpl;
    subject->verify(s);
    const linpack_residual *r = &s->worst;
    const bool passed = r->hpl < hpl->threshold, failed = r->hpl >= hpl->threshold; /* or NaN */
    if (passed) j->run.counts.passed++;
    else j->run.counts.failed++;
    if (j->out) linpack_hpl_print_residual(j->out, hpl, r->hpl);
    if (!failed) return;
    const xhpl_norms one = norms_of(s);
    if (j->out) xhpl_print_norms(j->out, r, &one);
}

static void skip(job *j, const char *why)
{
    j->run.counts.skipped++;
    if (j->out) xhpl_print_skipped(j->out, why);
}

static void judge(job *j, linpack_system *s, const cm_subject *subject)
{
    char why[80];
    if (!(j->all->hpl.threshold > 0)) {
        j->run.counts.passed++;
    } else if (s->failed) {
        snprintf(why, sizeof why, "Error code returned by solve is %d, skip", abs(s->failed));
        skip(j, why);
    } else {
        check_residual(j, s, subject);
    }
}

static void run_test(job *j, const linpack_options *own)
{
    linpack_system s = {
        .options = own, .solvers = j->solvers, .matrix = &j->matrix, .course = &j->course};
    double value[LINPACK_TIMES];
    linpack_system_open(&s, j->run.test.order);
    const cm_subject subject = linpack_trial(&s);
    subject.prepare(&s);
    cm_barrier(own->group, CM_AUTO);
    const time_t began = time(NULL);
    const double since = cm_time();
    double time_s = subject.trial(&s, 1, value);
    if (s.failed) time_s = cm_time() - since;
    const time_t ended = time(NULL);
    cm_allreduce(own->group, &time_s, &time_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    print_result(j, time_s, began, ended);
    judge(j, &s, &subject);
    linpack_system_close(&s);
}

/* Nothing is solved, as by HPL, which then passes. */
static void run_empty(job *j, const linpack_options *own)
{
    const time_t now = time(NULL);
    const double since = cm_time();
    cm_barrier(own->group, CM_AUTO);
    print_result(j, cm_time() - since, now, now);
    j->run.counts.passed++;
    if (j->out) linpack_hpl_print_residual(j->out, &j->all->hpl, 0);
}

static void skip_large(job *j)
{
    skip(j, "The matrix does not fit into the memory of the hosts. Skip.");
    if (j->out) linpack_hpl_tell_large(&j->run, "cm-xhpl");
}

static void run_tests(job *j)
{
    linpack_options own;
    linpack_hpl_kind kind;
    while ((kind = linpack_hpl_step(&j->run, &own)) != LINPACK_HPL_END) {
        if (kind == LINPACK_HPL_TEST) run_test(j, &own);
        else if (kind == LINPACK_HPL_EMPTY) run_empty(j, &own);
        else skip_large(j);
        if (j->out) fflush(j->out);
    }
}

/* ---- The job --------------------------------------------------------------------------------- */

/* A launcher that numbers its processes, but does not let them find each other, as srun --mpi=none,
   starts jobs of one rank; only that of its process 0 has checked the files. */
static void require_file(void)
{
    if (cm_launch_rank() == 0) return;
    cm_abort(CM_EXIT_USAGE,
             "the launcher says that this is process %d, but it is alone in its job; start all "
             "by one that the build knows, such as cmrun, mpiexec or srun --mpi=pmi2",
             cm_launch_rank());
}

static void require_grids(const linpack_hpl *hpl)
{
    const int ranks = cm_size(cm_world());
    for (int k = 0; k < hpl->rows.n; k++) {
        const int64_t needed = (int64_t)hpl->rows.value[k] * hpl->columns.value[k];
        if (needed > ranks)
            cm_abort(CM_EXIT_USAGE,
                     XHPL_FILE ":11: the grid %dx%d needs %lld ranks, but the job has %d",
                     hpl->rows.value[k], hpl->columns.value[k], (long long)needed, ranks);
    }
}

static bool has_rings(const linpack_hpl *hpl)
{
    for (int k = 0; k < hpl->columns.n; k++)
        if (hpl->columns.value[k] > 2) return true;
    return false;
}

/* The model chooses how panels go along a row of three ranks or more. */
static void measure(linpack_options *o)
{
    double slowest_flop_per_s;
    linpack_choose_threads(o);
    linpack_look_at_hosts(o);
    if (!has_rings(&o->hpl)) return;
    linpack_gemm_of_all(o, o->precision, &slowest_flop_per_s);
    linpack_measure_costs(o, slowest_flop_per_s);
}

static void comm_name(const char *key, const char *value, void *context)
{
    if (strcmp(key, "comm") == 0) snprintf(context, 32, "%s", value);
}

static FILE *open_output(const linpack_options *o)
{
    const linpack_hpl *hpl = &o->hpl;
    char comm[32] = "", solver[512];
    FILE *out = hpl->device == STDOUT_DEVICE   ? stdout
                : hpl->device == STDERR_DEVICE ? stderr
                                               : fopen(hpl->output, "w");
    if (!out) cm_abort(CM_EXIT_SYSTEM, "%s: %s", hpl->output, strerror(errno));
    const cm_blas_library blas = cm_blas_library_loaded();
    const int used = cm_blas_threads_asked("cm-xhpl", (int)o->threads);
    cm_describe(comm_name, comm);
    snprintf(solver, sizeof solver, "Ranks talk by %s; products by %s%s%s, threads a rank: %d%s%s",
             comm, blas.name, blas.version[0] ? " " : "", blas.version,
             used ? used : (int)o->threads, *o->threads_from ? ", by " : "", o->threads_from);
    xhpl_print_begin(out, hpl, solver);
    return out;
}

/* Returns false after a line if not all could be written. */
static bool close_output(FILE *out, const linpack_hpl *hpl)
{
    errno = 0;
    bool good = fflush(out) == 0 && !ferror(out);
    if (out != stdout && out != stderr) good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "cm-xhpl: %s cannot be written: %s\n",
                out == stdout ? "standard output" : hpl->output,
                errno ? strerror(errno) : "an earlier write failed");
    return good;
}

int xhpl_run(const cm_benchmark *benchmark)
{
    xhpl_options *x = benchmark->options;
    linpack_options *o = &x->linpack;
    const int status = cm_run_require_processes(benchmark->program, "do not compute");
    if (status) return status;
    const bool first = cm_rank(cm_world()) == 0;
    if (first) require_file();
    if (x->write) return xhpl_write(benchmark);
    o->group = cm_world();
    o->hpl_file = XHPL_FILE;
    if (first) require_grids(&o->hpl);
    linpack_hpl_begin(o);
    measure(o);
    job j = {.all = o,
             .solvers = linpack_solvers_of(o->precision),
             .matrix = {.kind = o->generator},
             .out = first ? open_output(o) : NULL};
    linpack_hpl_open(&j.run, o, MEMORY_PART, NULL);
    run_tests(&j);
    linpack_hpl_close(&j.run);
    if (!j.out) return CM_EXIT_PASS;
    linpack_hpl_print_end(j.out, &o->hpl, &j.run.counts);
    if (!close_output(j.out, &o->hpl)) return CM_EXIT_SYSTEM;
    return j.run.counts.failed > 0 ? CM_EXIT_WRONG : CM_EXIT_PASS;
}
