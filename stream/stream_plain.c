/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_plain.c: STREAM as its users compile it: static arrays, simple loops. */
#include "config.h"
/* On Zen 3 a loop across a line of 64 bytes was up to 9 % faster than the same one within a line.
   Where they lie would depend on the length of the code before them. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("align-loops=64")
#endif
#include <stdint.h>
#include <sys/mman.h>
#include "memory/stream_loops.h"
#include "stream.h"

/* STREAM's SCALAR. The numbers grow by 15 in each pass; STREAM_NTIMES passes are exact. */
static const double scalar = 3;

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* A program's static arrays are memory for which nothing was requested: they have the system's
   default pages and are adjacent. They begin after some other data of the program, here 128 bytes.
   Arrays whose length is known only at run time get the same layout from mmap. */
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

void stream_plain_kernel(const cm_stream *s, cm_stream_kernel kernel)
{
    switch (kernel) {
    case CM_STREAM_COPY:
        cm_stream_copy(s->c, s->a, s->n);
        break;
    case CM_STREAM_SCALE:
        cm_stream_scale(s->b, s->c, scalar, s->n);
        break;
    case CM_STREAM_ADD:
        cm_stream_add(s->c, s->a, s->b, s->n);
        break;
    default:
        cm_stream_triad(s->a, s->b, s->c, scalar, s->n);
    }
}
