/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_run.c: solves, verifies and writes order after order. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "linpack_hpl_run.h"
#include "linpack_result.h"
#include "linpack_system.h"
#include "linpack_verdict.h"
#include "machine/machine.h"

typedef struct {
    const linpack_options *options;
    linpack_result *result; /* rank 0; elsewhere NULL */
    linpack_matrix matrix;
    linpack_course course;
    linpack_system system;
    double time_s;           /* of the last order */
    linpack_verdict verdict; /* on the last order; its order is 0 if there was none */
    bool unwritten;          /* HPL's output file */
    bool empty;              /* all tests of HPL.dat are of order 0 */
} job;

/* ---- One order ------------------------------------------------------------------------------- */

/* All ranks call it: values of the factors and the solution of the last trial. */
static linpack_measured look_at(const linpack_system *s)
{
    const linpack_options *options = s->options;
    linpack_measured m = {.order = s->map.order,
                          .nb = s->nb,
                          .look_ahead = s->look_ahead,
                          .slices = s->slices,
                          .grid = {s->map.ranks, s->map.grid_columns},
                          .iterations = s->iterations,
                          .fallbacks = options->refine ? s->refined.fallbacks : 0,
                          .parts_s = {s->spent.search_s, s->spent.exchange_s, s->spent.broadcast_s,
                                      s->spent.update_s},
                          .residual = s->worst,
                          .condition = NAN,
                          .serial_s = cm_quantity_of(NAN),
                          .serial_cpu_s = NAN};
    cm_allreduce(s->map.all, m.parts_s, m.parts_s, 4, CM_DOUBLE, CM_SUM, CM_AUTO);
    m.growth = linpack_growth(&s->map, s->solvers, s->a, m.residual.a_max);
    if (options->condition)
        m.condition =
            linpack_condition(&s->map, s->matrix, s->solvers, s->nb, s->a, s->diagonal, s->pivots);
    return m;
}

/* All ranks call it. */
static linpack_verdict judge(const linpack_system *s)
{
    const linpack_elements elements =
        linpack_elements_of(&s->by_rows, s->matrix, &s->map, s->solvers, s->a, s->failed);
    return linpack_verdict_of(s->map.order, s->failed, s->solvers, &elements, &s->worst,
                              s->options->refine ? DBL_EPSILON : s->solvers->epsilon);
}

static void write_order(job *j, linpack_measured *m, const cm_sampled *solved,
                        const cm_sampled *plain, const linpack_residual *plain_residual)
{
    const char *earlier = j->options->serial_file;
    m->factor_s = cm_sample_summary(&solved->samples[LINPACK_FACTOR]).median;
    m->solve_s = cm_sample_summary(&solved->samples[LINPACK_SOLVE]).median;
    m->refine_s = cm_sample_summary(&solved->samples[LINPACK_REFINE]).median;
    m->total_s = cm_sample_summary(&solved->samples[LINPACK_TOTAL]);
    if (linpack_is_predicted(j->options))
        m->predicted_s = linpack_predict(j->options, m->order, m->grid);
    if (plain_residual) {
        const cm_summary serial_s = cm_sample_summary(&plain->samples[LINPACK_PLAIN_WALL]);
        m->serial_s = cm_quantity_median(&serial_s);
        m->serial_cpu_s = cm_sample_summary(&plain->samples[LINPACK_PLAIN_CPU]).median;
    }
    char why[1024];
    if (earlier
        && !linpack_serial_read(earlier, m->order, &m->serial_s.value, &m->serial_cpu_s, why,
                                sizeof why))
        fprintf(stderr, "cm-linpack: --serial-from %s\n", why); /* changed since the check */
    linpack_result_row(j->result, m, solved);
    linpack_result_checks(j->result, m->order, &m->residual, plain_residual);
}

/* A solution that is none has its checks, but no row. */
static void write_failure(const job *j, const linpack_verdict *verdict)
{
    linpack_verdict_tell(verdict, linpack_result_of(j->result));
    if (verdict->solved) linpack_result_checks(j->result, verdict->order, &verdict->residual, NULL);
}

