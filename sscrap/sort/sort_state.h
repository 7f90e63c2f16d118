/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_state.h: the state of a run of cm-sort. */
#ifndef SORT_STATE_H
#define SORT_STATE_H

#include "sort.h"

/* The processes among which keys are divided: all, or those of a group. */
typedef struct {
    int p, pid;
    int64_t n, own, first; /* number of their keys; of this process's; of its first */
} sort_scope;

/* The state of a process that takes part in the first of two levels (sort_levels.c). */
typedef struct {
    int groups, group;
    int64_t samples; /* of this process; process 0 receives as many from each */
    int64_t *counts; /* [p], of the first process of a group: keys from each process */
    struct sort_target {
        int64_t first, all; /* where this process's keys begin among all that go to a group */
    } * target;             /* [groups] */
    int64_t *again;         /* [groups]: the last attempt that did not balance a group's parts */
} sort_first_level;

/* How keys go to their processes: grouped in pieces of the input, as they come; dealt out to the
   buckets of all; parted by vectors. */
typedef enum { SORT_PIECES, SORT_DEALT, SORT_BY_VECTORS } sort_way;

typedef struct {
    const sort_options *options;
    const sort_kernels *k;
    int levels;
    sort_scope all;
    /* The processes among which keys are divided now, base ... base + p - 1: */
    int p, pid, base;
    int64_t n, own, first;
    int64_t spare;           /* room after the own keys, to group a part of them */
    int parts;               /* number of parts that the splitters divide keys into */
    int64_t capacity;        /* of the input's memory, in keys */
    int64_t room;            /* for keys of the result */
    unsigned char *in, *out; /* capacity keys; room keys */
    unsigned char *result;
    int64_t results;
    sort_sample *sample; /* [p * samples], of all processes */
    int64_t samples;
    sort_sample *splitter; /* [parts - 1] */
    uint64_t *limit;       /* [limits] valid between two places */
    int limits;            /* parts - 1, or fewer: all keys are below the others, which are above
                              the largest key that there is */
    int64_t *counts;       /* [p][p]: number of keys from one process to another */
    uint64_t seed, digest;
    sort_local local;      /* not SORT_LOCAL_AUTO */
    bool uneven_by_vector; /* also buckets with too few keys */
    bool tries;            /* other local sorts on the first input */
    const char *took;      /* in these trials; NULL: there were none */
    sort_spread *spread;   /* SORT_LOCAL_BUCKETS, else NULL */
    sort_first_level level;
    sort_way way;
    /* Processes may deal out for all (else NULL): */
    uint64_t *shared; /* [shared_most]: for the plan, as many from each process */
    int64_t shared_most, shared_samples;
    int *begin;      /* [p + 1] first bucket of each process */
    int64_t *tally;  /* number of keys of each bucket here */
    int64_t *others; /* [p][its buckets], from each process: of this process's buckets there */
} sort_state;

static inline unsigned char *sort_key_at(const sort_state *s, unsigned char *keys, int64_t k)
{
    return keys + (size_t)k * s->k->bytes;
}

/* ---- sort_size.c ---- */
#define SORT_PART_BOUND 1.2 /* keys of a part, relative to the average, that are accepted */
int sort_levels(const sort_options *options, int p);
int sort_groups(int p);                             /* number of groups, of two levels */
int sort_among(const sort_options *options, int p); /* processes of the largest group, or p */
double sort_bound(int levels); /* of a part in one level, relative to the average */
/* Samples of each process of a group, or of all. */
int64_t sort_samples(const sort_options *options, int64_t n, int p);
/* Samples of each process in the first of two levels. */
int64_t sort_first_samples(const sort_options *options, int64_t n, int p);
double sort_first_bytes(const sort_options *options, int p);
int64_t sort_room(int64_t n, int p);  /* keys of a process's result, at most */
int64_t sort_spare(int64_t n, int p); /* room after the input of each process, at least */

/* ---- sort_limits.c ---- */
/* Sets the limits that are valid from a place on. Returns the place where they change next. */
int64_t sort_limits_from(sort_state *s, int64_t place);
void sort_count_here(sort_state *s, int64_t *keys); /* sets the number of own keys in each part */

/* ---- sort_split.c ---- */
enum { SORT_ATTEMPTS = 10 };
void sort_check_attempt(int attempt); /* ends the job after too many */
/* Charges the cost of comparisons under a simulator: of n keys by binary search in `among`
   splitters, or of a sort in n log2(n). */
void sort_cost(int64_t n, double among);
/* Draws samples of the own keys; fewer keys than samples: all of them. */
void sort_draw(const sort_state *s, int attempt, int64_t samples, sort_sample *own);
/* Sets the splitters of s->parts parts from s->sample. */
void sort_choose_splitters(sort_state *s, int64_t samples);
/* The supersteps; the last one is to be ended by the caller. */
void sort_sample_all(sort_state *s, int attempt);
bool sort_count(sort_state *s); /* false: a part is too large for its process */
void sort_exchange(sort_state *s);

/* ---- sort_levels.c ---- */
void sort_among_all(sort_state *s);
void sort_first_begin(sort_state *s);
void sort_divide_twice(sort_state *s);
void sort_first_end(sort_state *s);
void sort_first_free(sort_state *s);

/* ---- sort_trial.c ---- */
/* Chooses among local sorts, on all processes alike. The result's memory is used. */
void sort_try(sort_state *s);
/* Uses a local sort, and the way of the keys that goes with it. */
void sort_use(sort_state *s, sort_local local);

/* sort_model.c */
sscrap_model sort_model(const void *of_program, int64_t n, int p, bool one_host);

/* sort_part.c: two processes or more. */
bool sort_parts(sort_local local, int levels, int64_t n, int p);
void sort_part(sort_state *s, int64_t *keys); /* sets the number of keys for each process */
void sort_part_undo(sort_state *s);           /* the input has all own keys again */

/* sort_deal.c: two processes or more. */
bool sort_deals(const sort_options *options, int64_t n, int p);
void sort_deal_begin(sort_state *s); /* registers if keys may be dealt out */
void sort_deal_share(sort_state *s, int attempt);
void sort_deal(sort_state *s, int64_t *keys); /* sets the number of keys for each process */
void sort_deal_finish(sort_state *s);
void sort_deal_end(sort_state *s); /* before the sync that ends registrations */
/* Samples of all, for the plan. */
int64_t sort_deal_samples(const sort_options *options, int64_t n, int p);
double sort_deal_bytes(const sort_options *options, int64_t n, int p);

#endif
