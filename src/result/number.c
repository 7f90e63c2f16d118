/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c: numbers as a result shows them, and as its record has them. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

/* The longest values: "-1.234e-308" for e and g; f keeps 12 places before the point, enough for
   bytes and counts (a longer value makes its line longer, never wrong). */
bool cm_result_format_width(const char *format, int *width)
{
    if (cm_result_is_words(format)) return cm_result_words_width(format, width);
    if (!format || *format++ != '%') return false;
    format += strspn(format, "+ #");
    int precision = 6;
    if (*format == '.') {
        size_t places = strspn(++format, "0123456789");
        long digits = places > 0 ? strtol(format, NULL, 10) : 0;
        if (digits > 40) return false;
        precision = (int)digits;
        format += places;
    }
    if (!*format || !strchr("eEfFgG", *format) || format[1] != '\0') return false;
    if (strchr("fF", *format)) *width = 12 + (precision > 0 ? 1 + precision : 0);
    else if (strchr("eE", *format)) *width = 7 + (precision > 0 ? 1 + precision : 0);
    else *width = 7 + (precision > 0 ? precision : 1);
    return true;
}

void cm_result_number_text(char *text, size_t size, const char *format, double value)
{
    char word[CM_RESULT_WORD + 1];
    if (cm_result_is_words(format)) {
        cm_result_word(format, value, word);
        snprintf(text, size, "%s", word);
    } else if (isnan(value)) snprintf(text, size, "nan"); /* printf writes a NaN's sign */
    else snprintf(text, size, format, value);
}

void cm_result_exact_text(char *text, size_t size, double value, bool whole)
{
    if (!isfinite(value)) snprintf(text, size, "nan");
    else if (whole && value == rint(value) && fabs(value) <= 0x1p53)
        snprintf(text, size, "%.0f", value);
    else {
        snprintf(text, size, "%.17g", value);
        if (!strpbrk(text, ".e")) strcat(text, ".0");
    }
}

bool cm_result_holds(double value, const char *relation, double bound)
{
    return strcmp(relation, "<=") == 0   ? value <= bound
           : strcmp(relation, "<") == 0  ? value < bound
           : strcmp(relation, ">=") == 0 ? value >= bound
           : strcmp(relation, ">") == 0  ? value > bound
           : strcmp(relation, "==") == 0 ? value == bound
                                         : false;
}

/* Six digits, or as many as the printed inequality needs to be true when the real one is. */
char *cm_result_check_text(const cm_record_check *check)
{
    char value[64], bound[64], format[16], *text = NULL;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(format, sizeof format, "%%.%dg", digits);
        cm_result_number_text(value, sizeof value, format, check->value);
        cm_result_number_text(bound, sizeof bound, format, check->bound);
        if (cm_result_holds(strtod(value, NULL), check->relation, strtod(bound, NULL))
            == check->pass)
            break;
    }
    if (asprintf(&text, "%s: %s %s %s  %s", check->name, value, check->relation, bound,
                 check->pass ? "PASS" : "FAIL")
        < 0)
        return NULL;
    return text;
}
