/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_judge.c: ratios and intervals of all that is compared; tests and verdicts of the headline
   metrics. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "results/launches.h"

const char *const compare_verdict_names[] = {"not tested", "cannot tell", "the same", "faster",
                                             "slower",     "higher",      "lower"};

static void need_memory(bool had)
{
    if (!had) suite_there(NULL);
}

static void set_ratio(compare_item *item)
{
    item->p = item->adjusted = item->visible = NAN;
    need_memory(cm_states_pair_find(item->base.n, item->base.value, item->new.n, item->new.value,
                                    &item->states));
    need_memory(cm_states_pair_ratio(&item->states, &item->factor));
}

/* Metrics that are not tested get the range of their ratios, within the states, and no interval.
   There are hundreds of such values, and even correct intervals would exclude 1 for one in twenty.
   */
static void set_range(compare_item *item)
{
    cm_rank_factor *factor = &item->factor;
    if (isnan(factor->ratio)) return;
    *factor = (cm_rank_factor){factor->ratio, INFINITY, 0, CM_INTERVAL_RANGE};
    for (size_t k = 0; k < item->states.strata; k++) {
        const cm_rank_stratum *one = &item->states.stratum[k];
        if (one->m == 0 || one->n == 0) continue;
        factor->low = fmin(factor->low, one->y[0] / one->x[one->m - 1]);
        factor->high = fmax(factor->high, one->y[one->n - 1] / one->x[0]);
    }
}

static void set_ratios(compare_items *items, bool tested)
{
    for (size_t k = 0; k < items->n; k++) {
        set_ratio(&items->item[k]);
        if (!tested) set_range(&items->item[k]);
    }
    compare_items_sort(items);
}

/* A metric whose launches are too few for any p of at most the level cannot be a false alarm, so
   the family does without it; whether it is one depends on the sizes alone, not on the values
   (Tarone, Biometrics 46 (1990) 515). */
static bool is_testable(const compare_item *item)
{
    return cm_rank_least_p(item->base.n, item->new.n) <= COMPARE_LEVEL;
}

/* Returns the direction of the ratio. Without a ratio (a value is 0 or below), returns which side
   has the greater value in more pairs of launches, as the test counts them. Below 0 is down, 0
   neither. */
static int sign_of(const compare_item *item)
{
    double ratio = item->factor.ratio;
    int sign = 0;
    if (!isnan(ratio)) return (ratio > 1) - (ratio < 1);
    for (size_t i = 0; i < item->base.n; i++)
        for (size_t j = 0; j < item->new.n; j++) {
            double base = item->base.value[i], new = item->new.value[j];
            sign += (new > base) - (new < base);
        }
    return sign;
}

static compare_verdict direction(const compare_item *item)
{
    bool up = sign_of(item) > 0;
    if (item->better == COMPARE_NEITHER) return up ? COMPARE_HIGHER : COMPARE_LOWER;
    return up == (item->better == COMPARE_HIGH) ? COMPARE_FASTER : COMPARE_SLOWER;
}

/* An interval inside the margin comes first: a difference may be certain and too small to matter.
   The margin reaches as far down as up, in ratios; without a ratio nothing is the same. */
static compare_verdict verdict_of(const compare_item *item, double margin_percent)
{
    double margin = 1 + margin_percent / 100;
    const cm_rank_factor *factor = &item->factor;
    if (factor->interval == CM_INTERVAL_95 && factor->low >= 1 / margin && factor->high <= margin)
        return COMPARE_SAME;
    if (item->adjusted <= COMPARE_LEVEL && sign_of(item) != 0) return direction(item);
    return COMPARE_UNKNOWN;
}

/* What more, or fewer, launches in the higher state are: a change, if chance does not make such
   shares at half the level of the metric, since the values within the states are tested, too. */
static compare_verdict share_verdict(const compare_item *item)
{
    const cm_states_pair *s = &item->states;
    double before = (double)s->x[1] / (double)(s->x[0] + s->x[1]);
    double now = (double)s->y[1] / (double)(s->y[0] + s->y[1]);
    double level = COMPARE_LEVEL / 2 / (double)(item->family ? item->family : 1);
    if (!(s->shares_p <= fmin(level, CM_STATES_PAIR_ALPHA))) return COMPARE_UNKNOWN;
    if (item->better == COMPARE_NEITHER) return now > before ? COMPARE_HIGHER : COMPARE_LOWER;
    return (now > before) == (item->better == COMPARE_HIGH) ? COMPARE_FASTER : COMPARE_SLOWER;
}

