/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_value.c: what an expression is with the results of a run. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "expression.h"
#include "common/memory.h"

/* ---- the row that meets all conditions ------------------------------------------------------- */

/* The texts, or the numbers that they are: 8 is 8.0. */
static bool equal(const char *a, const char *b)
{
    double x, y;
    if (cm_record_number(a, &x) && cm_record_number(b, &y)) return x == y;
    return strcmp(a, b) == 0;
}

/* The highest or the lowest number that the column has in the rows that are kept, or NULL. */
static const char *outermost(const cm_record *record, size_t column, const bool *kept, bool lowest)
{
    const char *text = NULL;
    double end = 0, value;
    for (size_t r = 0; r < record->n_rows; r++) {
        const char *cell = cm_record_cell(record, r, column);
        if (!kept[r] || !cm_record_number(cell, &value)) continue;
        if (text && (lowest ? value >= end : value <= end)) continue;
        text = cell;
        end = value;
    }
    return text;
}

static bool apply(const suite_condition *condition, const cm_record *record, bool *kept)
{
    int column = cm_record_column(record, condition->column);
    if (column < 0) return false;
    const char *wanted = condition->value;
    if (!wanted) wanted = outermost(record, (size_t)column, kept, condition->lowest);
    for (size_t r = 0; r < record->n_rows; r++)
        kept[r] = kept[r] && wanted && equal(cm_record_cell(record, r, (size_t)column), wanted);
    return true;
}

/* The source's cell, or NULL. */
static const char *cell_of(const suite_source *source, const cm_record *record)
{
    int column = cm_record_column(record, source->name);
    if (column < 0) return NULL;
    bool *kept = suite_array(record->n_rows, sizeof *kept), there = true;
    const char *cell = NULL;
    for (size_t r = 0; r < record->n_rows; r++) kept[r] = true;
    for (size_t k = 0; there && k < source->n_conditions; k++)
        there = apply(&source->condition[k], record, kept);
    for (size_t r = 0; there && !cell && r < record->n_rows; r++)
        if (kept[r]) cell = cm_record_cell(record, r, (size_t)column);
    free(kept);
    return cell;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *found(const suite_source *source, const cm_record *record)
{
    const cm_record_metric *metric;
    switch (source->kind) {
    case SUITE_SOURCE_FIT:
        return cm_record_fit_value(record, source->model, source->name);
    case SUITE_SOURCE_CELL:
        return cell_of(source, record);
    default:
        metric = cm_record_metric_of(record, source->name);
        return metric ? metric->value : cm_record_meta(record, source->name);
    }
}

/* The source's text, which the results own; NULL and the problem if there is none. */
static const char *text_of(const suite_source *source, const char *owner,
                           const suite_results *results, suite_value *value)
{
    if (source->kind == SUITE_SOURCE_NUMBER) return source->name;
    const cm_record *record = suite_results_find(results, source->bench ? source->bench : owner);
    const char *text = NULL;
    if (!record) value->problem = "not measured in this run";
    else if (cm_record_wrong(record)) value->problem = "wrong answer (FAIL)";
    else {
        text = found(source, record);
        if (text && (!*text || strcmp(text, "nan") == 0)) text = NULL;
        if (!text) value->problem = "not in this run's result";
        else if (suite_result_oversubscribed(record)) value->oversubscribed = true;
    }
    return text;
}

/* Returns false if that cannot be calculated. */
static bool calculate(char operator, double right, double *left)
{
    switch (operator) {
    case '+':
        *left += right;
        return true;
    case '-':
        *left -= right;
        return true;
    case '*':
        *left *= right;
        return true;
    default:
        if (right == 0) return false;
        *left /= right;
        return true;
    }
}

suite_value suite_expression_value(const suite_expression *expression, const char *owner,
                                   const suite_results *results)
{
    suite_value value = {0};
    double sum = 0, number;
    for (size_t k = 0; k < expression->n && !value.problem; k++) {
        const char *text = text_of(&expression->source[k], owner, results, &value);
        if (!text) return value;
        if (expression->n == 1) value.text = suite_copy(text);
        else if (!cm_record_number(text, &number)) value.problem = "not a number";
        else if (!calculate(expression->operator[k], number, &sum))
            value.problem = "not to be calculated";
    }
    if (expression->n > 1 && !value.problem) value.text = suite_text("%.4g", sum);
    return value;
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* One end, "low" or "high", of the cell's interval. */
static bool end_of_cell(const suite_source *source, const cm_record *record, const char *end,
                        double *number)
{
    static const char median[] = "median_";
    const char *name = source->name;
    if (strncmp(name, median, strlen(median)) == 0) name += strlen(median);
    suite_source there = *source;
    there.name = suite_text("%s_%s", end, name);
    const char *text = cell_of(&there, record);
    free(there.name);
    return text && cm_record_number(text, number);
}

static bool ends_of(const suite_source *source, const cm_record *record, double *low, double *high)
{
    const cm_record_metric *metric;
    switch (source->kind) {
    case SUITE_SOURCE_CELL:
        return end_of_cell(source, record, "low", low) && end_of_cell(source, record, "high", high);
    case SUITE_SOURCE_METRIC:
        metric = cm_record_metric_of(record, source->name);
        if (!metric || !isfinite(metric->low) || !isfinite(metric->high)) return false;
        *low = metric->low;
        *high = metric->high;
        return true;
    default:
        return false;
    }
}

/* A parameter of a fit has its standard error. */
static bool ends_of_fit(const suite_source *source, const cm_record *record, double *low,
                        double *high)
{
    static const double normal_95 = 1.96;
    char *key = suite_text("%s_error", source->name);
    const char *text = cm_record_fit_value(record, source->model, source->name);
    const char *error_text = cm_record_fit_value(record, source->model, key);
    double value, error;
    bool there = text && error_text && cm_record_number(text, &value)
                 && cm_record_number(error_text, &error);
    free(key);
    if (!there) return false;
    *low = value - normal_95 * error;
    *high = value + normal_95 * error;
    return true;
}

bool suite_source_interval(const suite_source *source, const char *owner,
                           const suite_results *results, double *low, double *high)
{
    if (source->kind == SUITE_SOURCE_NUMBER) return false;
    const cm_record *record = suite_results_find(results, source->bench ? source->bench : owner);
    if (!record) return false;
    return source->kind == SUITE_SOURCE_FIT ? ends_of_fit(source, record, low, high)
                                            : ends_of(source, record, low, high);
}

/* The expression with this number instead of its source that is none. */
static bool with_number(const suite_expression *expression, double instead, double *value)
{
    *value = 0;
    for (size_t k = 0; k < expression->n; k++) {
        double number = instead;
        if (expression->source[k].kind == SUITE_SOURCE_NUMBER)
            cm_record_number(expression->source[k].name, &number);
        if (!calculate(expression->operator[k], number, value)) return false;
    }
    return true;
}

bool suite_expression_interval(const suite_expression *expression, const char *owner,
                               const suite_results *results, double *low, double *high)
{
    const suite_source *source = NULL;
    double a, b;
    for (size_t k = 0; k < expression->n; k++) {
        if (expression->source[k].kind == SUITE_SOURCE_NUMBER) continue;
        if (source) return false;
        source = &expression->source[k];
    }
    if (!source) return false;
    const cm_record *record = suite_results_find(results, source->bench ? source->bench : owner);
    if (!record || !ends_of(source, record, &a, &b) || !with_number(expression, a, &a)
        || !with_number(expression, b, &b))
        return false;
    *low = fmin(a, b);
    *high = fmax(a, b);
    return true;
}
