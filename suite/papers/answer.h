/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.h: what answers to an item of a paper: parts separated by "; ", each perhaps with a label
   before ": ". A part is a link, `figure BENCH FIGURE`, `section BENCH` or `machine`, or an
   expression, or a test: two expressions with <, <=, >, >= or = between them. An answer without
   parts says with "none: REASON" why nothing measures that; or it is "-", for a table whose numbers
   are items themselves. */
#ifndef SUITE_ANSWER_H
#define SUITE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "expression.h"

typedef enum {
    SUITE_PART_EXPRESSION,
    SUITE_PART_TEST,
    SUITE_PART_FIGURE,
    SUITE_PART_SECTION,
    SUITE_PART_MACHINE
} suite_part_kind;

typedef struct {
    suite_part_kind kind;
    char *label; /* NULL: none */
    char *bench; /* of a figure or section */
    char *id;    /* of a figure: BENCH-FIGURE */
    suite_expression expression;
    char relation[3];       /* of a test: "<", "<=", ... */
    suite_expression bound; /* of a test: what stands behind that */
} suite_part;

typedef struct {
    suite_part *part;
    size_t n;
    char *none; /* why nothing measures that; NULL: something does */
} suite_answer;

/* Reads an answer. Returns true, or false with the reason in why, as suite_expression_parse. Free
   it with suite_answer_free. */
bool suite_answer_parse(const char *text, suite_answer *answer, char *why, size_t why_size);
void suite_answer_free(suite_answer *answer);

/* The benchmark that the answer names first; owner, if it names none. */
const char *suite_answer_bench(const suite_answer *answer, const char *owner);

/* The sources of the page's answers. */
typedef struct {
    suite_results results;
    char **figure; /* ids of the figures that stand on the page */
    size_t n_figures;
} suite_shown;

typedef enum { SUITE_HOLDS, SUITE_CANNOT_TELL, SUITE_UNTESTED, SUITE_FAILS } suite_verdict;
extern const char *const suite_verdict_words[]; /* "holds", ... */

/* The value that a run has for a part. */
typedef struct {
    suite_value value;    /* a link that leads somewhere has neither text nor problem */
    cm_quantity quantity; /* the value with its interval; NaN: it is no number */
    char *bound;          /* of a test: the other side; NULL: there is none */
    cm_quantity bound_quantity;
    suite_verdict verdict;
} suite_found_part;

/* An answer with what a run found. */
typedef struct {
    suite_found_part *part;
    size_t n, answered; /* parts, and how many have no problem */
    size_t tests;
    suite_verdict verdict; /* of all tests: the one that stands last in the enumeration */
    bool oversubscribed;
} suite_found;

suite_found suite_answer_find(const suite_answer *answer, const char *owner,
                              const suite_shown *shown);
void suite_found_free(suite_found *found);

/* Writes it; nothing for an answer without parts. */
void suite_found_print(FILE *out, const suite_answer *answer, const suite_found *found);

#endif
