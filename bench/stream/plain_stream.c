/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_stream.c: STREAM's four loops over static arrays, written and compiled in the simplest way,
   on one processor. Usage: plain_stream PASSES. The arrays have PLAIN_STREAM_N numbers (set at
   compile time, as in STREAM). Prints the fastest pass of copy, scale, add, triad in MB/s. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double a[PLAIN_STREAM_N], b[PLAIN_STREAM_N], c[PLAIN_STREAM_N];

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const long n = PLAIN_STREAM_N, passes = argc > 1 ? atol(argv[1]) : 10;
    const double words[4] = {2, 2, 3, 3}, q = 0.41421356237309503;
    double best_s[4] = {1e9, 1e9, 1e9, 1e9}, t[5];
    for (long j = 0; j < n; j++) a[j] = 2, b[j] = 2, c[j] = 0;
    for (long k = 0; k < passes; k++) {
        t[0] = now_s();
        for (long j = 0; j < n; j++) c[j] = a[j];
        t[1] = now_s();
        for (long j = 0; j < n; j++) b[j] = q * c[j];
        t[2] = now_s();
        for (long j = 0; j < n; j++) c[j] = a[j] + b[j];
        t[3] = now_s();
        for (long j = 0; j < n; j++) a[j] = b[j] + q * c[j];
        t[4] = now_s();
        for (int i = 0; i < 4; i++)
            if (t[i + 1] - t[i] < best_s[i]) best_s[i] = t[i + 1] - t[i];
    }
    for (int i = 0; i < 4; i++)
        printf("%.1f%c", 1e-6 * 8 * words[i] * (double)n / best_s[i], i < 3 ? ' ' : '\n');
    return a[n / 2] > 1.9 && a[n / 2] < 2.1 ? 0 : 1;
}
