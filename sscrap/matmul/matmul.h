/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul.h: declarations that the files of cm-matmul share. Matrices are in column order, as in
   Fortran. */
#ifndef MATMUL_H
#define MATMUL_H

#include "blas/blas.h"
#include "../common/sscrap.h"

typedef enum { MATMUL_SINGLE = CM_BLAS_SINGLE, MATMUL_DOUBLE = CM_BLAS_DOUBLE } matmul_precision;
typedef enum { MATMUL_INTEGER, MATMUL_REAL } matmul_input;

typedef struct {
    sscrap_job job;
    int precision, input;
    int64_t slices, threads;
} matmul_options;

/* Process pid has columns first to first + own of A, B and C. */
typedef struct {
    const matmul_options *options;
    int p, pid;
    int64_t n, first, own;
    int64_t largest;          /* entries of integer matrices: -largest to largest */
    size_t bytes;             /* of an element */
    unsigned char *a, *b, *c; /* n x own */
    unsigned char *ring[2];   /* n x most: receives the left neighbour's block of A */
    size_t ring_bytes;
    uint64_t seed;
} matmul_state;

/* ---- matmul_verify.c ---- */
enum { MATMUL_VECTORS = 3 };
/* Returns the largest integer entry: partial sums of the product are exact in any order. */
int64_t matmul_largest(int precision, int64_t n);
/* Freivalds' test; sets 2 checks, equal on all processes. */
int matmul_verify(void *of_run, sscrap_check *checks);

/* ---- matmul_run.c ---- */
extern const sscrap_problem matmul_problem;
extern const matmul_options matmul_defaults;

extern const cm_metric matmul_metrics[]; /* of the RESULT lines */

#endif
