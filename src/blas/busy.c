/* SPDX-License-Identifier: BSD-3-Clause */
/* busy.c: how many processors a matrix product keeps busy. */
#define _GNU_SOURCE
#include "config.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Returns true if a thread beside this one computes, or would if it had a processor. Without /proc
   false. */
static bool others_compute(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int computing = 0; /* this thread does */
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        char path[64], line[256] = "";
        if (task->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", task->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue; /* the thread has ended */
        if (!fgets(line, sizeof line, file)) line[0] = '\0';
        fclose(file);
        const char *name_end = strrchr(line, ')');
        computing += name_end && strncmp(name_end, ") R", 3) == 0;
    }
    if (tasks) closedir(tasks);
    return computing > 1;
}

/* The processor's time alone does not tell: on a busy host a thread that spins may not have one for
   the whole pause. */
void cm_blas_settle(void)
{
    enum { WAITS = 50, WAIT_NS = 10 * 1000 * 1000 };
    const double still_s = 0.001;
    const struct timespec pause = {0, WAIT_NS}; /* a variable, because SimGrid makes nanosleep a
                                                   macro */
    for (int k = 0; k < WAITS; k++) {
        const double since_s = now_s(CLOCK_PROCESS_CPUTIME_ID);
        nanosleep(&pause, NULL);
        if (now_s(CLOCK_PROCESS_CPUTIME_ID) - since_s < still_s && !others_compute()) return;
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
