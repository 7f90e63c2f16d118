/* SPDX-License-Identifier: BSD-3-Clause */
/* low.c: matrix products in bfloat16 and in half precision, with sums in single, where the BLAS has
   them. They are looked for at run time: the BLAS that runs need not be the one of the build. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/blas.h"

/* ---- Rounding, to the nearest, ties to even -------------------------------------------------- */

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The upper half of a float. */
static uint16_t to_bfloat16(float x)
{
    const uint32_t bits = bits_of(x), is_nan = (bits & 0x7fffffff) > 0x7f800000;
    const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    return (uint16_t)(is_nan ? bits >> 16 | 0x40 : rounded >> 16);
}

/* IEEE 754's binary16: 5 bits of exponent, 10 of fraction. Adding 1/2 to a number below 2^-14
   rounds it to a multiple of 2^-24, as the subnormal numbers are. */
static uint16_t to_half(float x)
{
    const uint32_t bits = bits_of(x), size = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
    const uint32_t normal = (size + 0xfff + (size >> 13 & 1) - (112u << 23)) >> 13;
    const uint32_t subnormal = bits_of(fabsf(x) + 0.5f) - bits_of(0.5f);
    uint32_t half = size < 0x38800000 ? subnormal : normal;
    half = size >= 0x477ff000 ? 0x7c00 : half; /* from 65520 on: infinite */
    half = size > 0x7f800000 ? 0x7e00 : half;
    return (uint16_t)(sign | half);
}

/* Returns the exponent e with 2^(e-1) <= largest < 2^e; 0 if there are only zeros, or if one is not
   finite. */
static int exponent_of(int rows, int columns, const float *a, int lda)
{
    uint32_t largest = 0;
    int e = 0;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            const uint32_t size = bits_of(a[(size_t)j * (size_t)lda + (size_t)i]) & 0x7fffffff;
            largest = size > largest ? size : largest;
        }
    if (largest < 0x7f800000) {
        float value;
        memcpy(&value, &largest, sizeof value);
        frexpf(value, &e);
    }
    return e;
}

#define ROUND(name)                                                                          \
    static void round_##name(int rows, int columns, const float *restrict a, int lda, int e, \
                             uint16_t *restrict to)                                          \
    {                                                                                        \
        const float scale = ldexpf(1, -e);                                                   \
        for (int j = 0; j < columns; j++)                                                    \
            for (int i = 0; i < rows; i++)                                                   \
                to[(size_t)j * (size_t)rows + (size_t)i] =                                   \
                    to_##name(a[(size_t)j * (size_t)lda + (size_t)i] * scale);               \
    }
ROUND(bfloat16)
ROUND(half)

/* ---- The product ----------------------------------------------------------------------------- */

/* OpenBLAS's and MKL's, which take the arguments of sgemm. */
static const struct {
    const char *names[2];
    void (*round)(int rows, int columns, const float *a, int lda, int e, uint16_t *to);
} formats[] = {
    [CM_BLAS_BFLOAT16] = {{"sbgemm", "gemm_bf16bf16f32"}, round_bfloat16},
    [CM_BLAS_HALF] = {{"shgemm", "gemm_f16f16f32"}, round_half},
};

bool cm_blas_low_find(cm_blas_format format, cm_blas_low *low)
{
    *low = (cm_blas_low){.format = format};
    for (int k = 0; k < 2 && !low->gemm; k++) {
        char symbol[32];
        low->name = formats[format].names[k];
        snprintf(symbol, sizeof symbol, "%s_", low->name);
        low->gemm = (cm_blas_low_gemm *)cm_blas_function_of(symbol);
    }
    return low->gemm != NULL;
}

static int limit(int e, int most) { return e > most ? most : e < -most ? -most : e; }

/* A and B are scaled by powers of two, so that their largest elements are between 1/2 and 1: half
   precision ends at 65504 and loses digits below 2^-14. alpha, which takes the scales back, must
   be a normal number of single precision. */
bool cm_blas_low_subtract(const cm_blas_low *low, int m, int n, int k, const float *a, int lda,
                          const float *b, int ldb, float *c, int ldc)
{
    enum { MOST = 126 };
    if (m <= 0 || n <= 0 || k <= 0) return true;
    uint16_t *of_a = malloc((size_t)m * (size_t)k * sizeof *of_a);
    uint16_t *of_b = malloc((size_t)k * (size_t)n * sizeof *of_b);
    if (of_a && of_b) {
        const int e_a = limit(exponent_of(m, k, a, lda), MOST);
        const int e = limit(e_a + limit(exponent_of(k, n, b, ldb), MOST), MOST);
        const float alpha = -ldexpf(1, e), one = 1;
        formats[low->format].round(m, k, a, lda, e_a, of_a);
        formats[low->format].round(k, n, b, ldb, e - e_a, of_b);
        low->gemm("N", "N", &m, &n, &k, &alpha, of_a, &m, of_b, &k, &one, c, &ldc);
    }
    const bool has_memory = of_a && of_b;
    free(of_a), free(of_b);
    return has_memory;
}
