/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.h: declarations that the files of cm-sort share. */
#ifndef SORT_H
#define SORT_H

#include "../common/sscrap.h"
#include "sort_spread.h"

typedef enum { SORT_DOUBLE, SORT_FLOAT, SORT_INT32, SORT_INT64, SORT_KEYS } sort_key;
typedef enum {
    SORT_UNIFORM,
    SORT_GAUSSIAN,
    SORT_SORTED,
    SORT_REVERSE,
    SORT_FEW,
    SORT_EQUAL,
    SORT_STAGGERED,
    SORT_ZIPF,
    SORT_EXPONENTIAL,
    SORT_ROOT_DUP,
    SORT_MIRRORED,
    SORT_ALL_TO_ONE,
    SORT_ALMOST_SORTED,
    SORT_INPUTS
} sort_input;
typedef enum {
    SORT_LOCAL_AUTO,
    SORT_LOCAL_BUCKETS,
    SORT_LOCAL_VECTOR,
    SORT_LOCAL_RADIX,
    SORT_LOCAL_LIBRARY
} sort_local;

typedef enum { SORT_LEVELS_AUTO, SORT_LEVELS_1, SORT_LEVELS_2 } sort_levels_option;

typedef struct {
    sscrap_job job;
    int key, input, local, levels;
    bool pairs;
    int64_t samples; /* of each process; 0: enough that another attempt is unlikely */
} sort_options;

/* Keys first, ... first + own - 1 of total, which process pid of p has. */
typedef struct {
    int64_t first, own, total;
    int p, pid, input;
    uint64_t seed;
} sort_source;

/* ---- sort_input.c ---- */
extern const char *const sort_input_names[SORT_INPUTS + 1]; /* ends with NULL */
/* Returns key `index` as a number, most of them between 0 and 1. */
double sort_real(const sort_source *source, int64_t index);
/* Returns the source of the process that has this key of the same input. */
sort_source sort_source_of(const sort_source *source, int64_t index);

/* A key with its index among the keys of all processes. The index makes all keys different, so that
   equal keys can be split. bits is an unsigned number in the order of the keys. */
typedef struct {
    uint64_t bits;
    int64_t index; /* -1: no sample */
} sort_sample;

/* The kernels for keys of one type; sort_keys.inc is included for each type, without and with
   values. A key with its value, which is its index among all keys at first, is called a key here,
   too. */
typedef struct sort_kernels {
    size_t bytes;        /* of a key and its value */
    bool bits_32;        /* keys have 32 bits, not 64 */
    bool pairs;          /* keys have values */
    int64_t bucket_keys; /* in a bucket, if samples were exact; twice as many at most */
    const char *name;
    void (*fill)(void *keys, const sort_source *source);
    uint64_t (*bits)(const void *keys, int64_t k);
    /* below[s] += number of the n keys whose bits are below limit[s], s < limits. */
    void (*count)(const void *keys, int64_t n, const uint64_t *limit, int limits, int64_t *below);
    /* Copies the keys to out, grouped: bucket b from at[b] on; at[] advances. */
    void (*scatter)(const void *keys, int64_t n, const uint64_t *limit, int limits, void *out,
                    int64_t *at);
    /* tally[b] += number of keys of the plan's bucket b. most: the most bits in each bucket, those
       above go to the next; UINT64_MAX in all that are not cut. NULL: in no bucket is a cut. */
    void (*tally)(const void *keys, int64_t n, const sort_plan *plan, const uint64_t *most,
                  int64_t *tally);
    /* Copies the keys' bits to words, grouped: bucket b, as tally counts them, from at[b] on. */
    void (*deal)(const void *keys, int64_t n, const sort_plan *plan, const uint64_t *most,
                 void *words, int64_t *at);
    /* Sorts a bucket of words, in pieces of n[k], 2 * bucket_keys together at most. Most of their
       bits are between first and final; first > final: the range is not known. Returns false if
       they are not spread evenly; keys then holds them unsorted. */
    bool (*finish)(const void *const *words, const int64_t *n, int pieces, uint64_t first,
                   uint64_t final, sort_desk *desk, void *keys);
    void (*restore)(const void *words, int64_t n, void *keys); /* keys from bits */
    void (*radix)(void *keys, void *buffer, int64_t n);        /* sorts keys; buffer: room for n */
    void (*library)(void *keys, int64_t n);                    /* qsort */
    uint64_t (*digest)(const void *keys, int64_t n);           /* equal for permutations */
    int64_t (*descents)(const void *keys, int64_t n);          /* neighbours out of order; NaN is */
    /* Returns the number of keys whose value is that of another key, in the source's input. */
    int64_t (*strays)(const void *keys, int64_t n, const sort_source *source);
} sort_kernels;
/* The functions of one instruction set (sort_keys.c). */
typedef struct {
    const sort_kernels *keys[SORT_KEYS], *pairs[SORT_KEYS];
} sort_kernel_table;

#ifdef __cplusplus
extern "C" {
#endif
/* ---- sort_sets.c: the instruction set in force ---- */
const sort_kernels *sort_kernels_of(int key, bool pairs);

/* ---- sort_vector.cc, sort_vector_part.cc: not available without Highway ---- */
const char *sort_vector_name(void); /* NULL: not available */
void sort_vector(int key, void *keys, size_t n);
enum { SORT_PARTED = 8 }; /* processes that part keys by vectors, at most */
/* Parts n keys at limits, fewer than SORT_PARTED, in their order: those of part own, which is
   between limit[own - 1] (its bits are in it) and limit[own], to kept, and those of another part b
   to out from at[b] on; at[b] advances. own may be above limits: then none stays. kept may be at
   keys or before them. Up to a vector of what is after the keys in out may be read and written
   back. Returns the number of keys in kept. */
int64_t sort_vector_part(int key, const void *keys, int64_t n, const uint64_t *limit, int limits,
                         int own, void *kept, void *out, int64_t *at);
#ifdef __cplusplus
}
#endif

/* ---- sort_run.c ---- */
extern const sscrap_problem sort_problem;
extern const sort_options sort_defaults;

extern const cm_metric sort_metrics[]; /* of the RESULT lines */

#endif
