/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_step.c: steps of work and a barrier, on all ranks. */
#include <config.h>
#include "noise.h"

typedef struct {
    int64_t steps;
    uint64_t x;
    int64_t done; /* quanta since x was 1 */
} work;

static void begin(void *context)
{
    (void)context;
    cm_barrier(cm_world(), CM_AUTO);
}

static double step(void *context, int64_t operations, double *value)
{
    work *w = context;
    double begin_s = cm_time();
    for (int64_t k = 0; k < operations; k++) {
        w->x = noise_work(w->x, w->steps);
        cm_barrier(cm_world(), CM_AUTO);
    }
    double time_s = cm_time() - begin_s;
    w->done += operations;
    *value = time_s / (double)operations;
    return time_s;
}

static double barrier(void *context, int64_t operations, double *value)
{
    (void)context;
    double begin_s = cm_time();
    for (int64_t k = 0; k < operations; k++) cm_barrier(cm_world(), CM_AUTO);
    double time_s = cm_time() - begin_s;
    *value = time_s / (double)operations;
    return time_s;
}

/* This benchmark measures disturbances, so a disturbed trial counts like any other. */
static unsigned nothing_disturbs(void) { return 0; }

void noise_step_measure(int64_t steps, double seconds, noise_steps *measured, int64_t *wrong)
{
    enum { STEPS = 16, LEAST = 10, MOST = 1 << 12 };
    work w = {.steps = steps, .x = 1};
    const cm_subject subjects[] = {
        {.who = CM_SAMPLE_OWN, .prepare = begin, .trial = step, .context = &w},
        {.who = CM_SAMPLE_OWN, .prepare = begin, .trial = barrier},
    };
    cm_sampled sampled[] = {{.samples = &measured->step_s, .operations = STEPS},
                            {.samples = &measured->barrier_s, .operations = STEPS}};
    cm_sampling sampling = {
        .rule = {.least = LEAST, .time_limit_s = seconds, .least_in_time = LEAST},
        .most = MOST,
        .operations = STEPS,
        .cause = nothing_disturbs};
    cm_sampling_check(&sampling);
    cm_sample(&sampling, cm_world(), 2, subjects, sampled);
    *wrong += w.x != noise_work_reference(1, w.done * steps);
}
