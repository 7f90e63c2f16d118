/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c: NetPIPE's message sizes, exponential with perturbation. */
#include <stdlib.h>
#include "pairs/pairs.h"

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t half_octave(int64_t lower, int index)
{
    /* The sizes are lower times 1, 1.5, 2, 3, 4, 6, ..., rounded down. The caller stops well before
       this could overflow. */
    int64_t octave = lower << (index / 2);
    return index % 2 ? octave + octave / 2 : octave;
}

size_t cm_pair_sizes(int64_t lower, int64_t upper, int64_t perturbation, int64_t **sizes)
{
    enum { MOST = 2 * 64 };
    int64_t base[MOST];
    int bases = 0;
    for (int index = 0; index < MOST; index++) {
        if (index / 2 >= 62 || lower > (INT64_MAX >> (index / 2 + 1))) break;
        int64_t size = half_octave(lower, index);
        if (size > upper) break;
        if (bases == 0 || size > base[bases - 1]) base[bases++] = size;
    }

    int64_t *list = malloc(3 * (size_t)bases * sizeof *list);
    if (!list) return 0;
    size_t n = 0;
    for (int i = 0; i < bases; i++) {
        list[n++] = base[i];
        /* Perturbed sizes must not coincide with their neighbours, so the step must exceed twice
           the perturbation. With the default of 3 this begins at 16 bytes, as in NetPIPE, where the
           step must exceed the perturbation plus one. */
        int64_t step = base[i] / 2;
        if (perturbation <= 0 || step <= 2 * perturbation) continue;
        if (base[i] - perturbation >= lower) list[n++] = base[i] - perturbation;
        if (perturbation <= upper - base[i]) list[n++] = base[i] + perturbation;
    }

    qsort(list, n, sizeof *list, compare);
    size_t unique = 0;
    for (size_t i = 0; i < n; i++)
        if (unique == 0 || list[i] > list[unique - 1]) list[unique++] = list[i];
    *sizes = list;
    return unique;
}
