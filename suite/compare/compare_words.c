/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_words.c: numbers, names and explanations that text and page share. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "common/unit.h"
#include "pages.h"

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && strncmp(text + length - n, end, n) == 0;
}

/* "s" of the column median_s, "MB/s" of MB_per_s, "1/s" of keys_per_s; "": unknown. */
static void unit_of_column(const char *column, char unit[SUITE_UNIT])
{
    static const char *const times[] = {"_s", "_ms", "_us", "_ns"};
    static const char *const amounts[] = {"B", "bit", "flop", "LUP"};
    static const char per_s[] = "_per_s";
    size_t length = strlen(column);
    *unit = '\0';
    if (ends_with(column, length, per_s)) {
        size_t end = length - strlen(per_s), from = end;
        while (from > 0 && column[from - 1] != '_') from--;
        snprintf(unit, SUITE_UNIT, "1/s");
        for (size_t k = 0; k < sizeof amounts / sizeof *amounts; k++)
            if (ends_with(column + from, end - from, amounts[k])
                && end - from <= strlen(amounts[k]) + 1)
                snprintf(unit, SUITE_UNIT, "%.*s/s", (int)(end - from), column + from);
        return;
    }
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        if (ends_with(column, length, times[k])) snprintf(unit, SUITE_UNIT, "%s", times[k] + 1);
}

double compare_unit(const compare_item *item, char unit[SUITE_UNIT])
{
    char own[SUITE_UNIT];
    double base = fabs(item->base.median), new = fabs(item->new.median);
    /* a rate of 900 and one of 2800 may share the larger one's unit, but 9 us and 2 ms may not */
    double size = fmax(base, new), least = fmin(base, new);
    if (least > 0 && size > 10 * least) size = least;
    if (item->unit) snprintf(own, sizeof own, "%s", item->unit);
    else unit_of_column(item->metric, own);
    return suite_unit_easy(size, own, item->metric, unit);
}

double compare_unit_ascii(const compare_item *item, char unit[SUITE_UNIT])
{
    static const char micro[] = "\xc2\xb5";
    double divisor = compare_unit(item, unit);
    char *at = strstr(unit, micro);
    if (at) {
        *at = 'u';
        memmove(at + 1, at + strlen(micro), strlen(at + strlen(micro)) + 1);
    }
    return divisor;
}

void compare_interval(const cm_rank_factor *factor, char *text, size_t size)
{
    char low[COMPARE_WORD / 3], high[COMPARE_WORD / 3];
    bool is_range = factor->interval == CM_INTERVAL_RANGE;
    suite_number(factor->low, low, sizeof low);
    suite_number(factor->high, high, sizeof high);
    /* one launch a side has a ratio and nothing beyond it */
    if (!isfinite(factor->low) || (is_range && factor->low == factor->high))
        snprintf(text, size, "-");
    else snprintf(text, size, is_range ? "(%s, %s)" : "[%s, %s]", low, high);
}

char *compare_item_name(const compare_item *item)
{
    return suite_text("%s:%s%s%s", item->bench, item->metric, item->setting ? " " : "",
                      item->setting ? item->setting : "");
}

/* Behind the last slash that something follows. */
static const char *last_part(const char *path, size_t *length)
{
    *length = strlen(path);
    while (*length > 1 && path[*length - 1] == '/') (*length)--;
    size_t from = *length;
    while (from > 0 && path[from - 1] != '/') from--;
    *length -= from;
    return path + from;
}

char *compare_side_name(const comparison *all, size_t side)
{
    const char *label = all->side[side].label;
    size_t length, other_length;
    const char *part = last_part(label, &length);
    for (size_t s = 0; s < all->n_sides; s++) {
        const char *other = last_part(all->side[s].label, &other_length);
        if (s != side && length == other_length && strncmp(part, other, length) == 0)
            return suite_copy(label);
    }
    return suite_text("%.*s", (int)length, part);
}

char *compare_side_words(const compare_side *side)
{
    size_t benches = 0, least = CM_RANK_MOST, most = 0;
    for (size_t k = 0; k < side->n; k++) {
        size_t n = side->bench[k].n;
        if (n == 0) continue;
        benches++;
        if (n < least) least = n;
        if (n > most) most = n;
    }
    return said_compare_side_words(benches, least < most, least, most);
}

char *compare_where(const compare_pair *pair, const compare_difference *difference)
{
    enum { FEW = 4 };
    if (difference->everywhere) return suite_copy(SAID_COMPARE_EVERYWHERE);
    if (difference->benches.n <= FEW) return suite_words_join(&difference->benches);
    return said_compare_some(difference->benches.n, pair->n_common);
}

/* The words of a verdict; a metric that was launched once says so. Where launches lack it, that is
   why too few are left. */
const char *compare_verdict_words(const compare_item *item)
{
    bool whole = item->base.n == item->base.of && item->new.n == item->new.of;
    if (item->verdict == COMPARE_UNTESTED && !whole) return compare_verdict_names[COMPARE_UNKNOWN];
    if (item->verdict == COMPARE_UNTESTED && (item->base.n == 1 || item->new.n == 1))
        return SAID_COMPARE_ONE_LAUNCH;
    return compare_verdict_names[item->verdict];
}

typedef struct {
    size_t metrics, untold;
    bool single; /* all untold ones were launched once on a side */
} shortage;

static void count_untold(const compare_items *items, shortage *few)
{
    for (size_t i = 0; i < items->n; i++) {
        const compare_item *item = &items->item[i];
        bool told = compare_can_tell_item(item);
        few->metrics++;
        few->untold += !told;
        few->single &= told || item->base.n == 1 || item->new.n == 1;
    }
}

char *compare_shortage(const comparison *all)
{
    size_t needed = compare_launches_needed(all);
    shortage few = {.single = true};
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        count_untold(&all->pair[k].headline, &few);
        count_untold(&all->pair[k].further, &few);
    }
    if (few.untold == 0) return suite_copy("");
    return said_compare_shortage(few.single, few.untold, few.metrics, needed);
}

static bool any_states(const compare_items *items)
{
    for (size_t i = 0; i < items->n; i++)
        if (items->item[i].states.kind != CM_STATES_PAIR_ONE) return true;
    return false;
}

static bool has_states(const comparison *all)
{
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        const compare_pair *pair = &all->pair[k];
        if (any_states(&pair->headline) || any_states(&pair->further) || any_states(&pair->metrics)
            || any_states(&pair->rows))
            return true;
    }
    return false;
}

char *compare_method(const comparison *all)
{
    return said_compare_method(has_states(all), all->family + all->programs > 0, all->family,
                               100 * COMPARE_LEVEL, all->programs, all->options->margin_percent);
}
