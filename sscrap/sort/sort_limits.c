/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_limits.c: which of a process's own keys belong to which part. */
#include <string.h>
#include "sort_state.h"

/* A key equal to a splitter belongs to its left if its index is lower. So the limits are the same
   between two places of this process's splitters. */
int64_t sort_limits_from(sort_state *s, int64_t place)
{
    const uint64_t largest = s->k->bits_32 ? UINT32_MAX : UINT64_MAX;
    int64_t next = s->own;
    s->limits = s->parts - 1;
    for (int b = 0; b < s->parts - 1; b++) {
        const sort_sample *at = &s->splitter[b];
        int64_t splits = at->index - s->first; /* place, if it is this process's */
        bool before = place < splits;
        /* The splitters after it are the same key with higher indices. */
        if (before && at->bits == largest && b < s->limits) s->limits = b;
        s->limit[b] = at->bits + before;
        if (before && splits < next) next = splits;
    }
    return next;
}

void sort_count_here(sort_state *s, int64_t *keys)
{
    int p = s->parts;
    int64_t below[p];
    memset(below, 0, sizeof below);
    for (int64_t from = 0, to; from < s->own; from = to) {
        to = sort_limits_from(s, from);
        s->k->count(sort_key_at(s, s->in, from), to - from, s->limit, s->limits, below);
        for (int b = s->limits; b < p - 1; b++) below[b] += to - from;
    }
    below[p - 1] = s->own;
    for (int b = 0; b < p; b++) keys[b] = below[b] - (b ? below[b - 1] : 0);
}
