/* SPDX-License-Identifier: BSD-3-Clause */
/* cross_told.c: what cross-checks found, in sentences. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "cross.h"
#include "common/memory.h"
#include "pages.h"

char *suite_cross_number(double value)
{
    return suite_text(fabs(value) < 1000 ? "%.3g" : "%.0f", value);
}

/* Returns the ratio as text; the caller frees it. */
static char *times_text(double ratio) { return suite_text(ratio < 10 ? "%.2g" : "%.0f", ratio); }

/* "cm-patterns ping-pong 0.229 us"; the caller frees. */
static char *value_text(const suite_cross *cross, const suite_cross_value *value,
                        const suite_table *table)
{
    char *name = suite_table_title(table, value->bench),
         *number = suite_cross_number(value->quantity.value);
    char *text = said_cross_value_words(name, number, cross->agreement->unit);
    free(name);
    free(number);
    return text;
}

static void tell_odd(const suite_cross *cross, const suite_cross_value *value,
                     const suite_table *table, void (*tell)(const char *sentence))
{
    char *text = value_text(cross, value, table), *times = times_text(value->ratio);
    char *sentence = said_cross_odd_words(cross->agreement->title, text, times, cross->compared);
    tell(sentence);
    free(sentence);
    free(times);
    free(text);
}

static void tell_differs(const suite_cross *cross, const suite_table *table,
                         void (*tell)(const char *sentence))
{
    const suite_cross_value *least = NULL, *most = NULL;
    for (size_t k = 0; k < cross->n; k++) {
        const suite_cross_value *value = &cross->value[k];
        if (value->remark == SUITE_CROSS_OVERSUBSCRIBED) continue;
        if (!least || value->quantity.value < least->quantity.value) least = value;
        if (!most || value->quantity.value > most->quantity.value) most = value;
    }
    if (!least) return;
    char *low = value_text(cross, least, table), *high = value_text(cross, most, table);
    char *times = times_text(most->quantity.value / least->quantity.value);
    char *sentence =
        said_cross_differs_words(cross->agreement->title, cross->compared, high, times, low);
    tell(sentence);
    free(sentence);
    free(times);
    free(low);
    free(high);
}

void suite_cross_tell(const suite_cross *cross, const suite_table *table,
                      void (*tell)(const char *sentence))
{
    if (cross->differs) tell_differs(cross, table, tell);
    for (size_t k = 0; k < cross->n; k++)
        if (cross->value[k].remark == SUITE_CROSS_ODD)
            tell_odd(cross, &cross->value[k], table, tell);
}
