/* SPDX-License-Identifier: BSD-3-Clause */
/* getrf.c: the time of LAPACK's factorization in the BLAS library that is linked.
       getrf single|double ORDER THREADS REPEATS
   Prints the median and the minimum of the times, in seconds. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void sgetrf_(const int *, const int *, float *, const int *, int *, int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
#ifdef HAVE_OPENBLAS
void openblas_set_num_threads(int threads);
#else
static void openblas_set_num_threads(int threads) { (void)threads; }
#endif

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    if (argc != 5) return fprintf(stderr, "usage: getrf single|double ORDER THREADS REPEATS\n"), 2;
    int is_single = !strcmp(argv[1], "single"), n = atoi(argv[2]), repeats = atoi(argv[4]),
        info = 0;
    size_t elements = (size_t)n * (size_t)n;
    void *a = malloc(elements * (is_single ? sizeof(float) : sizeof(double)));
    int *pivots = malloc((size_t)n * sizeof *pivots);
    double *took_s = malloc((size_t)repeats * sizeof *took_s);
    if (!a || !pivots || !took_s) return 3;
    openblas_set_num_threads(atoi(argv[3]));
    for (int k = 0; k < repeats; k++) {
        unsigned long long state = 1;
        for (size_t i = 0; i < elements; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            double value = (double)(state >> 11) * 0x1p-53 - 0.5;
            if (is_single) ((float *)a)[i] = (float)value;
            else ((double *)a)[i] = value;
        }
        double since = now_s();
        if (is_single) sgetrf_(&n, &n, a, &n, pivots, &info);
        else dgetrf_(&n, &n, a, &n, pivots, &info);
        took_s[k] = now_s() - since;
        if (info) return 1;
    }
    qsort(took_s, (size_t)repeats, sizeof *took_s, ascending);
    printf("%.6f %.6f\n", took_s[repeats / 2], took_s[0]);
    free(a), free(pivots), free(took_s);
    return 0;
}
