/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_textbook_lu.c: a dense LU decomposition with partial pivoting in the style of Bisseling
   (Parallel scientific computation, 2nd edition, 2020): long indices, sizes by sizeof, rows dealt
   out in turn. The factors are known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bsp.h"
#include "tap.h"

enum { N = 24 };

static int wanted; /* set by process 0 alone */

static long nloc(long p, long s, long n) { return (n + p - s - 1) / p; }

/* A = L U of an L with a unit diagonal and elements of at most 1/2 in size, with rows reversed.
   Elements are multiples of 1/2 and 1/4, which are exact in a double. */
static double lower(long i, long j)
{
    return i == j ? 1 : j < i ? (double)((3 * i + j) % 3 - 1) / 2 : 0;
}
static double upper(long i, long j) { return i == j ? 8 : i < j ? (double)((i + 2 * j) % 5) : 0; }
static double element(long i, long j)
{
    double sum = 0;
    for (long k = 0; k < N; k++) sum += lower(N - 1 - i, k) * upper(k, j);
    return sum;
}

typedef struct {
    double size;
    long row;
} pivot;

/* Returns the row of the largest element of column k, from row k on. */
static long find_pivot(double (*a)[N], long k, pivot *all)
{
    long p = bsp_nprocs(), s = bsp_pid();
    pivot mine = {-1, -1};
    for (long i = 0; i < nloc(p, s, N); i++)
        if (i * p + s >= k && fabs(a[i][k]) > mine.size) mine = (pivot){fabs(a[i][k]), i * p + s};
    for (long t = 0; t < p; t++) bsp_put(t, &mine, all, s * sizeof(pivot), sizeof(pivot));
    bsp_sync();
    pivot best = all[0];
    for (long t = 1; t < p; t++)
        if (all[t].size > best.size) best = all[t];
    return best.row;
}

/* Rows k and r change places; every process gets the new row k. */
static void swap_rows(double (*a)[N], long k, long r, double *row)
{
    long p = bsp_nprocs(), s = bsp_pid();
    if (k % p == s) bsp_put(r % p, a[k / p], a, r / p * sizeof *a, sizeof *a);
    if (r % p == s) {
        bsp_put(k % p, a[r / p], a, k / p * sizeof *a, sizeof *a);
        for (long t = 0; t < p; t++) bsp_put(t, a[r / p], row, 0, sizeof *a);
    }
    bsp_sync();
}

static void decompose(double (*a)[N], long *order)
{
    long p = bsp_nprocs(), s = bsp_pid(), nl = nloc(p, s, N);
    double row[N];
    pivot *all = calloc(p, sizeof(pivot));
    bsp_push_reg(all, p * sizeof(pivot));
    bsp_push_reg(row, sizeof row);
    bsp_push_reg(a, nl * sizeof *a);
    bsp_sync();
    for (long k = 0; k < N; k++) {
        long r = find_pivot(a, k, all), other = order[k];
        swap_rows(a, k, r, row);
        order[k] = order[r];
        order[r] = other;
        for (long i = 0; i < nl; i++) {
            if (i * p + s <= k) continue;
            a[i][k] /= row[k];
            for (long j = k + 1; j < N; j++) a[i][j] -= a[i][k] * row[j];
        }
    }
    bsp_pop_reg(a);
    bsp_pop_reg(row);
    bsp_pop_reg(all);
    bsp_sync();
    free(all);
}

static void spmd(void)
{
    bsp_begin(wanted);
    long p = bsp_nprocs(), s = bsp_pid(), nl = nloc(p, s, N), order[N];
    double(*a)[N] = calloc(nl + 1, sizeof *a);
    for (long i = 0; i < N; i++) order[i] = i;
    for (long i = 0; i < nl; i++)
        for (long j = 0; j < N; j++) a[i][j] = element(i * p + s, j);
    decompose(a, order);

    long wrong = 0, sum = 0, *counts = calloc(p, sizeof(long));
    for (long i = 0; i < nl; i++)
        for (long j = 0; j < N; j++) {
            long g = i * p + s;
            wrong += !(fabs(a[i][j] - (j < g ? lower(g, j) : upper(g, j))) < 1e-12);
            wrong += order[g] != N - 1 - g;
        }
    bsp_push_reg(counts, p * sizeof(long));
    bsp_sync();
    bsp_put(0, &wrong, counts, s * sizeof(long), sizeof(long));
    bsp_sync();
    for (long t = 0; t < p; t++) sum += counts[t];
    if (s == 0) ok(sum == 0, "LU decomposition with partial pivoting: %ld wrong", sum);
    free(counts);
    free(a);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    wanted = bsp_nprocs();
    spmd();
    return tap_done();
}