/* Takes the plain program's trials in turn with those of all ranks, so that a disturbance of the
   machine affects both sides of the speed-up. Returns false if the matrix has no factors. */
static bool run_order(job *j, int order, bool first)
{
    enum { SOLVED, PLAIN, SUBJECTS };
    const cm_sampling *sampling = &j->options->sampling;
    linpack_system *s = &j->system;
    linpack_plain plain = {0};
    cm_samples time_s[LINPACK_TIMES] = {CM_SAMPLES_EMPTY};
    cm_samples plain_s[LINPACK_PLAIN_TIMES] = {CM_SAMPLES_EMPTY};
    cm_sampled sampled[SUBJECTS] = {{.samples = time_s}, {.samples = plain_s}};
    double flop_before = j->course.flop_before;

    linpack_system_open(s, order);
    if (j->result) linpack_result_model(j->result, order);
    cm_subject subject[SUBJECTS] = {linpack_trial(s)};
    if (first && sampling->warm_up_s > 0) {
        cm_sample_warm_up(sampling, j->options->group, &subject[SOLVED]);
        linpack_system_forget(s);
    }
    if (j->options->serial) {
        linpack_plain_open(&plain, s);
        subject[PLAIN] = linpack_plain_trial(&plain);
    }
    cm_sample(sampling, j->options->group, j->options->serial ? SUBJECTS : 1, subject, sampled);
    /* Trials that were not needed count as done. */
    j->course.flop_before = flop_before + (double)sampling->most * linpack_operations(order);
    if (j->result && j->options->refine) linpack_result_refined(j->result, order, &s->refined);
    j->verdict = judge(s);
    j->time_s = cm_sample_summary(&time_s[LINPACK_TOTAL]).median;
    if (j->verdict.outcome != LINPACK_SOLVED) {
        if (j->result) write_failure(j, &j->verdict);
    } else {
        linpack_measured m = look_at(s);
        if (j->result)
            write_order(j, &m, &sampled[SOLVED], &sampled[PLAIN],
                        j->options->serial ? &plain.worst : NULL);
    }
    for (int k = 0; k < LINPACK_TIMES; k++) cm_samples_free(&time_s[k]);
    for (int k = 0; k < LINPACK_PLAIN_TIMES; k++) cm_samples_free(&plain_s[k]);
    if (j->options->serial) linpack_plain_close(&plain);
    linpack_system_close(s);
    return j->verdict.outcome == LINPACK_SOLVED;
}

/* ---- The orders ------------------------------------------------------------------------------ */

static double flop_of_orders(const linpack_options *o)
{
    double flop = 0;
    for (int k = 0; k < o->n_orders; k++) flop += linpack_operations(o->orders[k]);
    if (o->hpl_file) flop *= (double)linpack_hpl_tests(&o->hpl) / o->n_orders;
    return (double)o->sampling.most * flop;
}

/* An order that has no solution does not end the others. */
static bool run_series(job *j)
{
    const linpack_options *options = j->options;
    bool solved = true;
    for (int k = 0; k < options->n_orders; k++)
        solved = run_order(j, options->orders[k], k == 0) && solved;
    return solved;
}

/* The tests of --hpl. One that has no solution does not end the others. */
static bool run_hpl(job *j)
{
    const linpack_options *all = j->options;
    linpack_options own;
    linpack_hpl_run run;
    bool solved = true, first = true;
    linpack_hpl_open(&run, all, LINPACK_MEMORY_PART, j->course.result);
    while (linpack_hpl_next(&run, &own)) {
        j->options = j->system.options = &own;
        const bool now = run_order(j, own.orders[0], first);
        linpack_hpl_done(&run, &j->verdict, j->time_s);
        solved = solved && now;
        first = false;
    }
    j->options = j->system.options = all;
    if (all->hpl.threshold > 0 && j->result)
        cm_result_check(j->course.result, "tests above the threshold of --hpl",
                        (double)run.counts.failed, "<=", 0);
    j->empty = run.counts.empty == linpack_hpl_tests(&all->hpl);
    if (j->empty && j->result)
        cm_result_nothing(j->course.result, "no rate: every test has N = 0, nothing to solve");
    j->unwritten = !linpack_hpl_close(&run);
    return solved && !first;
}

