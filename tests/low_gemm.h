/* SPDX-License-Identifier: BSD-3-Clause */
/* low_gemm.h: matrix products in bfloat16 and in half precision by plain loops, with the arguments
   of sgemm, as OpenBLAS and MKL have them; and the values of such numbers. */
#ifndef CM_LOW_GEMM_H
#define CM_LOW_GEMM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Of a format with these numbers of bits of the exponent and the fraction. */
static double low_value(unsigned bits, int exponent_bits, int fraction_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1, all = (1 << exponent_bits) - 1;
    const int exponent = (int)(bits >> fraction_bits) & all;
    const unsigned fraction = bits & ((1u << fraction_bits) - 1);
    double size;
    if (exponent == all) size = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0) size = ldexp(fraction, 1 - bias - fraction_bits);
    else size = ldexp(fraction + (double)(1u << fraction_bits), exponent - bias - fraction_bits);
    return bits >> (exponent_bits + fraction_bits) & 1 ? -size : size;
}
static double bfloat16_value(unsigned bits) { return low_value(bits, 8, 7); }
static double half_value(unsigned bits) { return low_value(bits, 5, 10); }

/* Returns the values of a matrix that is stored by columns, without gaps. Those of a large one come
   from a table of all numbers. */
static float *low_values(double (*value)(unsigned), int rows, int columns, const uint16_t *a,
                         int lda)
{
    enum { ALL = 1 << 16 };
    const size_t n = (size_t)rows * (size_t)columns;
    float *values = malloc((n + 1) * sizeof *values), *of = NULL;
    if (n >= ALL) of = malloc(ALL * sizeof *of);
    if (!values || (n >= ALL && !of)) abort();
    for (unsigned bits = 0; of && bits < ALL; bits++) of[bits] = (float)value(bits);
    for (size_t j = 0; j < (size_t)columns; j++)
        for (size_t i = 0; i < (size_t)rows; i++) {
            const uint16_t bits = a[j * (size_t)lda + i];
            values[j * (size_t)rows + i] = of ? of[bits] : (float)value(bits);
        }
    free(of);
    return values;
}

static inline void low_gemm(double (*value)(unsigned), const char *transa, const char *transb,
                            const int *m, const int *n, const int *k, const float *alpha,
                            const uint16_t *a, const int *lda, const uint16_t *b, const int *ldb,
                            const float *beta, float *c, const int *ldc)
{
    const size_t rows = (size_t)*m, inner = (size_t)*k, out = (size_t)*ldc;
    if (*transa != 'N' || *transb != 'N') abort();
    float *of_a = low_values(value, *m, *k, a, *lda), *of_b = low_values(value, *k, *n, b, *ldb);
    for (size_t j = 0; j < (size_t)*n; j++)
        for (size_t i = 0; i < rows; i++) {
            float sum = 0;
            for (size_t l = 0; l < inner; l++) sum += of_a[l * rows + i] * of_b[j * inner + l];
            c[j * out + i] = *alpha * sum + *beta * c[j * out + i];
        }
    free(of_a), free(of_b);
}

#define LOW_GEMM(name, format)                                                                  \
    void name(const char *transa, const char *transb, const int *m, const int *n, const int *k, \
              const float *alpha, const uint16_t *a, const int *lda, const uint16_t *b,         \
              const int *ldb, const float *beta, float *c, const int *ldc);                     \
    void name(const char *transa, const char *transb, const int *m, const int *n, const int *k, \
              const float *alpha, const uint16_t *a, const int *lda, const uint16_t *b,         \
              const int *ldb, const float *beta, float *c, const int *ldc)                      \
    {                                                                                           \
        low_gemm(format##_value, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); \
    }

#endif
