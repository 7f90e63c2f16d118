/* SPDX-License-Identifier: BSD-3-Clause */
/* busy.c: how many processors a matrix product keeps busy. */
#define _GNU_SOURCE
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "blas/blas.h"

static double now_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cm_blas_busy cm_blas_busy_begin(void)
{
    return (cm_blas_busy){now_s(CLOCK_MONOTONIC), now_s(CLOCK_PROCESS_CPUTIME_ID)};
}

double cm_blas_busy_end(const cm_blas_busy *began)
{
    const double passed_s = now_s(CLOCK_MONOTONIC) - began->wall_s;
    const double used_s = now_s(CLOCK_PROCESS_CPUTIME_ID) - began->cpu_s;
    return passed_s > 0 ? used_s / passed_s : NAN;
}

void cm_blas_settle(void)
{
    enum { WAITS = 50, WAIT_NS = 10 * 1000 * 1000 };
    const double still_s = 0.001;
    const struct timespec pause = {0, WAIT_NS}; /* a variable, because SimGrid makes nanosleep a
                                                   macro */
    for (int k = 0; k < WAITS; k++) {
        const double since_s = now_s(CLOCK_PROCESS_CPUTIME_ID);
        nanosleep(&pause, NULL);
        if (now_s(CLOCK_PROCESS_CPUTIME_ID) - since_s < still_s) return;
    }
}

/* The threads that are in use start with the first product. */
double cm_blas_busy_measure(void)
{
    enum { N = 512 };
    const double least_s = 0.02;
    double *memory = calloc(3 * (size_t)N * N, sizeof *memory), busy = NAN;
    if (!memory) return NAN;
    cm_blas_settle();
    for (int k = 0; k < 2; k++) {
        const cm_blas_busy began = cm_blas_busy_begin();
        do
            cm_blas_gemm(CM_BLAS_DOUBLE, N, N, N, memory, memory + N * N, N, true,
                         memory + 2 * N * N);
        while (now_s(CLOCK_MONOTONIC) - began.wall_s < least_s);
        busy = cm_blas_busy_end(&began);
    }
    free(memory);
    return busy;
}
