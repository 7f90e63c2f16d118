/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_run.c: all numbers of processes, all sizes, all runs; a row for each size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sscrap.h"

enum { COLUMNS = 15 };

static cm_group *group_of_bsp;
cm_group *sscrap_group(void) { return group_of_bsp; }
void sscrap_group_use(cm_group *group) { group_of_bsp = group; }

typedef struct {
    const sscrap_job *job;
    const sscrap_problem *problem;
    void *options;
    cm_group *all;     /* that may take part */
    cm_result *result; /* on rank 0 */
    double clock_hz;
    sscrap_check check[SSCRAP_CHECKS];
    int checks;
    int64_t last_size;
    double last_s;
} series;

int sscrap_check_options(const cm_program *program, const sscrap_job *job,
                         const sscrap_problem *problem)
{
    if (job->from > job->size)
        return cm_option_error(program, "--from %lld is above %s %lld", (long long)job->from,
                               problem->size_option, (long long)job->size);
    return 0;
}

/* ---- Rank 0 --------------------------------------------------------------------------------- */

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
{
    static const cm_result_column columns[COLUMNS] = {
        {"processes", "%.0f"},   {"size", "%.0f"},
        {"items", "%.0f"},       {"n", "%.0f"},
        {"min_s", "%.4e"},       {"median_s", "%.4e"},
        {"low_s", "%.4e"},    {"high_s", "%.4e"},
        {"items_per_s", "%.4g"}, {"cycles_per_item", "%.4g"},
        {"work_share", "%.3f"},  {"sync_share", "%.3f"},
        {"supersteps", "%.0f"},  {"h_bytes", "%.0f"},
        {"h_messages", "%.0f"},
    };
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
}

static void write_metadata(const series *s)
{
    const char *source;
    double hz = sscrap_clock_hz(&source);
    cm_run_meta(s->result);
    cm_result_meta(s->result, "item", "%s", s->problem->item);
    cm_result_meta(s->result, "sample",
                   "a run: time of the slowest process, each with an input of its own");
    cm_result_meta_number(s->result, "clock_hz", hz, "%.0f");
    cm_result_meta(s->result, "clock_source", "%s", source);
    cm_result_meta(s->result, "cycles_per_item", "median_s * clock_hz / items");
    if (s->job->place)
        cm_result_meta(s->result, "place", "at most %lld processes a host",
                       (long long)s->job->place);
    else cm_result_meta(s->result, "place", "all processes");
    cm_result_meta_number(s->result, "repeat", (double)s->job->repeat, "%.0f");
    if (s->problem->metadata) s->problem->metadata(s->options, s->result);
}

static double badness(const sscrap_check *check)
{
    if (isnan(check->value)) return INFINITY;
    if (check->relation[0] == '=') return fabs(check->value - check->bound);
    return check->bound > 0 ? check->value / check->bound : check->value;
}

/* The worst so far is kept. */
static void keep_checks(series *s, const sscrap_check *checks, int n)
{
    for (int k = 0; k < n; k++)
        if (k >= s->checks || badness(&checks[k]) > badness(&s->check[k])) s->check[k] = checks[k];
    if (n > s->checks) s->checks = n;
}

/* ---- The processes of an SPMD part ---------------------------------------------------------- */

typedef struct {
    cm_samples samples;
    cm_bsp_sums sums;
    int runs;
} measured;

static cm_bsp_sums difference(cm_bsp_sums after, cm_bsp_sums before)
{
    return (cm_bsp_sums){.supersteps = after.supersteps - before.supersteps,
                         .work_s = after.work_s - before.work_s,
                         .sync_s = after.sync_s - before.sync_s,
                         .out_bytes = after.out_bytes - before.out_bytes,
                         .in_bytes = after.in_bytes - before.in_bytes,
                         .out_messages = after.out_messages - before.out_messages,
                         .in_messages = after.in_messages - before.in_messages};
}

static void one_run(series *s, void *state, int run, measured *m)
{
    sscrap_check checks[SSCRAP_CHECKS] = {{0}};
    s->problem->fill(state, run);
    bsp_sync();
    cm_barrier(group_of_bsp, CM_AUTO);
    cm_bsp_sums before = cm_bsp_total();
    double begin_s = cm_time();
    s->problem->solve(state);
    double time_s = cm_time() - begin_s;
    m->sums = difference(cm_bsp_total(), before);
    /* What follows the last superstep is work, too. */
    m->sums.work_s = time_s - m->sums.sync_s;
    time_s = sscrap_max(time_s);
    if (!cm_samples_add(&m->samples, time_s)) cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
    int n = s->problem->verify(state, checks);
    keep_checks(s, checks, n);
}

