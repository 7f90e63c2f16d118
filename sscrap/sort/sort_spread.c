/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_spread.c: the local sort of many keys: deals them out once and sorts each bucket in the
   cache by the places of its keys in its range. Buckets that are not spread evenly go to a plain
   sort. */
#include <string.h>
#include "sort.h"

/* A bucket that is too large is dealt out again: at once if it fits into the room aside. */
enum { DEPTHS = 3, ASIDE_MOST = 1 << 18 };

typedef struct {
    sort_plan plan;
    int64_t counts[SORT_BUCKETS + 1], at[SORT_BUCKETS + 1];
} level;

struct sort_spread {
    const sort_kernels *kernels;
    void (*plain)(const void *of_plain, void *keys, void *buffer, int64_t n);
    const void *of_plain;
    sort_desk desk;
    level level[DEPTHS];
    uint32_t sampled[SORT_CELLS];
    int64_t aside_keys;
    uint64_t *aside, *sample;
};

static int64_t aside_keys_for(int64_t keys)
{
    return keys / 64 < ASIDE_MOST ? keys / 64 + 1 : ASIDE_MOST;
}

sort_spread *sort_spread_open(const sort_kernels *kernels, int64_t keys,
                              void (*plain)(const void *of_plain, void *keys, void *buffer,
                                            int64_t n),
                              const void *of_plain)
{
    sort_spread *spread = cm_run_array(sizeof *spread);
    spread->kernels = kernels;
    spread->plain = plain;
    spread->of_plain = of_plain;
    spread->aside_keys = aside_keys_for(keys);
    spread->aside = cm_run_array((size_t)spread->aside_keys * sizeof *spread->aside);
    spread->sample = cm_run_array((size_t)sort_plan_samples(keys) * sizeof *spread->sample);
    return spread;
}

void sort_spread_close(sort_spread *spread)
{
    if (!spread) return;
    cm_memory_free(spread->aside);
    cm_memory_free(spread->sample);
    cm_memory_free(spread);
}

double sort_spread_bytes(int64_t keys)
{
    return (double)(sizeof(sort_spread)
                    + sizeof(uint64_t) * (size_t)(aside_keys_for(keys) + sort_plan_samples(keys)));
}

const sort_plan *sort_spread_plan(const sort_spread *spread) { return &spread->level[0].plan; }

const sort_plan *sort_spread_make_plan(sort_spread *spread, const uint64_t *sample, int64_t samples,
                                       int64_t keys)
{
    sort_plan_make(sample, samples, keys, spread->sampled, &spread->level[0].plan);
    return sort_spread_plan(spread);
}

static unsigned char *at_key(const sort_spread *spread, const void *keys, int64_t k)
{
    return (unsigned char *)keys + (size_t)k * spread->kernels->bytes;
}

static void spread_level(sort_spread *spread, int depth, void *keys, void *buffer, int64_t n);

/* At a greater depth the keys that are being dealt out may be there. */
static bool is_aside(const sort_spread *spread, int depth, int64_t keys)
{
    return depth == 0 && keys <= spread->aside_keys;
}

static void finish(sort_spread *spread, int depth, int from, int to, uint64_t limit,
                   const sort_piece piece[2], void *keys, void *spare)
{
    const sort_plan *plan = &spread->level[depth].plan;
    const void *words[2] = {piece[0].words, piece[1].words};
    unsigned char *next = keys;
    int above = sort_plan_bucket(plan, limit) + 1;
    for (int b = from; b < to; b++) {
        int64_t n[2] = {piece[0].counts[b], piece[1].counts ? piece[1].counts[b] : 0};
        int64_t all = n[0] + n[1];
        if (!all) continue;
        if (all > SORT_BUCKET_MOST) {
            spread->kernels->restore(words[0], n[0], next);
            spread->kernels->restore(words[1], n[1], at_key(spread, next, n[0]));
            if (is_aside(spread, depth, all))
                spread_level(spread, depth + 1, next, spread->aside, all);
        } else {
            int range = b - (b >= above);
            /* Keys outside of the sample's range are in the first and last bucket. */
            bool known = range > 0 && range < plan->buckets - 1;
            uint64_t first = known ? plan->begin[range] : 1;
            uint64_t final = known ? plan->begin[range + 1] - 1 : 0;
            if (known && b == above && limit > first && limit <= final) first = limit;
            if (known && b == above - 1 && limit > first && limit <= final) final = limit - 1;
            if (!spread->kernels->finish(words, n, first, final, &spread->desk, next))
                spread->plain(spread->of_plain, next, spread->desk.words, all);
        }
        for (int k = 0; k < 2; k++) words[k] = at_key(spread, words[k], n[k]);
        next = at_key(spread, next, all);
    }
    /* Only now is there room beside the other keys. */
    next = keys;
    for (int b = from; b < to; b++) {
        int64_t all = piece[0].counts[b] + (piece[1].counts ? piece[1].counts[b] : 0);
        if (all > SORT_BUCKET_MOST && !is_aside(spread, depth, all))
            spread_level(spread, depth + 1, next, spare, all);
        next = at_key(spread, next, all);
    }
}

static void spread_level(sort_spread *spread, int depth, void *keys, void *buffer, int64_t n)
{
    const sort_kernels *kernels = spread->kernels;
    if (depth < DEPTHS && n >= SORT_SPREAD_LEAST) {
        level *here = &spread->level[depth];
        int64_t samples = sort_plan_samples(n);
        for (int64_t k = 0; k < samples; k++)
            spread->sample[k] = kernels->bits(
                keys, (int64_t)(cm_random_word((uint64_t)depth, (uint64_t)k) % (uint64_t)n));
        sort_plan_make(spread->sample, samples, n, spread->sampled, &here->plan);
        if (here->plan.buckets > 1) {
            int buckets = here->plan.buckets + 1;
            memset(here->counts, 0, (size_t)buckets * sizeof *here->counts);
            kernels->tally(keys, n, &here->plan, UINT64_MAX, here->counts);
            here->at[0] = 0;
            for (int b = 1; b < buckets; b++) here->at[b] = here->at[b - 1] + here->counts[b - 1];
            kernels->deal(keys, n, &here->plan, UINT64_MAX, buffer, here->at);
            const sort_piece piece[2] = {{buffer, here->counts}, {buffer, NULL}};
            finish(spread, depth, 0, buckets, UINT64_MAX, piece, keys, buffer);
            return;
        }
    }
    spread->plain(spread->of_plain, keys, buffer, n);
}

void sort_spread_keys(sort_spread *spread, void *keys, void *buffer, int64_t n)
{
    spread_level(spread, 0, keys, buffer, n);
}

void sort_spread_finish(sort_spread *spread, int from, int to, uint64_t limit,
                        const sort_piece piece[2], void *keys, void *spare)
{
    finish(spread, 0, from, to, limit, piece, keys, spare);
}
