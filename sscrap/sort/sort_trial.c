/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_trial.c: --local auto: tries the local sorts on a part of the input, because it depends on
   the machine's vectors, the type and the keys which is faster. */
#include <math.h>
#include <string.h>
#include "sort_state.h"

/* ALONE, which deals nothing out, only sorts the keys of a single process: the others' arrive dealt
   out. */
enum { CELLS, BUCKETS_BY_VECTOR, ALONE };
enum { MOST_KEYS = 1 << 22, REPEAT = 2 };

static void use(sort_state *s, int way)
{
    s->local = way == ALONE ? SORT_LOCAL_VECTOR : SORT_LOCAL_BUCKETS;
    sort_spread_plainly(s->spread, way == BUCKETS_BY_VECTOR);
}

/* Returns seconds of the slowest process. */
static double try_way(sort_state *s, int way, int64_t n)
{
    double best_s = INFINITY;
    use(s, way);
    for (int k = 0; k < REPEAT; k++) {
        memcpy(s->out, s->in, (size_t)n * s->k->bytes);
        double begin_s = cm_time();
        if (way == ALONE) sort_vector(s->options->key, s->out, (size_t)n);
        else sort_spread_keys(s->spread, s->out, sort_key_at(s, s->out, n), n);
        best_s = fmin(best_s, cm_time() - begin_s);
    }
    return sscrap_max(best_s);
}

void sort_try(sort_state *s)
{
    int64_t n = s->room / 2 < s->own ? s->room / 2 : s->own;
    int best = CELLS, ways = s->p == 1 ? ALONE + 1 : ALONE;
    double best_s = INFINITY;
    if (s->n / s->p < 2 * SORT_SPREAD_LEAST) return; /* not dealt out */
    if (n > MOST_KEYS) n = MOST_KEYS;
    for (int way = 0; way < ways; way++) {
        double time_s = try_way(s, way, n);
        if (time_s < best_s) {
            best_s = time_s;
            best = way;
        }
    }
    use(s, best);
}
