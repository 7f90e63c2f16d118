/* SPDX-License-Identifier: BSD-3-Clause */
/* unit.c: the one rule of units and prefixes for people, on pages and screens. */
#include "config.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "memory.h"
#include "unit.h"

typedef struct {
    const char *words;
    double size;
} step;

/* From the largest unit; the last one takes everything smaller. */
static const step times[] = {{"s", 1}, {"ms", 1e-3}, {"\xc2\xb5s", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
static const step prefixes[] = {{"T", 1e12}, {"G", 1e9}, {"M", 1e6},
                                {"k", 1e3},  {"", 1},    {NULL, 0}};
static const step counts[] = {{"billion", 1e9}, {"million", 1e6}, {"", 1}, {NULL, 0}};

/* Units that take prefixes before their names. */
static const char *const prefixed[] = {"B", "bit", "flop", "flops", "LUP", "Hz", "W", "J", NULL};

static const step *step_of(const step *steps, double value)
{
    while (steps[1].words && !(fabs(value) >= steps->size)) steps++;
    return steps;
}

/* The prefixed name at the begin of a unit that ends there or at a '/'. */
static bool begins_with_name(const char *unit)
{
    for (const char *const *name = prefixed; *name; name++) {
        size_t length = strlen(*name);
        if (strncmp(unit, *name, length) == 0 && (!unit[length] || unit[length] == '/'))
            return true;
    }
    return false;
}

/* Returns the factor of the prefix: 1e6 for "MB/s", with *name "B/s"; 0: the unit takes no
   prefixes. */
static double prefix_of(const char *unit, const char **name)
{
    *name = unit;
    if (begins_with_name(unit)) return 1;
    for (const step *s = prefixes; s->words; s++)
        if (*s->words && *s->words == *unit && begins_with_name(unit + 1)) {
            *name = unit + 1;
            return s->size;
        }
    return 0;
}

/* Returns the factor of a unit of time: 1e-6 for "us", "us/B" or "us EUR", with *rest "", "/B" or
   " EUR"; 0: it is no unit of time. */
static double time_of(const char *unit, const char **rest)
{
    static const step units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
    for (const step *s = units; s->words; s++) {
        size_t length = strlen(s->words);
        *rest = unit + length;
        if (strncmp(unit, s->words, length) == 0 && strchr("/ ", **rest)) return s->size;
    }
    return 0;
}

/* Finds the counted word: "keys" in "classic_keys_per_s". Returns the word's length; 0: none. */
static size_t counted(const char *metric, const char **word)
{
    const char *end = metric ? strstr(metric, "_per_s") : NULL, *begin = end;
    if (!end || end[strlen("_per_s")]) return 0;
    while (begin > metric && isalpha((unsigned char)begin[-1])) begin--;
    *word = begin;
    return (size_t)(end - begin);
}

/* QUIPS, and QUIPS for something: "QUIPS/W". */
static bool is_quips(const char *unit)
{
    static const char quips[] = "QUIPS";
    size_t length = strlen(quips);
    return strncmp(unit, quips, length) == 0 && (!unit[length] || unit[length] == '/');
}

/* "million keys/s", "million QUIPS", "million" */
static double count(double value, const char *unit, const char *metric, char *words)
{
    const step *s = step_of(counts, value);
    const char *word = "", *per = strcmp(unit, "1/s") == 0 ? "/s" : "";
    size_t length = *per ? counted(metric, &word) : 0;
    if (is_quips(unit)) {
        word = unit;
        length = strlen(unit);
    }
    snprintf(words, SUITE_UNIT, "%s%s%.*s%s", s->words, *s->words && length > 0 ? " " : "",
             (int)length, word, *per && !length && !*s->words ? "1/s" : per);
    return s->size;
}

double suite_unit_easy(double value, const char *unit, const char *metric, char words[SUITE_UNIT])
{
    const char *rest;
    double size = time_of(unit, &rest);
    if (!isfinite(value) || value == 0) value = 0;
    if (size > 0) {
        /* Zero has no size: it stays in the result's own unit. */
        const step *s = step_of(times, value == 0 ? size : value * size * (1 + 1e-12));
        snprintf(words, SUITE_UNIT, "%s%s", s->words, rest);
        return s->size / size;
    }
    size = prefix_of(unit, &rest);
    if (size > 0) {
        const step *s = step_of(prefixes, value == 0 ? size : value * size * (1 + 1e-12));
        snprintf(words, SUITE_UNIT, "%s%s", s->words, rest);
        return s->size / size;
    }
    if (strcmp(unit, "1") == 0 || strcmp(unit, "1/s") == 0 || is_quips(unit))
        return count(value, unit, metric, words);
    snprintf(words, SUITE_UNIT, "%s", unit);
    return 1;
}

void suite_unit_said(const char *unit, char words[SUITE_UNIT])
{
    const char *rest;
    if (time_of(unit, &rest) == 1e-6) snprintf(words, SUITE_UNIT, "\xc2\xb5s%s", rest);
    else snprintf(words, SUITE_UNIT, "%s", strcmp(unit, "1") == 0 ? "" : unit);
}

char *suite_counted(size_t n, const char *many)
{
    size_t length = strlen(many);
    bool hisses = length > 4 && strcmp(many + length - 2, "es") == 0
                  && (many[length - 3] == 'h' || many[length - 3] == 'x');
    bool plural = length > 1 && many[length - 1] == 's';
    if (n == 1) length -= hisses ? 2 : plural ? 1 : 0;
    return suite_text("%zu %.*s", n, (int)length, many);
}

void suite_number(double value, char *text, size_t size)
{
    char digits[32];
    if (!isfinite(value)) {
        snprintf(text, size, "-");
        return;
    }
    snprintf(digits, sizeof digits, "%.2e", value); /* rounds before the exponent is known */
    char *e = strchr(digits, 'e');
    int exponent = e ? atoi(e + 1) : 0;
    double rounded = strtod(digits, NULL);
    if (value == 0) snprintf(text, size, "0");
    else if (exponent >= -3 && exponent <= 5)
        snprintf(text, size, "%.*f", exponent < 2 ? 2 - exponent : 0, rounded);
    else snprintf(text, size, "%.*se%d", (int)(e - digits), digits, exponent);
}

/* The exponent of a number that is rounded to three digits. */
static int exponent_of(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.2e", value);
    const char *e = strchr(digits, 'e');
    return e ? atoi(e + 1) : 0;
}

/* decimals below 0: the last places are zeros. */
static void print_decimals(double value, int decimals, char *text)
{
    const double grain = pow(10, decimals);
    if (decimals >= 0) snprintf(text, SUITE_NUMBER, "%.*f", decimals, value);
    else snprintf(text, SUITE_NUMBER, "%.0f", round(value * grain) / grain);
}

static void print_end(double end, double value, int decimals, char *text)
{
    const bool near = fabs(end) >= fabs(value) / 10 && fabs(end) < fabs(value) * 10;
    if (near) print_decimals(end, decimals, text);
    else suite_number(end, text, SUITE_NUMBER);
}

suite_digits suite_digits_of(double value, double low, double high)
{
    enum { LEAST = 3, MOST = 5 }; /* more before the point, where the interval is that narrow */
    suite_digits text;
    const bool known = isfinite(low) && isfinite(high);
    const int exponent = isfinite(value) ? exponent_of(value) : 0;
    if (!isfinite(value) || value == 0 || exponent < -3 || exponent > 5) {
        suite_number(value, text.value, sizeof text.value);
        suite_number(low, text.low, sizeof text.low);
        suite_number(high, text.high, sizeof text.high);
        return text;
    }
    int digits = LEAST;
    /* One of the last place is at most the interval, and more than a tenth of it. */
    if (known && low < high) digits = exponent - (int)floor(log10(high - low)) + 1;
    if (digits < LEAST) digits = LEAST;
    const int most = exponent + 1 > MOST ? exponent + 1 : MOST;
    if (digits > most) digits = most;
    int decimals = digits - 1 - exponent;
    if (value == floor(value) && (!known || low == high)) decimals = 0; /* a count */
    print_decimals(value, decimals, text.value);
    print_end(low, value, decimals, text.low);
    print_end(high, value, decimals, text.high);
    return text;
}

/* Letters, as of "ms", "GB/s" and "million keys/s": nothing that HTML would take for its own. */
static bool is_plain(const char *words)
{
    for (; *words; words++)
        if (!isalpha((unsigned char)*words) && !strchr("/ ", *words) && (*words & 0x80) == 0)
            return false;
    return true;
}

/* Returns true if an end is a thousand times as large or small as the value and has another unit.
   */
static bool is_far(double end, double value, const char *unit, const char *metric,
                   const char *words)
{
    char own[SUITE_UNIT];
    const double times = fabs(end / value);
    if (!isfinite(times) || times == 0 || (times < 1000 && times > 1e-3)) return false;
    suite_unit_easy(end, unit, metric, own);
    return strcmp(own, words) != 0 && is_plain(own) && is_plain(words);
}

/* "10.3 ms" */
static void print_with_unit(double end, const char *unit, const char *metric,
                            char text[SUITE_NUMBER])
{
    char own[SUITE_UNIT], number[SUITE_NUMBER];
    const double divisor = suite_unit_easy(end, unit, metric, own);
    suite_number(end / divisor, number, sizeof number);
    snprintf(text, SUITE_NUMBER, "%.12s %.32s", number, own);
}

suite_digits suite_digits_easy(double value, double low, double high, const char *unit,
                               const char *metric, char words[SUITE_UNIT])
{
    const double divisor = suite_unit_easy(value, unit, metric, words);
    suite_digits digits = suite_digits_of(value / divisor, low / divisor, high / divisor);
    if (!is_far(low, value, unit, metric, words) && !is_far(high, value, unit, metric, words))
        return digits;
    print_with_unit(low, unit, metric, digits.low);
    print_with_unit(high, unit, metric, digits.high);
    return digits;
}

const char *suite_duration(double seconds, char text[SUITE_DURATION])
{
    if (seconds < 100) snprintf(text, SUITE_DURATION, "%.0f s", seconds);
    else if (seconds < 100 * 60) snprintf(text, SUITE_DURATION, "%.0f min", seconds / 60);
    else snprintf(text, SUITE_DURATION, "%.1f h", seconds / 3600);
    return text;
}
