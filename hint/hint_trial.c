/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_trial.c: what all ranks do together, at rank 0's command: get memory, refine so many times,
   compare with classic. */
#include <stdlib.h>
#include "hint.h"
#include "machine/machine.h"

enum { LEADER = 0 };
typedef enum { COMMAND_END, COMMAND_RESERVE, COMMAND_RUN, COMMAND_COMPARE } command_kind;
typedef struct {
    int64_t kind, series, n, laps;
} command;

bool hint_is_parallel(const hint_job *job)
{
    return job->options->scatter || (!job->options->copies && cm_size(cm_world()) > 1);
}

bool hint_work_of(const hint_job *job, const hint_series *series, int rank, hint_work *work)
{
    if (hint_is_parallel(job)) return hint_work_scattered(series->type, series->ranks, rank, work);
    *work = hint_work_alone(series->type);
    return true;
}

static int64_t share_of(const hint_job *job, const hint_series *series, int64_t n, int rank)
{
    return hint_is_parallel(job) ? hint_share(n, series->ranks, rank) : n;
}

int64_t hint_rank_bytes(const hint_job *job, const hint_series *series, int64_t n)
{
    return (int64_t)hint_kernel_of(series->type, series->kernel)
        ->bytes(share_of(job, series, n, 0));
}

int64_t hint_first_size(const hint_job *job, const hint_series *series)
{
    const int64_t lower = job->options->lower, strips = (int64_t)HINT_STRIPS * series->ranks;
    return hint_is_parallel(job) && lower < strips ? strips : lower;
}

/* ---- Every rank ------------------------------------------------------------------------------ */

/* Grown memory is new memory: what was there is of no use, and both at once need not fit. */
static bool reserve(hint_job *job, size_t bytes)
{
    int32_t mine = 1, all = 0;
    if (bytes > job->capacity_bytes) {
        free(job->memory);
        job->capacity_bytes = 0;
        const size_t on_host =
            bytes * (size_t)cm_run_ranks_on_host(cm_world(), cm_rank(cm_world()));
        const int64_t free_bytes = cm_machine_memory_free_bytes();
        const bool fits = job->options->swap || free_bytes <= 0 || on_host <= (size_t)free_bytes;
        /* Nobody takes memory before all have looked. */
        cm_barrier(cm_world(), CM_AUTO);
        job->memory = fits ? malloc(bytes) : NULL;
        mine = job->memory != NULL;
        if (mine) job->capacity_bytes = bytes;
    }
    cm_allreduce(cm_world(), &mine, &all, 1, CM_INT32, CM_MIN, CM_AUTO);
    return all;
}

/* The global bounds. The gap goes with them, since 2^63 squares are one too many for the type. */
static hint_bounds reduce(cm_group *group, const hint_bounds *mine)
{
    int64_t in[] = {(int64_t)mine->lower, (int64_t)(mine->upper - mine->lower), mine->subintervals};
    int64_t all[3];
    cm_allreduce(group, in, all, 3, CM_INT64, CM_SUM, CM_AUTO);
    return (hint_bounds){(uint64_t)all[0], (uint64_t)all[0] + (uint64_t)all[1], all[2]};
}

/* Of copies. */
static hint_bounds leaders(cm_group *group, const hint_bounds *mine, bool *alike)
{
    hint_bounds first = *mine;
    cm_bcast(group, &first, sizeof first, LEADER, CM_AUTO);
    int32_t same = first.lower == mine->lower && first.upper == mine->upper
                   && first.subintervals == mine->subintervals;
    int32_t all = 0;
    cm_allreduce(group, &same, &all, 1, CM_INT32, CM_MIN, CM_AUTO);
    *alike = all;
    return first;
}

static hint_trial run(hint_job *job, const hint_series *series, int64_t n, int64_t laps)
{
    hint_trial trial = {.alike = true};
    if (!series->group) return trial;
    const int rank = cm_rank(series->group);
    const bool parallel = hint_is_parallel(job);
    const hint_kernel *kernel = hint_kernel_of(series->type, series->kernel);
    hint_work work;
    hint_bounds mine;
    hint_work_of(job, series, rank, &work);
    n = share_of(job, series, n, rank);
    cm_barrier(series->group, CM_AUTO);
    const double start_s = cm_time();
    for (int64_t lap = 0; lap < laps; lap++) {
        kernel->refine(&work, n, job->memory, &mine);
        if (parallel) trial.bounds = reduce(series->group, &mine);
    }
    const double lap_s = (cm_time() - start_s) / (double)laps, speed = 1 / lap_s;
    if (!parallel) trial.bounds = leaders(series->group, &mine, &trial.alike);
    cm_allreduce(series->group, &lap_s, &trial.slowest_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    cm_allreduce(series->group, &speed, &trial.laps_per_s, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    return trial;
}

/* Each rank's own part: sums could agree by accident. */
static bool compare(hint_job *job, const hint_series *series, int64_t n)
{
    if (!series->group) return true;
    const int rank = cm_rank(series->group);
    hint_work work;
    hint_bounds mine, classic;
    hint_work_of(job, series, rank, &work);
    n = share_of(job, series, n, rank);
    hint_kernel_of(series->type, series->kernel)->refine(&work, n, job->memory, &mine);
    hint_kernel_of(series->type, HINT_CLASSIC)->refine(&work, n, job->memory, &classic);
    int32_t same = mine.lower == classic.lower && mine.upper == classic.upper
                   && mine.subintervals == classic.subintervals;
    int32_t all = 0;
    cm_allreduce(series->group, &same, &all, 1, CM_INT32, CM_MIN, CM_AUTO);
    return all;
}

void hint_follow(hint_job *job)
{
    for (;;) {
        command c;
        cm_bcast(cm_world(), &c, sizeof c, LEADER, CM_AUTO);
        const hint_series *series = &job->series[c.series];
        switch ((command_kind)c.kind) {
        case COMMAND_END:
            return;
        case COMMAND_RESERVE:
            reserve(job, (size_t)c.n);
            break;
        case COMMAND_RUN:
            run(job, series, c.n, c.laps);
            break;
        case COMMAND_COMPARE:
            compare(job, series, c.n);
            break;
        }
    }
}

/* ---- Rank 0 ---------------------------------------------------------------------------------- */

static void say(command_kind kind, size_t series, int64_t n, int64_t laps)
{
    command c = {kind, (int64_t)series, n, laps};
    cm_bcast(cm_world(), &c, sizeof c, LEADER, CM_AUTO);
}

bool hint_command_reserve(hint_job *job, size_t bytes)
{
    say(COMMAND_RESERVE, 0, (int64_t)bytes, 0);
    return reserve(job, bytes);
}

hint_trial hint_command_run(hint_job *job, size_t series, int64_t n, int64_t laps)
{
    say(COMMAND_RUN, series, n, laps);
    return run(job, &job->series[series], n, laps);
}

bool hint_command_compare(hint_job *job, size_t series, int64_t n)
{
    say(COMMAND_COMPARE, series, n, 0);
    return compare(job, &job->series[series], n);
}

void hint_command_end(hint_job *job)
{
    (void)job;
    say(COMMAND_END, 0, 0, 0);
}
