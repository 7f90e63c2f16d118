/* SPDX-License-Identifier: BSD-3-Clause */
/* export_unit.c: units as OpenMetrics wants them: base units, in words, at the end of a name. */
#include "config.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "export.h"
#include "common/memory.h"

typedef struct {
    const char *unit, *one, *many; /* "byte" in a rate's denominator */
    double factor;
    bool prefixed; /* k, M, G and T may stand before it */
} base_unit;

static const base_unit bases[] = {
    {"1", "", "", 1, false},
    {"%", "ratio", "ratio", 0.01, false},
    {"s", "second", "seconds", 1, false},
    {"ms", "second", "seconds", 1e-3, false},
    {"us", "second", "seconds", 1e-6, false},
    {"ns", "second", "seconds", 1e-9, false},
    {"B", "byte", "bytes", 1, true},
    {"bit", "byte", "bytes", 0.125, true},
    {"flop", "flop", "flop", 1, true},
    {"LUP", "lattice_update", "lattice_updates", 1, true},
    {"J", "joule", "joules", 1, false},
    {"W", "watt", "watts", 1, false},
    {"Hz", "hertz", "hertz", 1, true},
    {"QUIPS", "quips", "quips", 1, false},
};

static double prefix_of(char letter)
{
    switch (letter) {
    case 'k':
        return 1e3;
    case 'M':
        return 1e6;
    case 'G':
        return 1e9;
    case 'T':
        return 1e12;
    default:
        return 0;
    }
}

char *export_clean(char *text)
{
    for (char *c = text; *c; c++)
        if (!isascii((unsigned char)*c) || !isalnum((unsigned char)*c)) *c = '_';
    return text;
}

/* The base unit of "MB", or NULL; *factor is set. */
static const base_unit *find(const char *unit, double *factor)
{
    for (size_t k = 0; k < sizeof bases / sizeof bases[0]; k++) {
        const base_unit *base = &bases[k];
        *factor = base->factor;
        if (strcmp(unit, base->unit) == 0) return base;
        *factor *= prefix_of(unit[0]);
        if (base->prefixed && *factor > 0 && strcmp(unit + 1, base->unit) == 0) return base;
    }
    *factor = 1;
    return NULL;
}

/* The unit in words. */
static char *words_of(const char *unit, double *factor)
{
    char *top = suite_copy(unit), *bottom = strchr(top, '/');
    double above, below = 1;
    if (bottom) *bottom++ = '\0';
    const base_unit *upper = find(top, &above), *lower = bottom ? find(bottom, &below) : NULL;
    char *words = suite_copy(upper ? upper->many : export_clean(top));
    if (bottom) {
        char *rate = suite_text("%s%sper_%s", words, *words ? "_" : "",
                                lower ? lower->one : export_clean(bottom));
        free(words);
        words = rate;
    }
    free(top);
    *factor = above / below;
    return words;
}

/* Cuts the ending off, if something remains. */
static bool cut(char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    if (length <= end || strcmp(text + length - end, ending) != 0) return false;
    text[length - end] = '\0';
    return true;
}

/* Cuts the unit off as metrics have it: _us, _MB_per_s, _per_s, _ns_per_byte, _percent. */
static bool cut_unit(char *stem, const char *unit)
{
    static const struct {
        const char *unit, *ending;
    } others[] = {{"%", "_percent"}, {"B", "_bytes"}, {"ns/B", "_ns_per_byte"}, {"1/s", "_per_s"}};
    char *rate = suite_replace(unit, "/", "_per_"), *ending = suite_text("_%s", rate);
    bool done = strcmp(unit, "1") != 0 && cut(stem, ending);
    for (size_t k = 0; !done && k < sizeof others / sizeof others[0]; k++)
        done = strcmp(unit, others[k].unit) == 0 && cut(stem, others[k].ending);
    free(ending);
    free(rate);
    return done;
}

export_name export_name_of(const char *metric, const char *unit)
{
    export_name name = {.stem = suite_copy(metric)};
    name.unit = words_of(unit, &name.factor);
    if (!cut_unit(name.stem, unit)) {
        /* g_s_per_word is in s: what it is of stands in its name alone */
        char *of = suite_text("_%s_per_", unit), *at = strstr(name.stem, of);
        if (at && at > name.stem) {
            char *longer = suite_text("%s_per_%s", name.unit, at + strlen(of));
            free(name.unit);
            name.unit = export_clean(longer);
            *at = '\0';
        }
        free(of);
    }
    export_clean(name.stem);
    return name;
}

export_name export_name_of_quantity(const char *quantity, const char *unit)
{
    export_name name = {.stem = export_clean(suite_copy(quantity))};
    name.unit = words_of(unit, &name.factor);
    return name;
}
