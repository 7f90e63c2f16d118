/* SPDX-License-Identifier: BSD-3-Clause */
/* page_value.c: numbers for people: with the digits that their interval allows (common/unit.h) in
   the text, and all of them behind it. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/quantity.h"
#include "page.h"
#include "common/unit.h"
#include "pages.h"

/* Sizes and other counts are shown whole. */
static bool is_count(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

void page_number(FILE *out, const char *text)
{
    double value;
    if (is_count(text)) suite_quantity_print_near(out, text, "", text);
    else if (cm_record_number(text, &value))
        suite_quantity_print_near(out, text, "", suite_digits_of(value, NAN, NAN).value);
    else piece_plain_value(out, text);
}

/* Units as people write them; a pure number has none. */
static const char *unit_of(const cm_record_metric *metric)
{
    return strcmp(metric->unit, "1") == 0 ? "" : metric->unit;
}

static bool has_interval(const cm_record_metric *metric)
{
    return isfinite(metric->low) && isfinite(metric->high) && metric->n != 1;
}

/* The metric's texts in the unit in which its value is easy to read. */
static suite_digits digits_of(const cm_record_metric *metric, char unit[SUITE_UNIT])
{
    double value;
    const bool known = has_interval(metric);
    if (!cm_record_number(metric->value, &value)) value = 0;
    return suite_digits_easy(value, known ? metric->low : NAN, known ? metric->high : NAN,
                             metric->unit, metric->name, unit);
}

void page_value(FILE *out, const cm_record_metric *metric)
{
    double value;
    char unit[SUITE_UNIT];
    suite_digits digits = digits_of(metric, unit);
    if (cm_record_number(metric->value, &value))
        suite_quantity_print_near(out, metric->value, unit_of(metric), digits.value);
    else piece_plain_value(out, metric->value);
    if (*unit) piece_unit(out, unit);
}

static void print_end(FILE *out, const cm_record_metric *metric, double end, const char *near)
{
    char *text = suite_text("%.6g", end);
    suite_quantity_print_near(out, text, unit_of(metric), near);
    free(text);
}

/* A metric that not every launch has. */
static void print_launches(FILE *out, const cm_record *record, const cm_record_metric *metric)
{
    double launches;
    if (!metric->over || strcmp(metric->over, "launches") != 0
        || !cm_record_meta(record, "launches")
        || !cm_record_number(cm_record_meta(record, "launches"), &launches)
        || (double)metric->n >= launches)
        return;
    piece_in_launches(out, metric->n, (size_t)launches);
}

bool page_is_range(const cm_record_metric *metric)
{
    return metric->interval && strcmp(metric->interval, "range") == 0;
}

void page_interval(FILE *out, const cm_record *record, const cm_record_metric *metric)
{
    if (has_interval(metric)) {
        char unit[SUITE_UNIT]; /* the value's, which stands beside the interval */
        suite_digits digits = digits_of(metric, unit);
        char *values = metric->over ? suite_counted(metric->n, metric->over) : NULL;
        print_end(out, metric, metric->low, digits.low);
        piece_interval_to(out);
        print_end(out, metric, metric->high, digits.high);
        piece_interval_of(out, page_is_range(metric), values);
        free(values);
    } else piece_interval_none(out);
    print_launches(out, record, metric);
    if (metric->disturbed) piece_disturbed(out);
}
