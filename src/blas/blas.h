/* SPDX-License-Identifier: BSD-3-Clause */
/* blas.h: the BLAS: its matrix products, its name, its threads and its kernels. */
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

/* ---- low.c: products in less than single precision ------------------------------------------- */
typedef enum { CM_BLAS_BFLOAT16, CM_BLAS_HALF } cm_blas_format;
/* As sgemm, with A and B as the bits of numbers of 16 bits. */
typedef void cm_blas_low_gemm(const char *, const char *, const int *, const int *, const int *,
                              const float *, const uint16_t *, const int *, const uint16_t *,
                              const int *, const float *, float *, const int *);
typedef struct {
    cm_blas_format format;
    const char *name; /* "sbgemm" */
    cm_blas_low_gemm *gemm;
} cm_blas_low;
/* Returns false if the BLAS that is loaded has no such product. */
bool cm_blas_low_find(cm_blas_format format, cm_blas_low *low);
/* Computes C -= A B with A and B rounded to the product's format and sums in single precision. A
   and B are first scaled by a power of two each, so that the format can hold them. C is m x n, A is
   m x k, all matrices are stored by columns. Returns false if there is no memory; C is then as it
   was. */
bool cm_blas_low_subtract(const cm_blas_low *low, int m, int n, int k, const float *a, int lda,
                          const float *b, int ldb, float *c, int ldc);

/* ---- library.c: the BLAS that this process has loaded ---------------------------------------- */
typedef struct {
    const char *name;  /* OpenBLAS, MKL, BLIS, ATLAS, FlexiBLAS, reference or unknown */
    char version[128]; /* "" if it is not known */
    char file[512];    /* that has dgemm_; "": the program itself */
} cm_blas_library;
cm_blas_library cm_blas_library_loaded(void);
/* Returns the name of the BLAS's kernels, "Haswell", or "" if it is not known. */
const char *cm_blas_kernel(void);
/* Asks the BLAS for this number of threads in this process. Returns the number that it then says it
   uses; 0 if it says none. */
int cm_blas_threads(int threads);
/* The same for a number that the user asked for. Says so on stderr if the BLAS uses another one. */
int cm_blas_threads_asked(const char *program, int threads);
/* Returns a function of the BLAS, NULL if it has none of this name. */
typedef void cm_blas_function(void);
cm_blas_function *cm_blas_function_of(const char *symbol);

/* ---- busy.c ---------------------------------------------------------------------------------- */
typedef struct {
    double wall_s, cpu_s;
} cm_blas_busy;
cm_blas_busy cm_blas_busy_begin(void);
/* Returns how many processors this process has kept busy since then: processor time over wall
   time. */
double cm_blas_busy_end(const cm_blas_busy *began);
/* Returns when no thread of this process is busy any more, after at most 0.5 s. OpenBLAS's threads,
   also those that are not used, spin for work when they begin, some for 0.1 s. */
void cm_blas_settle(void);
/* The same as cm_blas_busy_end, of matrix products that it times for 0.04 s. NaN if there is no
   memory. */
double cm_blas_busy_measure(void);

/* ---- suited.c: do the kernels suit the processor? -------------------------------------------- */
/* For a benchmark's check. Returns 0, or prints one line and returns CM_EXIT_USAGE if the kernels
   have instructions that this processor lacks. */
int cm_blas_check(const cm_program *program);

/* Adds the metadata blas, blas_version, blas_kernel, blas_threads (the number that the BLAS reports
   after it was set to threads) and blas_threads_busy (busy, a measurement; NaN: none). Writes a
   line to stderr, which begins with program, if the processor could do far better (then it also
   adds blas_kernel_better), or if the numbers of threads differ. Rank 0 calls it. */
void cm_blas_meta(cm_result *result, const char *program, int threads, double busy);

#endif
