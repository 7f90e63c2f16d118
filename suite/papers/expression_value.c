/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_value.c: what an expression is with the results of a run. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "expression.h"
#include "common/memory.h"
#include "pages.h"

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

size_t suite_source_row(const suite_source *source, const cm_record *record)
{
    bool *kept = suite_array(record->n_rows, sizeof *kept), there = true;
    size_t row = 0;
    for (size_t r = 0; r < record->n_rows; r++) kept[r] = true;
    for (size_t k = 0; there && k < source->n_conditions; k++)
        there = apply(&source->condition[k], record, kept);
    while (row < record->n_rows && !(there && kept[row])) row++;
    free(kept);
    return row;
}

/* The source's cell, or NULL. */
static const char *cell_of(const suite_source *source, const cm_record *record)
{
    int column = cm_record_column(record, source->name);
    size_t row = column < 0 ? record->n_rows : suite_source_row(source, record);
    return row < record->n_rows ? cm_record_cell(record, row, (size_t)column) : NULL;
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
    if (!record) value->problem = SAID_FOUND_NOT_MEASURED;
    else if (cm_record_wrong(record)) value->problem = SAID_FOUND_WRONG;
    else {
        text = found(source, record);
        if (text && (!*text || strcmp(text, "nan") == 0)) text = NULL;
        if (!text) value->problem = SAID_FOUND_NOT_THERE;
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
        else if (!cm_record_number(text, &number)) value.problem = SAID_FOUND_NO_NUMBER;
        else if (!calculate(expression->operator[k], number, &sum))
            value.problem = SAID_FOUND_DIVIDES_BY_0;
    }
    if (expression->n > 1 && !value.problem) value.text = suite_text("%.4g", sum);
    return value;
}
