/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.h: hosts of a new result against their history. */
#ifndef SUITE_JUDGE_H
#define SUITE_JUDGE_H

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

/* A host's quantity. Strings are those of the new result. */
typedef struct {
    const char *who, *metric, *unit;
    size_t ranks;
    bool low;                   /* low is better */
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
    double loss; /* 0.25: a loss of 25 % must be seen */
} fleet_judgement;

/* judge.c: judges each quantity of each host, by kept results of the same host with as many ranks;
   rates of links only by results of as many hosts. Results in which a host stood out count for
   nothing of it, and disturbed ones only if the new one is disturbed, too: then nobody is worse.
   Free with fleet_judgement_free. */
fleet_judgement fleet_judge(const suite_history *history, const suite_kept *kept, double loss);
void fleet_judgement_free(fleet_judgement *judgement);
/* The verdict of all: worse if one is, else untold if one is or if there is none. */
fleet_verdict fleet_judgement_all(const fleet_judgement *judgement);
/* With a second measurement: worse is what is worse in both. */
void fleet_confirm(fleet_judgement *first, const fleet_judgement *second);

/* judge_words.c: one line without its newline: who is worse, in what, by how much, or what could
   have been seen. The caller frees. */
char *fleet_judgement_line(const fleet_judgement *judgement);

#endif