/* States that are as close as the margin are one. */
static bool has_states(const compare_item *item, double margin)
{
    const cm_states_pair *s = &item->states;
    if (s->kind != CM_STATES_PAIR_MATCHED) return false;
    double low = isfinite(s->x_level[0]) ? s->x_level[0] : s->y_level[0];
    double high = isfinite(s->x_level[1]) ? s->x_level[1] : s->y_level[1];
    return !(high <= low * margin);
}

static void judge_states(compare_item *item, double margin_percent)
{
    item->verdict = isnan(item->p) ? COMPARE_UNTESTED : verdict_of(item, margin_percent);
    if (item->verdict == COMPARE_SAME && compare_lone_differ(item)) item->verdict = COMPARE_UNKNOWN;
    if (item->verdict == COMPARE_UNTESTED || !has_states(item, 1 + margin_percent / 100)) return;
    compare_verdict share = share_verdict(item);
    if (item->verdict == COMPARE_SAME || item->verdict == COMPARE_UNKNOWN) item->verdict = share;
    else if (share != COMPARE_UNKNOWN && share != item->verdict) item->verdict = COMPARE_UNKNOWN;
}

/* If the cores of the pairs were at other distances before than now, a difference may be theirs, or
   they may hide it. */
void compare_judge_verdict(compare_item *item, double margin_percent)
{
    judge_states(item, margin_percent);
    if (item->apart && item->verdict > COMPARE_UNKNOWN) item->verdict = COMPARE_UNKNOWN;
}

/* The headline metrics that can be tested, of all pairs. */
static compare_item **family_of(comparison *all)
{
    compare_item **family = NULL;
    all->family = 0;
    for (size_t k = 0; k + 1 < all->n_sides; k++)
        for (size_t i = 0; i < all->pair[k].headline.n; i++) {
            compare_item *item = &all->pair[k].headline.item[i];
            if (!is_testable(item)) continue;
            family = suite_longer(family, all->family + 1, sizeof(compare_item *));
            family[all->family++] = item;
        }
    return family;
}

/* One of so many tests; returns its p. */
static double test_one(compare_item *item, size_t tests)
{
    need_memory(cm_states_pair_test(&item->states, &item->p));
    need_memory(
        cm_states_pair_visible(&item->states, COMPARE_LEVEL / (double)tests, &item->visible));
    return item->p;
}

static void conclude(const comparison *all, compare_item *item, double adjusted, size_t tests)
{
    item->adjusted = adjusted;
    item->family = tests;
    compare_judge_verdict(item, all->options->margin_percent);
}

static void test_all(comparison *all)
{
    compare_item **family = family_of(all);
    double *p = suite_array(all->family, sizeof *p);
    for (size_t k = 0; k < all->family; k++) p[k] = test_one(family[k], all->family);
    need_memory(cm_holm(all->family, p, p));
    for (size_t k = 0; k < all->family; k++) conclude(all, family[k], p[k], all->family);
    free(p);
    free(family);
}

void compare_judge_chosen(const comparison *all, compare_item **chosen, size_t n)
{
    double *p = suite_array(n, sizeof *p);
    size_t tests = 0;
    for (size_t k = 0; k < n; k++) {
        set_ratio(chosen[k]);
        tests += is_testable(chosen[k]);
    }
    for (size_t k = 0, test = 0; k < n; k++)
        if (is_testable(chosen[k])) p[test++] = test_one(chosen[k], tests);
    need_memory(cm_holm(tests, p, p));
    for (size_t k = 0, test = 0; k < n; k++)
        if (is_testable(chosen[k])) conclude(all, chosen[k], p[test++], tests);
    free(p);
}

void compare_judge(comparison *all)
{
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        set_ratios(&all->pair[k].headline, true);
        set_ratios(&all->pair[k].further, true);
        set_ratios(&all->pair[k].metrics, false);
        set_ratios(&all->pair[k].rows, false);
    }
    test_all(all);
}

/* Returns true if one of the first items is of the benchmark. */
static bool has_bench(const compare_items *items, size_t n, const char *bench)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(items->item[k].bench, bench) == 0) return true;
    return false;
}

size_t compare_launches_for(size_t tests)
{
    size_t n = SUITE_LAUNCHES_ADVISED;
    while (n < CM_RANK_MOST && cm_rank_least_p(n, n) > COMPARE_LEVEL / (double)tests) n++;
    return n;
}

size_t compare_launches_needed(const comparison *all)
{
    size_t tests = 0, programs = 0;
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        const compare_items *further = &all->pair[k].further;
        tests += all->pair[k].headline.n;
        for (size_t i = 0; i < further->n; i++)
            programs += !has_bench(further, i, further->item[i].bench);
    }
    return compare_launches_for(tests < programs ? programs : tests);
}
