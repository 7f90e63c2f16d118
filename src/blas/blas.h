/* SPDX-License-Identifier: BSD-3-Clause */
/* blas.h: the BLAS's matrix product, its threads, its kernels. */
#ifndef CM_BLAS_H
#define CM_BLAS_H

#include <stdbool.h>
#include <stdint.h>
#include "option/option.h"
#include "result/result.h"

typedef enum { CM_BLAS_SINGLE, CM_BLAS_DOUBLE } cm_blas_precision;

/* ---- gemm.c: matrices by columns ------------------------------------------------------------- */
/* C += A B, or C = A B; C m x n, A m x k, B with rows_of_b rows of which the first k count. All
   sizes fit an int. */
void cm_blas_gemm(cm_blas_precision precision, int64_t m, int64_t n, int64_t k, const void *a,
                  const void *b, int64_t rows_of_b, bool add, void *c);

/* ---- kernel.c: where the BLAS tells, which OpenBLAS does ------------------------------------- */
void cm_blas_threads(int threads); /* of this process from now on */
const char *cm_blas_kernel(void);  /* "Haswell"; "": not known */

/* ---- suited.c: do the kernels suit the processor? -------------------------------------------- */
/* For a benchmark's check: 0, or one line and CM_EXIT_USAGE when the kernels have instructions that
   this processor lacks. */
int cm_blas_check(const cm_program *program);

/* blas_kernel, and where the processor can do far better, blas_kernel_better with a line on stderr.
   Rank 0. */
void cm_blas_meta(cm_result *result, const char *program);

#endif
