/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: STREAM's kernels with ordinary and with non-temporal stores. */
#include "config.h"
#include "memory/memory.h"
#include "memory/stream.h"
#include "memory/vector.h"

const char *const cm_stream_names[CM_STREAM_KERNELS + 1] = {"copy", "scale", "add", "triad", NULL};

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

bool cm_stream_has(cm_stream_stores stores)
{
    return stores == CM_STREAM_ORDINARY || CM_VECTOR_NONTEMPORAL;
}

void cm_stream_run(const cm_stream *s, cm_stream_kernel kernel, cm_stream_stores stores)
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

/* ---- Arrays ---------------------------------------------------------------------------------- */

void cm_stream_fill(cm_stream *s)
{
    for (size_t j = 0; j < s->n; j++) {
        s->a[j] = 2;
        s->b[j] = 2;
        s->c[j] = 0;
    }
}

bool cm_stream_open(size_t n, cm_stream *s)
{
    *s = (cm_stream){.n = n};
    if (n > (size_t)-1 / sizeof(double)) return false;
    s->a = cm_memory_open(n * sizeof(double));
    s->b = cm_memory_open(n * sizeof(double));
    s->c = cm_memory_open(n * sizeof(double));
    if (s->a && s->b && s->c) {
        cm_stream_fill(s);
        return true;
    }
    cm_stream_close(s);
    return false;
}

void cm_stream_close(cm_stream *s)
{
    cm_memory_free(s->a);
    cm_memory_free(s->b);
    cm_memory_free(s->c);
    *s = (cm_stream){.n = 0};
}
