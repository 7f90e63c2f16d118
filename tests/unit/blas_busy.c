/* SPDX-License-Identifier: BSD-3-Clause */
/* blas_busy.c: cm_blas_settle waits for threads that spin for work, also while others have all
   processors, and not for those that sleep. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "blas/blas.h"
#include "tap.h"

static atomic_bool over; /* a sleeper may end */
static atomic_int spinning;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Spins like a thread of OpenBLAS, but yields the processors to any other process. */
static void *spin(void *milliseconds)
{
    const struct sched_param none = {0};
    pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
    for (double begin_s = now_s(); now_s() - begin_s < 1e-3 * *(const int *)milliseconds;)
        sched_yield();
    spinning--;
    return NULL;
}

static void *nap(void *unused)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!over) nanosleep(&pause, NULL);
    return unused;
}

/* A process on each processor, for so long. */
static void occupy(int milliseconds)
{
    for (long k = sysconf(_SC_NPROCESSORS_ONLN); k > 0; k--)
        if (fork() == 0) {
            for (double begin_s = now_s(); now_s() - begin_s < 1e-3 * milliseconds;) {}
            _exit(0);
        }
}

int main(void)
{
    enum { SPINNERS = 3 };
    static const int milliseconds = 200;
    pthread_t sleeper, spinner[SPINNERS];
    bool begun = pthread_create(&sleeper, NULL, nap, NULL) == 0;
    double least_s = 1;
    for (int k = 0; k < 5; k++) {
        double begin_s = now_s();
        cm_blas_settle();
        least_s = fmin(least_s, now_s() - begin_s);
    }
    ok(begun && least_s < 0.4, "a sleeping thread is not waited for: %.3f s", least_s);
    occupy(100);
    for (int k = 0; k < SPINNERS && begun; k++) {
        spinning++;
        begun = pthread_create(&spinner[k], NULL, spin, (void *)&milliseconds) == 0;
    }
    /* It gives up after half a second: on a busy machine others may not let the threads end. */
    const double begin_s = now_s();
    cm_blas_settle();
    const double took_s = now_s() - begin_s;
    ok(begun && (spinning == 0 || took_s >= 0.45), "%d of %d threads still spin after %.3f s",
       spinning, SPINNERS, took_s);
    for (int k = 0; k < SPINNERS && begun; k++) pthread_join(spinner[k], NULL);
    while (wait(NULL) > 0) {}
    over = true;
    pthread_join(sleeper, NULL);
    return tap_done();
}
