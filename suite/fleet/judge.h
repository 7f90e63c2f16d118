/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.h: a new result, its hosts or its headline metrics, against their history. */
#ifndef SUITE_JUDGE_H
#define SUITE_JUDGE_H

#include "common/table.h"
#include "kept.h"

/* The rate of false alarms of all that one result is judged by. */
#define FLEET_LEVEL 0.01

/* The exit statuses are in this order of weight: worse, then could not tell. */
typedef enum { FLEET_LIKE, FLEET_UNTOLD, FLEET_WORSE } fleet_verdict;
typedef enum {
    FLEET_WHY_NONE,
    FLEET_WHY_FEW,   /* fewer kept results than FLEET_FEWEST */
    FLEET_WHY_BLIND, /* the history's spread hides the loss */
    FLEET_WHY_BUSY,  /* worse, but the machine was disturbed */
    FLEET_WHY_ONCE   /* worse in one of two measurements whose other one cannot tell */
} fleet_why;

/* A host's quantity, or a benchmark's metric. Strings are those of the new result. */
typedef struct {
    const char *who, *metric, *unit;
    size_t ranks;
    bool low; /* low is better */
    bool disturbed;
    double value, again;        /* again: measured a second time; NaN: it was not */
    double median, least, most; /* of the history; NaN: it has none */
    double bound;               /* worse beyond it; NaN: not known */
    size_t n, needed;           /* results in the history; fleet_bound.needed */
    fleet_verdict verdict;
    fleet_why why;
} fleet_item;

typedef struct {
    fleet_item *item;
    size_t n;
    const char *what; /* "host" */
    double loss;      /* 0.25: a loss of 25 % must be seen */
} fleet_judgement;

/* judge.c: judges each quantity of each host, by kept results of the same host with as many ranks;
   rates of links only by results of as many hosts. Results in which a host stood out count for
   nothing of it, and disturbed ones only if the new one is disturbed, too: then nobody is worse.
   Free with fleet_judgement_free. */
fleet_judgement fleet_judge_hosts(const suite_history *history, const suite_kept *kept,
                                  double loss);
/* The same of the headline metrics of the table's benchmarks, by kept results with as many hosts
   and ranks. Worse is only a median of three launches at least. */
fleet_judgement fleet_judge_headlines(const suite_history *history, const suite_kept *kept,
                                      const suite_table *table, double loss);
void fleet_judgement_free(fleet_judgement *judgement);
/* The verdict of all: worse if one is, else untold if one is or if there is none. */
fleet_verdict fleet_judgement_all(const fleet_judgement *judgement);
/* With a second measurement: worse is what is worse in both. */
void fleet_confirm(fleet_judgement *first, const fleet_judgement *second);

/* judge_words.c: prints one line: who is worse, in what, by how much, or what could have been seen.
   Returns the exit status. */
int fleet_judgement_tell(const fleet_judgement *judgement);

#endif
