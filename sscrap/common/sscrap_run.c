/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_run.c: runs all numbers of processes and all sizes. */
#include "sscrap_series.h"

static void one_size(sscrap_series *s, int64_t size)
{
    sscrap_measured measured;
    sscrap_measure(&s->job->sampling, s->problem, s->options, size, &s->checks, &measured);
    sscrap_result_row(s, size, &measured);
    sscrap_measured_free(&measured);
}

/* Each number of processes warms up, because new processes must first connect. */
static void all_sizes(sscrap_series *s, int p)
{
    int64_t size = s->job->from ? s->job->from : s->job->size;
    sscrap_warm_up(&s->job->sampling, s->problem, s->options, size);
    for (;;) {
        if (s->result)
            cm_result_progress(s->result, (double)(p - 1) / cm_size(s->all), "%d processes, %lld",
                               p, (long long)size);
        one_size(s, size);
        if (size == s->job->size) break;
        size = 2 * size < s->job->size ? 2 * size : s->job->size;
    }
}

static void with_processes(sscrap_series *s, int p)
{
    int rank = cm_rank(s->all);
    cm_group *group = cm_split(s->all, rank < p ? 0 : -1, rank);
    if (group) {
        cm_bsp_begin(group);
        all_sizes(s, p);
        cm_bsp_end();
        cm_group_free(group);
    }
    cm_barrier(s->all, CM_AUTO);
}

int sscrap_run(const cm_benchmark *benchmark, const sscrap_job *job, const sscrap_problem *problem,
               const void *options)
{
    sscrap_series s = {.job = job, .problem = problem, .options = options};
    s.clock_hz = sscrap_clock_hz(&s.clock_source);
    int status = sscrap_check_backend(benchmark->program);
    if (status) return status;
    cm_run_bind(job->sampling.bind);
    s.all = sscrap_place(job->place);
    sscrap_require_memory(&s);
    if (!s.all) return CM_EXIT_PASS;
    if (cm_rank(s.all) == 0) {
        cm_bsp_trace_open();
        sscrap_result_open(&s, benchmark);
    }
    for (int p = job->each ? 1 : cm_size(s.all); p <= cm_size(s.all); p++) with_processes(&s, p);
    cm_group_free(s.all);
    return s.result ? sscrap_result_close(&s) : CM_EXIT_PASS;
}
