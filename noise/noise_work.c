/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_work.c: work of a constant length, and its answer by another way. */
#include <config.h>
#include "noise.h"
#include "measure/clock.h"

/* x' = a x + c modulo 2^64 (Knuth's MMIX). */
static const uint64_t a = 6364136223846793005u, c = 1442695040888963407u;

__attribute__((noinline)) uint64_t noise_work(uint64_t x, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) x = a * x + c;
    return x;
}

/* A step is x -> m x + p; two of them after each other are such a step, too. */
uint64_t noise_work_reference(uint64_t x, int64_t steps)
{
    uint64_t m = a, p = c;
    for (; steps > 0; steps /= 2) {
        if (steps % 2) x = m * x + p;
        p = m * p + p;
        m = m * m;
    }
    return x;
}

/* The fastest of several tries, each long enough for the clock: a disturbed one takes longer. */
int64_t noise_work_steps(double seconds)
{
    enum { TRIES = 200 };
    static const double least_s = 20e-6;
    volatile uint64_t sink = 1;
    int64_t steps = 1000;
    double fastest_s = 0;
    for (;; steps *= 2) {
        for (int k = 0; k < TRIES; k++) {
            double begin_s = cm_clock_now_s();
            sink = noise_work(sink, steps);
            double time_s = cm_clock_now_s() - begin_s;
            if (k == 0 || time_s < fastest_s) fastest_s = time_s;
        }
        if (fastest_s >= least_s) break;
    }
    double wanted = (double)steps * seconds / fastest_s;
    return wanted < 1 ? 1 : (int64_t)wanted;
}
