/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols.h: the BLAS's matrix products as Fortran names and calls them. */
#ifndef CM_BLAS_SYMBOLS_H
#define CM_BLAS_SYMBOLS_H

void sgemm_(const char *, const char *, const int *, const int *, const int *, const float *,
            const float *, const int *, const float *, const int *, const float *, float *,
            const int *);
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *);

#endif
