/* SPDX-License-Identifier: BSD-3-Clause */
/* value.c: an option's argument as a value, what is allowed, and what stands there by default. */
#include "config.h"
#include "option/table.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is allowed ------------------------------------------------------------------------- */

static bool is_bounded(const cm_option *option) { return option->low != 0 || option->high != 0; }

/* Returns the limit of the type itself; a bound at this limit is not worth printing. */
static double type_limit(const cm_option *option)
{
    return option->kind == CM_OPTION_REAL ? DBL_MAX : 9.2e18;
}

static void bound_text(const cm_option *option, double bound, char *text, size_t size)
{
    snprintf(text, size, option->kind == CM_OPTION_REAL ? "%.10g" : "%.0f", bound);
}

/* "from 1 to 64", "at least 1", "at most 64", or "". */
static void range_text(const cm_option *option, char *text, size_t size)
{
    char low[400], high[400];
    bool has_low = is_bounded(option) && option->low > -type_limit(option);
    bool has_high = is_bounded(option) && option->high < type_limit(option);
    bound_text(option, option->low, low, sizeof low);
    bound_text(option, option->high, high, sizeof high);
    *text = '\0';
    if (has_low && has_high) snprintf(text, size, "from %s to %s", low, high);
    else if (has_low) snprintf(text, size, "at least %s", low);
    else if (has_high) snprintf(text, size, "at most %s", high);
}

static bool in_range(const cm_option *option, double value)
{
    return !is_bounded(option) || (value >= option->low && value <= option->high);
}

/* Doubles do not have all integers beyond 2^53. */
static bool integer_in_range(const cm_option *option, int64_t value)
{
    const double limit = type_limit(option);
    return in_range(option, (double)value)
           && (!is_bounded(option)
               || ((option->low <= -limit || value >= (int64_t)option->low)
                   && (option->high >= limit || value <= (int64_t)option->high)));
}

static void choices_text(const cm_option *option, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (const char *const *choice = option->choices; *choice && used < size; choice++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", *choice);
}

/* ---- Text to values -------------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* *overflow: it is a number of bytes, but does not fit. */
static bool parse_bytes(const char *text, int64_t *bytes, bool *overflow)
{
    static const struct {
        const char *suffix;
        int64_t factor;
    } units[] = {{"", 1},
                 {"k", 1000},
                 {"M", 1000000},
                 {"G", 1000000000},
                 {"Ki", (int64_t)1 << 10},
                 {"Mi", (int64_t)1 << 20},
                 {"Gi", (int64_t)1 << 30}};
    int64_t value = 0;
    bool fits = true;
    const char *rest = text;
    for (; is_digit(*rest); rest++) {
        int digit = *rest - '0';
        fits = fits && value <= (INT64_MAX - digit) / 10;
        if (fits) value = 10 * value + digit;
    }
    *overflow = false;
    for (size_t i = 0; rest != text && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(rest, units[i].suffix) != 0) continue;
        *overflow = !fits || value > INT64_MAX / units[i].factor;
        if (!*overflow) *bytes = value * units[i].factor;
        return !*overflow;
    }
    return false;
}

bool cm_option_bytes(const char *text, int64_t *bytes)
{
    bool overflow;
    return parse_bytes(text, bytes, &overflow);
}

/* Appends a digit to a number of at most 0, of which there is one more; false: does not fit. */
static bool append_digit(int64_t *negative, int digit)
{
    bool fits = *negative >= (INT64_MIN + digit) / 10;
    if (fits) *negative = 10 * *negative - digit;
    return fits;
}

/* "e8", "E+8", or nothing: *exponent 0. Returns what follows, or NULL. Far beyond what fits, the
   exponent's size does not matter. */
static const char *parse_exponent(const char *text, size_t *exponent)
{
    enum { FAR_BEYOND = 1000 };
    *exponent = 0;
    if (*text != 'e' && *text != 'E') return text;
    text += text[1] == '+' ? 2 : 1;
    if (!is_digit(*text)) return NULL;
    for (; is_digit(*text); text++)
        if (*exponent < FAR_BEYOND) *exponent = 10 * *exponent + (size_t)(*text - '0');
    return text;
}

