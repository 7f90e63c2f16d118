/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_faulty.c: cm-sort whose vector sort is qsort; TEST_FAULT spoils what the last process gets
   from it (of int64 keys): swap (two neighbours), below (its first key, which belongs on the
   process before), twice (a key in place of another, in order), larger (its last key, in order). */
#include <stdlib.h>
#include <string.h>
#include "../sscrap/sort/sort.h"

const char *sort_vector_name(void) { return "qsort, perhaps spoiled"; }

void sort_vector(int key, void *keys, size_t n)
{
    const char *fault = getenv("TEST_FAULT");
    int64_t *sorted = keys;
    sort_kernels_of(key, false)->library(keys, (int64_t)n);
    if (!fault || key != SORT_INT64 || n < 3 || bsp_pid() != bsp_nprocs() - 1) return;
    if (strcmp(fault, "swap") == 0) {
        int64_t first = sorted[n / 2];
        sorted[n / 2] = sorted[n / 2 + 1];
        sorted[n / 2 + 1] = first;
    }
    if (strcmp(fault, "below") == 0) sorted[0] = INT64_MIN;
    if (strcmp(fault, "twice") == 0) sorted[n / 2] = sorted[n / 2 + 1];
    if (strcmp(fault, "larger") == 0) sorted[n - 1]++;
}
