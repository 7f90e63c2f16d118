/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c: CLOCK_MONOTONIC in seconds, and measurements of the clock itself. */
#include "config.h"
#include "measure/clock.h"
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The kernel counts from boot, and a double that counts seconds has steps of 1.9 ns after 97
   days, 3.7 ns after half a year. So the first reading becomes the origin: written once, by
   whichever thread comes first. */
double cm_clock_now_s(void)
{
    static _Atomic int64_t origin_ns; /* 0: not set yet */
    int64_t now = now_ns();
    int64_t origin = atomic_load_explicit(&origin_ns, memory_order_relaxed);
    if (origin == 0) {
        int64_t unset = 0;
        origin = atomic_compare_exchange_strong(&origin_ns, &unset, now) ? now : unset;
    }
    return 1e-9 * (double)(now - origin);
}

/* Takes 1000 steps of a fast clock, or what 50 ms show of a slow one (a clock that ticks with
   the timer interrupt steps every 1 to 10 ms); one that does not step at all in that many
   readings is described by what the system says of it. */
double cm_clock_resolution_s(void)
{
    enum { STEPS = 1000, MOST_READINGS = 5000000 };
    int64_t smallest = INT64_MAX, start = now_ns(), previous = start;
    int steps = 0;
    for (int i = 0; i < MOST_READINGS && steps < STEPS; i++) {
        int64_t now = now_ns();
        if (now == previous) continue;
        if (now - previous < smallest) smallest = now - previous;
        previous = now;
        steps++;
        if (now - start > 50000000) break;
    }
    if (steps == 0) {
        struct timespec step;
        clock_getres(CLOCK_MONOTONIC, &step);
        return (double)step.tv_sec + 1e-9 * (double)step.tv_nsec;
    }
    return 1e-9 * (double)smallest;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Batches, because one reading may cost less than the clock's step. */
double cm_clock_cost_s(void)
{
    enum { BATCHES = 101, READINGS = 200 };
    double cost_s[BATCHES];
    for (int b = 0; b < BATCHES; b++) {
        double begin_s = cm_clock_now_s(), end_s = begin_s;
        for (int i = 0; i < READINGS; i++) end_s = cm_clock_now_s();
        cost_s[b] = (end_s - begin_s) / READINGS;
    }
    qsort(cost_s, BATCHES, sizeof cost_s[0], ascending);
    return cost_s[BATCHES / 2];
}
