/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_deal.c: processes deal their keys out directly to the buckets of all, so that splitting,
   exchanging and grouping move a key once before it is sorted. */
#include <stdlib.h>
#include <string.h>
#include "sort_state.h"

bool sort_deals(const sort_options *options, int64_t n, int p)
{
    return p > 1 && sort_among(options, p) <= SORT_PARTS && n / p >= SORT_SPREAD_LEAST
           && options->local <= SORT_LOCAL_BUCKETS;
}

void sort_deal_begin(sort_state *s)
{
    int q = sort_among(s->options, s->all.p);
    if (!sort_deals(s->options, s->all.n, s->all.p)) return;
    s->shared_most = sort_deal_samples(s->options, s->all.n, s->all.p);
    size_t tally_bytes = SORT_RANGES * sizeof *s->tally;
    size_t others_bytes = (size_t)q * tally_bytes;
    size_t shared_bytes = (size_t)s->shared_most * sizeof *s->shared;
    s->shared = sscrap_memory(shared_bytes);
    s->tally = sscrap_memory(tally_bytes);
    s->others = sscrap_memory(others_bytes);
    s->begin = sscrap_memory((size_t)(q + 1) * sizeof *s->begin);
    bsp_push_reg64(s->shared, shared_bytes);
    bsp_push_reg64(s->others, others_bytes);
}

/* More samples for the plan of all; their places do not matter. */
void sort_deal_share(sort_state *s, int attempt)
{
    int64_t each = s->shared_most / s->p, from = s->pid * each;
    s->shared_samples = each * s->p;
    uint64_t *own = s->shared + from, seed = s->seed + 7777 + (uint64_t)attempt;
    for (int64_t k = 0; k < each; k++) {
        uint64_t draw = cm_random_word(seed, (uint64_t)(from + k));
        own[k] = s->k->bits(s->in, (int64_t)(draw % (uint64_t)s->own));
    }
    for (int pid = 0; pid < s->p; pid++)
        if (pid != s->pid)
            bsp_hpput64(s->base + pid, own, s->shared, (size_t)from * sizeof *own,
                        (size_t)each * sizeof *own);
}

/* Makes the plan of all processes: buckets begin[pid] ... begin[pid + 1] - 1 belong to pid. */
static const sort_plan *plan_of_all(sort_state *s)
{
    uint64_t limit[SORT_PARTS];
    for (int b = 0; b < s->p - 1; b++) limit[b] = s->splitter[b].bits;
    return sort_spread_make_plan(s->spread, s->shared, s->shared_samples, s->n, limit, s->p - 1,
                                 s->begin);
}

/* Sets the most bits in each bucket from a place on. Returns the place where they change next.
   most cannot say that not even bits of 0 are in a bucket. Limits of 0 are the first ones, and cut
   the first bucket: *empty is their number, so that bits of 0, which alone are counted in bucket 0
   then, belong to bucket *empty. */
static int64_t most_from(sort_state *s, int64_t place, uint64_t *most, int *empty)
{
    int64_t next = sort_limits_from(s, place);
    *empty = 0;
    for (int b = 0; b < s->p - 1; b++) {
        const bool is_empty = b < s->limits && s->limit[b] == 0;
        *empty += is_empty;
        most[s->begin[b + 1] - 1] = b >= s->limits ? UINT64_MAX : is_empty ? 0 : s->limit[b] - 1;
    }
    return next;
}

/* Deals the keys out to the buckets of all processes in the result's memory: those that leave at
   the front, those that stay at the end, because these are sorted to the front later. Sets the
   number of keys for each process. */
void sort_deal(sort_state *s, int64_t *keys)
{
    const sort_plan *plan = plan_of_all(s);
    uint64_t most[SORT_RANGES];
    int64_t at[SORT_RANGES], leaves = 0;
    int empty;
    for (int b = 0; b < plan->buckets; b++) most[b] = UINT64_MAX;
    memset(s->tally, 0, (size_t)plan->buckets * sizeof *s->tally);
    for (int64_t k = 0, next; k < s->own; k = next) {
        next = most_from(s, k, most, &empty);
        const int64_t before = s->tally[0];
        s->k->tally(sort_key_at(s, s->in, k), next - k, plan, most, s->tally);
        if (empty) {
            s->tally[empty] += s->tally[0] - before;
            s->tally[0] = before;
        }
    }
    for (int pid = 0; pid < s->p; pid++) {
        keys[pid] = 0;
        for (int b = s->begin[pid]; b < s->begin[pid + 1]; b++) keys[pid] += s->tally[b];
        int64_t next = pid == s->pid ? s->room - keys[pid] : leaves;
        for (int b = s->begin[pid]; b < s->begin[pid + 1]; next += s->tally[b++]) at[b] = next;
        if (pid != s->pid) leaves = next;
    }
    for (int64_t k = 0, next; k < s->own; k = next) {
        next = most_from(s, k, most, &empty);
        const int64_t before = at[0];
        if (empty) {
            const uint64_t one = 1;
            int64_t zeros = 0;
            s->k->count(sort_key_at(s, s->in, k), next - k, &one, 1, &zeros);
            at[0] = at[empty];
            at[empty] += zeros;
        }
        s->k->deal(sort_key_at(s, s->in, k), next - k, plan, most, s->out, at);
        if (empty) at[0] = before;
    }
    for (int pid = 0; pid < s->p; pid++) {
        size_t bytes = (size_t)(s->begin[pid + 1] - s->begin[pid]) * sizeof *s->tally;
        if (pid != s->pid)
            bsp_hpput64(s->base + pid, s->tally + s->begin[pid], s->others, (size_t)s->pid * bytes,
                        bytes);
    }
}

void sort_deal_finish(sort_state *s)
{
    int from = s->begin[s->pid], to = s->begin[s->pid + 1];
    int64_t next = 0;
    sort_piece piece[SORT_PARTS];
    for (int pid = 0; pid < s->p; pid++) {
        int64_t keys = s->counts[pid * s->p + s->pid];
        if (pid == s->pid) {
            piece[pid] = (sort_piece){sort_key_at(s, s->out, s->room - keys), s->tally + from};
            continue;
        }
        piece[pid] = (sort_piece){sort_key_at(s, s->in, next), s->others + pid * (to - from)};
        next += keys;
    }
    sort_spread_finish(s->spread, from, to, piece, s->p, s->out, s->in);
}

void sort_deal_end(sort_state *s)
{
    if (!s->shared) return;
    bsp_pop_reg(s->shared);
    bsp_pop_reg(s->others);
}

int64_t sort_deal_samples(const sort_options *options, int64_t n, int p)
{
    return sort_plan_samples(n / p * sort_among(options, p));
}

double sort_deal_bytes(const sort_options *options, int64_t n, int p)
{
    if (!sort_deals(options, n, p)) return 0;
    double tallies = sort_among(options, p) + 1;
    return 8.0 * ((double)sort_deal_samples(options, n, p) + tallies * SORT_RANGES);
}
