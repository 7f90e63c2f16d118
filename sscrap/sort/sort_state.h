/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_state.h: a run of cm-sort. */
#ifndef SORT_STATE_H
#define SORT_STATE_H

#include "sort.h"

typedef struct {
    const sort_options *options;
    const sort_kernels *k;
    int p, pid;
    int64_t n, own, first;   /* all keys; this process's, from which on */
    int64_t room;            /* for keys of the result */
    int64_t spare;           /* behind the input: to group a part of it in */
    unsigned char *in, *out; /* own + spare keys; room keys */
    unsigned char *result;
    int64_t results;
    sort_sample *sample; /* [p * samples], everyone's */
    int64_t samples;
    sort_sample *splitter; /* [p - 1] */
    uint64_t *limit;       /* [p - 1] in force between two places */
    int64_t *counts;       /* [p][p]: keys from whom to whom */
    uint64_t seed, digest;
    sort_local local;      /* not SORT_LOCAL_AUTO */
    bool uneven_by_vector; /* and those that are too few */
    sort_spread *spread;   /* SORT_LOCAL_BUCKETS, else NULL */
    /* Two processes deal out for both: */
    bool two;
    uint64_t *shared; /* [shared_samples], half of them from each: for the plan */
    int64_t shared_samples;
    int64_t *tally, *others; /* keys of each bucket here, and there */
} sort_state;

static inline unsigned char *sort_key_at(const sort_state *s, unsigned char *keys, int64_t k)
{
    return keys + (size_t)k * s->k->bytes;
}

/* Sets the limits in force from a place on. Returns where they change next. */
int64_t sort_limits_from(sort_state *s, int64_t place);

/* sort_two.c: two processes. */
void sort_two_begin(sort_state *s); /* registers; s->two: whether what follows is used */
void sort_two_share(sort_state *s, int attempt);
int64_t sort_two_deal(sort_state *s); /* returns how many keys are below the splitter */
void sort_two_exchange(sort_state *s);
void sort_two_finish(sort_state *s);
void sort_two_end(sort_state *s); /* before the sync that ends registrations */
double sort_two_bytes(int64_t n);

#endif
