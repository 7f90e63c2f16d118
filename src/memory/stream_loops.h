/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_loops.h: STREAM's four loops as everybody writes them, for a factor q that the caller
   knows when it is compiled. The arrays have n numbers and do not overlap. */
#ifndef CM_MEMORY_STREAM_LOOPS_H
#define CM_MEMORY_STREAM_LOOPS_H

#include <stddef.h>

static inline void cm_stream_copy(double *restrict c, const double *restrict a, size_t n)
{
    for (size_t j = 0; j < n; j++) c[j] = a[j];
}

static inline void cm_stream_scale(double *restrict b, const double *restrict c, double q, size_t n)
{
    for (size_t j = 0; j < n; j++) b[j] = q * c[j];
}

static inline void cm_stream_add(double *restrict c, const double *restrict a,
                                 const double *restrict b, size_t n)
{
    for (size_t j = 0; j < n; j++) c[j] = a[j] + b[j];
}

static inline void cm_stream_triad(double *restrict a, const double *restrict b,
                                   const double *restrict c, double q, size_t n)
{
    for (size_t j = 0; j < n; j++) a[j] = b[j] + q * c[j];
}

#endif
