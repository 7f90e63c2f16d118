/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_kernels.c: STREAM's kernels with ordinary and with non-temporal stores, compiled for each
   instruction set. */
#include "config.h"
#include "memory/stream_kernels.h"
#include "memory/vector.h"

#define Q CM_STREAM_Q

enum { WIDTH = CM_VECTOR_BYTES / sizeof(double) };

/* ---- Ordinary stores: plain loops ------------------------------------------------------------ */

static void copy(double *restrict c, const double *restrict a, size_t n)
{
    for (size_t j = 0; j < n; j++) c[j] = a[j];
}

static void scale(double *restrict b, const double *restrict c, size_t n)
{
    for (size_t j = 0; j < n; j++) b[j] = Q * c[j];
}

static void add(double *restrict c, const double *restrict a, const double *restrict b, size_t n)
{
    for (size_t j = 0; j < n; j++) c[j] = a[j] + b[j];
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t n)
{
    for (size_t j = 0; j < n; j++) a[j] = b[j] + Q * c[j];
}

/* ---- Stores past the caches ------------------------------------------------------------------ */

/* The plain loops handle the numbers at the end that do not fill a vector. */
#define VECTOR(p) (*(const cm_vector_double *)(p))

static size_t copy_past(double *restrict c, const double *restrict a, size_t n)
{
    size_t j = 0;
    for (; j + WIDTH <= n; j += WIDTH) cm_vector_store_past_double(c + j, VECTOR(a + j));
    return j;
}

static size_t scale_past(double *restrict b, const double *restrict c, size_t n)
{
    size_t j = 0;
    for (; j + WIDTH <= n; j += WIDTH) cm_vector_store_past_double(b + j, Q * VECTOR(c + j));
    return j;
}

static size_t add_past(double *restrict c, const double *restrict a, const double *restrict b,
                       size_t n)
{
    size_t j = 0;
    for (; j + WIDTH <= n; j += WIDTH)
        cm_vector_store_past_double(c + j, VECTOR(a + j) + VECTOR(b + j));
    return j;
}

static size_t triad_past(double *restrict a, const double *restrict b, const double *restrict c,
                         size_t n)
{
    size_t j = 0;
    for (; j + WIDTH <= n; j += WIDTH)
        cm_vector_store_past_double(a + j, VECTOR(b + j) + Q * VECTOR(c + j));
    return j;
}

static void run(const cm_stream *s, cm_stream_kernel kernel, cm_stream_stores stores)
{
    double *a = s->a, *b = s->b, *c = s->c;
    size_t n = s->n, j = 0;
    bool past = stores == CM_STREAM_NONTEMPORAL && CM_VECTOR_NONTEMPORAL;
    switch (kernel) {
    case CM_STREAM_COPY:
        if (past) j = copy_past(c, a, n);
        copy(c + j, a + j, n - j);
        break;
    case CM_STREAM_SCALE:
        if (past) j = scale_past(b, c, n);
        scale(b + j, c + j, n - j);
        break;
    case CM_STREAM_ADD:
        if (past) j = add_past(c, a, b, n);
        add(c + j, a + j, b + j, n - j);
        break;
    default:
        if (past) j = triad_past(a, b, c, n);
        triad(a + j, b + j, c + j, n - j);
    }
    if (past) cm_vector_fence();
}

const cm_stream_kernels CM_SETS_NAME(cm_stream_kernels) = {CM_VECTOR_NONTEMPORAL, run};
