/* SPDX-License-Identifier: BSD-3-Clause */
/* sets.c: the kernels of every instruction set that this processor has give the answers of the
   baseline; which these are is compared with what the kernel says of the processor. */
#include "config.h"
#include <stdlib.h>
#include "../hint/hint.h"
#include "machine/machine_internal.h"
#include "machine/sets.h"
#include "memory/stream_kernels.h"
#include "tap.h"

CM_SETS_DECLARE(hint_kernel_list, hint_double_kernels);
CM_SETS_DECLARE(hint_kernel_list, hint_float_kernels);
CM_SETS_DECLARE(hint_kernel_list, hint_int32_kernels);
CM_SETS_DECLARE(hint_kernel_list, hint_int64_kernels);
CM_SETS_DECLARE(const cm_stream_kernels, cm_stream_kernels);

/* The flags of /proc/cpuinfo that a set needs at least. */
static void test_processor(cm_set set)
{
    static const char *const needs[CM_SETS] = {
        [CM_SET_V3] = "avx avx2 fma f16c bmi1 bmi2 movbe",
        [CM_SET_V4] = "avx2 fma avx512f avx512bw avx512cd avx512dq avx512vl",
    };
    char flags[8192] = " ", words[128], *rest = words;
    if (!needs[set] || !cm_machine_file_field("", "/proc/cpuinfo", "flags", flags + 1, 8190)) {
        tap_skip(cm_set_names[set], "needs no flags, or the kernel says none");
        return;
    }
    strcat(flags, " ");
    strcpy(words, needs[set]);
    bool all = set == CM_SET_V3 ? HAVE_SET_V3 : HAVE_SET_V4;
    for (const char *word; (word = strtok_r(rest, " ", &rest));) {
        char whole[32];
        snprintf(whole, sizeof whole, " %s ", word);
        all = all && strstr(flags, whole);
    }
    ok(cm_set_has(set, NULL) == all, "%s: %s, as the kernel and configure say", cm_set_names[set],
       all ? "there" : "missing");
}

/* Every n at first, then sizes; a whole grid and one rank's part of it. */
static void test_hint(cm_set set, hint_type type, const hint_kernel *kernels,
                      const hint_kernel *baseline)
{
    enum { MOST = 5000 };
    hint_work work[2] = {hint_work_alone(type)};
    hint_work_scattered(type, 3, 1, &work[1]);
    void *memory = malloc(hint_kernel_of(HINT_INT64, HINT_CLASSIC)->bytes(2 * MOST));
    for (int kernel = 0; memory && kernel < HINT_ORIGINAL; kernel++) {
        int unlike = 0;
        for (int w = 0; w < 2; w++)
            for (int64_t n = work[w].strips + 1; n <= MOST; n = n < 99 ? n + 1 : n + n / 7) {
                hint_bounds ours, theirs;
                memset(memory, 0xa5, kernels[kernel].bytes(n));
                kernels[kernel].refine(&work[w], n, memory, &ours);
                baseline[kernel].refine(&work[w], n, memory, &theirs);
                unlike += ours.lower != theirs.lower || ours.upper != theirs.upper
                          || ours.subintervals != theirs.subintervals;
            }
        ok(unlike == 0, "%s: hint %s %s: the same bounds", cm_set_names[set], hint_type_names[type],
           hint_kernel_names[kernel]);
    }
    ok(memory != NULL, "memory");
    free(memory);
}

static void set_numbers(const cm_stream *s)
{
    for (size_t j = 0; j < s->n; j++) {
        s->a[j] = 1 + sqrt((double)j);
        s->b[j] = 0.3 * (double)j - 7;
        s->c[j] = 3 / (1 + (double)j);
    }
}

/* A fused multiply-add rounds once instead of twice. */
static double difference(const cm_stream *x, const cm_stream *y)
{
    double worst = 0;
    for (size_t j = 0; j < x->n; j++)
        worst = fmax(worst, fmax(fabs(x->a[j] - y->a[j]) / fabs(y->a[j]),
                                 (double)(x->b[j] != y->b[j] || x->c[j] != y->c[j])));
    return worst;
}

static void test_stream(cm_set set, const cm_stream_kernels *kernels,
                        const cm_stream_kernels *baseline)
{
    static const size_t lengths[] = {1, 7, 8, 15, 64, 1003};
    double worst = 0;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (int run = 0; run < CM_STREAM_KERNELS * CM_STREAM_STORES; run++) {
            cm_stream ours, theirs;
            if (!cm_stream_open(lengths[k], &ours) || !cm_stream_open(lengths[k], &theirs))
                exit(99);
            const cm_stream_kernel kernel = (cm_stream_kernel)(run / CM_STREAM_STORES);
            const cm_stream_stores stores = (cm_stream_stores)(run % CM_STREAM_STORES);
            set_numbers(&ours);
            set_numbers(&theirs);
            kernels->run(&ours, kernel, stores);
            baseline->run(&theirs, kernel, stores);
            worst = fmax(worst, difference(&ours, &theirs));
            cm_stream_close(&ours);
            cm_stream_close(&theirs);
        }
    ok(worst < 4e-16, "%s: stream: the same numbers (%.1e)", cm_set_names[set], worst);
    ok(kernels->nontemporal == baseline->nontemporal, "%s: stores past the caches alike",
       cm_set_names[set]);
}

int main(void)
{
    enum { TYPES = 4 }; /* the others have the original's kernel, which has one set */
    hint_kernel_list *const hint[TYPES][CM_SETS] = {
        CM_SETS_TABLE(hint_double_kernels), CM_SETS_TABLE(hint_float_kernels),
        CM_SETS_TABLE(hint_int32_kernels), CM_SETS_TABLE(hint_int64_kernels)};
    const cm_stream_kernels *const stream[CM_SETS] = CM_SETS_TABLE(cm_stream_kernels);
    ok(cm_set_has(CM_SET_BASELINE, NULL), "the baseline is always there");
    ok(cm_set_has(CM_SET_NATIVE, NULL) == HAVE_SET_NATIVE, "native is there if it is compiled");
    int best = CM_SET_BASELINE;
    for (int k = CM_SET_BASELINE + 1; k < CM_SETS; k++) {
        const cm_set set = (cm_set)k;
        test_processor(set);
        if (!cm_set_has(set, NULL)) {
            tap_skip(cm_set_names[set], "not compiled, or not of this processor");
            continue;
        }
        best = k;
        for (int type = 0; type < TYPES; type++)
            test_hint(set, (hint_type)type, *hint[type][set], *hint[type][CM_SET_BASELINE]);
        test_stream(set, stream[set], stream[CM_SET_BASELINE]);
    }
    const char *asked = getenv("CM_ISA");
    if (!asked) ok((int)cm_set_chosen() == best, "the best is in force: %s", cm_set_names[best]);
    return tap_done();
}
