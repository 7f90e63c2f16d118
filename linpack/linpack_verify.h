/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_verify.h: how good a solution is, and what the matrix is like. */
#ifndef LINPACK_VERIFY_H
#define LINPACK_VERIFY_H

#include "linpack_matrix.h"
#include "linpack_solvers.h"

/* ---- linpack_verify.c ------------------------------------------------------------------------ */
typedef struct {
    double residual;          /* |b - Ax|, largest element */
    double a_infinity, a_max; /* norm (largest sum of a row), largest element */
    double b_max, x_max;
    double hpl, linpack; /* scaled residuals */
} linpack_residual;
#define LINPACK_ACCEPTED 16.0 /* HPL's threshold: a scaled residual up to this is accepted */

/* Computes b - A x with a newly generated matrix; sums are double. epsilon: distance of 1 and the
   next number. */
linpack_residual linpack_verify(const linpack_layout *map, const linpack_matrix *matrix,
                                const double *x, double epsilon);
/* Returns the largest element of U divided by that of A. */
double linpack_growth(const linpack_layout *map, const linpack_solvers *solvers, const void *a,
                      double a_max);

/* ---- linpack_condition.c --------------------------------------------------------------------- */
/* Returns the condition number |A|_1 |A^-1|_1, with the second factor estimated from the factors
   (Hager 1984, Higham 1988). */
double linpack_condition(const linpack_layout *map, const linpack_matrix *matrix,
                         const linpack_solvers *solvers, int nb, const void *a,
                         const void *diagonal, const int *pivots);

/* ---- linpack_vector.c ------------------------------------------------------------------------ */
double linpack_dot(const double *a, const double *x, int n);
/* Raises each value to the largest of all ranks, on all of them; NaN if one of them is NaN, which
   MPI's maximum may lose. n is at most 5. */
void linpack_raise_over_ranks(cm_group *group, double *values, int n);

#endif
