/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_compare.c: the time of a comparison in a sort by the C library, which sorts the samples
   of cm-sort on every process. */
#include <math.h>
#include <stdlib.h>
#include "bspbench.h"

static void shuffle(void *context)
{
    bspbench_records *r = context;
    for (uint64_t k = 0; k < BSPBENCH_RECORDS; k++) {
        r->record[k][0] = cm_random_word(r->turn, k);
        r->record[k][1] = k;
    }
    r->turn++;
    cm_barrier(r->group, CM_AUTO);
}

static int by_first(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return a[0] < b[0] ? -1 : a[0] > b[0];
}

static double sort(void *context, int64_t sorts, double *comparison_s)
{
    (void)sorts; /* one: a second would find the records in order */
    bspbench_records *r = context;
    double begin_s = cm_time();
    qsort(r->record, BSPBENCH_RECORDS, sizeof r->record[0], by_first);
    double time_s = cm_time() - begin_s;
    comparison_s[0] = time_s / (BSPBENCH_RECORDS * log2(BSPBENCH_RECORDS));
    return time_s;
}

cm_subject bspbench_comparison(bspbench_records *records)
{
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .most_operations = 1,
                        .prepare = shuffle,
                        .trial = sort,
                        .context = records};
}
