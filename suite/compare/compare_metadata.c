/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_metadata.c: in what machine, build, network and settings two sides differ. */
#include "config.h"
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "results/launches.h"

/* Keys whose values differ from launch to launch although nothing else does, beside those that each
   launch measures. */
static bool is_passing(const char *key)
{
    static const char *const passing[] = {"date",    "command",   "stopped",
                                          "launch*", "disturb*",  "partners_seed",
                                          "steal*",  "pressure*", "differs_between_launches"};
    for (size_t k = 0; k < sizeof passing / sizeof *passing; k++)
        if (fnmatch(passing[k], key, 0) == 0) return true;
    return suite_is_measured(key);
}

/* The key's value in a launch, "; " between those of a key that comes several times; the caller
   frees. */
static char *value_in(const cm_record *record, const char *key)
{
    suite_words values = {0};
    for (size_t k = 0; k < record->n_meta; k++)
        if (strcmp(record->meta[k].key, key) == 0) suite_words_add(&values, record->meta[k].value);
    char *all = suite_words_joined(&values, "; ", "; ");
    suite_words_free(&values);
    return all;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Its values in all launches, sorted, " or " between those that differ; "none" is that of a launch
   without the key. The caller frees. */
static char *value_of(const compare_bench *bench, const char *key)
{
    suite_words values = {0};
    for (size_t k = 0; k < bench->n; k++) {
        char *value = value_in(&bench->launch[k], key);
        const char *word = *value ? value : "none";
        if (!suite_words_have(&values, word)) suite_words_add(&values, word);
        free(value);
    }
    if (values.n > 1) qsort(values.word, values.n, sizeof *values.word, by_text);
    char *all = suite_words_joined(&values, " or ", " or ");
    suite_words_free(&values);
    return all;
}

/* Frequencies are measured in each launch, to about a thousandth. The first value of each side is
   enough to tell them apart. */
static bool differ(const char *key, const char *base, const char *new)
{
    double a, b;
    if (fnmatch("*_hz", key, 0) == 0 && sscanf(base, "%lf", &a) == 1 && sscanf(new, "%lf", &b) == 1)
        return fabs(a - b) > 0.01 * fabs(a);
    return strcmp(base, new) != 0;
}

static void add(compare_pair *pair, const char *key, const char *base, const char *new,
                const char *bench)
{
    compare_difference *found = NULL;
    for (size_t k = 0; k < pair->n_differences && !found; k++) {
        compare_difference *one = &pair->difference[k];
        if (strcmp(one->key, key) == 0 && strcmp(one->base, base) == 0
            && strcmp(one->new, new) == 0)
            found = one;
    }
    if (!found) {
        pair->difference = suite_longer(pair->difference, pair->n_differences + 1, sizeof *found);
        found = &pair->difference[pair->n_differences++];
        *found = (compare_difference){
            .key = suite_copy(key), .base = suite_copy(base), .new = suite_copy(new)};
    }
    suite_words_add(&found->benches, bench);
}

static void compare_key(compare_pair *pair, const compare_bench *base, const compare_bench *new,
                        const char *key)
{
    char *a = value_of(base, key), *b = value_of(new, key);
    if (differ(key, a, b)) add(pair, key, a, b, base->name);
    free(a);
    free(b);
}

/* Each key once, in the order of the base's first launch, then those that only others have. */
static void compare_keys(compare_pair *pair, const compare_bench *base, const compare_bench *new)
{
    suite_words keys = {0};
    const compare_bench *const both[] = {base, new};
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < both[side]->n; k++) {
            const cm_record *record = &both[side]->launch[k];
            for (size_t m = 0; m < record->n_meta; m++)
                if (!is_passing(record->meta[m].key)
                    && !suite_words_have(&keys, record->meta[m].key))
                    suite_words_add(&keys, record->meta[m].key);
        }
    for (size_t k = 0; k < keys.n; k++) compare_key(pair, base, new, keys.word[k]);
    suite_words_free(&keys);
}

/* Metadata that all benchmarks have describe the machine or the build, and come first. */
static int by_reach(const void *a, const void *b)
{
    const compare_difference *x = a, *y = b;
    if (x->everywhere != y->everywhere) return y->everywhere - x->everywhere;
    return (int)(x->place > y->place) - (int)(x->place < y->place);
}

void compare_metadata(compare_pair *pair)
{
    for (size_t k = 0; k < pair->base->n; k++) {
        const compare_bench *base = &pair->base->bench[k];
        const compare_bench *new = compare_side_find(pair->new, base->name);
        if (base->n == 0 || !new) continue;
        compare_keys(pair, base, new);
        pair->n_common++;
    }
    for (size_t k = 0; k < pair->n_differences; k++) {
        pair->difference[k].everywhere = pair->difference[k].benches.n == pair->n_common;
        pair->difference[k].place = k;
    }
    if (pair->n_differences > 0)
        qsort(pair->difference, pair->n_differences, sizeof *pair->difference, by_reach);
}
