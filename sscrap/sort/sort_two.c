/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_two.c: two processes deal their keys out directly to the buckets of both, so that splitting,
   exchanging and grouping move a key once before it is sorted. */
#include <stdlib.h>
#include <string.h>
#include "sort_state.h"

void sort_two_begin(sort_state *s)
{
    s->two = s->n / 2 >= SORT_SPREAD_LEAST && s->local == SORT_LOCAL_BUCKETS;
    if (!s->two) return;
    s->shared_samples = sort_plan_samples(s->n) / 2 * 2;
    size_t tally_bytes = (SORT_BUCKETS + 1) * sizeof *s->tally;
    size_t shared_bytes = (size_t)s->shared_samples * sizeof *s->shared;
    s->shared = sscrap_memory(shared_bytes);
    s->tally = sscrap_memory(tally_bytes);
    s->others = sscrap_memory(tally_bytes);
    bsp_push_reg64(s->in, (size_t)(s->own + s->spare) * s->k->bytes);
    bsp_push_reg64(s->shared, shared_bytes);
    bsp_push_reg64(s->others, tally_bytes);
}

/* More samples for the plan of both; their places do not matter. */
void sort_two_share(sort_state *s, int attempt)
{
    int64_t half = s->shared_samples / 2;
    uint64_t *own = s->shared + s->pid * half, seed = s->seed + 7777 + (uint64_t)attempt;
    for (int64_t k = 0; k < half; k++) {
        uint64_t draw = cm_random_word(seed, (uint64_t)(s->pid * half + k));
        own[k] = s->k->bits(s->in, (int64_t)(draw % (uint64_t)s->own));
    }
    bsp_hpput64(1 - s->pid, own, s->shared, (size_t)(s->pid * half) * sizeof *own,
                (size_t)half * sizeof *own);
}

/* Sets the first bucket of process pid, of two, and the one behind its last. */
static void buckets_of_two(const sort_state *s, int pid, int *from, int *to)
{
    const sort_plan *plan = sort_spread_plan(s->spread);
    int above = sort_plan_bucket(plan, s->splitter[0].bits) + 1;
    *from = pid ? above : 0;
    *to = pid ? plan->buckets + 1 : above;
}

/* Deals the keys out to the buckets of both processes in the result's memory: those that leave at
   the front, those that stay at the end, because these are sorted to the front later. Returns the
   number of keys below the splitter. */
int64_t sort_two_deal(sort_state *s)
{
    const sort_plan *plan = sort_spread_make_plan(s->spread, s->shared, s->shared_samples, s->n);
    int64_t at[SORT_BUCKETS + 1], stays = s->room, leaves = 0;
    int from, to, other_from, other_to;
    buckets_of_two(s, s->pid, &from, &to);
    buckets_of_two(s, 1 - s->pid, &other_from, &other_to);
    memset(s->tally, 0, (size_t)(plan->buckets + 1) * sizeof *s->tally);
    for (int64_t k = 0, next; k < s->own; k = next) {
        next = sort_limits_from(s, k);
        s->k->tally(sort_key_at(s, s->in, k), next - k, plan, s->limit[0], s->tally);
    }
    for (int b = from; b < to; b++) stays -= s->tally[b];
    for (int b = other_from; b < other_to; b++) {
        at[b] = leaves;
        leaves += s->tally[b];
    }
    for (int b = from; b < to; b++) {
        at[b] = stays;
        stays += s->tally[b];
    }
    for (int64_t k = 0, next; k < s->own; k = next) {
        next = sort_limits_from(s, k);
        s->k->deal(sort_key_at(s, s->in, k), next - k, plan, s->limit[0], s->out, at);
    }
    bsp_hpput64(1 - s->pid, s->tally + other_from, s->others, (size_t)other_from * sizeof *s->tally,
                (size_t)(other_to - other_from) * sizeof *s->tally);
    return s->pid ? leaves : s->own - leaves;
}

/* All keys are grouped already, and the input has been read. */
void sort_two_exchange(sort_state *s)
{
    int other = 1 - s->pid;
    bsp_hpput64(other, s->out, s->in, 0, (size_t)s->counts[2 * s->pid + other] * s->k->bytes);
}

void sort_two_finish(sort_state *s)
{
    const sort_piece piece[2] = {
        {sort_key_at(s, s->out, s->room - s->counts[3 * s->pid]), s->tally}, {s->in, s->others}};
    int from, to;
    buckets_of_two(s, s->pid, &from, &to);
    sort_spread_finish(s->spread, from, to, s->splitter[0].bits, piece, s->out, s->in);
}

void sort_two_end(sort_state *s)
{
    bsp_pop_reg(s->in);
    bsp_pop_reg(s->shared);
    bsp_pop_reg(s->others);
}

double sort_two_bytes(int64_t n)
{
    return 8.0 * ((double)sort_plan_samples(n) + 2 * (SORT_BUCKETS + 1));
}
