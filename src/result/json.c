/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: a record as JSON, by jansson; doc/result.schema.json says what stands where. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

#ifdef HAVE_JANSSON
#include <jansson.h>

const char *cm_result_json_missing(void) { return NULL; }

/* JSON has neither NaN nor infinities. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *word(const char *text) { return text ? json_string(text) : json_null(); }

/* A number, null for nan, or a word. Whole numbers stay whole as far as a double counts exactly. */
static json_t *cell(const char *text)
{
    double value;
    if (!cm_record_number(text, &value))
        return strcmp(text, "nan") == 0 ? json_null() : json_string(text);
    return !strpbrk(text, ".eE") && fabs(value) <= 0x1p53 ? json_integer((json_int_t)value)
                                                          : json_real(value);
}

/* Of a list that is not whole, for want of memory, nothing is left: NULL. */
static void append(json_t **list, json_t *value)
{
    if (json_array_append_new(*list, value) == 0) return;
    json_decref(*list);
    *list = NULL;
}

/* A key that comes several times ("nic") has all its values in an array. */
static json_t *entries_of(const cm_record_entry *entry, size_t n)
{
    json_t *object = json_object();
    bool fine = object;
    for (size_t k = 0; k < n && fine; k++) {
        json_t *value = entry[k].number ? cell(entry[k].value) : json_string(entry[k].value);
        json_t *before = json_object_get(object, entry[k].key);
        if (json_is_array(before)) fine = json_array_append_new(before, value) == 0;
        else if (before)
            fine =
                json_object_set_new(object, entry[k].key, json_pack("[O, o]", before, value)) == 0;
        else fine = json_object_set_new(object, entry[k].key, value) == 0;
    }
    if (fine) return object;
    json_decref(object);
    return NULL;
}

static json_t *hosts_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t k = 0; k < record->n_hosts; k++) {
        const cm_record_host *host = &record->host[k];
        append(&list,
               json_pack("{s:s, s:I, s:o}", "name", host->name, "ranks", (json_int_t)host->ranks,
                         "differs", entries_of(host->differs, host->n_differs)));
    }
    return list;
}

static json_t *columns_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t c = 0; c < record->n_columns; c++)
        append(&list, json_pack("{s:s, s:s}", "name", record->column[c], "format",
                                record->format[c] ? record->format[c] : "%.6g"));
    return list;
}

static json_t *rows_of(const cm_record *record)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < record->n_rows && record->n_columns > 0; r++) {
        json_t *row = json_array();
        for (size_t c = 0; c < record->n_columns; c++)
            append(&row, cell(cm_record_cell(record, r, c)));
        append(&rows, row);
    }
    return rows;
}

/* disturbed: their numbers among the values, from 0. */
static json_t *samples_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t k = 0; k < record->n_samples; k++) {
        const cm_record_samples *s = &record->samples[k];
        json_t *values = json_array(), *disturbed = json_array();
        for (size_t i = 0; i < s->n; i++) append(&values, number(s->value[i]));
        for (size_t i = 0; i < s->n && s->cause; i++)
            if (s->cause[i]) append(&disturbed, json_integer((json_int_t)i));
        json_t *entry = json_pack("{s:I, s:s, s:o, s:o}", "row", (json_int_t)s->row, "unit",
                                  s->unit, "values", values, "disturbed", disturbed);
        if (s->of && json_object_set_new(entry, "of", json_string(s->of)) != 0) {
            json_decref(entry);
            entry = NULL;
        }
        append(&list, entry);
    }
    return list;
}

static json_t *checks_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t c = 0; c < record->n_checks; c++) {
        const cm_record_check *check = &record->check[c];
        append(&list, json_pack("{s:s, s:o, s:s, s:o, s:b}", "name", check->name ? check->name : "",
                                "value", number(check->value), "relation",
                                check->relation ? check->relation : "", "bound",
                                number(check->bound), "pass", check->pass));
    }
    return list;
}

/* Without a quantity, or a value of it, that is null. */
static json_t *finding_of(const cm_record_finding *f)
{
    json_t *quantity = !f->quantity ? json_null()
                                    : json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", f->quantity,
                                                "value", number(f->value), "low", number(f->low),
                                                "high", number(f->high), "unit", word(f->unit));
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
    for (size_t k = 0; k < record->n_findings; k++) append(&list, finding_of(&record->finding[k]));
    return list;
}

/* As the lines of text, without "# ". */
static json_t *comments_of(const cm_record *record)
{
    char *lines = cm_record_comments(record), *rest = lines, *line;
    json_t *list = lines ? json_array() : NULL;
    while ((line = strsep(&rest, "\n")) && *line) append(&list, json_string(line + 2));
    free(lines);
    return list;
}

/* Without an interval all of it is null; so is disturbed where nothing says so, or it is not
   known. */
static json_t *results_of(const cm_record *record)
{
    json_t *list = json_array();
    for (size_t k = 0; k < record->n_metrics; k++) {
        const cm_record_metric *m = &record->metric[k];
        const bool wide = isfinite(m->low) && isfinite(m->high);
        append(&list, json_pack("{s:b, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "pass",
                                m->pass, "metric", m->name, "value", cell(m->value), "unit",
                                m->unit, "better", m->better ? m->better : "neither", "low",
                                number(m->low), "high", number(m->high), "interval",
                                word(wide ? m->interval : NULL), "over", word(m->over), "n",
                                m->n > 0 ? json_integer((json_int_t)m->n) : json_null(),
                                "disturbed", m->tells ? json_boolean(m->disturbed) : json_null()));
    }
    return list;
}

static json_t *launches_of(const cm_record_launches *launches)
{
    json_t *list = json_array();
    for (size_t k = 0; k < launches->n; k++)
        append(&list, json_pack("{s:s, s:o}", "file", launches->file[k], "results",
                                results_of(&launches->record[k])));
    return list;
}

char *cm_record_json(const cm_record *record, const char *program, int digits,
                     const cm_record_launches *launches)
{
    if (!program) program = cm_record_meta(record, "program");
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema",
        "clustermark-result", "schema_version", 3, "program", program ? program : "unknown",
        "metadata", entries_of(record->meta, record->n_meta), "hosts", hosts_of(record), "columns",
        columns_of(record), "rows", rows_of(record), "samples", samples_of(record), "checks",
        checks_of(record), "findings", findings_of(record), "comments", comments_of(record),
        "results", results_of(record));
    char *text = NULL;
    if (!launches || json_object_set_new(root, "launches", launches_of(launches)) == 0)
        text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(digits));
    json_decref(root);
    return text;
}

#else

const char *cm_result_json_missing(void)
{
    return "this build has no JSON; install libjansson-dev (jansson-devel) and configure again";
}

char *cm_record_json(const cm_record *record, const char *program, int digits,
                     const cm_record_launches *launches)
{
    (void)record, (void)program, (void)digits, (void)launches;
    return NULL;
}

#endif
