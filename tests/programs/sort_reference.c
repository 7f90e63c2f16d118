/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_reference.c: cm-sort against qsort of all keys on one process, key by key: all inputs and
   types, few keys and enough to be dealt out; buckets as they are and by a vector sort, which is
   qsort here. Pairs: each value is with its key, and one that is not is found. One and two levels.
   Keys of which most are the largest or the smallest that there are. What is sent is what the model
   says. */
#include <stdlib.h>
#include <string.h>
#include "../sscrap/sort/sort_state.h"
#include "contract.h"

static int64_t by_vector; /* keys */

const char *sort_vector_name(void) { return "qsort"; }

void sort_vector(int key, void *keys, size_t n)
{
    by_vector += (int64_t)n;
    sort_kernels_of(key, false)->library(keys, (int64_t)n);
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The bits of all keys, from the inputs of all processes. */
static uint64_t *keys_of_all(int key, int64_t n, int input, uint64_t seed)
{
    const sort_kernels *kernels = sort_kernels_of(key, false);
    uint64_t *bits = malloc((size_t)n * sizeof *bits);
    void *keys = malloc((size_t)n * kernels->bytes);
    for (int pid = 0; pid < size; pid++) {
        int64_t first = sscrap_first(n, size, pid), own = sscrap_first(n, size, pid + 1) - first;
        const sort_source source = {first, own, n, size, pid, input, seed};
        kernels->fill(keys, &source);
        for (int64_t k = 0; k < own; k++) bits[first + k] = kernels->bits(keys, k);
    }
    free(keys);
    return bits;
}

static uint64_t value_of(const sort_state *s, int64_t k)
{
    uint64_t value;
    memcpy(&value, s->result + (size_t)(k + 1) * s->k->bytes - sizeof value, sizeof value);
    return value;
}

/* key: the bits of all, in the order of their indices. */
static void has_values(sort_state *s, const uint64_t *key)
{
    int64_t *seen = calloc((size_t)s->all.n, sizeof *seen), strays = 0, others = 0;
    for (int64_t k = 0; k < s->results; k++) {
        uint64_t value = value_of(s, k);
        bool index = value < (uint64_t)s->all.n;
        strays += !index || s->k->bits(s->result, k) != key[value];
        if (index) seen[value]++;
    }
    EXPECT(strays == 0, "%lld values are not with their keys", (long long)strays);
    cm_allreduce(cm_bsp_group(), seen, seen, (size_t)s->all.n, CM_INT64, CM_SUM, CM_AUTO);
    for (int64_t k = 0; k < s->all.n; k++) others += seen[k] != 1;
    EXPECT(others == 0, "%lld values are not there once", (long long)others);
    free(seen);
}

static void exchange_values(const sort_state *s, int64_t a, int64_t b)
{
    uint64_t values[2] = {value_of(s, a), value_of(s, b)};
    memcpy(s->result + (size_t)(a + 1) * s->k->bytes - 8, &values[1], 8);
    memcpy(s->result + (size_t)(b + 1) * s->k->bytes - 8, &values[0], 8);
}

/* The last process has two values that are in each other's place: wrong if their keys differ. Then
   one value is there twice, with keys that are equal or not. */
static void finds_strays(sort_state *s)
{
    sscrap_check checks[SSCRAP_CHECKS];
    int64_t last = s->results - 1;
    bool spoils = rank == size - 1 && last > 0;
    bool differ = spoils && s->k->bits(s->result, 0) != s->k->bits(s->result, last);
    double wrong = sscrap_max(differ ? 2 : 0);
    EXPECT(sort_problem.verify(s, checks) == 5, "no check of values");
    for (int k = 0; k < 3; k++) EXPECT(checks[k].value == 0, "%s", checks[k].name);
    EXPECT(checks[4].value == 0, "%g values of other keys", checks[4].value);
    if (spoils) exchange_values(s, 0, last);
    sort_problem.verify(s, checks);
    EXPECT(checks[4].value == wrong, "%g values of other keys, not %g", checks[4].value, wrong);
    EXPECT(checks[2].value == (wrong > 0), "the checksum is %s", wrong > 0 ? "right" : "wrong");
    if (spoils) exchange_values(s, 0, last);
    if (spoils)
        memcpy(s->result + s->k->bytes - 8, s->result + s->k->bytes * (size_t)s->results - 8, 8);
    sort_problem.verify(s, checks);
    EXPECT(checks[2].value == (sscrap_max(spoils) > 0), "a value that is there twice");
}

static void sorts(int key, int input, int64_t n, sort_local local, bool pairs,
                  sort_levels_option levels)
{
    const sort_options options = {
        .key = key, .input = input, .local = local, .pairs = pairs, .levels = levels};
    bool parted = local == SORT_LOCAL_VECTOR, all_by_vector = local == SORT_LOCAL_AUTO || parted;
    point("%s, %s, %lld %s%s%s", sort_kernels_of(key, false)->name, sort_input_names[input],
          (long long)n, pairs ? "pairs" : "keys",
          parted          ? ", parted by vectors"
          : all_by_vector ? " by vector"
                          : "",
          levels == SORT_LEVELS_2 ? ", two levels" : "");
    sort_state *s = sort_problem.begin(&options, n);
    by_vector = 0;
    sort_problem.fill(s, 3);
    if (local == SORT_LOCAL_AUTO) {
        EXPECT(by_vector > 0 || n / size < 2 * SORT_SPREAD_LEAST, "not tried");
        /* Whatever is faster here. */
        sort_use(s, SORT_LOCAL_BUCKETS);
        sort_spread_plainly(s->spread, true);
        by_vector = 0;
    }
    EXPECT(!parted || size == 1 || s->way == SORT_BY_VECTORS, "not parted");
    bsp_sync();
    sort_problem.solve(s);
    EXPECT(by_vector == (all_by_vector ? s->results : 0), "%lld keys by vector",
           (long long)by_vector);
    uint64_t *right = keys_of_all(key, n, input, s->seed);
    if (pairs) has_values(s, right);
    qsort(right, (size_t)n, sizeof *right, compare);
    int64_t parts[size], before = 0, wrong = 0;
    cm_allgather(cm_bsp_group(), &s->results, sizeof s->results, parts, CM_AUTO);
    for (int pid = 0; pid < rank; pid++) before += parts[pid];
    EXPECT(before + s->results <= n, "%lld keys to process %d", (long long)(before + s->results),
           rank);
    for (int64_t k = 0; k < s->results && before + k < n; k++)
        wrong += s->k->bits(s->result, k) != right[before + k];
    EXPECT(wrong == 0, "%lld keys are not qsort's", (long long)wrong);
    if (rank == size - 1)
        EXPECT(before + s->results == n, "%lld keys", (long long)(before + s->results));
    free(right);
    if (pairs) finds_strays(s);
    sort_problem.end(s);
}

/* ---- Keys that the inputs never have --------------------------------------------------------- */

/* Key `index` has the most bits, or the fewest, in so many of ten. */
typedef struct {
    const char *name;
    unsigned largest, smallest;
} extremes;

static uint64_t extreme_bits(const extremes *of, bool bits_32, int64_t index)
{
    const uint64_t draw = cm_random_word(99, (uint64_t)index), tenth = draw >> 8 & 1023;
    if (tenth < 1024 * of->largest / 10) return bits_32 ? UINT32_MAX : UINT64_MAX;
    if (tenth < 1024 * (of->largest + of->smallest) / 10) return 0;
    return bits_32 ? cm_random_mix(draw) >> 32 : cm_random_mix(draw);
}

/* Compared by their bits, so that numbers that are NaN have a place: of real keys the most and the
   fewest bits are. */
static void sorts_extremes(const extremes *of, int key, int64_t n, sort_local local,
                           sort_levels_option levels)
{
    const sort_options options = {.key = key, .local = local, .levels = levels};
    point("%s, %s, %lld keys, local sort %d, levels %d", of->name,
          sort_kernels_of(key, false)->name, (long long)n, (int)local, (int)levels);
    sort_state *s = sort_problem.begin(&options, n);
    uint64_t *right = malloc((size_t)n * sizeof *right);
    sort_problem.fill(s, 1);
    for (int64_t k = 0; k < n; k++) right[k] = extreme_bits(of, s->k->bits_32, k);
    for (int64_t k = 0; k < s->all.own; k++) {
        const uint64_t bits = right[s->all.first + k];
        const uint32_t half = (uint32_t)bits;
        unsigned char *to = s->in + (size_t)k * s->k->bytes;
        if (s->k->bits_32) s->k->restore(&half, 1, to);
        else s->k->restore(&bits, 1, to);
    }
    bsp_sync();
    sort_problem.solve(s);
    qsort(right, (size_t)n, sizeof *right, compare);
    int64_t parts[size], before = 0, all = 0, wrong = 0;
    cm_allgather(cm_bsp_group(), &s->results, sizeof s->results, parts, CM_AUTO);
    for (int pid = 0; pid < size; all += parts[pid++])
        if (pid == rank) before = all;
    EXPECT(all == n, "%lld keys", (long long)all);
    for (int64_t k = 0; k < s->results && before + k < n; k++)
        wrong += s->k->bits(s->result, k) != right[before + k];
    EXPECT(wrong == 0, "%lld keys are not qsort's", (long long)wrong);
    free(right);
    /* Real keys with these bits are NaN, which no result may have. */
    sscrap_check checks[SSCRAP_CHECKS];
    sort_problem.verify(s, checks);
    const bool real = key == SORT_DOUBLE || key == SORT_FLOAT;
    EXPECT((checks[0].value > 0) == real, "%g keys out of order", checks[0].value);
    sort_problem.end(s);
}

static void sort_all_extremes(void)
{
    static const extremes all[] = {{"most are the largest", 6, 1},
                                   {"most are the smallest", 1, 6},
                                   {"all are the largest", 10, 0},
                                   {"all are the smallest", 0, 10},
                                   {"largest and smallest", 5, 5}};
    for (size_t e = 0; e < sizeof all / sizeof *all; e++)
        for (int key = 0; key < SORT_KEYS; key++) {
            const bool whole = key == SORT_INT32 || key == SORT_INT64;
            sorts_extremes(&all[e], key, 40001, SORT_LOCAL_BUCKETS, SORT_LEVELS_1);
            sorts_extremes(&all[e], key, 2003, SORT_LOCAL_RADIX, SORT_LEVELS_1);
            /* qsort, which has no order for what is no number. */
            if (whole) sorts_extremes(&all[e], key, 40003, SORT_LOCAL_VECTOR, SORT_LEVELS_1);
            if (size < 4) continue;
            sorts_extremes(&all[e], key, 40009, SORT_LOCAL_BUCKETS, SORT_LEVELS_2);
            sorts_extremes(&all[e], key, 7001, SORT_LOCAL_RADIX, SORT_LEVELS_2);
        }
}

/* The parts' sizes and the counts of buckets, which the model does not have, are a few percent. */
static void sends_as_modelled(sort_local local, sort_levels_option levels, int64_t n, bool pairs)
{
    const sort_options options = {.local = local, .pairs = pairs, .levels = levels};
    sscrap_model model = sort_model(&options, n, size, true);
    point("%lld %s%s, %d level(s): as the model says", (long long)n, pairs ? "pairs" : "keys",
          local == SORT_LOCAL_VECTOR ? " by vector" : "", (int)levels);
    sort_state *s = sort_problem.begin(&options, n);
    sort_problem.fill(s, 1);
    bsp_sync();
    cm_bsp_sums before = cm_bsp_total();
    sort_problem.solve(s);
    cm_bsp_sums after = cm_bsp_total();
    double out = (double)(after.out_bytes - before.out_bytes);
    double in = (double)(after.in_bytes - before.in_bytes), h = sscrap_max(out > in ? out : in);
    EXPECT((double)(after.supersteps - before.supersteps) == model.supersteps,
           "%lld supersteps, not %g", (long long)(after.supersteps - before.supersteps),
           model.supersteps);
    EXPECT(h >= 0.97 * 8 * model.h_words && h <= 1.15 * 8 * model.h_words, "%g bytes, not %g", h,
           8 * model.h_words);
    sort_problem.end(s);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    /* One process and two have a part of it, three and more all. */
    const bool all = size > 2 || tier_is_big();
    cm_bsp_begin(world);
    for (int input = 0; input < SORT_INPUTS; input++)
        for (int key = 0; key < SORT_KEYS; key++) {
            bool sample = key == input % SORT_KEYS;
            if (!sample && !all) continue;
            sorts(key, input, 40001, SORT_LOCAL_BUCKETS, false, SORT_LEVELS_1);
            sorts(key, input, 40003, SORT_LOCAL_VECTOR, false, SORT_LEVELS_1);
            sorts(key, input, sample ? 40001 : 30013, SORT_LOCAL_BUCKETS, true, SORT_LEVELS_1);
            if (size >= 4)
                sorts(key, input, sample ? 40009 : 7001, SORT_LOCAL_BUCKETS, key % 2,
                      SORT_LEVELS_2);
            if (!sample) continue;
            sorts(key, input, 77, SORT_LOCAL_BUCKETS, false, SORT_LEVELS_1);
            sorts(key, input, 78, SORT_LOCAL_BUCKETS, true, SORT_LEVELS_1);
            sorts(key, input, 40001, SORT_LOCAL_AUTO, false, SORT_LEVELS_1);
            if (size >= 4) {
                sorts(key, input, 1 + input, SORT_LOCAL_RADIX, true, SORT_LEVELS_2);
                sorts(key, input, 40001, SORT_LOCAL_AUTO, false, SORT_LEVELS_2);
            }
            sorts(key, input, 20011, SORT_LOCAL_RADIX, true, SORT_LEVELS_1);
            sorts(key, input, 20011, SORT_LOCAL_LIBRARY, true, SORT_LEVELS_1);
        }
    if (all) sort_all_extremes();
    for (int levels = SORT_LEVELS_1; size > 1 && levels <= SORT_LEVELS_2; levels++) {
        sends_as_modelled(SORT_LOCAL_BUCKETS, (sort_levels_option)levels, 3000 * size, true);
        sends_as_modelled(SORT_LOCAL_BUCKETS, (sort_levels_option)levels, 100000 * size, false);
        sends_as_modelled(SORT_LOCAL_VECTOR, (sort_levels_option)levels, 100000 * size, false);
    }
    cm_bsp_end();
    return contract_done();
}
