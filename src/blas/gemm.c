/* SPDX-License-Identifier: BSD-3-Clause */
/* gemm.c: the matrix product of the BLAS. */
#include "config.h"
#include "blas/blas.h"
#include "blas/symbols.h"

void cm_blas_gemm(cm_blas_precision precision, int64_t m, int64_t n, int64_t k, const void *a,
                  const void *b, int64_t rows_of_b, bool add, void *c)
{
    const int rows = (int)m, columns = (int)n, inner = (int)k, b_rows = (int)rows_of_b;
    if (!rows || !columns) return;
    if (precision == CM_BLAS_SINGLE) {
        const float one = 1, beta = add;
        sgemm_("N", "N", &rows, &columns, &inner, &one, a, &rows, b, &b_rows, &beta, c, &rows, 1,
               1);
    } else {
        const double one = 1, beta = add;
        dgemm_("N", "N", &rows, &columns, &inner, &one, a, &rows, b, &b_rows, &beta, c, &rows, 1,
               1);
    }
}
