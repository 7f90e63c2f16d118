/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_trial.c: laps of one curve at one size: the subject of the sampler, and the first lap. */
#include "hint.h"

enum { LEADER = 0 };

/* Returns the global bounds. The gap is reduced too: 2^63 squares are one too many for the type. */
static hint_bounds reduce(cm_group *group, const hint_bounds *mine)
{
    int64_t in[] = {(int64_t)mine->lower, (int64_t)(mine->upper - mine->lower), mine->subintervals};
    int64_t all[3];
    cm_allreduce(group, in, all, 3, CM_INT64, CM_SUM, CM_AUTO);
    return (hint_bounds){(uint64_t)all[0], (uint64_t)all[0] + (uint64_t)all[1], all[2]};
}

static bool equal(const hint_bounds *a, const hint_bounds *b)
{
    return a->lower == b->lower && a->upper == b->upper && a->subintervals == b->subintervals;
}

/* Returns the mean time between two laps of any of the copies. */
static double together_s(cm_group *group, double lap_s)
{
    double speed = 1 / lap_s, all = 0;
    cm_allreduce(group, &speed, &all, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    return 1 / all;
}

/* Ranks without a part of the curve return at once and wait for the others. */
static double trial(void *context, int64_t laps, double *value)
{
    hint_course *course = context;
    const hint_job *job = course->job;
    const hint_series *series = course->series;
    const bool parallel = hint_is_parallel(job->options), copies = job->options->copies;
    value[HINT_LAP] = 0;
    if (copies) value[HINT_TOGETHER] = 0;
    if (!series->group) return 0;
    const int rank = cm_rank(series->group);
    const hint_kernel *kernel = hint_kernel_of(series->type, series->kernel);
    const hint_work work = hint_work_of(job, series, rank);
    const int64_t n = hint_part_of(job, series, course->point->n, rank);
    hint_bounds all;
    cm_barrier(series->group, CM_AUTO);
    const double start_s = cm_time();
    for (int64_t lap = 0; lap < laps; lap++) {
        kernel->refine(&work, n, job->memory, &course->bounds);
        if (parallel) all = reduce(series->group, &course->bounds);
    }
    const double lasted_s = cm_time() - start_s;
    course->point->bounds = parallel ? all : course->bounds;
    value[HINT_LAP] = lasted_s / (double)laps;
    if (copies) value[HINT_TOGETHER] = together_s(series->group, value[HINT_LAP]);
    return lasted_s;
}

/* Compares the bounds of all copies with the leader's. A difference fails a check at the end. */
static bool compare_copies(void *context)
{
    hint_course *course = context;
    cm_group *group = course->series->group;
    if (!group) return true;
    hint_bounds leaders = course->bounds;
    cm_bcast(group, &leaders, sizeof leaders, LEADER, CM_AUTO);
    int32_t same = equal(&leaders, &course->bounds), all = 0;
    cm_allreduce(group, &same, &all, 1, CM_INT32, CM_MIN, CM_AUTO);
    course->point->alike &= all;
    return true;
}

cm_subject hint_subject(hint_course *course, int64_t guess)
{
    const bool copies = course->job->options->copies;
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .series = copies ? HINT_VALUES : 1,
                        .guess = guess,
                        .trial = trial,
                        .verify = copies ? compare_copies : NULL,
                        .context = course};
}

/* Compares each rank's own part, because sums could agree by accident. */
static bool is_as_classic(const hint_course *course)
{
    const hint_job *job = course->job;
    const hint_series *series = course->series;
    const int rank = cm_rank(series->group);
    const hint_work work = hint_work_of(job, series, rank);
    hint_bounds classic;
    hint_kernel_of(series->type, HINT_CLASSIC)
        ->refine(&work, hint_part_of(job, series, course->point->n, rank), job->memory, &classic);
    return equal(&classic, &course->bounds);
}

bool hint_first_lap(hint_course *course, bool compared, double *lap_s)
{
    double value[HINT_VALUES], all[2];
    double mine[2] = {trial(course, 1, value), 0};
    if (compared && course->series->group) mine[1] = !is_as_classic(course);
    cm_allreduce(cm_world(), mine, all, 2, CM_DOUBLE, CM_MAX, CM_AUTO);
    *lap_s = all[0];
    return all[1] == 0;
}
