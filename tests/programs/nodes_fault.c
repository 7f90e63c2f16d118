/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_fault.c: makes a host slow, for tests of cm-nodes.

       nodes_fault PID RUN_MS STOP_MS SECONDS

   lets the process run for RUN_MS and stops it for STOP_MS, as a processor quota does, until it is
   gone or SECONDS have passed; it never leaves it stopped.

       nodes_fault PID RUN_MS STOP_MS SECONDS FILE

   adds the process to FILE, and does so while FILE has two processes or more: like ranks that share
   a memory that each of them alone cannot fill. They run and stop together, as none of them may
   look like one that was stopped for good to another.

   As a shared object that is preloaded, it sets the time of day forward by TEST_CLOCK_S seconds;
   made with NODES_FAULT_NAN, it makes the first element of each matrix product NaN. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef NODES_FAULT_CLOCK
int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    const char *forward = getenv("TEST_CLOCK_S");
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, now);
    if (status != 0 || clock != CLOCK_REALTIME || !forward) return status;
    double s = strtod(forward, NULL);
    now->tv_sec += (time_t)s;
    now->tv_nsec += (long)(1e9 * (s - (double)(time_t)s));
    if (now->tv_nsec >= 1000000000) {
        now->tv_sec++;
        now->tv_nsec -= 1000000000;
    }
    return 0;
}
#elif defined NODES_FAULT_NAN
#include "blas/symbols.h"

typedef __typeof__(dgemm_) gemm;
void dgemm_(const char *of_a, const char *of_b, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t of_a_length, size_t of_b_length)
{
    static gemm *real;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "dgemm_");
    real(of_a, of_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, of_a_length, of_b_length);
    c[0] = NAN;
}
#else
static volatile sig_atomic_t ended;
static void note(int number) { ended = number; }

static void wait_ms(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static bool is_alone(const char *file)
{
    long n = 0, each;
    FILE *in = fopen(file, "r");
    while (in && fscanf(in, "%ld", &each) == 1) n++;
    if (in) fclose(in);
    return n < 2;
}

/* By the clock, which all processes read. */
static void share(pid_t pid, long run_ms, long stop_ms, time_t end, const char *file)
{
    FILE *all = fopen(file, "a");
    struct timespec now;
    if (!all) return;
    fprintf(all, "%ld\n", (long)pid);
    fclose(all);
    while (!ended && time(NULL) < end) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        const long ms = now.tv_sec % 100000 * 1000 + now.tv_nsec / 1000000;
        const long at = ms % (run_ms + stop_ms);
        const bool runs = at < run_ms || is_alone(file);
        if (kill(pid, runs ? SIGCONT : SIGSTOP) != 0) break;
        wait_ms((at < run_ms ? run_ms : run_ms + stop_ms) - at);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5 && argc != 6) {
        fputs("nodes_fault: expected PID RUN_MS STOP_MS SECONDS [FILE]\n", stderr);
        return 2;
    }
    const pid_t pid = (pid_t)strtol(argv[1], NULL, 10);
    const long run_ms = strtol(argv[2], NULL, 10), stop_ms = strtol(argv[3], NULL, 10);
    const time_t end = time(NULL) + strtol(argv[4], NULL, 10);
    struct sigaction action = {.sa_handler = note};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    if (pid <= 1 || run_ms < 1) return 2;
    if (argc == 6) share(pid, run_ms, stop_ms, end, argv[5]);
    while (argc == 5 && !ended && time(NULL) < end && kill(pid, SIGSTOP) == 0) {
        wait_ms(stop_ms);
        if (kill(pid, SIGCONT) != 0) break;
        wait_ms(run_ms);
    }
    kill(pid, SIGCONT);
    return 0;
}
#endif
