/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: STREAM's arrays, and its kernels for this processor. */
#include "config.h"
#include "memory/memory.h"
#include "memory/stream.h"
#include "memory/stream_kernels.h"

const char *const cm_stream_names[CM_STREAM_KERNELS + 1] = {"copy", "scale", "add", "triad", NULL};

CM_SETS_DECLARE(const cm_stream_kernels, cm_stream_kernels);

static const cm_stream_kernels *kernels(void)
{
    static const cm_stream_kernels *const of[CM_SETS] = CM_SETS_TABLE(cm_stream_kernels);
    return of[cm_set_chosen()];
}

bool cm_stream_has(cm_stream_stores stores)
{
    return stores == CM_STREAM_ORDINARY || kernels()->nontemporal;
}

void cm_stream_run(const cm_stream *s, cm_stream_kernel kernel, cm_stream_stores stores)
{
    kernels()->run(s, kernel, stores);
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
