/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_quantity.c: what an expression is, and between which ends: interval arithmetic over
   its sources. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "expression.h"
#include "common/memory.h"
#include "common/quantity.h"

/* ---- A source -------------------------------------------------------------------------------- */

static cm_quantity exact(double value)
{
    return (cm_quantity){.value = value, .low = value, .high = value, .kind = CM_INTERVAL_95};
}

/* Gives the value these ends, if they are numbers. */
static cm_quantity between(double value, double low, double high)
{
    cm_quantity q = exact(value);
    if (!isfinite(low) || !isfinite(high)) return q;
    q.low = low;
    q.high = high;
    return q;
}

static cm_quantity of_metric(const suite_source *source, const cm_record *record, double value)
{
    const cm_record_metric *metric = cm_record_metric_of(record, source->name);
    if (!metric) return exact(value); /* a key of the metadata */
    cm_quantity q = suite_quantity_of(metric);
    return cm_quantity_has_interval(&q) ? q : exact(value);
}

static double number_at(const cm_record *record, size_t row, const char *before, const char *name)
{
    char *text = suite_text("%s%s", before, name);
    int column = cm_record_column(record, text);
    double number;
    free(text);
    return column >= 0 && cm_record_number(cm_record_cell(record, row, (size_t)column), &number)
               ? number
               : NAN;
}

/* A row of one launch counts its trials. */
static cm_quantity of_cell(const suite_source *source, const cm_record *record, double value)
{
    static const char median[] = "median_";
    const char *name = source->name, *launches = cm_record_meta(record, "launches");
    if (strncmp(name, median, strlen(median)) == 0) name += strlen(median);
    size_t row = suite_source_row(source, record);
    cm_quantity q =
        between(value, number_at(record, row, "low_", name), number_at(record, row, "high_", name));
    double n = number_at(record, row, "", "n");
    if (q.low == q.high) return q;
    if (suite_result_row_is_range(record, row)) q.kind = CM_INTERVAL_RANGE;
    q.n = n >= 1 ? (size_t)n : 0;
    q.over = launches && strcmp(launches, "1") != 0 ? "launches" : "trials";
    return q;
}

/* A parameter of a fit has its standard error. */
static cm_quantity of_fit(const suite_source *source, const cm_record *record, double value)
{
    static const double normal_95 = 1.96;
    char *key = suite_text("%s_error", source->name);
    const char *text = cm_record_fit_value(record, source->model, key);
    double error;
    free(key);
    if (!text || !cm_record_number(text, &error)) return exact(value);
    return between(value, value - normal_95 * error, value + normal_95 * error);
}

static cm_quantity of_source(const suite_source *source, const char *owner,
                             const suite_results *results)
{
    char plus = '+';
    suite_source copy = *source;
    const suite_expression alone = {.source = &copy, .operator= & plus, .n = 1};
    suite_value found = suite_expression_value(&alone, owner, results);
    double value;
    bool there = found.text && cm_record_number(found.text, &value);
    free(found.text);
    if (!there) return exact(NAN);
    if (source->kind == SUITE_SOURCE_NUMBER) return exact(value);
    const cm_record *record = suite_results_find(results, source->bench ? source->bench : owner);
    if (source->kind == SUITE_SOURCE_METRIC) return of_metric(source, record, value);
    return source->kind == SUITE_SOURCE_CELL ? of_cell(source, record, value)
                                             : of_fit(source, record, value);
}

/* ---- Several --------------------------------------------------------------------------------- */

static void set_hull(cm_quantity *q, double a, double b, double c, double d)
{
    q->low = fmin(fmin(a, b), fmin(c, d));
    q->high = fmax(fmax(a, b), fmax(c, d));
}

/* What says how many values there were: the one with fewer, of those that say it. */
static const cm_quantity *with_fewer(const cm_quantity *a, const cm_quantity *b)
{
    if (b->n == 0) return a;
    return a->n == 0 || b->n < a->n ? b : a;
}

static cm_quantity calculate(char operator, cm_quantity a, cm_quantity b)
{
    cm_quantity q = *with_fewer(&a, &b);
    q.kind =
        a.kind == CM_INTERVAL_95 && b.kind == CM_INTERVAL_95 ? CM_INTERVAL_95 : CM_INTERVAL_RANGE;
    q.disturbed = cm_disturbed_either(a.disturbed, b.disturbed);
    switch (operator) {
    case '+':
        return cm_quantity_mapped(q, a.value + b.value, a.low + b.low, a.high + b.high);
    case '-':
        return cm_quantity_mapped(q, a.value - b.value, a.low - b.high, a.high - b.low);
    case '*':
        q.value = a.value * b.value;
        set_hull(&q, a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
        return q;
    default:
        q.value = b.value == 0 ? NAN : a.value / b.value;
        if (b.low <= 0 && b.high >= 0) return cm_quantity_mapped(q, q.value, -INFINITY, INFINITY);
        set_hull(&q, a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
        return q;
    }
}

cm_quantity suite_expression_quantity(const suite_expression *expression, const char *owner,
                                      const suite_results *results)
{
    cm_quantity sum = exact(0);
    for (size_t k = 0; k < expression->n; k++)
        sum = calculate(expression->operator[k], sum,
                        of_source(&expression->source[k], owner, results));
    return sum;
}
