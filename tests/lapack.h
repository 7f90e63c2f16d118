/* SPDX-License-Identifier: BSD-3-Clause */
/* lapack.h: LAPACK's routines as Fortran names and calls them: the length of each character
   argument comes last (blas/symbols.h). */
#ifndef CM_LAPACK_H
#define CM_LAPACK_H

#include <stddef.h>

void sgetrf_(const int *, const int *, float *, const int *, int *, int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void sgetrs_(const char *, const int *, const int *, const float *, const int *, const int *,
             float *, const int *, int *, size_t);
void dgetrs_(const char *, const int *, const int *, const double *, const int *, const int *,
             double *, const int *, int *, size_t);
void dgetri_(const int *, double *, const int *, const int *, double *, const int *, int *);
void sgecon_(const char *, const int *, const float *, const int *, const float *, float *, float *,
             int *, int *, size_t);
void dgecon_(const char *, const int *, const double *, const int *, const double *, double *,
             double *, int *, int *, size_t);
void dsgesv_(const int *, const int *, double *, const int *, int *, const double *, const int *,
             double *, const int *, double *, float *, int *, int *);

#endif
