/* SPDX-License-Identifier: BSD-3-Clause */
/* range.c: between which ends an expression is: interval arithmetic over its sources. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "expression.h"

typedef struct {
    double low, high;
} range;

static range hull(double a, double b, double c, double d)
{
    return (range){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

static range calculate(char operator, range left, range right)
{
    switch (operator) {
    case '+':
        return (range){left.low + right.low, left.high + right.high};
    case '-':
        return (range){left.low - right.high, left.high - right.low};
    case '*':
        return hull(left.low * right.low, left.low * right.high, left.high * right.low,
                    left.high * right.high);
    default:
        if (right.low <= 0 && right.high >= 0) return (range){-INFINITY, INFINITY};
        return hull(left.low / right.low, left.low / right.high, left.high / right.low,
                    left.high / right.high);
    }
}

static bool range_of(const suite_source *source, const char *owner, const suite_results *results,
                     range *range)
{
    char plus = '+';
    suite_source copy = *source;
    const suite_expression alone = {.source = &copy, .operator= & plus, .n = 1};
    suite_value value = suite_expression_value(&alone, owner, results);
    double number;
    bool there = value.text && cm_record_number(value.text, &number);
    free(value.text);
    if (!there) return false;
    if (!suite_source_interval(source, owner, results, &range->low, &range->high))
        range->low = range->high = number;
    return true;
}

bool suite_expression_range(const suite_expression *expression, const char *owner,
                            const suite_results *results, double *low, double *high)
{
    range sum = {0, 0}, next;
    for (size_t k = 0; k < expression->n; k++) {
        if (!range_of(&expression->source[k], owner, results, &next)) return false;
        sum = calculate(expression->operator[k], sum, next);
    }
    *low = sum.low;
    *high = sum.high;
    return true;
}
