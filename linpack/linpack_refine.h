/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_refine.h: --refine: from factors in single precision to a solution in double.

   GMRES, restarted, with the factors as preconditioner from the right (Saad, SIAM J. Sci. Comput.
   14, 1993, algorithm 2.2; as in HPL-MxP). Its residual is that of the system itself, in double. */
#ifndef LINPACK_REFINE_H
#define LINPACK_REFINE_H

#include <stdbool.h>
#include <stddef.h>
#include "linpack.h"

/* KEEP: what AUTO comes to if the matrix fits. */
enum { LINPACK_MATRIX_AUTO, LINPACK_MATRIX_GENERATE, LINPACK_MATRIX_KEEP };
enum { LINPACK_RESTART = 25 }; /* iterations until GMRES restarts */

/* ---- linpack_parts.c: vectors of n elements, of which each rank has a part ------------------- */
typedef struct {
    cm_group *group;
    int n, first, count;              /* elements first ... first + count - 1, from 0, are here */
    size_t *counts, *bytes, *offsets; /* [ranks] elements; bytes; offsets in bytes */
} linpack_parts;

void linpack_parts_open(linpack_parts *parts, cm_group *group, int n);
void linpack_parts_close(linpack_parts *parts);
/* Collects the vector on every rank. */
void linpack_parts_gather(const linpack_parts *parts, const double *part, double *whole);
/* Adds up all ranks' vectors; each rank gets its part of the sum. */
void linpack_parts_sum(const linpack_parts *parts, const double *whole, double *part);
/* Stores the k products of w with the vectors v, v + count, ..., on every rank. */
void linpack_parts_dots(const linpack_parts *parts, int k, const double *v, const double *w,
                        double *products);
/* Returns the largest absolute value, NaN if there is a NaN, on every rank. */
double linpack_parts_largest(const linpack_parts *parts, const double *part);

/* ---- linpack_gmres.c ------------------------------------------------------------------------- */
typedef struct {
    void (*product)(void *context, const double *whole, double *part); /* part = A whole */
    void (*precondition)(void *context, double *whole);                /* whole = M^-1 whole */
    void *context;
} linpack_operator;

typedef struct {
    linpack_parts parts;
    double *basis, *corrections; /* LINPACK_RESTART + 1 parts; as many less one */
    double *whole;
} linpack_gmres;

void linpack_gmres_open(linpack_gmres *gmres, cm_group *group, int n);
void linpack_gmres_close(linpack_gmres *gmres);
size_t linpack_gmres_bytes(int n, int ranks); /* its memory on a rank */
/* Makes at most `most` iterations, at most LINPACK_RESTART, from the residual b - A x and adds the
   correction to x, which every rank has whole. Ends earlier if the residual's 2-norm is at most
   target. Returns the number of iterations; 0 if the preconditioner gave no numbers. */
int linpack_gmres_cycle(linpack_gmres *gmres, const linpack_operator *a, const double *residual,
                        double target, int most, double *x);

/* ---- linpack_refine.c ------------------------------------------------------------------------ */
typedef struct {
    double *kept;    /* the matrix in double, laid out as the factors; NULL: it is generated again
                        when needed */
    void *single;    /* with kept: the factors in single precision */
    bool kept_is_it; /* kept has the matrix, not its factors */
    double *b;       /* right-hand side */
    double a_infinity;
    linpack_gmres gmres;
    int fallbacks; /* trials that were solved again in double */
    char why[200]; /* of the last of them */
} linpack_refinement;

#endif