/* ---- The run --------------------------------------------------------------------------------- */

void linpack_look_at_hosts(linpack_options *options)
{
    cm_group *world = cm_world();
    cm_group *host = cm_split_host(world);
    options->cache_bytes =
        cm_machine_last_cache_share_bytes(cm_run_ranks_on_computer(world, cm_rank(world)));
    options->several_hosts = cm_size(host) < cm_size(world);
    cm_group_free(host);
    cm_allreduce(world, &options->cache_bytes, &options->cache_bytes, 1, CM_INT64, CM_MIN, CM_AUTO);
}

/* The same on all ranks: this rank's share of the job's cores, within those that its launcher left
   it, or the least of all ranks. */
static int64_t share_of_cores(void)
{
    const int share =
        cm_machine_job_cores() / cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    int64_t own = cm_machine_cores(), least;
    if (share < own) own = share > 1 ? share : 1;
    cm_allreduce(cm_world(), &own, &least, 1, CM_INT64, CM_MIN, CM_AUTO);
    return least;
}

/* Takes the threads that rank 0's environment gives the BLAS: by the library's own variable, as
   OPENBLAS_NUM_THREADS, or by OpenMP's, which may be a list for nested levels. */
static void threads_of_environment(linpack_options *o)
{
    enum { MOST = 4096 }; /* as --threads */
    char own[sizeof o->threads_from];
    snprintf(own, sizeof own, "%s_NUM_THREADS", cm_blas_library_loaded().name);
    for (char *at = own; *at; at++) *at = (char)toupper((unsigned char)*at);
    const char *const names[] = {own, "OMP_NUM_THREADS"};
    for (int k = 0; k < 2 && !o->threads && cm_rank(cm_world()) == 0; k++) {
        char *end;
        const char *text = getenv(names[k]);
        const long threads = text ? strtol(text, &end, 10) : 0;
        if (threads < 1 || threads > MOST || (*end && *end != ',')) continue;
        o->threads = threads;
        snprintf(o->threads_from, sizeof o->threads_from, "%s", names[k]);
    }
    cm_bcast(cm_world(), &o->threads, sizeof o->threads, 0, CM_AUTO);
}

void linpack_choose_threads(linpack_options *options)
{
    /* A simulator computes for one rank at a time, whose threads would only wait for each other. */
    const bool one = options->sampling.bind || cm_comm_has(CM_HAS_SIMULATOR);
    const bool asked = options->threads;
    if (!asked && !one) threads_of_environment(options);
    if (!options->threads) options->threads = one ? 1 : share_of_cores();
    cm_run_bind(options->sampling.bind);
    const int used = cm_blas_threads((int)options->threads);
    if (used && !asked) options->threads = used;
}

/* Rank 0 has read them in the file. */
static void learn_matrix(linpack_options *options)
{
    cm_bcast(cm_world(), &options->orders[0], sizeof options->orders[0], 0, CM_AUTO);
    cm_bcast(cm_world(), &options->entries, sizeof options->entries, 0, CM_AUTO);
}

/* Chooses the orders that depend on the ranks. */
static void choose_orders(linpack_options *options)
{
    if (options->fit) {
        double percent = 0;
        sscanf(options->fit, "memory=%lf", &percent);
        options->orders[options->n_orders++] = linpack_fit(options, percent / 100);
    } else if (!options->hpl_file) { /* whose tests are looked at one by one */
        linpack_require_memory(options);
    }
}

