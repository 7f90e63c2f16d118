/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_walk.c: walks a random list of N nodes from its head and stores each node's distance to the
   end. Prints nanoseconds per node, the median of R runs. Usage: plain_walk N R */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "memory/memory.h"

typedef struct {
    int64_t next, distance;
} node;

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int64_t n = atoll(argv[1]);
    int runs = atoi(argv[2]);
    node *list = cm_memory_open((size_t)n * sizeof *list);
    int64_t *order = cm_memory_open((size_t)n * sizeof *order);
    double *times = malloc((size_t)runs * sizeof *times);
    if (!list || !order || !times) return 3;
    uint64_t random = 88172645463325252u;
    for (int64_t k = 0; k < n; k++) order[k] = k;
    for (int run = 0; run < runs; run++) {
        for (int64_t k = n - 1; k > 0; k--) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17; /* xorshift64 */
            int64_t other = (int64_t)(random % (uint64_t)(k + 1)), swap = order[k];
            order[k] = order[other];
            order[other] = swap;
        }
        for (int64_t k = 0; k < n; k++)
            list[order[k]] = (node){k + 1 < n ? order[k + 1] : -1, k + 1 < n};
        double begin = now();
        int64_t walked = 0;
        for (int64_t at = order[0]; at >= 0; at = list[at].next) {
            int64_t distance = list[at].distance;
            list[at].distance = walked;
            walked += distance;
        }
        for (int64_t k = 0; k < n; k++) list[k].distance = walked - list[k].distance;
        times[run] = 1e9 * (now() - begin) / (double)n;
        if (list[order[0]].distance != n - 1) return 1;
    }
    qsort(times, (size_t)runs, sizeof *times, by_size);
    printf("%.3f\n", times[runs / 2]);
    return 0;
}
