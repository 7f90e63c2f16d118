/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols.h: routines of the BLAS as Fortran names and calls them. gfortran passes the length of
   each character argument behind the last argument. A BLAS in Fortran may rely on that: compiled
   with tail calls it jumps into the next routine with its caller's arguments on the stack. One in C
   ignores the lengths. */
#ifndef CM_BLAS_SYMBOLS_H
#define CM_BLAS_SYMBOLS_H

#include <stddef.h>

void sgemm_(const char *, const char *, const int *, const int *, const int *, const float *,
            const float *, const int *, const float *, const int *, const float *, float *,
            const int *, size_t, size_t);
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *, size_t, size_t);
void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *,
            const double *, const int *, const double *, double *, const int *, size_t);

#endif
