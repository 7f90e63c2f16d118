/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong.h: the measuring loop of the plain programs and of the layer's, so that they differ only
   in the calls that move the bytes. Sizes come from the command line. Prints a line for each size:
   bytes, median and minimum of half the round trip in us over the trials. Trials are short, so that
   some run undisturbed on a machine with other load. */
#ifndef BENCH_PINGPONG_H
#define BENCH_PINGPONG_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIALS = 61, MOST_TURNS = 2000 };
static const double TRIAL_S = 0.7e-3;

static inline double bench_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Binds process number rank to the core of that number, modulo the number of cores. */
static inline void bench_pin(int rank)
{
    cpu_set_t all, one;
    int seen = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) return;
    rank %= CPU_COUNT(&all);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &all) && seen++ == rank) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

/* Buffers are whole pages. The offset of a buffer in a page changes the kernel's copy speed by a
   factor of up to three, and malloc puts long ones 16 bytes behind a page's beginning.
   BENCH_OFFSET_BYTES shifts them. */
enum { BENCH_PAGE_BYTES = 4096 };

static inline char *bench_allocate(size_t bytes)
{
    const char *text = getenv("BENCH_OFFSET_BYTES");
    size_t offset = text ? strtoull(text, NULL, 10) % BENCH_PAGE_BYTES : 0;
    size_t pages = (bytes + offset) / BENCH_PAGE_BYTES + 1;
    char *data = aligned_alloc(BENCH_PAGE_BYTES, pages * BENCH_PAGE_BYTES);
    return data ? data + offset : NULL;
}

static inline void bench_free(char *data)
{
    free((void *)((uintptr_t)data / BENCH_PAGE_BYTES * BENCH_PAGE_BYTES));
}

typedef void bench_move(void *place, char *data, size_t bytes);

static int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Rank 0 times and rank 1 answers. Rank 0 sends the number of turns as a message of eight bytes. */
static inline int bench_pingpong(int rank, bench_move *send, bench_move *recv, void *place,
                                 int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        size_t bytes = (size_t)strtoull(argv[k], NULL, 10);
        char *data = bench_allocate(bytes);
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
            printf("%zu %.4f %.4f\n", bytes, 1e6 * sample[TRIALS / 2], 1e6 * sample[0]);
            fflush(stdout);
        }
        bench_free(data);
    }
    return 0;
}

#endif
