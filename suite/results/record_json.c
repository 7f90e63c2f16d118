/* SPDX-License-Identifier: BSD-3-Clause */
/* record_json.c: a record of several launches as JSON, by jansson; doc/result.schema.json says what
   stands where. */
#include "config.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "record_write.h"

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

/* A key that comes several times has all its values in an array. */
static json_t *entries_of(const cm_record_entry *entry, size_t n)
{
    json_t *object = json_object();
    for (size_t k = 0; k < n; k++) {
        json_t *value = entry[k].number ? cell(entry[k].value) : json_string(entry[k].value);
        json_t *before = json_object_get(object, entry[k].key);
        if (json_is_array(before)) json_array_append_new(before, value);
        else if (before)
            json_object_set_new(object, entry[k].key, json_pack("[O, o]", before, value));
        else json_object_set_new(object, entry[k].key, value);
    }
    return object;
}

static json_t *hosts_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t k = 0; k < record->n_hosts; k++) {
        const cm_record_host *host = &record->host[k];
        json_array_append_new(list, json_pack("{s:s, s:I, s:o}", "name", host->name, "ranks",
                                              (json_int_t)host->ranks, "differs",
                                              entries_of(host->differs, host->n_differs)));
    }
    return list;
}

static json_t *columns_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t c = 0; c < record->n_columns; c++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", record->column[c], "format",
                                              record->format[c] ? record->format[c] : "%.6g"));
    return list;
}

static json_t *rows_of(const cm_record *record)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < record->n_rows && record->n_columns; r++) {
        json_t *row = json_array();
        for (size_t c = 0; c < record->n_columns; c++)
            json_array_append_new(row, cell(cm_record_cell(record, r, c)));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *checks_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t c = 0; c < record->n_checks; c++) {
        const cm_record_check *check = &record->check[c];
        json_array_append_new(list, json_pack("{s:s, s:o, s:s, s:o, s:b}", "name",
                                              check->name ? check->name : "", "value",
                                              number(check->value), "relation",
                                              check->relation ? check->relation : "", "bound",
                                              number(check->bound), "pass", check->pass));
    }
    return list;
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

static json_t *findings_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t k = 0; k < record->n_findings; k++)
        json_array_append_new(list, finding_of(&record->finding[k]));
    return list;
}

static json_t *comments_of(const cm_record *record)
{
    json_t *list = json_array();
    suite_words lines = suite_record_comments(record);
    for (size_t k = 0; k < lines.n; k++) json_array_append_new(list, json_string(lines.word[k]));
    suite_words_free(&lines);
    return list;
}

static json_t *results_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t k = 0; k < record->n_verdicts; k++) {
        const cm_record_verdict *v = &record->verdict[k];
        const bool has = isfinite(v->low) && isfinite(v->high);
        json_array_append_new(
            list, json_pack("{s:b, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "pass",
                            v->pass, "metric", v->metric, "value", cell(v->value), "unit", v->unit,
                            "low", number(v->low), "high", number(v->high), "interval",
                            word(has ? v->interval : NULL), "over", word(v->over), "n",
                            v->n ? json_integer((json_int_t)v->n) : json_null(), "better",
                            v->better ? v->better : "neither", "disturbed",
                            v->tells ? json_boolean(v->disturbed) : json_null()));
    }
    return list;
}

static json_t *launches_of(const suite_launches *launches)
{
    json_t *list = json_array();
    for (size_t k = 0; k < launches->n; k++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "file", launches->file[k], "results",
                                              results_of(&launches->record[k])));
    return list;
}

char *suite_record_json(const cm_record *record, const suite_launches *launches)
{
    const char *program = cm_record_meta(record, "program");
    json_t *root = json_pack("{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:[], s:o, s:o, s:o, s:o}",
                             "schema", "clustermark-result", "schema_version", 3, "program",
                             program ? program : "unknown", "metadata",
                             entries_of(record->meta, record->n_meta), "hosts", hosts_of(record),
                             "columns", columns_of(record), "rows", rows_of(record), "samples",
                             "checks", checks_of(record), "findings", findings_of(record),
                             "comments", comments_of(record), "results", results_of(record));
    if (launches) json_object_set_new(root, "launches", launches_of(launches));
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(root);
    return suite_there(text);
}
