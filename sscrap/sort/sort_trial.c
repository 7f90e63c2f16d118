/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_trial.c: --local auto: tries the local sorts on a part of the input, because it depends on
   the machine's vectors, the type and the keys which is faster. */
#include <math.h>
#include <string.h>
#include "sort_state.h"

/* VECTOR deals nothing out: few processes part their keys by vectors, too. */
enum { CELLS, BUCKETS_BY_VECTOR, VECTOR, WAYS };
enum { MOST_KEYS = 1 << 22, REPEAT = 2, VECTOR_KEYS = 64 };

static const char *const names[WAYS] = {
    [CELLS] = "buckets", [BUCKETS_BY_VECTOR] = "buckets by vqsort", [VECTOR] = "vqsort"};

void sort_use(sort_state *s, sort_local local)
{
    s->local = local;
    s->way = SORT_PIECES;
    if (sort_parts(local, s->levels, s->all.n, s->all.p)) s->way = SORT_BY_VECTORS;
    else if (local == SORT_LOCAL_BUCKETS && sort_deals(s->options, s->all.n, s->all.p))
        s->way = SORT_DEALT;
}

static void use(sort_state *s, int way)
{
    sort_use(s, way == VECTOR ? SORT_LOCAL_VECTOR : SORT_LOCAL_BUCKETS);
    sort_spread_plainly(s->spread, way == BUCKETS_BY_VECTOR);
}

/* Splitters of n sorted keys, which belong to the right. */
static void split_evenly(sort_state *s, const void *sorted, int64_t n)
{
    for (int b = 1; b < s->p; b++)
        s->splitter[b - 1] = (sort_sample){s->k->bits(sorted, sscrap_first(n, s->p, b)), -1};
}

/* Parts n keys at the splitters; the memory after them holds as many, and a vector more. */
static void part(const sort_state *s, void *keys, int64_t n)
{
    int64_t parts[SORT_PARTED];
    sort_state of_trial = *s;
    of_trial.in = keys;
    of_trial.own = n;
    of_trial.out = sort_key_at(s, keys, n);
    sort_part(&of_trial, parts);
}

/* Returns seconds of the slowest process. */
static double try_way(sort_state *s, int way, int64_t n)
{
    double best_s = INFINITY;
    use(s, way);
    for (int k = 0; k < REPEAT; k++) {
        memcpy(s->out, s->in, (size_t)n * s->k->bytes);
        double begin_s = cm_time();
        if (way == VECTOR) {
            if (s->p > 1) part(s, s->out, n);
            sort_vector(s->options->key, s->out, (size_t)n);
        } else sort_spread_keys(s->spread, s->out, sort_key_at(s, s->out, n), n);
        best_s = fmin(best_s, cm_time() - begin_s);
    }
    return sscrap_max(best_s);
}

void sort_try(sort_state *s)
{
    int64_t half = s->room / 2 - VECTOR_KEYS, n = half < s->own ? half : s->own;
    int best = CELLS;
    bool parts = sort_parts(SORT_LOCAL_VECTOR, s->levels, s->n, s->p);
    double best_s = INFINITY;
    if (n < SORT_SPREAD_LEAST) return; /* not dealt out */
    if (n > MOST_KEYS) n = MOST_KEYS;
    for (int way = CELLS; way < WAYS; way++) {
        if (way == VECTOR && s->p > 1 && !parts) continue;
        double time_s = try_way(s, way, n);
        if (way == CELLS && parts) split_evenly(s, s->out, n);
        if (time_s < best_s) {
            best_s = time_s;
            best = way;
        }
    }
    use(s, best);
    s->took = names[best];
}