/* The same on all ranks. */
static bool share_cores(const linpack_options *o)
{
    const int64_t here = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    int32_t shared =
        !cm_comm_has(CM_HAS_SIMULATOR) && here * o->threads > (int64_t)cm_machine_job_cores();
    cm_allreduce(cm_world(), &shared, &shared, 1, CM_INT32, CM_MAX, CM_AUTO);
    return shared;
}

/* Ranks that share cores multiply in turns: each may have a core to itself while it does, but not
   all of them. What they all did in the time from the first's begin to the last's end is their
   rate. */
static void rate_in_turns(linpack_gemm_rate *own, int n)
{
    const int first = cm_run_first_on_computer(cm_world(), cm_rank(cm_world()));
    cm_group *computer = cm_split(cm_world(), first, 0);
    cm_allreduce(computer, &own->begin_s, &own->begin_s, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    cm_allreduce(computer, &own->end_s, &own->end_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    cm_group_free(computer);
    own->best_flop_per_s = own->worst_flop_per_s =
        LINPACK_GEMM_TIMES * 2.0 * n * n * n / (own->end_s - own->begin_s);
}

/* Returns the sums of all ranks' best and of all ranks' worst. slowest: the least of all best. */
linpack_gemm_rate linpack_gemm_of_all(const linpack_options *options, int precision,
                                      double *slowest)
{
    const int n = linpack_gemm_edge(options);
    const bool shared = share_cores(options);
    cm_barrier(cm_world(), CM_AUTO);
    linpack_gemm_rate own = linpack_gemm(precision, linpack_low_of(options), n);
    if (shared) rate_in_turns(&own, n);
    cm_allreduce(cm_world(), &own.best_flop_per_s, slowest, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    double sums[] = {own.best_flop_per_s, own.worst_flop_per_s};
    cm_allreduce(cm_world(), sums, sums, 2, CM_DOUBLE, CM_SUM, CM_AUTO);
    return (linpack_gemm_rate){sums[0], sums[1], own.busy, .shared = shared};
}

int linpack_run(const cm_benchmark *benchmark)
{
    linpack_options *options = benchmark->options;
    int status = cm_run_require_processes(benchmark->program, "do not compute");
    if (status) return status;
    const int precision = options->refine ? LINPACK_SINGLE : options->precision;
    options->group = cm_world();
    linpack_require_grid(options);
    if (options->hpl_file) linpack_hpl_begin(options);
    linpack_choose_threads(options);
    linpack_look_at_hosts(options);
    if (options->matrix) learn_matrix(options); /* how large products tell enough */
    double slowest_flop_per_s;
    const linpack_gemm_rate gemm = linpack_gemm_of_all(options, precision, &slowest_flop_per_s);
    if (linpack_needs_costs(options)) linpack_measure_costs(options, slowest_flop_per_s);
    choose_orders(options);

    job j = {.options = options};
    j.matrix = (linpack_matrix){.kind = options->generator,
                                .seed = (uint64_t)options->seed * 0xd1342543de82ef95u,
                                .single = !options->refine && options->precision == LINPACK_SINGLE};
    j.system = (linpack_system){.options = options,
                                .solvers = linpack_solvers_of(precision),
                                .matrix = &j.matrix,
                                .course = &j.course};
    if (options->matrix)
        linpack_market_read(options->matrix, j.matrix.single ? FLT_MAX : DBL_MAX, &j.matrix);

    if (cm_rank(cm_world()) == 0) j.result = linpack_result_open(benchmark, &gemm);
    j.course.result = j.result ? linpack_result_of(j.result) : NULL;
    j.course.run_began_s = cm_time();
    j.course.flop_all = flop_of_orders(options);
    const bool solved = options->hpl_file ? run_hpl(&j) : run_series(&j);
    linpack_matrix_free(&j.matrix);
    const int closed = j.result ? linpack_result_close(j.result, solved) : CM_EXIT_PASS;
    const bool nothing = j.result && j.verdict.order == 0 && !j.empty;
    return j.unwritten || nothing ? CM_EXIT_SYSTEM : closed;
}
