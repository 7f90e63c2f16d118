/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_spread.h: deals keys out into buckets that fit into a core's cache, with ranges chosen by
   samples, and sorts them there. */
#ifndef SORT_SPREAD_H
#define SORT_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SORT_SPREAD_LEAST = 4096, /* fewer keys are not dealt out */
    SORT_CELLS = 1 << 16,
    SORT_BUCKETS = 1 << 12,
    SORT_BUCKET_KEYS = 1 << 14, /* in a bucket, if samples were exact; half as many pairs */
    SORT_BUCKET_MOST = 1 << 15, /* in a bucket that is sorted whole: both copies are in the cache */
    SORT_PLAN_SAMPLES = 1 << 16,
    SORT_PARTS = 256, /* processes that deal keys out to the buckets of all */
    SORT_RANGES = SORT_BUCKETS + SORT_PARTS
};

/* Cells are equal ranges of bits. Each belongs to one of fewer buckets, which the samples fill
   about equally. */
typedef struct {
    uint64_t low, last;          /* the least bits sampled; the last cell */
    int shift, buckets;          /* bits of a cell */
    uint16_t of[SORT_CELLS];     /* bucket */
    uint64_t begin[SORT_RANGES]; /* bucket's first bits */
} sort_plan;

/* Makes a plan for buckets of bucket_keys of keys like those of the sample. buckets is 1 if all
   samples are equal. sampled is room for SORT_CELLS. */
void sort_plan_make(const uint64_t *sample, int64_t samples, int64_t keys, int64_t bucket_keys,
                    uint32_t *sampled, sort_plan *plan);
/* Returns the number of samples that pays off for this number of keys. */
int64_t sort_plan_samples(int64_t keys);
/* Cuts buckets at limits, in order, fewer than SORT_PARTS. Then as many buckets more follow, each
   after the one that is cut, and keys are in `of` their bucket's first part. Sets the buckets that
   the parts between the limits begin with, from 0 to plan->buckets. */
void sort_plan_cut(sort_plan *plan, const uint64_t *limit, int limits, int *begin);

/* Room in the cache to sort a bucket in. */
typedef struct {
    uint64_t words[SORT_BUCKET_MOST]; /* as many keys, or half as many pairs */
    uint16_t at[2 * SORT_BUCKET_MOST + 2];
} sort_desk;

/* Bits of keys, grouped by bucket. */
typedef struct {
    const unsigned char *words;
    const int64_t *counts; /* of each bucket in it */
} sort_piece;

struct sort_kernels;
typedef struct sort_spread sort_spread;
/* For up to this number of keys. plain sorts the keys of a bucket that is not filled evenly; the
   buffer holds as many. */
sort_spread *sort_spread_open(const struct sort_kernels *kernels, int64_t keys,
                              void (*plain)(const void *of_plain, void *keys, void *buffer,
                                            int64_t n),
                              const void *of_plain);
/* All buckets are sorted by the plain sort, which then sorts any number of keys in place. */
void sort_spread_plainly(sort_spread *spread, bool plainly);
void sort_spread_close(sort_spread *spread); /* spread may be NULL */
double sort_spread_bytes(const struct sort_kernels *kernels, int64_t keys);
/* Makes the plan that sort_spread_finish follows, cut at limits (sort_plan_cut). */
const sort_plan *sort_spread_make_plan(sort_spread *spread, const uint64_t *sample, int64_t samples,
                                       int64_t keys, const uint64_t *limit, int limits, int *begin);
/* Sorts n keys; the buffer holds as many. */
void sort_spread_keys(sort_spread *spread, void *keys, void *buffer, int64_t n);
/* Sorts the keys of the plan's buckets from ... to - 1, which are distributed over all pieces, to
   keys. A piece may overlap keys if it ends at the end of keys' memory and the keys of the other
   pieces fit before it. spare has room for as many keys, and may contain the other pieces. */
void sort_spread_finish(sort_spread *spread, int from, int to, const sort_piece *piece, int pieces,
                        void *keys, void *spare);

#endif
