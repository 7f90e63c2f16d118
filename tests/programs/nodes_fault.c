/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_fault.c: makes a host slow, for tests of cm-nodes.

       nodes_fault PID RUN_MS STOP_MS SECONDS

   lets the process run for RUN_MS and stops it for STOP_MS, as a processor quota does, until it is
   gone or SECONDS have passed; it never leaves it stopped.

   As a shared object that is preloaded, it sets the time of day forward by TEST_CLOCK_S seconds. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <signal.h>
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
#else
static volatile sig_atomic_t ended;
static void note(int number) { ended = number; }

static void wait_ms(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fputs("nodes_fault: expected PID RUN_MS STOP_MS SECONDS\n", stderr);
        return 2;
    }
    const pid_t pid = (pid_t)strtol(argv[1], NULL, 10);
    const long run_ms = strtol(argv[2], NULL, 10), stop_ms = strtol(argv[3], NULL, 10);
    const time_t end = time(NULL) + strtol(argv[4], NULL, 10);
    struct sigaction action = {.sa_handler = note};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    if (pid <= 1) return 2;
    while (!ended && time(NULL) < end && kill(pid, SIGSTOP) == 0) {
        wait_ms(stop_ms);
        if (kill(pid, SIGCONT) != 0) break;
        wait_ms(run_ms);
    }
    kill(pid, SIGCONT);
    return 0;
}
#endif
