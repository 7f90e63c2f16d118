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
    int64_t counts[SORT_BUCKETS], at[SORT_BUCKETS];
} level;

struct sort_spread {
    const sort_kernels *kernels;
    void (*plain)(const void *of_plain, void *keys, void *buffer, int64_t n);
    const void *of_plain;
    bool plainly;
    sort_desk desk;
    level level[DEPTHS];
    uint32_t sampled[SORT_CELLS];
    int64_t aside_keys;
    unsigned char *aside;
    uint64_t *sample;
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
    spread->aside = cm_run_array((size_t)spread->aside_keys * kernels->bytes);
    spread->sample = cm_run_array((size_t)sort_plan_samples(keys) * sizeof *spread->sample);
    return spread;
}

void sort_spread_plainly(sort_spread *spread, bool plainly) { spread->plainly = plainly; }

void sort_spread_close(sort_spread *spread)
{
    if (!spread) return;
    cm_memory_free(spread->aside);
    cm_memory_free(spread->sample);
    cm_memory_free(spread);
}

double sort_spread_bytes(const sort_kernels *kernels, int64_t keys)
{
    return (double)(sizeof(sort_spread) + kernels->bytes * (size_t)aside_keys_for(keys)
                    + sizeof(uint64_t) * (size_t)sort_plan_samples(keys));
}

const sort_plan *sort_spread_make_plan(sort_spread *spread, const uint64_t *sample, int64_t samples,
                                       int64_t keys, const uint64_t *limit, int limits, int *begin)
{
    sort_plan *plan = &spread->level[0].plan;
    sort_plan_make(sample, samples, keys, spread->kernels->bucket_keys, spread->sampled, plan);
    sort_plan_cut(plan, limit, limits, begin);
    return plan;
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

static int64_t sum_of(const sort_piece *piece, int pieces, int bucket)
{
    int64_t sum = 0;
    for (int k = 0; k < pieces; k++) sum += piece[k].counts[bucket];
    return sum;
}

/* Sorts a bucket in the cache; words[] and n[]: of each piece. */
static void finish_bucket(sort_spread *spread, const sort_plan *plan, int bucket,
                          const void *const *words, const int64_t *n, int pieces, void *keys)
{
    /* Keys outside of the sample's range are in the first and last bucket. Equal limits have no
       range between them. */
    bool known =
        bucket > 0 && bucket < plan->buckets - 1 && plan->begin[bucket] < plan->begin[bucket + 1];
    uint64_t first = known ? plan->begin[bucket] : 1;
    uint64_t final = known ? plan->begin[bucket + 1] - 1 : 0;
    if (spread->kernels->finish(words, n, pieces, first, final, &spread->desk, keys)) return;
    int64_t all = 0;
    for (int k = 0; k < pieces; k++) all += n[k];
    spread->plain(spread->of_plain, keys, spread->desk.words, all);
}

static void finish(sort_spread *spread, int depth, int from, int to, const sort_piece *piece,
                   int pieces, void *keys, void *spare)
{
    const void *words[pieces];
    int64_t n[pieces], most = 2 * spread->kernels->bucket_keys;
    unsigned char *next = keys;
    for (int k = 0; k < pieces; k++) words[k] = piece[k].words;
    for (int b = 0; b < to - from; b++) {
        int64_t all = sum_of(piece, pieces, b);
        if (!all) continue;
        for (int k = 0; k < pieces; k++) n[k] = piece[k].counts[b];
        if (all <= most && !spread->plainly)
            finish_bucket(spread, &spread->level[depth].plan, from + b, words, n, pieces, next);
        else {
            unsigned char *to_key = next;
            for (int k = 0; k < pieces; to_key = at_key(spread, to_key, n[k++]))
                spread->kernels->restore(words[k], n[k], to_key);
            if (spread->plainly) spread->plain(spread->of_plain, next, NULL, all);
            else if (is_aside(spread, depth, all))
                spread_level(spread, depth + 1, next, spread->aside, all);
        }
        for (int k = 0; k < pieces; k++) words[k] = at_key(spread, words[k], n[k]);
        next = at_key(spread, next, all);
    }
    if (spread->plainly) return;
    /* Only now is there room beside the other keys. */
    next = keys;
    for (int b = 0; b < to - from; b++) {
        int64_t all = sum_of(piece, pieces, b);
        if (all > most && !is_aside(spread, depth, all))
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
        sort_plan_make(spread->sample, samples, n, kernels->bucket_keys, spread->sampled,
                       &here->plan);
        if (here->plan.buckets > 1) {
            int buckets = here->plan.buckets;
            memset(here->counts, 0, (size_t)buckets * sizeof *here->counts);
            kernels->tally(keys, n, &here->plan, NULL, here->counts);
            here->at[0] = 0;
            for (int b = 1; b < buckets; b++) here->at[b] = here->at[b - 1] + here->counts[b - 1];
            kernels->deal(keys, n, &here->plan, NULL, buffer, here->at);
            const sort_piece piece = {buffer, here->counts};
            finish(spread, depth, 0, buckets, &piece, 1, keys, buffer);
            return;
        }
    }
    spread->plain(spread->of_plain, keys, buffer, n);
}

void sort_spread_keys(sort_spread *spread, void *keys, void *buffer, int64_t n)
{
    spread_level(spread, 0, keys, buffer, n);
}

void sort_spread_finish(sort_spread *spread, int from, int to, const sort_piece *piece, int pieces,
                        void *keys, void *spare)
{
    finish(spread, 0, from, to, piece, pieces, keys, spare);
}
