/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_stream.c: STREAM as its users compile it: static arrays whose length is set at compile time
   (PLAIN_STREAM_N), its loops, its factor 3, ten passes of which the first does not count, its
   check. On one processor or, compiled with OpenMP, on OMP_NUM_THREADS. Prints the fastest pass of
   copy, scale, add, triad in MB/s. Exit status 1: a wrong answer. */
#include <math.h>
#include <stdio.h>
#include <time.h>

/* As in STREAM, also where the arrays are set, so that each thread's part is near it. */
#ifdef _OPENMP
#define ON_ALL_THREADS _Pragma("omp parallel for")
#else
#define ON_ALL_THREADS
#endif

enum { NTIMES = 10, KERNELS = 4 };

static double a[PLAIN_STREAM_N], b[PLAIN_STREAM_N], c[PLAIN_STREAM_N];

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double mean_error(const double *x, long n, double expected)
{
    double sum = 0;
    for (long j = 0; j < n; j++) sum += fabs(x[j] - expected);
    return sum / (double)n / expected;
}

static int is_right(long n)
{
    double aj = 2, bj = 2, cj = 0;
    for (int k = 0; k < NTIMES; k++) cj = aj, bj = 3 * cj, cj = aj + bj, aj = bj + 3 * cj;
    return mean_error(a, n, aj) < 1e-13 && mean_error(b, n, bj) < 1e-13
           && mean_error(c, n, cj) < 1e-13;
}

int main(void)
{
    const long n = PLAIN_STREAM_N;
    const double words[KERNELS] = {2, 2, 3, 3}, q = 3;
    double best_s[KERNELS] = {1e9, 1e9, 1e9, 1e9}, t[KERNELS + 1];
    ON_ALL_THREADS
    for (long j = 0; j < n; j++) a[j] = 1, b[j] = 2, c[j] = 0;
    ON_ALL_THREADS
    for (long j = 0; j < n; j++) a[j] = 2 * a[j];
    for (int k = 0; k < NTIMES; k++) {
        t[0] = now_s();
        ON_ALL_THREADS
        for (long j = 0; j < n; j++) c[j] = a[j];
        t[1] = now_s();
        ON_ALL_THREADS
        for (long j = 0; j < n; j++) b[j] = q * c[j];
        t[2] = now_s();
        ON_ALL_THREADS
        for (long j = 0; j < n; j++) c[j] = a[j] + b[j];
        t[3] = now_s();
        ON_ALL_THREADS
        for (long j = 0; j < n; j++) a[j] = b[j] + q * c[j];
        t[4] = now_s();
        for (int i = 0; k > 0 && i < KERNELS; i++)
            if (t[i + 1] - t[i] < best_s[i]) best_s[i] = t[i + 1] - t[i];
    }
    for (int i = 0; i < KERNELS; i++)
        printf("%.1f%c", 1e-6 * 8 * words[i] * (double)n / best_s[i], i < KERNELS - 1 ? ' ' : '\n');
    return is_right(n) ? 0 : 1;
}
