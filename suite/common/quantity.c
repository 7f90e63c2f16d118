/* SPDX-License-Identifier: BSD-3-Clause */
/* quantity.c: the numbers of results on a page. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "memory.h"
#include "pages.h"
#include "quantity.h"
#include "unit.h"

cm_quantity suite_quantity_of(const cm_record_metric *metric)
{
    const bool range = metric->interval && strcmp(metric->interval, "range") == 0;
    cm_quantity q = {.low = metric->n == 1 ? NAN : metric->low,
                     .high = metric->n == 1 ? NAN : metric->high,
                     .kind = range ? CM_INTERVAL_RANGE : CM_INTERVAL_95,
                     .over = metric->over,
                     .n = metric->over ? metric->n : 0,
                     .disturbed = metric->disturbed ? CM_DISTURBED_YES : CM_DISTURBED_NO};
    if (!cm_record_number(metric->value, &q.value)) q.value = NAN;
    return q;
}

char *suite_number_html(const char *near)
{
    const int length = (int)strspn(near, "-.0123456789");
    if (near[length] != 'e') return suite_copy(near);
    return suite_text("%.*s&#160;&#215;&#160;10<sup>%d</sup>", length, near,
                      atoi(near + length + 1));
}

void suite_quantity_print_near(FILE *out, const char *text, const char *unit, const char *near)
{
    char *html = suite_number_html(near);
    piece_near(out, text, unit, html);
    free(html);
}

static void print_interval(FILE *out, const cm_quantity *q, const suite_digits *digits)
{
    char *low = suite_number_html(digits->low), *high = suite_number_html(digits->high);
    char *values = q->n > 0 && q->over ? suite_counted(q->n, q->over) : NULL;
    piece_quantity_interval(out, low, high, q->kind == CM_INTERVAL_RANGE, values);
    free(values);
    free(high);
    free(low);
}

void suite_quantity_print(FILE *out, const cm_quantity *q, const char *unit, const char *metric)
{
    char easy[SUITE_UNIT];
    if (!isfinite(q->value)) return;
    const bool known = cm_quantity_has_interval(q) && q->low < q->high;
    const suite_digits digits = suite_digits_easy(q->value, known ? q->low : NAN,
                                                  known ? q->high : NAN, unit, metric, easy);
    char *all = suite_text("%.6g", q->value);
    suite_quantity_print_near(out, all, strcmp(unit, "1") == 0 ? "" : unit, digits.value);
    if (*easy) piece_unit(out, easy);
    if (known) print_interval(out, q, &digits);
    if (q->disturbed == CM_DISTURBED_YES) piece_disturbed(out);
    free(all);
}
