/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c: the CPU time used, compared with the kernel's CPU clock. */
#include "config.h"
#include "tap.h"
#include "measure/cpu.h"
#include <pthread.h>
#include <time.h>

/* Clocks that count in ticks differ by one or two. */
static const double tick_s = 0.01;

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *work(void *seconds)
{
    double end_s = clock_s() + *(double *)seconds;
    while (clock_s() < end_s) continue;
    return NULL;
}

int main(void)
{
    double length_s = 0.1;
    pthread_t thread;
    cm_cpu sum = {0, 0}, before = cm_cpu_used();
    double begin_s = clock_s();
    work(&length_s);
    if (pthread_create(&thread, NULL, work, &length_s)) return 99;
    pthread_join(thread, NULL);
    double used_s = clock_s() - begin_s;
    cm_cpu_add_since(&sum, &before);
    ok(fabs(sum.user_s + sum.system_s - used_s) < 2 * tick_s,
       "%.3f s of two threads, one after the other: %.3f s", used_s, sum.user_s + sum.system_s);
    ok(sum.user_s >= 0 && sum.system_s >= 0, "neither part is below 0");

    cm_cpu slept = {0, 0};
    struct timespec nap = {.tv_nsec = 200000000};
    before = cm_cpu_used();
    nanosleep(&nap, NULL);
    cm_cpu_add_since(&slept, &before);
    ok(slept.user_s + slept.system_s < 2 * tick_s, "sleeping costs nothing");
    before = cm_cpu_used();
    work(&length_s);
    double once_s = sum.user_s + sum.system_s;
    cm_cpu_add_since(&sum, &before);
    ok(sum.user_s + sum.system_s > once_s + length_s - 2 * tick_s, "a second part is added");
    return tap_done();
}
