/* SPDX-License-Identifier: BSD-3-Clause */
/* page_value.c: numbers for people: four significant digits in the text, all of them behind it. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "memory.h"
#include "page.h"

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

void page_number(FILE *out, const char *text)
{
    double value;
    if (!cm_record_number(text, &value)) {
        html_print(out, "%h", text);
        return;
    }
    char *near = rounded(value);
    html_print(out, "<span data-value=\"%h\" title=\"%h\">%s</span>", text, text, near);
    free(near);
}

void page_double(FILE *out, double value)
{
    char *text = suite_text("%.6g", value);
    page_number(out, text);
    free(text);
}

/* Units as people write them; a pure number has none. */
static const char *unit_of(const cm_record_verdict *verdict)
{
    return strcmp(verdict->unit, "1") == 0 ? "" : verdict->unit;
}

void page_value(FILE *out, const cm_record_verdict *verdict)
{
    const char *unit = unit_of(verdict);
    page_number(out, verdict->value);
    if (*unit) html_print(out, "&#160;<span class=\"unit\">%h</span>", unit);
}

void page_interval(FILE *out, const cm_record_verdict *verdict)
{
    if (isfinite(verdict->low) && isfinite(verdict->high) && verdict->n != 1) {
        page_double(out, verdict->low);
        html_print(out, " to ");
        page_double(out, verdict->high);
        if (verdict->interval && verdict->over)
            html_print(out, " (%h, %u %h)", verdict->interval, verdict->n, verdict->over);
    } else html_print(out, "<span class=\"none\">one value</span>");
    if (verdict->disturbed) html_print(out, " <span class=\"note\">disturbed</span>");
}