static void write_row(series *s, int64_t size, const measured *m)
{
    cm_summary summary;
    double work_s = sscrap_sum(m->sums.work_s), sync_s = sscrap_sum(m->sums.sync_s);
    double h = sscrap_max(
        (double)(m->sums.out_bytes > m->sums.in_bytes ? m->sums.out_bytes : m->sums.in_bytes));
    double messages =
        sscrap_max((double)(m->sums.out_messages > m->sums.in_messages ? m->sums.out_messages
                                                                       : m->sums.in_messages));
    if (!cm_summarize(&m->samples, &summary)) cm_abort(CM_EXIT_SYSTEM, "no memory for samples");
    s->last_size = size;
    s->last_s = summary.median;
    if (!s->result) return;
    double items = s->problem->items ? s->problem->items(size) : (double)size;
    const double values[COLUMNS] = {bsp_nprocs(),
                                    (double)size,
                                    items,
                                    (double)summary.n,
                                    summary.min,
                                    summary.median,
                                    summary.low,
                                    summary.high,
                                    items / summary.median,
                                    summary.median * s->clock_hz / items,
                                    work_s / (work_s + sync_s),
                                    sync_s / (work_s + sync_s),
                                    (double)m->sums.supersteps,
                                    h,
                                    messages};
    cm_result_row(s->result, values, &m->samples, "s");
}

static void one_size(series *s, int64_t size)
{
    measured m = {.samples = CM_SAMPLES_EMPTY};
    void *state = s->problem->begin(s->options, size);
    double begin_s = cm_time();
    int32_t more = 1;
    for (int run = 0; more; run++) {
        one_run(s, state, run, &m);
        more = run + 1 < s->job->repeat && cm_time() - begin_s < s->job->time_limit_s;
        cm_bcast(group_of_bsp, &more, sizeof more, 0, CM_AUTO);
    }
    write_row(s, size, &m);
    s->problem->end(state);
    cm_samples_free(&m.samples);
}

static void with_processes(series *s, int p)
{
    int rank = cm_rank(s->all);
    cm_group *group = cm_split(s->all, rank < p ? 0 : -1, rank);
    if (group) {
        group_of_bsp = group;
        cm_bsp_begin(group);
        int64_t size = s->job->from ? s->job->from : s->job->size;
        for (;;) {
            if (s->result)
                cm_result_progress(s->result, (double)(p - 1) / cm_size(s->all),
                                   "%d processes, %lld", p, (long long)size);
            one_size(s, size);
            if (size == s->job->size) break;
            size = 2 * size < s->job->size ? 2 * size : s->job->size;
        }
        cm_bsp_end();
        cm_group_free(group);
    }
    cm_barrier(s->all, CM_AUTO);
}

/* What the most hungry number of processes takes on this host, shared out over its ranks. The first
   rank of a host, which looks, takes part. */
static void require_memory(const series *s)
{
    if (!s->all) {
        cm_run_require_memory(0, "", "no process");
        return;
    }
    int rank = cm_rank(s->all), all = cm_size(s->all), here = cm_run_ranks_on_host(s->all, rank);
    int ranks = cm_run_ranks_on_host(cm_world(), cm_rank(cm_world()));
    double most = 0;
    for (int p = s->job->each ? 1 : all; p <= all; p++)
        most = fmax(most, s->problem->bytes(s->options, s->job->size, p) * (p < here ? p : here));
    cm_run_require_memory((size_t)fmin(most / ranks, 0x1p62), s->problem->size_option, "%s %lld",
                          s->problem->size_option, (long long)s->job->size);
}

int sscrap_check_backend(const cm_program *program)
{
    return cm_run_refuse_dummy(program, "hold no items of their own");
}

int sscrap_run(const cm_benchmark *benchmark, int argc, char **argv, const sscrap_job *job,
               const sscrap_problem *problem, void *options)
{
    const char *source;
    series s = {
        .job = job, .problem = problem, .options = options, .clock_hz = sscrap_clock_hz(&source)};
    int status = sscrap_check_backend(benchmark->program);
    if (status) return status;
    if (job->bind) cm_run_bind();
    s.all = sscrap_place(job->place);
    require_memory(&s);
    if (!s.all) return CM_EXIT_PASS;
    if (cm_rank(s.all) == 0) {
        cm_bsp_trace_open();
        s.result = open_result(benchmark, argc, argv);
        if (!s.result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
        write_metadata(&s);
    }
    for (int p = job->each ? 1 : cm_size(s.all); p <= cm_size(s.all); p++) with_processes(&s, p);
    cm_group_free(s.all);
    if (!s.result) return CM_EXIT_PASS;
    for (int k = 0; k < s.checks; k++)
        cm_result_check(s.result, s.check[k].name, s.check[k].value, s.check[k].relation,
                        s.check[k].bound);
    cm_result_verdict(s.result, s.checks > 0, problem->metric,
                      problem->measure(s.last_size, s.last_s), problem->unit);
    return cm_result_close(s.result);
}
