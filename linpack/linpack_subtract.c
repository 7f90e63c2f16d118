/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_subtract.c: the matrix product of the update: the BLAS's, or one of --refine-factors. */
#include "blas/symbols.h"
#include "linpack.h"
#include "linpack_options.h"

void linpack_single_subtract(const cm_blas_low *low, int m, int n, int k, const float *a, int lda,
                             const float *b, int ldb, float *c, int ldc)
{
    const float minus_one = -1, one = 1;
    if (!low) sgemm_("N", "N", &m, &n, &k, &minus_one, a, &lda, b, &ldb, &one, c, &ldc, 1, 1);
    else if (!cm_blas_low_subtract(low, m, n, k, a, lda, b, ldb, c, ldc))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for an update in %s",
                 linpack_factors[1 + low->format]);
}

/* When --refine falls back to double there is no other product. */
void linpack_double_subtract(const cm_blas_low *low, int m, int n, int k, const double *a, int lda,
                             const double *b, int ldb, double *c, int ldc)
{
    const double minus_one = -1, one = 1;
    (void)low;
    dgemm_("N", "N", &m, &n, &k, &minus_one, a, &lda, b, &ldb, &one, c, &ldc, 1, 1);
}
