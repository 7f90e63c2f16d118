/* SPDX-License-Identifier: BSD-3-Clause */
/* export_json.c: the results as JSON, by jansson: clustermark's own (doc/export.schema.json), and
   the lists that github-action-benchmark takes. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "export.h"
#include "common/memory.h"
#include "common/unit.h"

#include <jansson.h>

/* JSON has neither NaN nor infinities. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }
static json_t *text(const char *value)
{
    return value && *value ? json_string(value) : json_null();
}
static json_t *boolean(bool known, bool is) { return known ? json_boolean(is) : json_null(); }

static json_t *count_of(const char *value)
{
    double number;
    if (!value || !cm_record_number(value, &number) || number < 0) return json_null();
    return json_integer((json_int_t)number);
}

static bool write_all(json_t *root, FILE *out)
{
    bool written = root && json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0;
    json_decref(root);
    fputs("\n", out);
    return written;
}

/* ---- clustermark's own ----------------------------------------------------------------------- */

static json_t *run_of(const export_set *set)
{
    json_t *run = json_object();
    for (size_t k = 0; k < EXPORT_CIRCUMSTANCES; k++)
        json_object_set_new(run, set->run[k].key, text(set->run[k].value));
    if (!set->flat) json_object_set_new(run, "cluster", text(set->cluster));
    return run;
}

static json_t *labels_of(const export_result *r)
{
    json_t *labels = json_object();
    for (size_t k = 0; k < r->of.n; k++)
        if (*r->of.label[k].value)
            json_object_set_new(labels, r->of.label[k].key, json_string(r->of.label[k].value));
    return labels;
}

static json_t *result_of(const export_set *set, const export_result *r)
{
    const cm_record_metric *m = r->metric;
    const bool has = export_has_interval(r);
    json_t *one = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:b, s:o}",
        "benchmark", r->benchmark, "program", r->program, "metric", m->name, "value",
        number(r->value), "unit", m->unit, "better", text(r->better), "pass", m->pass, "low",
        number(has ? m->low : NAN), "high", number(has ? m->high : NAN), "interval",
        text(has ? m->interval : NULL), "over", text(m->over), "n",
        m->n ? json_integer((json_int_t)m->n) : json_null(), "disturbed",
        boolean(m->tells, m->disturbed), "hosts", count_of(r->hosts), "ranks", count_of(r->ranks),
        "oversubscribed", r->oversubscribed, "meaning", text(r->meaning));
    if (set->flat) return one;
    json_object_set_new(one, "quantity", text(r->of.quantity));
    json_object_set_new(one, "labels", labels_of(r));
    json_object_set_new(one, "host", text(r->host));
    return one;
}

bool export_json(const export_set *set, FILE *out)
{
    json_t *results = json_array(), *missing = json_array();
    for (size_t k = 0; k < set->n; k++)
        json_array_append_new(results, result_of(set, &set->result[k]));
    for (size_t k = 0; k < set->n_missing; k++) {
        const export_missing *m = &set->missing[k];
        json_array_append_new(missing,
                              json_pack("{s:s, s:s, s:s}", "benchmark", m->benchmark, "state",
                                        m->failed ? "failed" : "skipped", "reason", m->why));
    }
    return write_all(json_pack("{s:s, s:i, s:o, s:o, s:o}", "schema", "clustermark-export",
                               "schema_version", set->flat ? 1 : 2, "run", run_of(set), "results",
                               results, "missing", missing),
                     out);
}

/* ---- github-action-benchmark ----------------------------------------------------------------- */

static bool is_one(const char *count) { return count && strcmp(count, "1") == 0; }

/* What the action shows beside a point. */
static json_t *extra_of(const export_result *r)
{
    const cm_record_metric *m = r->metric;
    char *n = m->n ? suite_counted(m->n, m->over ? m->over : "values") : suite_copy("");
    char *all = suite_text(
        "%s host%s, %s rank%s%s%s%s%s%s%s", r->hosts ? r->hosts : "?", is_one(r->hosts) ? "" : "s",
        r->ranks ? r->ranks : "?", is_one(r->ranks) ? "" : "s", *n ? "\n" : "", n,
        m->disturbed ? "\ndisturbed" : "", r->oversubscribed ? "\nmore ranks than cores" : "",
        *r->meaning ? "\n" : "", r->meaning);
    json_t *extra = json_string(all);
    free(all);
    free(n);
    return extra;
}

/* An entry must have a number, and one that counts. */
bool export_github(const export_set *set, FILE *out)
{
    json_t *list = json_array();
    for (size_t k = 0; k < set->n; k++) {
        const export_result *r = &set->result[k];
        const cm_record_metric *m = r->metric;
        if (!m->pass || isnan(r->value)) continue;
        char *name = suite_text(set->flat ? "%s: %s" : "%s %s", r->benchmark, m->name);
        json_t *one = json_pack("{s:s, s:s, s:f, s:o}", "name", name, "unit", m->unit, "value",
                                r->value, "extra", extra_of(r));
        free(name);
        if (export_has_interval(r)) {
            char *range = suite_text("%.6g to %.6g", m->low, m->high);
            json_object_set_new(one, "range", json_string(range));
            free(range);
        }
        json_array_append_new(list, one);
    }
    return write_all(list, out);
}
