/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_openmp.c: Jacobi's iteration as its users write it with OpenMP, on OMP_NUM_THREADS threads.
   plain_openmp N PRECISION ITERATIONS prints the milliseconds of an iteration: the median of
   batches of 20. The plate begins as i + j, which the iteration keeps exactly. Exit status 1: it
   did not; 2: wrong arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 20, MOST = 20000 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int is_less(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns milliseconds of an iteration, or -1 after a wrong answer. */
#define JACOBI(name, real)                                                                       \
    static double name(long n, long batches)                                                     \
    {                                                                                            \
        const long stride = n + 2;                                                               \
        real *u = malloc((size_t)(stride * stride) * sizeof *u),                                 \
             *v = malloc((size_t)(stride * stride) * sizeof *v);                                 \
        static double ms[MOST];                                                                  \
        long wrong = 0;                                                                          \
        if (!u || !v) return -1;                                                                 \
        _Pragma("omp parallel for schedule(static)") for (long i = 0; i < stride;                \
                                                          i++) for (long j = 0; j < stride; j++) \
            u[i * stride + j] = v[i * stride + j] = (real)(i + j);                               \
        for (long batch = 0; batch < batches; batch++) {                                         \
            const double start_s = now_s();                                                      \
            for (int k = 0; k < BATCH; k++) {                                                    \
                _Pragma("omp parallel for schedule(static)") for (long i = 1; i <= n; i++)       \
                {                                                                                \
                    real *restrict to = v + i * stride;                                          \
                    const real *from = u + i * stride;                                           \
                    for (long j = 1; j <= n; j++)                                                \
                        to[j] =                                                                  \
                            (real)0.25                                                           \
                            * (from[j - stride] + from[j + stride] + from[j - 1] + from[j + 1]); \
                }                                                                                \
                real *const w = u;                                                               \
                u = v;                                                                           \
                v = w;                                                                           \
            }                                                                                    \
            ms[batch] = 1e3 / BATCH * (now_s() - start_s);                                       \
        }                                                                                        \
        for (long i = 0; i < stride; i++)                                                        \
            for (long j = 0; j < stride; j++) wrong += u[i * stride + j] != (real)(i + j);       \
        free(u);                                                                                 \
        free(v);                                                                                 \
        qsort(ms, (size_t)batches, sizeof *ms, is_less);                                         \
        return wrong ? -1 : (ms[(batches - 1) / 2] + ms[batches / 2]) / 2;                       \
    }

JACOBI(jacobi_single, float)
JACOBI(jacobi_double, double)

int main(int argc, char **argv)
{
    const long n = argc == 4 ? atol(argv[1]) : 0, batches = n > 0 ? atol(argv[3]) / BATCH : 0;
    if (n < 1 || batches < 1 || batches > MOST) {
        fputs("usage: plain_openmp N single|double ITERATIONS (20 to 400000)\n", stderr);
        return 2;
    }
    const double ms =
        strcmp(argv[2], "single") == 0 ? jacobi_single(n, batches) : jacobi_double(n, batches);
    if (ms < 0) return 1;
    printf("%.6g\n", ms);
    return 0;
}
