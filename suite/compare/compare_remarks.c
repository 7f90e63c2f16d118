/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_remarks.c: what a reader must know beside a ratio: launches without a value, values that
   have no ratio, and launches that stand alone. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "common/unit.h"
#include "results/distances.h"
#include "results/results.h"
#include "pages.h"

static void remark(compare_item *item, char *sentence)
{
    suite_words_add(&item->remarks, sentence);
    free(sentence);
}

/* Adds the file of a launch, and its text in place of a value, to a list that names a few of them.
   */
static void name_launch(suite_words *names, const compare_bench *bench, size_t launch,
                        const char *has)
{
    char *name =
        suite_text("%s%s%s%s", bench->file[launch], *has ? " (" : "", has, *has ? ")" : "");
    suite_words_add(names, name);
    free(name);
}

/* "a, b, c and 4 more"; the caller frees. */
static char *few_names(const suite_words *names)
{
    enum { FEW = 3 };
    size_t shown = names->n > FEW + 1 ? FEW : names->n;
    char *all = suite_copy("");
    for (size_t k = 0; k < shown; k++) {
        char *longer = suite_text("%s%s%s", all, k ? ", " : "", names->word[k]);
        free(all);
        all = longer;
    }
    if (shown == names->n) return all;
    char *longer = said_compare_more(all, names->n - shown);
    free(all);
    return longer;
}

/* Returns the text that a launch has instead of a number: "nan"; "": none. */
static const char *instead(const compare_bench *bench, size_t launch, const char *name)
{
    const cm_record_metric *metric = cm_record_metric_of(&bench->launch[launch], name);
    return metric ? metric->value : "";
}

char *compare_missing(const compare_bench *bench, const compare_values *values, const char *metric)
{
    suite_words names = {0};
    for (size_t k = 0; k < values->of; k++)
        if (!compare_values_have(values, k))
            name_launch(&names, bench, k, metric ? instead(bench, k, metric) : "");
    char *list = few_names(&names);
    suite_words_free(&names);
    return list;
}

static const char *side_name(bool of_new) { return of_new ? SAID_COMPARE_NEW : SAID_COMPARE_BASE; }

static const compare_values *values_of(const compare_item *item, bool of_new)
{
    return of_new ? &item->new : &item->base;
}

/* Launches without a value. */
static void tell_missing(compare_item *item, const compare_bench *bench, bool of_new)
{
    const compare_values *values = values_of(item, of_new);
    if (values->n == values->of) return;
    char *list = compare_missing(bench, values, item->setting ? NULL : item->metric);
    remark(item, said_compare_gaps(side_name(of_new), values->n, values->of, list));
    free(list);
}

/* Values of 0 or below, which have no ratio: then no launch has one. */
static void tell_signs(compare_item *item, const compare_bench *bench, bool of_new)
{
    const compare_values *values = values_of(item, of_new);
    suite_words names = {0};
    for (size_t k = 0; k < values->n && values->value[k] <= 0; k++)
        name_launch(&names, bench, values->launch[k],
                    values->value[k] < 0 ? SAID_COMPARE_BELOW_0 : "0");
    if (names.n > 0) {
        char *list = few_names(&names);
        remark(item, said_compare_no_ratio(side_name(of_new), names.n, values->n, list));
        free(list);
    }
    suite_words_free(&names);
}

void compare_tell_gaps(compare_item *item, const compare_bench *base, const compare_bench *new)
{
    tell_missing(item, base, false);
    tell_missing(item, new, true);
    tell_signs(item, base, false);
    tell_signs(item, new, true);
}

static void tell_few(compare_item *item)
{
    bool gap = item->base.n < item->base.of || item->new.n < item->new.of;
    if (gap && !compare_can_tell_item(item)) remark(item, suite_copy(SAID_COMPARE_TOO_FEW));
}

void compare_tell_few(comparison *all)
{
    for (size_t k = 0; k + 1 < all->n_sides; k++) {
        compare_items *items = &all->pair[k].headline;
        for (size_t i = 0; i < items->n; i++) tell_few(&items->item[i]);
    }
}

/* ---- Launches that stand alone --------------------------------------------------------------- */

/* "took 20.1 times the median", of a rate "reached 0.05 of the median". */
static char *times_words(const compare_item *item, const cm_lone *lone)
{
    char times[COMPARE_WORD];
    suite_number(lone->times, times, sizeof times);
    return said_compare_lone_times(item->better == COMPARE_LOW, lone->high, times);
}

/* The values are sorted, so that lone ones are the first, or the last. */
static void tell_lone(compare_item *item, const compare_bench *bench, bool of_new)
{
    const compare_values *values = values_of(item, of_new);
    const cm_lone *lone = &item->lone[of_new];
    suite_words names = {0};
    for (size_t k = 0; k < lone->n; k++)
        name_launch(&names, bench, values->launch[lone->high ? values->n - lone->n + k : k], "");
    char *list = few_names(&names), *times = times_words(item, lone);
    remark(item, said_compare_lone(side_name(of_new), lone->n, values->n, times, list));
    free(times);
    free(list);
    suite_words_free(&names);
}

void compare_tell_lone(compare_item *item, const compare_bench *base, const compare_bench *new)
{
    for (int k = 0; k < 2; k++) {
        const compare_values *values = values_of(item, k);
        if (!cm_lone_find(values->n, values->value, &item->lone[k])) suite_there(NULL);
        if (item->lone[k].n > 0) tell_lone(item, k ? new : base, k);
    }
}

/* ---- Cores at different distances ------------------------------------------------------------ */

static double *distances_of(const compare_bench *bench)
{
    double *ns = suite_array(bench->n, sizeof *ns);
    for (size_t k = 0; k < bench->n; k++) ns[k] = suite_distance_of(&bench->launch[k]);
    return ns;
}

void compare_tell_distances(compare_item *item, const compare_bench *base, const compare_bench *new)
{
    double *before = distances_of(base), *now = distances_of(new);
    size_t of_base, of_new;
    char *base_words = suite_distances_words(base->n, before, &of_base);
    char *new_words = suite_distances_words(new->n, now, &of_new);
    item->apart = suite_distances_apart(base->n, before, new->n, now);
    if (item->apart || of_base > 1 || of_new > 1)
        remark(item, said_compare_distances(base_words, new_words, item->apart));
    free(base_words);
    free(new_words);
    free(before);
    free(now);
}

/* ---- What cannot vary ------------------------------------------------------------------------ */

/* Returns true if the result says that it is of one host, or of one rank. */
static bool is_of_one(const cm_record *record)
{
    const char *hosts = cm_record_meta(record, "hosts"), *ranks = cm_record_meta(record, "ranks");
    return (hosts && strcmp(hosts, "1") == 0) || (ranks && strcmp(ranks, "1") == 0);
}

static bool is_one_in_all(const compare_bench *bench, const char *name)
{
    double value;
    for (size_t k = 0; k < bench->n; k++) {
        const cm_record_metric *metric = cm_record_metric_of(&bench->launch[k], name);
        if (!is_of_one(&bench->launch[k]) || !metric || strcmp(metric->unit, "1") != 0
            || !cm_record_number(metric->value, &value) || value != 1)
            return false;
    }
    return bench->n > 0;
}

bool compare_is_constant(const compare_bench *base, const compare_bench *new, const char *metric)
{
    return is_one_in_all(base, metric) && is_one_in_all(new, metric);
}
