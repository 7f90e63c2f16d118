/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul_faulty.c: cm-matmul with a plain product instead of the BLAS's; TEST_FAULT makes an
   element of the last column of the last process's first product wrong, that of the last row but
   one: one (add 1), left (not written), half (add 1/2), low (the relative error of a product in
   lower precision), nan. TEST_SAYS is the number of
   threads that its BLAS says it uses, TEST_BUSY that of processors that it keeps busy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../sscrap/matmul/matmul.h"

static double get(int precision, const void *data, int64_t k)
{
    return precision == MATMUL_SINGLE ? (double)((const float *)data)[k]
                                      : ((const double *)data)[k];
}

static void set(int precision, void *data, int64_t k, double value)
{
    if (precision == MATMUL_SINGLE) ((float *)data)[k] = (float)value;
    else ((double *)data)[k] = value;
}

static double spoiled(double value)
{
    const char *fault = getenv("TEST_FAULT");
    if (!fault || bsp_pid() != bsp_nprocs() - 1) return value;
    if (strcmp(fault, "one") == 0) return value + 1;
    if (strcmp(fault, "half") == 0) return value + 0.5;
    if (strcmp(fault, "low") == 0) return value * (1 + 0x1p-11);
    if (strcmp(fault, "nan") == 0) return NAN;
    return value;
}

void cm_blas_gemm(cm_blas_precision precision, int64_t m, int64_t n, int64_t k, const void *a,
                  const void *b, int64_t rows_of_b, bool add, void *c)
{
    const char *fault = getenv("TEST_FAULT");
    bool leaves = fault && strcmp(fault, "left") == 0 && bsp_pid() == bsp_nprocs() - 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double sum = add ? get(precision, c, j * m + i) : 0;
            for (int64_t l = 0; l < k; l++)
                sum += get(precision, a, l * m + i) * get(precision, b, j * rows_of_b + l);
            bool last = !add && i == m - 2 && j == n - 1;
            if (!(last && leaves)) set(precision, c, j * m + i, last ? spoiled(sum) : sum);
        }
}

static double number(const char *variable, double otherwise)
{
    const char *text = getenv(variable);
    return text ? atof(text) : otherwise;
}

int cm_blas_threads(int threads) { return (int)number("TEST_SAYS", threads); }
double cm_blas_busy_measure(void) { return number("TEST_BUSY", 1); }
cm_blas_library cm_blas_library_loaded(void) { return (cm_blas_library){.name = "a test's"}; }
const char *cm_blas_kernel(void) { return ""; }