/* Decimal digits with an optional sign, or a whole number with an exponent, such as 1e8 or 2.5e7;
   *overflow: it is that, but does not fit. */
static bool parse_integer(const char *text, int64_t *value, bool *overflow)
{
    int64_t negative = 0;
    size_t places = 0, exponent;
    bool fits = true;
    const char *rest = text + (*text == '-' || *text == '+');
    *overflow = false;
    if (!is_digit(*rest)) return false;
    for (; is_digit(*rest); rest++) fits = fits && append_digit(&negative, *rest - '0');
    const char *point = *rest == '.' ? rest++ : NULL;
    if (point) {
        size_t digits = strspn(rest, "0123456789");
        for (places = digits; places > 0 && rest[places - 1] == '0';) places--;
        for (size_t k = 0; k < places; k++) fits = fits && append_digit(&negative, rest[k] - '0');
        rest += digits;
    }
    if (point && *rest != 'e' && *rest != 'E') return false;
    rest = parse_exponent(rest, &exponent);
    if (!rest || *rest || exponent < places) return false;
    for (; places < exponent; places++) fits = fits && append_digit(&negative, 0);
    bool is_negative = *text == '-';
    *overflow = !fits || (!is_negative && negative == INT64_MIN);
    if (!*overflow) *value = is_negative ? negative : -negative;
    return !*overflow;
}

static size_t parse_list(const char *text, int64_t least, int64_t most, int64_t *values,
                         size_t capacity, bool parse(const char *, int64_t *, bool *))
{
    enum { WORD_BYTES = 48 };
    char word[WORD_BYTES];
    bool overflow;
    for (size_t n = 0; n < capacity; text++) {
        size_t length = strcspn(text, ",");
        if (length >= WORD_BYTES) return 0;
        memcpy(word, text, length);
        word[length] = '\0';
        if (!parse(word, &values[n], &overflow) || values[n] < least || values[n] > most) return 0;
        n++;
        text += length;
        if (!*text) return n;
    }
    return 0;
}

size_t cm_option_integers(const char *text, int64_t least, int64_t most, int64_t *values,
                          size_t capacity)
{
    return parse_list(text, least, most, values, capacity, parse_integer);
}

size_t cm_option_bytes_list(const char *text, int64_t least, int64_t most, int64_t *values,
                            size_t capacity)
{
    return parse_list(text, least, most, values, capacity, parse_bytes);
}

const int64_t *cm_option_repeated(const int64_t *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (values[k] == values[i]) return values + i;
    return NULL;
}

/* No inf, nan or hexadecimal: they are typing errors here. */
static bool parse_real(const char *text, double *value, bool *overflow)
{
    char *end;
    *overflow = false;
    if (!*text || text[strspn(text, "0123456789+-.eE")]) return false;
    *value = strtod(text, &end);
    if (*end || end == text) return false;
    *overflow = !isfinite(*value);
    return !*overflow;
}

static bool out_of_range(const cm_option *option, const char *range, char *problem, size_t size)
{
    const char *type = option->kind == CM_OPTION_REAL ? "finite" : "below 2^63 in size";
    snprintf(problem, size, "is out of range; it must be %s", *range ? range : type);
    return false;
}

static bool parse_number(const cm_option *option, const char *text, cm_value *value, char *problem,
                         size_t size)
{
    char range[900];
    bool overflow = false, good;
    const char *wanted;
    range_text(option, range, sizeof range);
    if (option->kind == CM_OPTION_REAL) {
        wanted = "a number";
        good = parse_real(text, &value->real, &overflow);
    } else if (option->kind == CM_OPTION_BYTES) {
        wanted = "a number of bytes such as 65536, 64Ki or 1M (k M G: 10^3, Ki Mi Gi: 2^10)";
        good = parse_bytes(text, &value->integer, &overflow);
    } else {
        wanted = "a whole number";
        good = parse_integer(text, &value->integer, &overflow);
    }
    if (overflow) return out_of_range(option, range, problem, size);
    if (!good) {
        snprintf(problem, size, "is not %s%s%s", wanted, *range ? ", " : "", range);
        return false;
    }
    const bool within = option->kind == CM_OPTION_REAL ? in_range(option, value->real)
                                                       : integer_in_range(option, value->integer);
    return within || out_of_range(option, range, problem, size);
}

