/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.h: the expressions of the papers' items (HACKING, "The papers' items"): sources and
   the operators + - * / as words of their own, taken from left to right. A source is
       a number
       [BENCH:]METRIC                of a RESULT line, or a key of the metadata
       [BENCH:]fit:MODEL:KEY
       [BENCH:]COLUMN[KEY=VALUE,KEY=max,...]
   BENCH may be beside/NAME: a result of the folder of `report --beside`. The last kind is that
   column in the first row that meets all conditions, which apply from left to right: max and min
   are the highest and the lowest number in the rows that those before it leave. */
#ifndef SUITE_EXPRESSION_H
#define SUITE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/quantity.h"
#include "results/results.h"

typedef struct {
    char *column;
    char *value; /* NULL: the highest or the lowest */
    bool lowest;
} suite_condition;

typedef enum {
    SUITE_SOURCE_NUMBER,
    SUITE_SOURCE_METRIC,
    SUITE_SOURCE_FIT,
    SUITE_SOURCE_CELL
} suite_source_kind;

typedef struct {
    suite_source_kind kind;
    char *bench; /* NULL: not named */
    char *model; /* of a fit */
    char *name;  /* the number, the metric, the fit's key or the column */
    suite_condition *condition;
    size_t n_conditions;
} suite_source;

typedef struct {
    suite_source *source;
    char *operator; /* operator[k], one of + - * /, stands before source[k]; operator[0] is + */
    size_t n;
} suite_expression;

/* Reads an expression. Returns true, or false with the reason in why: the word where it went wrong
   and what was expected, "'[size]': expected KEY=VALUE". Then the expression is empty. Free it with
   suite_expression_free. */
bool suite_expression_parse(const char *text, suite_expression *expression, char *why,
                            size_t why_size);
void suite_expression_free(suite_expression *expression);

typedef struct {
    char *text;          /* NULL: none, for the reason in problem. The caller frees. */
    const char *problem; /* lasts as long as the program */
    bool oversubscribed; /* a result that it is from had more ranks than cores */
} suite_value;

/* Evaluates the expression with these results. Sources that name no benchmark belong to owner. A
   single source keeps its text, whatever that is; a calculated value has four digits. */
suite_value suite_expression_value(const suite_expression *expression, const char *owner,
                                   const suite_results *results);

/* The number of the row that a cell is taken from; n_rows: no row meets the conditions. */
size_t suite_source_row(const suite_source *source, const cm_record *record);

/* expression_quantity.c: that value as a number, with its interval: between which ends the
   expression is if each source is anywhere in its interval. All ends vary by themselves, so that
   the interval may be too wide and is never too narrow. The ends of a metric are those of its
   RESULT line; those of a cell stand in its row, in low_NAME and high_NAME or, of median_NAME,
   there; those of a fit are 1.96 standard errors away. Without an interval low and high are value.
   An end is infinite if a divisor may be 0. n and over are those of the source with the fewest
   values. value is NaN if the expression has none. */
cm_quantity suite_expression_quantity(const suite_expression *expression, const char *owner,
                                      const suite_results *results);

#endif
