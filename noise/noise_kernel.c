/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_kernel.c: the timed loops. They read this computer's clock, whose time passes also where
   that of the job is made up. */
#include <config.h>
#include "noise.h"
#include "measure/clock.h"

static const uint64_t seed = 1;

/* One reading ends a quantum and begins the next one, so that no time is left out. */
size_t noise_fixed_work(int64_t steps, double seconds, size_t most, double *time_s, int64_t *wrong)
{
    uint64_t x = seed;
    size_t n = 0;
    double begin_s = cm_clock_now_s(), last_s = begin_s;
    while (n < most && last_s < begin_s + seconds) {
        x = noise_work(x, steps);
        double now_s = cm_clock_now_s();
        time_s[n++] = now_s - last_s;
        last_s = now_s;
    }
    *wrong = x != noise_work_reference(seed, (int64_t)n * steps);
    return n;
}

void noise_fixed_time(int64_t steps, double quantum_s, size_t n, double *done, int64_t *wrong)
{
    uint64_t x = seed;
    int64_t units = 0;
    double begin_s = cm_clock_now_s(), last_s = begin_s;
    for (size_t k = 0; k < n; k++) done[k] = 0;
    for (size_t k = 0; k < n; units++) {
        x = noise_work(x, steps);
        double now_s = cm_clock_now_s(), rate = now_s > last_s ? 1 / (now_s - last_s) : 0;
        while (k < n && now_s >= begin_s + (double)(k + 1) * quantum_s) {
            double end_s = begin_s + (double)(k + 1) * quantum_s;
            done[k++] += rate * (end_s - last_s);
            last_s = end_s;
        }
        if (k < n) done[k] += rate * (now_s - last_s);
        last_s = now_s;
    }
    *wrong = x != noise_work_reference(seed, units * steps);
}
