/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: STREAM's kernels against the formulas, by both kinds of stores; its check finds
   what is wrong. */
#include <stdint.h>
#include <stdlib.h>
#include "memory/memory.h"
#include "memory/stream.h"
#include "tap.h"

enum { MOST = 1003 };

static void set(cm_stream *s)
{
    for (size_t j = 0; j < s->n; j++) {
        s->a[j] = 1 + (double)j;
        s->b[j] = 0.5 * (double)j - 7;
        s->c[j] = 3 / (1 + (double)j);
    }
}

/* One kernel on numbers that all differ: what it writes, and that it leaves the rest. */
static void test_kernel(cm_stream *s, cm_stream_kernel kernel, cm_stream_stores stores)
{
    static double a[MOST], b[MOST], c[MOST];
    size_t bytes = s->n * sizeof(double);
    set(s);
    memcpy(a, s->a, bytes);
    memcpy(b, s->b, bytes);
    memcpy(c, s->c, bytes);
    cm_stream_run(s, kernel, stores);
    double worst = 0;
    for (size_t j = 0; j < s->n; j++) {
        if (kernel == CM_STREAM_COPY) c[j] = a[j];
        if (kernel == CM_STREAM_SCALE) b[j] = CM_STREAM_Q * c[j];
        if (kernel == CM_STREAM_ADD) c[j] = a[j] + b[j];
        if (kernel == CM_STREAM_TRIAD) a[j] = b[j] + CM_STREAM_Q * c[j];
        worst = fmax(worst, fabs(s->a[j] - a[j]) + fabs(s->b[j] - b[j]) + fabs(s->c[j] - c[j]));
    }
    ok(worst < 1e-12, "%s of %zu, stores %d", cm_stream_names[kernel], s->n, (int)stores + 1);
}

static void test_check(size_t n)
{
    cm_stream s;
    if (!ok(cm_stream_open(n, &s), "%zu numbers", n)) return;
    size_t passes = CM_STREAM_MOST_PASSES;
    for (size_t k = 0; k < passes; k++)
        for (int kernel = 0; kernel < CM_STREAM_KERNELS; kernel++)
            cm_stream_run(&s, (cm_stream_kernel)kernel, (cm_stream_stores)(k % CM_STREAM_STORES));
    double error = cm_stream_error(&s, passes);
    ok(error <= CM_STREAM_TOLERANCE, "%zu passes are right (%g)", passes, error);
    ok(fabs(s.a[0] - 2) < 1e-10, "and leave the numbers as large as they were");
    s.b[n - 1] += 1e-8 * (double)n;
    ok(cm_stream_error(&s, passes) > CM_STREAM_TOLERANCE, "one wrong number is found");
    s.b[n - 1] = NAN;
    ok(!(cm_stream_error(&s, passes) <= CM_STREAM_TOLERANCE), "and one that is none");
    cm_stream_fill(&s);
    ok(!(cm_stream_error(&s, 1) <= CM_STREAM_TOLERANCE), "and a pass that did not happen");
    cm_stream_close(&s);
}

int main(void)
{
    static const size_t lengths[] = {1, 7, 8, 64, MOST};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        cm_stream s;
        if (!ok(cm_stream_open(lengths[k], &s), "arrays of %zu", lengths[k])) continue;
        ok((uintptr_t)s.a % 64 == 0 && (uintptr_t)s.b % 64 == 0, "begin at a line");
        for (int kernel = 0; kernel < CM_STREAM_KERNELS; kernel++)
            for (int stores = 0; stores < CM_STREAM_STORES; stores++)
                test_kernel(&s, (cm_stream_kernel)kernel, (cm_stream_stores)stores);
        cm_stream_close(&s);
    }
    test_check(1000);
    ok(cm_stream_bytes(CM_STREAM_COPY, 10) == 160 && cm_stream_bytes(CM_STREAM_TRIAD, 10) == 240,
       "bytes as STREAM counts them");
    ok(cm_stream_moved_bytes(CM_STREAM_TRIAD, CM_STREAM_ORDINARY, 10) == 320
           && cm_stream_moved_bytes(CM_STREAM_SCALE, CM_STREAM_ORDINARY, 10) == 240,
       "and as memory moves them");
    if (cm_stream_has(CM_STREAM_NONTEMPORAL))
        ok(cm_stream_moved_bytes(CM_STREAM_ADD, CM_STREAM_NONTEMPORAL, 10) == 240,
           "which with stores past the caches is the same");
    ok(!cm_memory_open((size_t)1 << 62), "too much memory is refused");
    void *large = cm_memory_open((size_t)5 << 20);
    ok(large && (uintptr_t)large % (2 << 20) == 0, "large arrays begin at a huge page");
    cm_memory_free(large);
    cm_memory_free(NULL);
    return tap_done();
}
