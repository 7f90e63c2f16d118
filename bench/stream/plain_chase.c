/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_chase.c: the reference of bench-latency: a list through every 64th byte of plain memory,
   linked in a shuffled order (Fisher-Yates over an array of numbers), followed for some seconds.
   Arguments: bytes, and 1 for transparent huge pages. Prints nanoseconds a step: the median of
   eleven passes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

struct node {
    struct node *next;
    char rest[64 - sizeof(struct node *)];
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    enum { PASSES = 11 };
    size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) / sizeof(struct node) : 0;
    if (n < 2) return 2;
    struct node *node = aligned_alloc(2 << 20, n * sizeof *node);
    size_t *order = malloc(n * sizeof *order);
    double ns[PASSES];
    if (!node || !order) return 3;
    if (argc > 2 && atoi(argv[2])) madvise(node, n * sizeof *node, MADV_HUGEPAGE);
    else madvise(node, n * sizeof *node, MADV_NOHUGEPAGE);
    srand48(1);
    for (size_t k = 0; k < n; k++) order[k] = k;
    for (size_t k = n - 1; k > 0; k--) {
        size_t other = (size_t)(drand48() * (double)(k + 1)), swap = order[k];
        order[k] = order[other];
        order[other] = swap;
    }
    for (size_t k = 0; k < n; k++) node[order[k]].next = &node[order[(k + 1) % n]];
    free(order);
    struct node *at = node;
    size_t steps = n > 1 << 20 ? 1 << 20 : n;
    for (int pass = 0; pass < PASSES; pass++) {
        double start_s = now_s();
        for (size_t k = 0; k < steps; k++) at = at->next;
        ns[pass] = 1e9 * (now_s() - start_s) / (double)steps;
    }
    qsort(ns, PASSES, sizeof *ns, by_value);
    printf("%.3f\n", ns[PASSES / 2]);
    return at == NULL;
}