static bool parse_choice(const cm_option *option, const char *text, cm_value *value, char *problem,
                         size_t size)
{
    for (value->choice = 0; option->choices[value->choice]; value->choice++)
        if (strcmp(option->choices[value->choice], text) == 0) return true;
    int used = snprintf(problem, size, "is not one of: ");
    choices_text(option, problem + used, size - (size_t)used);
    return false;
}

bool cm_value_parse(const cm_option *option, const char *text, cm_value *value, char *problem,
                    size_t size)
{
    *value = (cm_value){0};
    switch (option->kind) {
    case CM_OPTION_TEXT:
        value->text = text;
        return true;
    case CM_OPTION_CHOICE:
    case CM_OPTION_SWITCH:
        return parse_choice(option, text, value, problem, size);
    default:
        return parse_number(option, text, value, problem, size);
    }
}

void cm_value_set(const cm_option *option, cm_value value)
{
    switch (option->kind) {
    case CM_OPTION_FLAG:
        *(bool *)option->value = true;
        break;
    case CM_OPTION_INTEGER:
    case CM_OPTION_BYTES:
        *(int64_t *)option->value = value.integer;
        break;
    case CM_OPTION_REAL:
        *(double *)option->value = value.real;
        break;
    case CM_OPTION_TEXT:
        *(const char **)option->value = value.text;
        break;
    case CM_OPTION_CHOICE:
    case CM_OPTION_SWITCH:
        *(int *)option->value = value.choice;
        break;
    default:
        break;
    }
}

/* ---- Help ------------------------------------------------------------------------------------ */

static int choice_count(const cm_option *option)
{
    int n = 0;
    while (option->choices[n]) n++;
    return n;
}

/* A default outside the range (0 where at least 1 is allowed) stands for "not given", for which
   the help sentence has words. */
static void default_text(const cm_option *option, char *text, size_t size)
{
    const void *value = option->value;
    *text = '\0';
    if (!value) return;
    if (option->kind == CM_OPTION_FLAG) {
        if (*(const bool *)value) snprintf(text, size, "on");
    } else if (option->kind == CM_OPTION_INTEGER || option->kind == CM_OPTION_BYTES) {
        int64_t integer = *(const int64_t *)value;
        if (in_range(option, (double)integer)) snprintf(text, size, "%lld", (long long)integer);
    } else if (option->kind == CM_OPTION_REAL) {
        double real = *(const double *)value;
        if (isfinite(real) && in_range(option, real)) snprintf(text, size, "%.10g", real);
    } else if (option->kind == CM_OPTION_TEXT) {
        const char *string = *(const char *const *)value;
        if (string && *string) snprintf(text, size, "%s", string);
    } else if (option->choices) {
        int choice = *(const int *)value;
        if (choice >= 0 && choice < choice_count(option))
            snprintf(text, size, "%s", option->choices[choice]);
    }
}

void cm_option_describe(const cm_option *option, FILE *out)
{
    char allowed[1024] = "", usual[1024];
    default_text(option, usual, sizeof usual);
    if (option->choices) {
        size_t used = (size_t)snprintf(allowed, sizeof allowed, "one of ");
        choices_text(option, allowed + used, sizeof allowed - used);
    } else if (option->kind == CM_OPTION_INTEGER || option->kind == CM_OPTION_BYTES
               || option->kind == CM_OPTION_REAL) {
        range_text(option, allowed, sizeof allowed);
    }
    fprintf(out, "%s", option->help);
    if (*allowed || *usual)
        fprintf(out, " (%s%s%s%s)", allowed, *allowed && *usual ? "; " : "",
                *usual ? "default " : "", usual);
}
