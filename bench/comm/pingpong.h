/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong.h: the measuring loop that the plain programs and the layer's share, so that only what moves the
   bytes differs. Sizes come from the command line; one line a size: bytes, median half round trip in us. */
#ifndef BENCH_PINGPONG_H
#define BENCH_PINGPONG_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIALS = 15, MOST_TURNS = 2000 };
static const double TRIAL_S = 3e-3;

static inline double bench_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Process number rank of two goes to a core of its own when there are two. */
static inline void bench_pin(int rank)
{
    cpu_set_t all, one;
    int seen = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) return;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &all) && seen++ == rank) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

typedef void bench_move(void *place, char *data, size_t bytes);

static int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* rank 0 times, rank 1 answers; both know the number of turns: it is sent as a message of eight bytes. */
static inline int bench_pingpong(int rank, bench_move *send, bench_move *recv, void *place,
                                 int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        size_t bytes = (size_t)strtoull(argv[k], NULL, 10);
        char *data = malloc(bytes ? bytes : 1);
        double sample[TRIALS];
        long turns = 20;
        if (!data) return 3;
        memset(data, 7, bytes);
        for (int trial = -2; trial < TRIALS; trial++) {
            if (rank == 0) send(place, (char *)&turns, sizeof turns);
            else recv(place, (char *)&turns, sizeof turns);
            double start_s = bench_now_s();
            for (long turn = 0; turn < turns; turn++) {
                if (rank == 0) {
                    send(place, data, bytes);
                    recv(place, data, bytes);
                } else {
                    recv(place, data, bytes);
                    send(place, data, bytes);
                }
            }
            double each_s = (bench_now_s() - start_s) / (double)turns;
            if (trial >= 0) sample[trial] = each_s / 2;
            else turns = each_s > 0 ? (long)(TRIAL_S / each_s) + 1 : MOST_TURNS;
            if (turns > MOST_TURNS) turns = MOST_TURNS;
        }
        qsort(sample, TRIALS, sizeof *sample, bench_compare);
        if (rank == 0) {
            printf("%zu %.4f\n", bytes, 1e6 * sample[TRIALS / 2]);
            fflush(stdout);
        }
        free(data);
    }
    return 0;
}

#endif
