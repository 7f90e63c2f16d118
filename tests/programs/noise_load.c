/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_load.c: takes a processor for a while, again and again: a known noise.

   noise_load CPU SECONDS PERIOD_MS BUSY_MS: says "ready" when it begins; ends with status 1 if it
   could not keep to its periods, because others had the processor. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_until(double at_s)
{
    struct timespec at = {.tv_sec = (time_t)at_s};
    at.tv_nsec = (long)(1e9 * (at_s - (double)at.tv_sec));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {}
}

static void compute(double busy_s)
{
    double end_s = now_s(CLOCK_PROCESS_CPUTIME_ID) + busy_s;
    while (now_s(CLOCK_PROCESS_CPUTIME_ID) < end_s) {}
}

int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    double seconds = atof(argv[2]), period_s = 1e-3 * atof(argv[3]), busy_s = 1e-3 * atof(argv[4]);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[1]), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) return 2;
    printf("ready\n");
    fflush(stdout);
    int periods = 0, late = 0;
    double begin_s = now_s(CLOCK_MONOTONIC), at_s = begin_s;
    for (; at_s < begin_s + seconds; at_s += period_s, periods++) {
        sleep_until(at_s);
        compute(busy_s);
        late += now_s(CLOCK_MONOTONIC) > at_s + busy_s + 0.25 * period_s;
    }
    return late > periods / 10;
}
