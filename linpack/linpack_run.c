/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_run.c: each order: make the matrix, factor it, solve, verify; what every rank does. */
#include "config.h"
#include <string.h>
#include <sys/resource.h>
#include "linpack_program.h"
#include "memory/memory.h"
#include "machine/machine.h"

/* Accepted when below: HPL's threshold. */
#define THRESHOLD 16.0

typedef struct {
    const linpack_options *options;
    linpack_report *report; /* rank 0; elsewhere NULL */
    const linpack_solvers *solvers;
    linpack_layout map;
    linpack_matrix matrix;
    void *a, *diagonal;
    int *pivots;
    double *x;
    double run_began_s, began_s;  /* the run; the factorization under way */
    double flop_all, flop_before; /* LINPACK's count for all factorizations; for those done */
    linpack_measured m;
} job;

static double now_behind_all(const job *j)
{
    if (j->map.ranks > 1) cm_barrier(j->map.group, CM_AUTO);
    return cm_time();
}

static double slowest(const job *j, double time_s)
{
    cm_allreduce(j->map.group, &time_s, &time_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    return time_s;
}

/* ---- The matrix ------------------------------------------------------------------------------ */

static void store_matrix(job *j, bool columns_first, void *to)
{
    int n = j->map.order, rows = columns_first ? n : j->map.rows;
    size_t bytes = j->solvers->bytes;
    double *row = linpack_allocate((size_t)n, sizeof *row, "a row");
    for (int l = 1; l <= rows; l++) {
        linpack_matrix_row(&j->matrix, columns_first ? l : linpack_global_row(&j->map, l), row);
        if (columns_first)
            j->solvers->store(row, (char *)to + (size_t)(l - 1) * bytes, (size_t)n, (size_t)n);
        else
            j->solvers->store(row, (char *)to + (size_t)(l - 1) * (size_t)j->map.ld * bytes,
                              (size_t)n, 1);
    }
    free(row);
}

static void right_hand_side(const job *j, double *b)
{
    for (int i = 1; i <= j->map.order; i++) b[i - 1] = linpack_matrix_right(&j->matrix, i);
}

/* ---- Factor and solve ------------------------------------------------------------------------ */

static void show_progress(int column, void *context)
{
    job *j = context;
    double now_s = cm_time();
    if (!j->report || now_s - j->run_began_s < 0.5) return;
    double after = j->flop_all - j->flop_before - linpack_operations(j->map.order);
    linpack_progress p =
        linpack_progress_of(j->map.order, column, now_s - j->began_s, j->flop_before, after);
    cm_result_progress(linpack_report_result(j->report), p.done, "order %d, column %d, %.0f s left",
                       j->map.order, column, p.left_s);
}

/* 0, or the column that has no pivot. */
static int factor(job *j)
{
    int failed = 0;
    linpack_spent spent = {.tell = show_progress, .context = j};
    j->began_s = cm_time();
    if (j->options->algorithm == LINPACK_CLASSIC)
        j->solvers->classic(&j->map, j->a, j->diagonal, j->pivots, &failed, &spent);
    else
        j->solvers->blocked(&j->map, j->m.nb, j->m.slices, j->a, j->diagonal, j->pivots, &failed,
                            &spent);
    double parts_s[4] = {spent.search_s, spent.exchange_s, spent.broadcast_s, spent.update_s};
    cm_allreduce(j->map.group, parts_s, parts_s, 4, CM_DOUBLE, CM_SUM, CM_AUTO);
    for (int k = 0; k < 4; k++) j->m.parts_s[k] += parts_s[k] / j->map.ranks;
    return failed;
}

static void solve(const job *j, double *x)
{
    j->solvers->solve(&j->map, j->m.nb, j->a, j->diagonal, j->pivots, false, x);
}

/* x += A^-1 (b - A x), the residual and the sum in double, the solution with the factors in
   single precision, until HPL's residual in double precision is that of a good solution (1; 16
   is accepted) or gets no smaller. */
static void refine(job *j)
{
    enum { MOST = 50 };
    int n = j->map.order;
    double *own = linpack_allocate((size_t)j->map.rows, sizeof *own, "residuals");
    double *d = linpack_allocate((size_t)n, sizeof *d, "a correction"), last = INFINITY;
    for (j->m.iterations = 0; j->m.iterations < MOST; j->m.iterations++) {
        j->m.residual = linpack_verify(&j->map, &j->matrix, j->x, DBL_EPSILON, own);
        double hpl = j->m.residual.hpl, scale = j->m.residual.residual;
        if (j->m.iterations == 0) j->m.first_hpl = hpl;
        if (hpl <= 1 || !(hpl < last)) break;
        last = hpl;
        /* So that single precision holds it. */
        memset(d, 0, (size_t)n * sizeof *d);
        for (int l = 1; l <= j->map.rows; l++)
            d[linpack_global_row(&j->map, l) - 1] = own[l - 1] / scale;
        solve(j, d);
        for (int i = 0; i < n; i++) j->x[i] += scale * d[i];
    }
    free(own), free(d);
}

static int once(job *j, cm_samples *factor_s, cm_samples *solve_s, cm_samples *refine_s)
{
    store_matrix(j, false, j->a);
    right_hand_side(j, j->x);
    double start = now_behind_all(j);
    int failed = factor(j);
    double factored = cm_time();
    if (failed) return failed;
    solve(j, j->x);
    double solved = cm_time();
    if (j->options->refine) refine(j);
    double refined = cm_time();
    bool kept = cm_samples_add(factor_s, slowest(j, factored - start))
                && cm_samples_add(solve_s, slowest(j, solved - factored))
                && cm_samples_add(refine_s, slowest(j, refined - solved))
                && cm_samples_add(&j->m.total, slowest(j, refined - start));
    if (!kept) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    return 0;
}

static double median_of(const cm_samples *samples)
{
    cm_summary s;
    if (!cm_summarize(samples, &s)) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    return s.median;
}

/* ---- The plain one-processor program --------------------------------------------------------- */

static double cpu_s(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec)
           + 1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* On rank 0, alone; the others wait. */
static void run_serial(job *j)
{
    int n = j->map.order;
    double *x = linpack_allocate((size_t)n, sizeof *x, "a solution");
    if (j->map.rank == 0) {
        cm_samples wall = CM_SAMPLES_EMPTY, cpu = CM_SAMPLES_EMPTY;
        int *pivots = linpack_allocate((size_t)n, sizeof *pivots, "pivots"), failed = 0;
        void *a = cm_run_array((size_t)n * (size_t)n * j->solvers->bytes);
        cm_blas_threads(1);
        for (int64_t k = 0; k < j->options->repeat; k++) {
            store_matrix(j, true, a);
            right_hand_side(j, x);
            double since = cm_time(), cpu_since = cpu_s();
            j->solvers->serial(n, a, n, pivots, &failed, x);
            if (!cm_samples_add(&cpu, cpu_s() - cpu_since)
                || !cm_samples_add(&wall, cm_time() - since))
                cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
        }
        j->m.serial_s = median_of(&wall);
        j->m.serial_cpu_s = median_of(&cpu);
        cm_samples_free(&wall), cm_samples_free(&cpu);
        free(pivots), cm_memory_free(a);
        cm_blas_threads((int)j->options->threads);
    }
    cm_bcast(j->map.group, x, (size_t)n * sizeof *x, 0, CM_AUTO);
    j->m.serial_hpl = linpack_verify(&j->map, &j->matrix, x, j->solvers->epsilon, NULL).hpl;
    free(x);
}

/* ---- One order ------------------------------------------------------------------------------- */

static void say_singular(const job *j, int column)
{
    if (!j->report) return;
    fprintf(stderr, "cm-linpack: the matrix of order %d is singular: column %d has no pivot\n",
            j->map.order, column);
    cm_result_comment(linpack_report_result(j->report), "singular: order=%d column=%d",
                      j->map.order, column);
}

static void check_answer(job *j)
{
    cm_result *result = linpack_report_result(j->report);
    char name[160];
    snprintf(name, sizeof name, "order %d: |Ax-b| / (u (|A| |x| + |b|) n)", j->map.order);
    cm_result_check(result, name, j->m.residual.hpl, "<=", THRESHOLD);
    snprintf(name, sizeof name, "order %d: |Ax-b| / (n max|a| |x| eps)", j->map.order);
    /* LINPACK printed its residual and left the verdict to the reader; this is HPL's rule in
       its terms. */
    cm_result_check(result, name, j->m.residual.linpack, "<=",
                    THRESHOLD / 2
                        * (j->m.residual.a_infinity + j->m.residual.b_max / j->m.residual.x_max)
                        / j->m.residual.a_max);
    if (!j->options->serial) return;
    snprintf(name, sizeof name, "order %d, plain program: |Ax-b| / (u (|A| |x| + |b|) n)",
             j->map.order);
    cm_result_check(result, name, j->m.serial_hpl, "<=", THRESHOLD);
}

/* Whether it has a solution. */
static bool run_order(job *j, int order)
{
    const linpack_options *options = j->options;
    cm_group *world = cm_world();
    j->map = linpack_layout_of(world, order, (int)options->block);
    j->matrix.order = order;
    j->m = (linpack_measured){
        .order = order, .serial_s = NAN, .serial_cpu_s = NAN, .condition = NAN, .first_hpl = NAN};
    j->m.nb = linpack_panel(options, order, j->map.ranks);
    j->m.slices = linpack_slices(options, order, j->map.ranks, j->m.nb);
    size_t elements = (size_t)j->map.ld * (size_t)(j->map.rows + 1);
    j->a = cm_run_array(elements * j->solvers->bytes);
    j->diagonal = linpack_allocate(linpack_diagonal_elements(order, j->m.nb), j->solvers->bytes,
                                   "diagonal blocks");
    j->pivots = linpack_allocate((size_t)order, sizeof *j->pivots, "pivots");
    j->x = linpack_allocate((size_t)order, sizeof *j->x, "the solution");

    cm_samples factor_s = CM_SAMPLES_EMPTY, solve_s = CM_SAMPLES_EMPTY, refine_s = CM_SAMPLES_EMPTY;
    int failed = 0;
    for (int64_t k = 0; k < options->repeat && !failed; k++) {
        failed = once(j, &factor_s, &solve_s, &refine_s);
        j->flop_before += linpack_operations(order);
    }
    if (failed) {
        say_singular(j, failed);
    } else {
        if (!options->refine)
            j->m.residual = linpack_verify(&j->map, &j->matrix, j->x, j->solvers->epsilon, NULL);
        j->m.growth = linpack_growth(&j->map, j->solvers, j->a, j->m.residual.a_max);
        if (options->condition)
            j->m.condition = linpack_condition(&j->map, &j->matrix, j->solvers, j->m.nb, j->a,
                                               j->diagonal, j->pivots);
        j->m.factor_s = median_of(&factor_s);
        j->m.solve_s = median_of(&solve_s);
        j->m.refine_s = median_of(&refine_s);
        j->m.total_s = median_of(&j->m.total);
        if (options->serial) run_serial(j);
        if (j->report) {
            linpack_report_row(j->report, &j->m);
            check_answer(j);
        }
    }
    cm_samples_free(&factor_s), cm_samples_free(&solve_s), cm_samples_free(&refine_s);
    cm_samples_free(&j->m.total);
    cm_memory_free(j->a), free(j->diagonal), free(j->pivots), free(j->x);
    return !failed;
}

/* Before anything is allocated: every host's memory, with the largest order that would do. */
static void require_memory(const linpack_options *options, int order)
{
    enum { PERCENT = 90 };
    int ranks = cm_size(cm_world()), rank = cm_rank(cm_world());
    int fits = linpack_fit(options, PERCENT / 100.0);
    if (order <= fits || rank != 0) return;
    if (options->matrix)
        cm_abort(
            CM_EXIT_USAGE,
            "--matrix %s: order %d and %lld numbers in the file take %zu bytes on rank 0, more "
            "than %d %% of what is free on some host",
            options->matrix, order, (long long)options->entries,
            linpack_bytes(options, order, ranks, 0), PERCENT);
    cm_abort(CM_EXIT_USAGE,
             "order %d takes %zu bytes on rank 0, more than %d %% of what is free on some host; "
             "the largest that fits on these %d ranks is --order %d",
             order, linpack_bytes(options, order, ranks, 0), PERCENT, ranks, fits);
}

/* What panels and slices are chosen by. */
static void look_at_hosts(linpack_options *options)
{
    cm_group *world = cm_world();
    int ranks_here = cm_run_ranks_on_host(world, cm_rank(world));
    options->cache_bytes = cm_machine_last_cache_bytes() / ranks_here;
    options->several_hosts = ranks_here < cm_size(world);
    cm_allreduce(world, &options->cache_bytes, &options->cache_bytes, 1, CM_INT64, CM_MIN, CM_AUTO);
}

static void choose_threads(linpack_options *options)
{
    int cores = cm_machine_job_cores();
    int ranks_here = cm_run_ranks_on_host(cm_world(), cm_rank(cm_world()));
    if (options->bind) cm_run_bind();
    if (!options->threads)
        options->threads = options->bind || cores < ranks_here ? 1 : cores / ranks_here;
    cm_blas_threads((int)options->threads);
}

int linpack_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    linpack_options *options = benchmark->options;
    cm_group *world = cm_world();
    int32_t status = cm_run_require_processes(benchmark->program, "do not compute");
    if (status) return status;
    choose_threads(options);
    look_at_hosts(options);

    job j = {.options = options};
    j.solvers = linpack_solvers_of(options->refine ? LINPACK_SINGLE : options->precision);
    j.matrix = (linpack_matrix){.kind = options->generator,
                                .seed = (uint64_t)options->seed * 0xd1342543de82ef95u,
                                .single = !options->refine && options->precision == LINPACK_SINGLE};
    if (options->matrix) {
        cm_bcast(world, &options->orders[0], sizeof options->orders[0], 0, CM_AUTO);
        cm_bcast(world, &options->entries, sizeof options->entries, 0, CM_AUTO);
    }
    if (options->fit) {
        double percent = 0;
        sscanf(options->fit, "memory=%lf", &percent);
        options->orders[options->n_orders++] = linpack_fit(options, percent / 100);
    } else {
        for (int k = 0; k < options->n_orders; k++) require_memory(options, options->orders[k]);
    }
    if (options->matrix) linpack_market_read(options->matrix, &j.matrix);

    cm_barrier(world, CM_AUTO);
    double flop_per_s =
        linpack_gemm_flop_per_s(options->refine ? LINPACK_SINGLE : options->precision);
    cm_allreduce(world, &flop_per_s, &flop_per_s, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    if (cm_rank(world) == 0) {
        j.report = linpack_report_open(benchmark, argc, argv, flop_per_s);
        status = j.report ? 0 : CM_EXIT_SYSTEM;
    }
    cm_bcast(world, &status, sizeof status, 0, CM_AUTO);
    if (status) return status;
    j.run_began_s = cm_time();
    for (int k = 0; k < options->n_orders; k++)
        j.flop_all += (double)options->repeat * linpack_operations(options->orders[k]);
    bool solved = true;
    for (int k = 0; solved && k < options->n_orders; k++)
        solved = run_order(&j, options->orders[k]);
    linpack_matrix_free(&j.matrix);
    return j.report ? linpack_report_close(j.report, solved) : CM_EXIT_PASS;
}
