/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_core.c: what the quanta of one core say. */
#include <config.h>
#include <math.h>
#include <string.h>
#include "measure/period.h"
#include "noise.h"

static const double limit_s[NOISE_LIMITS] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2};

/* Spreads what a quantum lost over the slices that it lies in, by their shares of its time. */
static void spread(double begin_s, double time_s, double lost_s, noise_core *core)
{
    double slice_s = core->total_s / NOISE_SLICES, end_s = begin_s + time_s;
    while (begin_s < end_s) {
        int slice = (int)(begin_s / slice_s);
        if (slice >= NOISE_SLICES) slice = NOISE_SLICES - 1;
        double until_s = slice < NOISE_SLICES - 1 ? fmin(end_s, (slice + 1) * slice_s) : end_s;
        if (until_s <= begin_s) until_s = end_s; /* less than a rounding error to the boundary */
        core->slice_lost_s[slice] += lost_s * (until_s - begin_s) / time_s;
        begin_s = until_s;
    }
}

bool noise_core_work(const cm_samples *time_s, noise_core *core)
{
    if (!cm_summarize(time_s, &core->time_s)) return false;
    double least_s = core->time_s.min, begin_s = 0;
    core->total_s = core->lost_s = 0;
    memset(core->slice_lost_s, 0, sizeof core->slice_lost_s);
    memset(core->over, 0, sizeof core->over);
    for (size_t i = 0; i < time_s->n; i++) core->total_s += time_s->value[i];
    for (size_t i = 0; i < time_s->n; i++) {
        double lost_s = time_s->value[i] - least_s;
        core->lost_s += lost_s;
        spread(begin_s, time_s->value[i], lost_s, core);
        begin_s += time_s->value[i];
        for (int k = 0; k < NOISE_LIMITS; k++) core->over[k] += lost_s > limit_s[k];
    }
    return true;
}

bool noise_core_time(double *done, size_t n, double quantum_s, double alarm, noise_core *core)
{
    double most = 0, sum = 0;
    cm_period period;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, done[i]);
        sum += done[i];
    }
    core->time_lost_share = 1 - sum / ((double)n * most);
    for (size_t i = 0; i < n; i++) done[i] = most - done[i];
    if (!cm_period_find(done, n, alarm, &period)) return false;
    core->period_s = period.length * quantum_s;
    core->period_exact = period.exact;
    return true;
}
