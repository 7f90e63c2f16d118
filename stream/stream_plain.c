/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_plain.c: STREAM as its users compile it: static arrays, simple loops. */
#include "config.h"
#include <stdint.h>
#include <sys/mman.h>
#include "stream.h"

/* STREAM's SCALAR. The numbers grow by 15 in each pass; STREAM_NTIMES passes are exact. */
static const double scalar = 3;

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* A program's static arrays are memory that nothing was asked of: pages as the system gives them,
   one array behind the other. They begin behind some other data of the program, here 128 bytes.
   Arrays whose length is known only now get the same from mmap. */
enum { BEFORE = 128 };

static size_t region_bytes(size_t n) { return BEFORE + 3 * n * sizeof(double); }

bool stream_plain_open(size_t n, cm_stream *s)
{
    *s = (cm_stream){.n = n};
    if (n > (SIZE_MAX - BEFORE) / sizeof(double) / 3) return false;
    char *memory =
        mmap(NULL, region_bytes(n), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    s->a = (double *)(memory + BEFORE);
    s->b = s->a + n;
    s->c = s->b + n;
    cm_stream_fill(s);
    return true;
}

void stream_plain_close(cm_stream *s)
{
    munmap((char *)s->a - BEFORE, region_bytes(s->n));
    *s = (cm_stream){.n = 0};
}

double stream_plain_error(const cm_stream *s, size_t passes)
{
    return cm_stream_error_of(s, scalar, passes);
}

/* ---- Kernels: what the compiler makes of them ------------------------------------------------ */

/* The compiler knows that static arrays do not overlap. */
static void copy(double *restrict c, const double *restrict a, size_t n)
{
    for (size_t j = 0; j < n; j++) c[j] = a[j];
}

static void scale(double *restrict b, const double *restrict c, size_t n)
{
    for (size_t j = 0; j < n; j++) b[j] = scalar * c[j];
}

static void add(double *restrict c, const double *restrict a, const double *restrict b, size_t n)
{
    for (size_t j = 0; j < n; j++) c[j] = a[j] + b[j];
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t n)
{
    for (size_t j = 0; j < n; j++) a[j] = b[j] + scalar * c[j];
}

void stream_plain_kernel(const cm_stream *s, cm_stream_kernel kernel)
{
    switch (kernel) {
    case CM_STREAM_COPY:
        copy(s->c, s->a, s->n);
        break;
    case CM_STREAM_SCALE:
        scale(s->b, s->c, s->n);
        break;
    case CM_STREAM_ADD:
        add(s->c, s->a, s->b, s->n);
        break;
    default:
        triad(s->a, s->b, s->c, s->n);
    }
}
