/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_state.h: the state of a run of cm-sort. */
#ifndef SORT_STATE_H
#define SORT_STATE_H

#include "sort.h"

typedef struct {
    const sort_options *options;
    const sort_kernels *k;
    int p, pid;
    int64_t n, own, first;   /* number of all keys; of this process's; of its first */
    int64_t room;            /* for keys of the result */
    int64_t spare;           /* room behind the input, to group a part of it */
    unsigned char *in, *out; /* own + spare keys; room keys */
    unsigned char *result;
    int64_t results;
    sort_sample *sample; /* [p * samples], of all processes */
    int64_t samples;
    sort_sample *splitter; /* [p - 1] */
    uint64_t *limit;       /* [p - 1] valid between two places */
    int64_t *counts;       /* [p][p]: number of keys from one process to another */
    uint64_t seed, digest;
    sort_local local;      /* not SORT_LOCAL_AUTO */
    bool uneven_by_vector; /* also buckets with too few keys */
    bool tries;            /* other local sorts on the first input */
    sort_spread *spread;   /* SORT_LOCAL_BUCKETS, else NULL */
    /* Processes deal out for all: */
    bool deals;
    uint64_t *shared; /* [shared_samples], as many from each process: for the plan */
    int64_t shared_samples;
    int *begin;      /* [p + 1] first bucket of each process */
    int64_t *tally;  /* number of keys of each bucket here */
    int64_t *others; /* [p][its buckets], from each process: of this process's buckets there */
} sort_state;

static inline unsigned char *sort_key_at(const sort_state *s, unsigned char *keys, int64_t k)
{
    return keys + (size_t)k * s->k->bytes;
}

/* Sets the limits that are valid from a place on. Returns the place where they change next. */
int64_t sort_limits_from(sort_state *s, int64_t place);

/* sort_trial.c: chooses among local sorts, on all processes alike. The result's memory is used. */
void sort_try(sort_state *s);

/* sort_run.c: samples of each process; room behind the input of each, at least. */
int64_t sort_oversampling(const sort_options *options, int64_t n, int p);
int64_t sort_spare(int64_t n, int p);

/* sort_model.c */
sscrap_model sort_model(const void *of_program, int64_t n, int p, bool one_host);

/* sort_deal.c: two processes or more. */
bool sort_deals(const sort_options *options, int64_t n, int p);
void sort_deal_begin(sort_state *s); /* registers; s->deals: the functions below are used */
void sort_deal_share(sort_state *s, int attempt);
void sort_deal(sort_state *s, int64_t *keys); /* sets the number of keys for each process */
void sort_deal_exchange(sort_state *s);
void sort_deal_finish(sort_state *s);
void sort_deal_end(sort_state *s); /* before the sync that ends registrations */
double sort_deal_bytes(int64_t n, int p);

#endif
