/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_fail.c: what --fail-on says of a comparison: that a tested metric is worse, or that a
   loss could not have been seen. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "compare.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/unit.h"

const char *const compare_fail_words[] = {"slower", "different", NULL};

/* A loss of 25 %: a rate falls to 3/4 of what it was, or a time becomes 4/3 as long. */
static const double loss_percent = 25;

static bool is_failure(const comparison *all, const compare_item *item)
{
    return item->verdict == COMPARE_SLOWER
           || (all->options->fail_on == COMPARE_FAIL_DIFFERENT && item->verdict > COMPARE_SAME);
}

/* A verdict other than "cannot tell" has told; else it must have been able to. Values of 0 or below
   have no ratio; for them the number of launches decides. */
static bool could_see(const comparison *all, const compare_item *item)
{
    if (all->options->fail_on == COMPARE_FAIL_SLOWER && item->better == COMPARE_NEITHER)
        return true; /* it cannot become worse */
    if (item->verdict == COMPARE_UNTESTED) return false;
    if (item->verdict != COMPARE_UNKNOWN) return true;
    if (item->states.kind != CM_STATES_PAIR_ONE) return false; /* the shares may hide it */
    if (compare_lone_differ(item)) return false;
    if (isnan(item->visible)) return compare_can_tell_item(item);
    return item->visible <= 1 / (1 - loss_percent / 100);
}

/* "netpipe:latency_us (visible: a ratio of 2.10)"; the caller frees. */
static char *blind_words(const comparison *all, const compare_item *item)
{
    char visible[COMPARE_WORD], *name = compare_item_name(item), *words;
    suite_number(item->visible, visible, sizeof visible);
    if (compare_lone_differ(item) && compare_can_tell_item(item))
        words = suite_text("%s (launches of one result stand alone)", name);
    else if (compare_can_tell_item(item) && item->states.kind == CM_STATES_PAIR_MATCHED
             && isfinite(item->visible))
        words = suite_text("%s (whether the shares of its two states differ)", name);
    else if (compare_can_tell_item(item) && isfinite(item->visible))
        words = suite_text("%s (visible: a ratio of %s)", name, visible);
    else if (compare_can_tell_item(item) && item->states.kind != CM_STATES_PAIR_ONE)
        words = suite_text("%s (too few launches in the same state)", name);
    else
        words = suite_text("%s (%zu and %zu launches; %zu a side would do)", name, item->base.n,
                           item->new.n, compare_launches_needed(all));
    free(name);
    return words;
}

/* Counts the tested metrics, and names those in which a loss could not have been seen. */
static void find_blind(const comparison *all, const compare_items *items, suite_words *blind,
                       size_t *tested)
{
    for (size_t i = 0; i < items->n; i++) {
        ++*tested;
        if (could_see(all, &items->item[i])) continue;
        char *words = blind_words(all, &items->item[i]);
        suite_words_add(blind, words);
        free(words);
    }
}

/* A headline of the base that the other side has not, or only with wrong answers. */
static void find_gone(const comparison *all, const compare_pair *pair, suite_words *blind,
                      size_t *tested)
{
    for (size_t k = 0; k < pair->base->n; k++) {
        const compare_bench *bench = &pair->base->bench[k];
        const suite_run *run = suite_table_find(&all->table, bench->name);
        const compare_bench *new = compare_side_find(pair->new, bench->name);
        bool there =
            !run || !run->headline || (new &&compare_is_constant(bench, new, run->headline));
        for (size_t i = 0; i < pair->headline.n && !there; i++)
            there = strcmp(pair->headline.item[i].bench, bench->name) == 0;
        if (there) continue;
        compare_values values = compare_values_of(bench, run->headline);
        if (values.n > 0) {
            char *words =
                suite_text("%s:%s (not in %s)", bench->name, run->headline, pair->new->label);
            suite_words_add(blind, words);
            free(words);
            ++*tested;
        }
        compare_values_free(&values);
    }
}

static bool any_fails(const comparison *all, const compare_items *items)
{
    for (size_t i = 0; i < items->n; i++)
        if (is_failure(all, &items->item[i])) return true;
    return false;
}

int compare_fail_status(const comparison *all)
{
    if (all->options->fail_on < 0) return CM_EXIT_PASS;
    const char *word = compare_fail_words[all->options->fail_on];
    suite_words blind = {0};
    size_t tested = 0;
    for (size_t k = 0; k + 1 < all->n_sides; k++)
        if (any_fails(all, &all->pair[k].headline) || any_fails(all, &all->pair[k].further))
            return CM_EXIT_WRONG;
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        find_blind(all, &all->pair[k].headline, &blind, &tested);
        find_blind(all, &all->pair[k].further, &blind, &tested);
        find_gone(all, &all->pair[k], &blind, &tested);
    }
    if (tested == 0)
        return suite_fail(CM_EXIT_SYSTEM, "compare: --fail-on %s: no tested metric is in both",
                          word);
    if (blind.n == 0) return CM_EXIT_PASS;
    char *names = suite_words_joined(&blind, "; ", "; ");
    int status = suite_fail(CM_EXIT_SYSTEM,
                            "compare: --fail-on %s: a loss of %g %% could not have been seen in "
                            "%zu of %zu tested metrics: %s",
                            word, loss_percent, blind.n, tested, names);
    free(names);
    suite_words_free(&blind);
    return status;
}
