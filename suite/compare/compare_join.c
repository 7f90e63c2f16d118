/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_join.c: joins the results of two sides by benchmark and metric. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "results/results.h"
#include "pages.h"

static void note(compare_pair *pair, char *sentence)
{
    suite_words_add(&pair->notes, sentence);
    free(sentence);
}

static bool is_headline(const comparison *all, const char *bench, const char *metric)
{
    const suite_run *run = suite_table_find(&all->table, bench);
    return run && run->headline && strcmp(run->headline, metric) == 0;
}

static bool have(const compare_items *items, const char *bench, const char *metric)
{
    for (size_t k = items->n; k > 0; k--) {
        const compare_item *item = &items->item[k - 1];
        if (strcmp(item->bench, bench) == 0 && strcmp(item->metric, metric) == 0) return true;
    }
    return false;
}

/* A headline metric that only one side has would else be missing without a word. */
static void note_headline(compare_pair *pair, const compare_bench *base, const compare_bench *new,
                          const char *metric)
{
    const compare_side *side[] = {pair->base, pair->new};
    const compare_bench *bench[] = {base, new};
    for (int k = 0; k < 2; k++) {
        compare_values values = compare_values_of(bench[k], metric);
        if (values.n == 0) {
            char *list = compare_missing(bench[k], &values, metric);
            note(pair, said_compare_no_launch(base->name, metric, side[k]->label, list));
            free(list);
        }
        compare_values_free(&values);
    }
}

/* Adds the metric unless it is there already. */
static void join_metric(comparison *all, compare_pair *pair, const compare_bench *base,
                        const compare_bench *new, const cm_record_metric *metric)
{
    bool constant = compare_is_constant(base, new, metric->name);
    bool headline = is_headline(all, base->name, metric->name) && !constant;
    compare_items *items = headline ? &pair->headline : &pair->metrics;
    if (have(items, base->name, metric->name) || have(&pair->further, base->name, metric->name))
        return;
    const char *other = compare_other_unit(base, new, metric->name, metric->unit);
    if (other) {
        char *why = said_compare_units(base->name, metric->name, metric->unit, other);
        if (!suite_words_have(&pair->notes, why)) suite_words_add(&pair->notes, why);
        free(why);
        return;
    }
    compare_item item = {.base = compare_values_of(base, metric->name),
                         .new = compare_values_of(new, metric->name)};
    if (item.base.n == 0 || item.new.n == 0) {
        compare_values_free(&item.base);
        compare_values_free(&item.new);
        return;
    }
    item.bench = suite_copy(base->name);
    item.metric = suite_copy(metric->name);
    item.unit = suite_copy(metric->unit);
    item.better = compare_metric_better(all, base, metric->name);
    compare_tell_gaps(&item, base, new);
    compare_tell_lone(&item, base, new);
    compare_tell_distances(&item, base, new);
    compare_items_add(items, item);
}

/* The headline, if it was not joined: why. */
static void tell_headline(const comparison *all, compare_pair *pair, const compare_bench *base,
                          const compare_bench *new)
{
    const suite_run *run = suite_table_find(&all->table, base->name);
    if (!run || !run->headline || have(&pair->headline, base->name, run->headline)) return;
    if (compare_is_constant(base, new, run->headline))
        note(pair, said_compare_constant(base->name, run->headline));
    else note_headline(pair, base, new, run->headline);
}

static void join_bench(comparison *all, compare_pair *pair, const compare_bench *base,
                       const compare_bench *new)
{
    bool oversubscribed = false;
    compare_further_join(all, pair, base, new);
    for (size_t k = 0; k < base->n; k++) {
        oversubscribed |= suite_result_oversubscribed(&base->launch[k]);
        for (size_t v = 0; v < base->launch[k].n_metrics; v++)
            join_metric(all, pair, base, new, &base->launch[k].metric[v]);
    }
    for (size_t k = 0; k < new->n; k++)
        oversubscribed |= suite_result_oversubscribed(&new->launch[k]);
    if (oversubscribed) note(pair, said_compare_oversubscribed(base->name));
    tell_headline(all, pair, base, new);
    compare_join_rows(all, pair, base, new);
}

static void note_only(compare_pair *pair, const compare_side *one, const compare_side *other)
{
    char *all = NULL;
    for (size_t k = 0; k < one->n; k++) {
        const compare_bench *bench = &one->bench[k];
        if (bench->n == 0 || compare_side_find(other, bench->name)) continue;
        char *longer = suite_text("%s%s%s", all ? all : "", all ? ", " : "", bench->name);
        free(all);
        all = longer;
    }
    if (all) note(pair, said_compare_only(one->label, all));
    free(all);
}

