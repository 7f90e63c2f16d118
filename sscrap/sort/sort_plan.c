/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_plan.c: chooses ranges of bits for buckets of about equal size, from a sample. */
#include <string.h>
#include "sort_spread.h"

/* Dealing out into more than MOST_BUCKETS is so slow that two steps are faster: first into
   LARGE_BUCKETS. Any two neighbours hold more than a bucket's share, so there are at most twice as
   many buckets as wanted. */
enum {
    FEWEST_CELLS = 1 << 11,
    FEWEST_BUCKETS = 8,
    MOST_BUCKETS = SORT_BUCKETS / 2 - 1,
    LARGE_BUCKETS = 768
};

static void cells_of(const uint64_t *sample, int64_t samples, uint32_t *sampled, sort_plan *plan)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (int64_t k = 0; k < samples; k++) {
        low = sample[k] < low ? sample[k] : low;
        high = sample[k] > high ? sample[k] : high;
    }
    int bits = 0, cell_bits = 16;
    while (bits < 64 && (high - low) >> bits) bits++;
    while (1 << cell_bits > FEWEST_CELLS && 1 << cell_bits > 16 * samples) cell_bits--;
    plan->low = low;
    plan->shift = bits > cell_bits ? bits - cell_bits : 0;
    plan->last = (high - low) >> plan->shift;
    memset(sampled, 0, (size_t)(plan->last + 1) * sizeof *sampled);
    for (int64_t k = 0; k < samples; k++) sampled[(sample[k] - low) >> plan->shift]++;
}

/* Uses as few cells as tell the buckets apart, so that they stay in the first-level cache. */
static void coarsen(uint64_t most, uint32_t *sampled, sort_plan *plan)
{
    while (plan->last >= FEWEST_CELLS) {
        if (plan->last % 2 == 0) sampled[plan->last + 1] = 0;
        for (uint64_t c = 0; c <= plan->last; c += 2)
            if (sampled[c] + sampled[c + 1] > most) return;
        plan->last /= 2;
        plan->shift++;
        for (uint64_t c = 0; c <= plan->last; c++) sampled[c] = sampled[2 * c] + sampled[2 * c + 1];
    }
}

void sort_plan_make(const uint64_t *sample, int64_t samples, int64_t keys, int64_t bucket_keys,
                    uint32_t *sampled, sort_plan *plan)
{
    int64_t wanted = keys / bucket_keys;
    if (wanted < FEWEST_BUCKETS) wanted = FEWEST_BUCKETS;
    if (wanted > MOST_BUCKETS) wanted = LARGE_BUCKETS;
    uint64_t share = (uint64_t)(samples / wanted);
    cells_of(sample, samples, sampled, plan);
    coarsen(share + share / 4, sampled, plan);
    uint64_t in = 0;
    int bucket = 0;
    plan->begin[0] = plan->low;
    for (uint64_t c = 0; c <= plan->last; c++) {
        if (in && in + sampled[c] > share) {
            in = 0;
            plan->begin[++bucket] = plan->low + (c << plan->shift);
        }
        plan->of[c] = (uint16_t)bucket;
        in += sampled[c];
    }
    plan->buckets = bucket + 1;
}

int64_t sort_plan_samples(int64_t keys)
{
    int64_t samples = keys / 512;
    return samples < 256 ? 256 : samples > SORT_PLAN_SAMPLES ? SORT_PLAN_SAMPLES : samples;
}

static int bucket_of(const sort_plan *plan, uint64_t bits)
{
    uint64_t cell = bits < plan->low ? 0 : (bits - plan->low) >> plan->shift;
    return plan->of[cell > plan->last ? plan->last : cell];
}

void sort_plan_cut(sort_plan *plan, const uint64_t *limit, int limits, int *begin)
{
    int whole = plan->buckets, cut = limits;
    begin[0] = 0;
    for (int i = 0; i < limits; i++) begin[i + 1] = bucket_of(plan, limit[i]) + i + 1;
    plan->buckets += limits;
    begin[limits + 1] = plan->buckets;
    uint16_t moved[SORT_BUCKETS];
    for (int b = whole - 1; b >= 0; b--) {
        for (; cut && begin[cut] - cut == b; cut--)
            plan->begin[b + cut] =
                limit[cut - 1] > plan->begin[b] ? limit[cut - 1] : plan->begin[b];
        moved[b] = (uint16_t)(b + cut);
        plan->begin[b + cut] = plan->begin[b];
    }
    for (uint64_t c = 0; c <= plan->last; c++) plan->of[c] = moved[plan->of[c]];
}
