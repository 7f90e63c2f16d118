/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_part.c: few processes part their keys at the splitters in one pass by vectors, and each then
   sorts all that it has by vectors. The keys that stay close up in the input's memory; those that
   arrive are put after them. */
#include <string.h>
#include "sort_state.h"

bool sort_parts(sort_local local, int levels, int64_t n, int p)
{
    return local == SORT_LOCAL_VECTOR && levels == 1 && p > 1 && p <= SORT_PARTED
           && n / p >= SORT_SPREAD_LEAST;
}

/* Those for a single other process begin at 0. For several their numbers must be known before. */
void sort_part(sort_state *s, int64_t *keys)
{
    int64_t begin[SORT_PARTED] = {0}, at[SORT_PARTED], stay = 0, leave = 0;
    if (s->p > 2) {
        sort_count_here(s, keys);
        for (int pid = 0; pid < s->p; pid++) {
            begin[pid] = leave;
            leave += pid == s->pid ? 0 : keys[pid];
        }
    }
    memcpy(at, begin, sizeof at);
    for (int64_t from = 0, to; from < s->own; from = to) {
        to = sort_limits_from(s, from);
        stay += sort_vector_part(s->options->key, sort_key_at(s, s->in, from), to - from, s->limit,
                                 s->limits, s->pid, sort_key_at(s, s->in, stay), s->out, at);
    }
    for (int pid = 0; pid < s->p; pid++) keys[pid] = pid == s->pid ? stay : at[pid] - begin[pid];
}

void sort_part_undo(sort_state *s)
{
    int64_t stay = s->counts[s->pid * s->p + s->pid];
    memcpy(sort_key_at(s, s->in, stay), s->out, (size_t)(s->own - stay) * s->k->bytes);
}