static bool is_date(const char *date)
{
    return date && strspn(date, "0123456789-T:Z") == strlen("2026-01-01T00:00:00Z");
}

/* Two launches never have the same date and the same values of all metrics. */
static bool is_copy(const cm_record *a, const cm_record *b)
{
    const char *date = cm_record_meta(a, "date"), *other = cm_record_meta(b, "date");
    bool same = is_date(date) && other && !strcmp(date, other) && a->n_metrics == b->n_metrics;
    for (size_t v = 0; v < a->n_metrics && same; v++)
        same = strcmp(a->metric[v].name, b->metric[v].name) == 0
               && strcmp(a->metric[v].value, b->metric[v].value) == 0;
    return same;
}

/* A test of copies would say nothing. */
static void note_copies(compare_pair *pair)
{
    char *all = NULL;
    for (size_t k = 0; k < pair->base->n; k++) {
        const compare_bench *base = &pair->base->bench[k];
        const compare_bench *new = compare_side_find(pair->new, base->name);
        size_t copies = 0;
        for (size_t j = 0; new &&j < new->n; j++)
            for (size_t i = 0; i < base->n; i++)
                if (is_copy(&base->launch[i], &new->launch[j])) {
                    copies++;
                    break;
                }
        if (copies == 0) continue;
        char *longer = said_compare_copies_of(all, base->name, copies, new->n);
        free(all);
        all = longer;
    }
    if (all) note(pair, said_compare_copies(pair->new->label, pair->base->label, all));
    free(all);
}

/* The launches' first and last date as results have it, which sorts as text; "" if one has none. */
typedef struct {
    const char *first, *last;
} dates;

static dates dates_of(const compare_bench *bench)
{
    dates d = {"", ""};
    for (size_t k = 0; k < bench->n; k++) {
        const char *date = cm_record_meta(&bench->launch[k], "date");
        if (!is_date(date)) return (dates){"", ""};
        if (k == 0 || strcmp(date, d.first) < 0) d.first = date;
        if (k == 0 || strcmp(date, d.last) > 0) d.last = date;
    }
    return d;
}

/* Returns true if all launches of base came before, or after, all of new, in all benchmarks that
   can be judged. */
static bool in_a_row(const compare_pair *pair)
{
    size_t found = 0;
    for (size_t k = 0; k < pair->base->n; k++) {
        const compare_bench *base = &pair->base->bench[k];
        const compare_bench *new = compare_side_find(pair->new, base->name);
        if (base->n < 2 || !new || new->n < 2) continue;
        dates a = dates_of(base), b = dates_of(new);
        if (!*a.first || !*b.first || !(strcmp(a.last, b.first) < 0 || strcmp(b.last, a.first) < 0))
            return false;
        found++;
    }
    return found > 0;
}

/* A folder that is compared with itself says the same twice. */
static void copy_notes(compare_pair *pair, const compare_side *side)
{
    for (size_t k = 0; k < side->notes.n; k++)
        if (!suite_words_have(&pair->notes, side->notes.word[k]))
            note(pair, suite_copy(side->notes.word[k]));
}

/* The base's notes stand in the first pair only. */
void compare_join(comparison *all, compare_pair *pair)
{
    for (size_t k = 0; k < pair->base->n; k++) {
        const compare_bench *base = &pair->base->bench[k];
        const compare_bench *new = compare_side_find(pair->new, base->name);
        if (base->n > 0 && new) join_bench(all, pair, base, new);
    }
    note_copies(pair);
    if (in_a_row(pair)) note(pair, suite_copy(SAID_COMPARE_IN_A_ROW));
    note_only(pair, pair->base, pair->new);
    note_only(pair, pair->new, pair->base);
    if (pair == all->pair) copy_notes(pair, pair->base);
    copy_notes(pair, pair->new);
}

void compare_pair_free(compare_pair *pair)
{
    for (size_t k = 0; k < pair->n_differences; k++) {
        compare_difference *difference = &pair->difference[k];
        free(difference->key);
        free(difference->base);
        free(difference->new);
        suite_words_free(&difference->benches);
    }
    free(pair->difference);
    compare_items_free(&pair->headline);
    compare_items_free(&pair->further);
    compare_items_free(&pair->metrics);
    compare_items_free(&pair->rows);
    suite_words_free(&pair->notes);
    *pair = (compare_pair){0};
}
