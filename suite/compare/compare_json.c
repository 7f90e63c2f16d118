/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_json.c: the comparison as JSON, by jansson; the manual says what stands where. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "compare.h"

#include <jansson.h>

/* JSON has neither NaN nor infinities. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *text(const char *value) { return value ? json_string(value) : json_null(); }

static json_t *words(const suite_words *list)
{
    json_t *array = json_array();
    for (size_t k = 0; array && k < list->n; k++)
        json_array_append_new(array, json_string(list->word[k]));
    return array;
}

static json_t *values(const compare_values *list)
{
    json_t *array = json_array();
    for (size_t k = 0; array && k < list->n; k++)
        json_array_append_new(array, number(list->value[k]));
    return array;
}

static json_t *interval_name(const cm_rank_factor *factor)
{
    if (isnan(factor->low)) return json_null();
    return json_string(factor->interval == CM_INTERVAL_95 ? "95%" : "range");
}

static json_t *states_of(const cm_states_pair *states)
{
    json_t *array = json_array();
    for (int k = 0; array && k < 2; k++)
        json_array_append_new(
            array, json_pack("{s:I, s:o, s:I, s:o, s:o}", "base_launches", (json_int_t)states->x[k],
                             "base_median", number(states->x_level[k]), "new_launches",
                             (json_int_t)states->y[k], "new_median", number(states->y_level[k]),
                             "ratio", number(states->y_level[k] / states->x_level[k])));
    return array;
}

static void add_states(json_t *object, const cm_states_pair *states)
{
    if (states->kind == CM_STATES_PAIR_ONE) return;
    json_object_set_new(object, "states", states_of(states));
    json_object_set_new(object, "states_match",
                        json_boolean(states->kind == CM_STATES_PAIR_MATCHED));
    json_object_set_new(object, "shares_p", number(states->shares_p));
}

static json_t *item_of(const compare_item *item, bool headline)
{
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "benchmark",
        item->bench, "metric", item->metric, "setting", text(item->setting), "unit",
        text(item->unit), "better", compare_better_names[item->better], "base", values(&item->base),
        "new", values(&item->new), "base_median",
        compare_states_mixed(item, false) ? json_null() : number(item->base.median), "new_median",
        compare_states_mixed(item, true) ? json_null() : number(item->new.median), "ratio",
        number(item->factor.ratio), "low", number(item->factor.low), "high",
        number(item->factor.high), "interval", interval_name(&item->factor));
    if (!object) return object;
    add_states(object, &item->states);
    json_object_set_new(object, "base_launches", json_integer((json_int_t)item->base.of));
    json_object_set_new(object, "new_launches", json_integer((json_int_t)item->new.of));
    json_object_set_new(object, "remarks", words(&item->remarks));
    if (!headline) return object;
    json_object_set_new(object, "p", number(item->p));
    json_object_set_new(object, "p_adjusted", number(item->adjusted));
    json_object_set_new(object, "visible_ratio", number(item->visible));
    json_object_set_new(object, "verdict", json_string(compare_verdict_names[item->verdict]));
    return object;
}

static json_t *items_of(const compare_items *items, bool headline)
{
    json_t *array = json_array();
    for (size_t k = 0; array && k < items->n; k++)
        json_array_append_new(array, item_of(&items->item[k], headline));
    return array;
}

static json_t *differences_of(const compare_pair *pair)
{
    json_t *array = json_array();
    for (size_t k = 0; array && k < pair->n_differences; k++) {
        const compare_difference *difference = &pair->difference[k];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:o}", "key", difference->key,
                                               "base", difference->base, "new", difference->new,
                                               "benchmarks", words(&difference->benches)));
    }
    return array;
}

static json_t *pairs_of(const comparison *all)
{
    json_t *array = json_array();
    for (size_t k = 0; array && k + 1 < all->n_sides; k++) {
        const compare_pair *pair = &all->pair[k];
        json_array_append_new(
            array,
            json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "base", pair->base->label, "new",
                      pair->new->label, "differences", differences_of(pair), "notes",
                      words(&pair->notes), "headline", items_of(&pair->headline, true), "further",
                      items_of(&pair->further, true), "metrics", items_of(&pair->metrics, false),
                      "rows", items_of(&pair->rows, false)));
    }
    return array;
}

static json_t *expectations_of(const comparison *all)
{
    json_t *array = json_array();
    for (size_t s = compare_expect_first(all); all->expectations && s < all->n_sides; s++)
        for (size_t k = 0; array && k < all->expectations->n; k++) {
            const compare_expected *expected = &all->expectations->expected[k];
            double median;
            bool met = compare_expect_met(expected, &all->side[s], &median);
            json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:o, s:f, s:o, s:o, s:b}",
                                                   "result", all->side[s].label, "benchmark",
                                                   expected->bench, "metric", expected->metric,
                                                   "value", number(median), "expected",
                                                   expected->value, "low", number(expected->low),
                                                   "high", number(expected->high), "pass", met));
        }
    return array;
}

bool compare_json(const comparison *all, FILE *out)
{
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:f, s:i, s:f, s:o, s:o}", "schema", "clustermark-comparison",
                  "schema_version", 1, "version", PACKAGE_VERSION, "level", COMPARE_LEVEL, "tests",
                  (int)all->family, "margin_percent", all->options->margin_percent, "comparisons",
                  pairs_of(all), "expectations", expectations_of(all));
    bool written = root && json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0;
    json_decref(root);
    fputs("\n", out);
    return written;
}
