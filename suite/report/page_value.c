/* SPDX-License-Identifier: BSD-3-Clause */
/* page_value.c: numbers for people: four significant digits in the text, all of them behind it. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "common/unit.h"
#include "pages.h"

enum { DIGITS = 4 };

/* "0.3638", "13380", "1.296 x 10^9" as HTML; the caller frees. */
static char *rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, value);
    const char *e = strchr(text, 'e');
    int exponent = atoi(e + 1);
    double near = strtod(text, NULL);
    if (near == 0) return suite_copy("0");
    if (exponent < -4 || exponent > 5)
        return suite_text("%.*s&#160;&#215;&#160;10<sup>%d</sup>", (int)(e - text), text, exponent);
    /* A count keeps all its digits and has no others. */
    if (value == floor(value)) return suite_text("%.0f", value);
    return suite_text("%.*f", exponent < DIGITS ? DIGITS - 1 - exponent : 0, near);
}

/* The tooltip of a number is the result's own number with its unit. */
static void print_near(FILE *out, const char *text, const char *unit, double divisor)
{
    double value;
    if (!cm_record_number(text, &value)) {
        piece_plain_value(out, text);
        return;
    }
    char *near = rounded(value / divisor);
    piece_near(out, text, unit, near);
    free(near);
}

void page_number(FILE *out, const char *text) { print_near(out, text, "", 1); }

void page_double(FILE *out, double value)
{
    char *text = suite_text("%.6g", value);
    page_number(out, text);
    free(text);
}

/* Units as people write them; a pure number has none. */
static const char *unit_of(const cm_record_metric *metric)
{
    return strcmp(metric->unit, "1") == 0 ? "" : metric->unit;
}

static double easy(const cm_record_metric *metric, char unit[SUITE_UNIT])
{
    double value;
    if (!cm_record_number(metric->value, &value)) value = 0;
    return suite_unit_easy(value, metric->unit, metric->name, unit);
}

void page_value(FILE *out, const cm_record_metric *metric)
{
    char unit[SUITE_UNIT];
    double divisor = easy(metric, unit);
    print_near(out, metric->value, unit_of(metric), divisor);
    if (*unit) piece_unit(out, unit);
}

static void print_end(FILE *out, const cm_record_metric *metric, double value, double divisor)
{
    char *text = suite_text("%.6g", value);
    print_near(out, text, unit_of(metric), divisor);
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

void page_interval(FILE *out, const cm_record *record, const cm_record_metric *metric)
{
    if (isfinite(metric->low) && isfinite(metric->high) && metric->n != 1) {
        char unit[SUITE_UNIT]; /* the value's, which stands beside the interval */
        double divisor = easy(metric, unit);
        print_end(out, metric, metric->low, divisor);
        piece_interval_to(out);
        print_end(out, metric, metric->high, divisor);
        if (metric->interval && metric->over) {
            char *values = suite_counted(metric->n, metric->over);
            piece_interval_of(out, metric->interval, values);
            free(values);
        }
    } else piece_interval_none(out);
    print_launches(out, record, metric);
    if (metric->disturbed) piece_disturbed(out);
}
