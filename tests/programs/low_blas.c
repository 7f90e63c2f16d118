/* SPDX-License-Identifier: BSD-3-Clause */
/* low_blas.c: if preloaded, adds products in bfloat16 and half precision to the BLAS. The
   benchmarks look for them beside dgemm_. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include "blas/symbols.h"
#include "low_gemm.h"

/* With the BLAS's sums in single precision: programs time large products at the start. */
#define FAST(name, format)                                                                      \
    void name(const char *transa, const char *transb, const int *m, const int *n, const int *k, \
              const float *alpha, const uint16_t *a, const int *lda, const uint16_t *b,         \
              const int *ldb, const float *beta, float *c, const int *ldc);                     \
    void name(const char *transa, const char *transb, const int *m, const int *n, const int *k, \
              const float *alpha, const uint16_t *a, const int *lda, const uint16_t *b,         \
              const int *ldb, const float *beta, float *c, const int *ldc)                      \
    {                                                                                           \
        float *of_a = low_values(format##_value, *m, *k, a, *lda);                              \
        float *of_b = low_values(format##_value, *k, *n, b, *ldb);                              \
        sgemm_(transa, transb, m, n, k, alpha, of_a, m, of_b, k, beta, c, ldc, 1, 1);           \
        free(of_a), free(of_b);                                                                 \
    }
FAST(sbgemm_, bfloat16)
FAST(shgemm_, half)

typedef __typeof__(dgemm_) gemm;
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length)
{
    gemm *next;
    *(void **)&next = dlsym(RTLD_NEXT, "dgemm_");
    next(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, transa_length,
         transb_length);
}
