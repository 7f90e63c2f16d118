/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.c: the number of threads of the BLAS, and its kernels. */
#include "config.h"
#include "blas/blas.h"

#ifdef HAVE_OPENBLAS
void openblas_set_num_threads(int threads);
char *openblas_get_corename(void);
void cm_blas_threads(int threads) { openblas_set_num_threads(threads); }
const char *cm_blas_kernel(void) { return openblas_get_corename(); }
#else
void cm_blas_threads(int threads) { (void)threads; }
const char *cm_blas_kernel(void) { return ""; }
#endif
