/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_json.c: the JSON of several launches. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "combine_json.h"
#include "common/memory.h"

#ifdef HAVE_JANSSON
#include <jansson.h>

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *word(const char *text) { return text ? json_string(text) : json_null(); }

/* A number, null for nan, or a word. */
static json_t *cell(const char *text)
{
    double value;
    if (cm_record_number(text, &value))
        return value == floor(value) && fabs(value) < 1e15 && !strpbrk(text, ".eE")
                   ? json_integer((json_int_t)value)
                   : json_real(value);
    return strcmp(text, "nan") == 0 ? json_null() : json_string(text);
}

/* Only the JSON of a launch says which way is better. */
static const char *better_of(json_t *launch, const char *metric)
{
    json_t *results = json_object_get(launch, "results");
    for (size_t k = 0; k < json_array_size(results); k++) {
        json_t *one = json_array_get(results, k);
        const char *name = json_string_value(json_object_get(one, "metric"));
        const char *better = json_string_value(json_object_get(one, "better"));
        if (name && better && strcmp(name, metric) == 0) return better;
    }
    return "neither";
}

static json_t *metrics_of(const cm_record *record, json_t *launch)
{
    json_t *list = json_array();
    for (size_t k = 0; k < record->n_verdicts; k++) {
        const cm_record_verdict *v = &record->verdict[k];
        json_t *one = json_pack("{s:b, s:s, s:o, s:s}", "pass", v->pass, "metric", v->metric,
                                "value", cell(v->value), "unit", v->unit);
        bool has = isfinite(v->low) && isfinite(v->high);
        json_object_set_new(one, "low", number(v->low));
        json_object_set_new(one, "high", number(v->high));
        json_object_set_new(one, "interval", has ? word(v->interval) : json_null());
        json_object_set_new(one, "over", word(v->over));
        json_object_set_new(one, "n", v->n ? json_integer((json_int_t)v->n) : json_null());
        json_object_set_new(one, "better", json_string(better_of(launch, v->metric)));
        json_object_set_new(one, "disturbed", v->tells ? json_boolean(v->disturbed) : json_null());
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *rows_of(const cm_record *record)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < record->n_rows; r++) {
        json_t *row = json_array();
        for (size_t c = 0; c < record->n_columns; c++)
            json_array_append_new(row, cell(cm_record_cell(record, r, c)));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* The columns that the middle launch lacks have the format of its low_.... */
static void add_columns(json_t *columns, const cm_record *record)
{
    for (size_t c = json_array_size(columns); c < record->n_columns; c++)
        json_array_append_new(columns,
                              json_pack("{s:s, s:s}", "name", record->column[c], "format", "%.6g"));
}

static void replace_metadata(json_t *json, const cm_record *record)
{
    json_t *meta = json_object_get(json, "metadata"), *differs = json_array();
    for (size_t m = 0; m < record->n_meta; m++) {
        const cm_record_entry *entry = &record->meta[m];
        if (strcmp(entry->key, "differs_between_launches") == 0)
            json_array_append_new(differs, json_string(entry->value));
        else if (strcmp(entry->key, "interval_over") == 0)
            json_object_set_new(meta, entry->key, json_string(entry->value));
        else if (strcmp(entry->key, "launches") == 0
                 || strcmp(entry->key, "launch_of_comments") == 0)
            json_object_set_new(meta, entry->key, cell(entry->value));
    }
    if (json_array_size(differs) == 1)
        json_object_set(meta, "differs_between_launches", json_array_get(differs, 0));
    else if (json_array_size(differs) > 1)
        json_object_set(meta, "differs_between_launches", differs);
    json_decref(differs);
}

static bool has(json_t *list, const char *key, json_t *entry)
{
    for (size_t k = 0; k < json_array_size(list); k++)
        if (json_equal(json_object_get(json_array_get(list, k), key), json_object_get(entry, key)))
            return true;
    return false;
}

/* Adds the entries of the launch's list whose key has a value that none of the JSON's has. */
static void add_missing(json_t *json, json_t *launch, const char *list, const char *key)
{
    json_t *own = json_object_get(json, list), *others = json_object_get(launch, list);
    for (size_t k = 0; k < json_array_size(others); k++)
        if (!has(own, key, json_array_get(others, k)))
            json_array_append(own, json_array_get(others, k));
}

/* A check that failed in some launch takes the place of one that passed in those before. */
static void replace_checks(json_t *json, json_t *launch)
{
    json_t *checks = json_object_get(json, "checks"), *others = json_object_get(launch, "checks");
    for (size_t c = 0; c < json_array_size(checks); c++)
        for (size_t j = 0; j < json_array_size(others); j++) {
            json_t *own = json_array_get(checks, c), *other = json_array_get(others, j);
            if (json_is_true(json_object_get(own, "pass"))
                && json_is_false(json_object_get(other, "pass"))
                && json_equal(json_object_get(own, "name"), json_object_get(other, "name")))
                json_array_set(checks, c, other);
        }
}

static json_t *finding_of(const cm_record_finding *f)
{
    json_t *quantity = json_null();
    if (f->quantity)
        quantity =
            json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", f->quantity, "value", number(f->value),
                      "low", number(f->low), "high", number(f->high), "unit", word(f->unit));
    json_t *one = json_pack("{s:o, s:s, s:o, s:o, s:s}", "who", word(f->who), "what", f->what,
                            "quantity", quantity, "bound", number(f->bound), "words", f->words);
    if (f->of_launches > 0) {
        json_object_set_new(one, "launches", json_integer((json_int_t)f->launches));
        json_object_set_new(one, "of_launches", json_integer((json_int_t)f->of_launches));
    }
    return one;
}

/* The findings of all launches in place of those of the middle one, which were comments before
   schema 3. */
static void replace_findings(json_t *json, const cm_record *record)
{
    json_t *own = json_object_get(json, "comments"), *comments = json_array();
    json_t *findings = json_array();
    for (size_t k = 0; k < record->n_findings; k++)
        json_array_append_new(findings, finding_of(&record->finding[k]));
    for (size_t k = 0; k < json_array_size(own); k++) {
        const char *text = json_string_value(json_array_get(own, k));
        if (text && !cm_record_line_is_finding(text))
            json_array_append(comments, json_array_get(own, k));
    }
    json_object_set_new(json, "findings", findings);
    json_object_set_new(json, "comments", comments);
    json_object_set_new(json, "schema_version", json_integer(3));
}

static json_t *load(const char *dir, const char *name, size_t k, char *why, size_t why_size)
{
    char *path = suite_launch_path(dir, name, k, "json");
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (!json) snprintf(why, why_size, "cannot read %s: %s", path, error.text);
    free(path);
    return json;
}

bool suite_json_is_whole(const char *path)
{
    json_t *json = json_load_file(path, 0, NULL);
    bool whole = json_is_object(json);
    json_decref(json);
    return whole;
}

char *suite_combined_json(const char *dir, const char *name, const suite_launches *launches,
                          const cm_record *combined, char *why, size_t why_size)
{
    json_t *json = load(dir, name, launches->middle + 1, why, why_size);
    if (!json) return NULL;
    json_t *list = json_array();
    for (size_t k = 0; k < launches->n; k++) {
        json_t *launch = load(dir, name, k + 1, why, why_size);
        if (!launch) {
            json_decref(list);
            json_decref(json);
            return NULL;
        }
        add_missing(json, launch, "checks", "name");
        add_missing(json, launch, "results", "metric"); /* which say what is better */
        replace_checks(json, launch);
        json_array_append_new(list, json_pack("{s:s, s:o}", "file", launches->file[k], "results",
                                              metrics_of(&launches->record[k], launch)));
        json_decref(launch);
    }
    json_object_set_new(json, "launches", list);
    json_object_set_new(json, "rows", rows_of(combined));
    json_object_set_new(json, "results", metrics_of(combined, json));
    json_object_set_new(json, "samples", json_array());
    add_columns(json_object_get(json, "columns"), combined);
    for (size_t k = launches->record[launches->middle].n_comments; k < combined->n_comments; k++)
        json_array_append_new(json_object_get(json, "comments"), json_string(combined->comment[k]));
    replace_metadata(json, combined);
    replace_findings(json, combined);
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    json_decref(json);
    if (!text) snprintf(why, why_size, "out of memory");
    return text;
}

#else

bool suite_json_is_whole(const char *path)
{
    (void)path;
    return false;
}

char *suite_combined_json(const char *dir, const char *name, const suite_launches *launches,
                          const cm_record *combined, char *why, size_t why_size)
{
    (void)dir, (void)name, (void)launches, (void)combined;
    snprintf(why, why_size, "this build has no JSON");
    return NULL;
}

#endif
