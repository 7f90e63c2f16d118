/* SPDX-License-Identifier: BSD-3-Clause */
/* blas.h: the BLAS's matrix product, its threads and its kernels. */
#ifndef CM_BLAS_H
#define CM_BLAS_H

#include <stdbool.h>
#include <stdint.h>
#include "option/option.h"
#include "result/result.h"

typedef enum { CM_BLAS_SINGLE, CM_BLAS_DOUBLE } cm_blas_precision;

/* ---- gemm.c: matrices by columns ------------------------------------------------------------- */
/* Computes C += A B if add is true, else C = A B. C is m x n, A is m x k, and B has n columns of
   rows_of_b rows, of which the first k are used. All matrices are stored by columns in the given
   precision. All sizes must fit into an int. */
void cm_blas_gemm(cm_blas_precision precision, int64_t m, int64_t n, int64_t k, const void *a,
                  const void *b, int64_t rows_of_b, bool add, void *c);

/* ---- kernel.c: these work with OpenBLAS ------------------------------------------------------ */
/* Sets the number of threads of the BLAS in this process. With another BLAS it does nothing. */
void cm_blas_threads(int threads);
/* Returns the name of the BLAS's kernels, "Haswell", or "" if it is not known. */
const char *cm_blas_kernel(void);

/* ---- suited.c: do the kernels suit the processor? -------------------------------------------- */
/* For a benchmark's check. Returns 0, or prints one line and returns CM_EXIT_USAGE if the kernels
   have instructions that this processor lacks. */
int cm_blas_check(const cm_program *program);

/* Adds the metadata blas_kernel. If the processor can do far better, it also adds
   blas_kernel_better and prints a line on stderr that begins with program. Rank 0 calls it. */
void cm_blas_meta(cm_result *result, const char *program);

#endif
