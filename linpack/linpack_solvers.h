/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_solvers.h: the solvers of either precision, behind one table. */
#ifndef LINPACK_SOLVERS_H
#define LINPACK_SOLVERS_H

#include "blas/blas.h"
#include "linpack.h"

enum { LINPACK_SINGLE = CM_BLAS_SINGLE, LINPACK_DOUBLE = CM_BLAS_DOUBLE };

/* ---- linpack_solvers.c: arrays are float or double; right-hand sides and solutions are always
   double */
typedef struct {
    size_t bytes;   /* of an element */
    double epsilon; /* distance of 1 and the next number */
    void (*classic)(const linpack_layout *, void *a, void *diagonal, int *pivots, int *failed,
                    linpack_spent *);
    void (*blocked)(const linpack_layout *, int nb, int look_ahead, int slices, void *a,
                    void *diagonal, int *pivots, int *failed, linpack_spent *);
    /* A x = b or A^T x = b; x: the right-hand side, replaced by the solution, on every rank. */
    void (*solve)(const linpack_layout *, int nb, const void *a, const void *diagonal,
                  const int *pivots, bool transposed, double *x);
    /* The same for the right-hand side that was factored along. */
    void (*solve_right)(const linpack_layout *, int nb, const void *a, const void *diagonal,
                        double *x);
    void (*serial)(int n, void *a, int lda, int *pivots, int *failed, double *x);
    /* Seconds in which this rank alone factors a panel, the columns of the layout, into out. */
    double (*panel_s)(const linpack_layout *, const void *a, void *out);
    void (*store)(const double *from, void *to, size_t n, size_t stride);
    double (*largest)(const void *from, size_t n); /* absolute value; NaN if there is a NaN */
} linpack_solvers;
const linpack_solvers *linpack_solvers_of(int precision);

/* ---- linpack_allocate.c ---------------------------------------------------------------------- */
void *linpack_allocate(size_t n, size_t bytes, const char *what); /* zeroed; ends the job if none */

#endif
