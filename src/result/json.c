/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: a result as JSON, by jansson; doc/result.schema.json says what stands where. */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

#ifdef HAVE_JANSSON
#include <jansson.h>

const char *cm_result_json_missing(void) { return NULL; }

/* JSON has neither NaN nor infinities. Whole numbers stay whole as far as a double counts
   exactly. */
static json_t *number(double value, bool whole)
{
    if (!isfinite(value)) return json_null();
    if (whole && value == rint(value) && fabs(value) <= 0x1p53)
        return json_integer((json_int_t)value);
    return json_real(value);
}

static json_t *entry_value(const cm_result_entry *entry)
{
    return entry->is_number ? number(entry->number, entry->is_whole) : json_string(entry->text);
}

/* A key that comes several times ("nic") has all its values in an array. false: out of memory. */
static bool add_entry(json_t *metadata, const cm_result_entry *entry)
{
    json_t *before = json_object_get(metadata, entry->key), *value = entry_value(entry);
    if (!before) return json_object_set_new(metadata, entry->key, value) == 0;
    if (json_is_array(before)) return json_array_append_new(before, value) == 0;
    json_t *both = json_array();
    if (both && json_array_append(both, before) == 0 && json_array_append_new(both, value) == 0)
        return json_object_set_new(metadata, entry->key, both) == 0;
    json_decref(both);
    return false;
}

static bool add_metadata(const cm_result *result, json_t *metadata)
{
    for (size_t i = 0; i < result->n_meta; i++)
        if (!add_entry(metadata, &result->meta[i])) return false;
    return true;
}

/* As in the metadata: a number where the key counts or measures; null: the host lacks the key. */
static json_t *fact_value(const cm_result_fact *fact)
{
    char *end;
    if (!fact) return json_null();
    double counted = strtod(fact->value, &end);
    if (!cm_result_counts(fact->key) || end == fact->value || *end != '\0')
        return json_string(fact->value);
    return number(counted, fact->value[strspn(fact->value, "0123456789")] == '\0');
}

static json_t *host_entry(const cm_result *result, size_t host, json_t *differs)
{
    return json_pack("{s:s, s:I, s:o}", "name", result->hosts.host[host].name, "ranks",
                     (json_int_t)result->hosts.host[host].ranks, "differs", differs);
}

/* What differs from the first host, key by key. */
static bool add_difference(const cm_result_hosts *hosts, const cm_result_difference *difference,
                           size_t *alike, json_t *list)
{
    const cm_result_fact *fact = difference->fact, *end = fact + difference->n;
    cm_result_alike(hosts, difference, alike);
    for (size_t i = 1; i < hosts->n; i++) {
        while (fact < end && fact->host < i) fact++;
        if (alike[i] == alike[0] || alike[i] == CM_RESULT_NOT_ASKED) continue;
        json_t *differs = json_object_get(json_array_get(list, i), "differs");
        const cm_result_fact *own = fact < end && fact->host == i ? fact : NULL;
        if (json_object_set_new(differs, difference->fact->key, fact_value(own)) != 0) return false;
    }
    return true;
}

static bool add_hosts(const cm_result *result, json_t *list)
{
    const cm_result_hosts *hosts = &result->hosts;
    size_t *alike = malloc((hosts->n + 1) * sizeof *alike);
    bool fine = alike != NULL;
    for (size_t i = 0; fine && i < hosts->n; i++)
        fine = json_array_append_new(list, host_entry(result, i, json_object())) == 0;
    for (size_t k = 0; fine && k < hosts->n_differences; k++)
        fine = add_difference(hosts, &hosts->difference[k], alike, list);
    free(alike);
    return fine;
}

static json_t *word(const char *format, double value)
{
    char text[CM_RESULT_WORD + 1];
    return cm_result_word(format, value, text) ? json_string(text) : json_null();
}

static bool add_columns(const cm_result *result, json_t *columns)
{
    for (size_t i = 0; i < result->n_columns; i++)
        if (json_array_append_new(columns, json_pack("{s:s, s:s}", "name", result->column[i].name,
                                                     "format", result->column[i].format))
            != 0)
            return false;
    return true;
}

static bool add_rows(const cm_result *result, json_t *rows)
{
    size_t n = result->n_columns > 0 ? result->n_rows : 0;
    for (size_t row = 0; row < n; row++) {
        json_t *values = json_array();
        if (json_array_append_new(rows, values) != 0) return false;
        for (size_t i = 0; i < result->n_columns; i++) {
            bool whole = strcmp(result->column[i].format, "%.0f") == 0;
            const char *format = result->column[i].format;
            double value = result->cell[row * result->n_columns + i];
            json_t *cell = cm_result_is_words(format) ? word(format, value) : number(value, whole);
            if (json_array_append_new(values, cell) != 0) return false;
        }
    }
    return true;
}

/* Their numbers among the values, from 0. */
static json_t *disturbed_of(const cm_result_raw *raw)
{
    json_t *list = json_array();
    for (size_t i = 0; list && raw->cause && i < raw->n; i++)
        if (raw->cause[i] && json_array_append_new(list, json_integer((json_int_t)i)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static bool add_samples(const cm_result *result, json_t *samples)
{
    for (size_t k = 0; k < result->n_raw; k++) {
        const cm_result_raw *raw = &result->raw[k];
        json_t *values = json_array();
        for (size_t i = 0; i < raw->n; i++)
            if (json_array_append_new(values, number(raw->value[i], false)) != 0) {
                json_decref(values);
                return false;
            }
        json_t *entry = json_pack("{s:I, s:s, s:o, s:o}", "row", (json_int_t)raw->row, "unit",
                                  raw->unit, "values", values, "disturbed", disturbed_of(raw));
        if (raw->of && json_object_set_new(entry, "of", json_string(raw->of)) != 0) {
            json_decref(entry);
            return false;
        }
        if (json_array_append_new(samples, entry) != 0) return false;
    }
    return true;
}

static bool add_checks(const cm_result *result, json_t *checks)
{
    for (size_t i = 0; i < result->n_checks; i++) {
        const cm_result_checked *check = &result->check[i];
        if (json_array_append_new(
                checks, json_pack("{s:s, s:o, s:s, s:o, s:b}", "name", check->name, "value",
                                  number(check->value, false), "relation", check->relation, "bound",
                                  number(check->bound, false), "pass", check->pass))
            != 0)
            return false;
    }
    return true;
}

static bool add_comments(const cm_result *result, json_t *comments)
{
    for (size_t i = 0; i < result->n_comments; i++)
        if (json_array_append_new(comments, json_string(result->comment[i])) != 0) return false;
    return true;
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

/* Without a quantity, or a value of it, that is null. */
static json_t *finding_of(const cm_record_finding *f)
{
    json_t *quantity = json_null();
    if (f->quantity)
        quantity = json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", f->quantity, "value",
                             number(f->value, false), "low", number(f->low, false), "high",
                             number(f->high, false), "unit", text_or_null(f->unit));
    return json_pack("{s:o, s:s, s:o, s:o, s:s}", "who", text_or_null(f->who), "what", f->what,
                     "quantity", quantity, "bound", number(f->bound, false), "words", f->words);
}

static bool add_findings(const cm_result *result, json_t *findings)
{
    for (size_t i = 0; i < result->n_findings; i++)
        if (json_array_append_new(findings, finding_of(&result->finding[i])) != 0) return false;
    return true;
}

/* null: nothing says so, or it is not known. */
static json_t *told_disturbed(const cm_quantity *is)
{
    return is->n == 0 || is->disturbed == CM_DISTURBED_UNKNOWN
               ? json_null()
               : json_boolean(is->disturbed == CM_DISTURBED_YES);
}

/* Without an interval all of it is null. */
static json_t *result_of(const cm_result_said *said)
{
    static const char *const better[] = {
        [CM_BETTER_NEITHER] = "neither", [CM_BETTER_LOW] = "low", [CM_BETTER_HIGH] = "high"};
    const cm_quantity *is = &said->is;
    json_t *entry =
        json_pack("{s:b, s:s, s:o, s:s, s:s}", "pass", said->pass, "metric", said->metric, "value",
                  number(is->value, false), "unit", said->unit, "better", better[said->better]);
    json_t *more =
        cm_quantity_has_interval(is)
            ? json_pack("{s:o, s:o, s:s, s:s, s:I}", "low", number(is->low, false), "high",
                        number(is->high, false), "interval",
                        is->kind == CM_INTERVAL_95 ? "95%" : "range", "over", is->over, "n",
                        (json_int_t)is->n)
            : json_pack("{s:n, s:n, s:n, s:n, s:n}", "low", "high", "interval", "over", "n");
    bool fine = entry && more && json_object_update(entry, more) == 0
                && json_object_set_new(entry, "disturbed", told_disturbed(is)) == 0;
    json_decref(more);
    if (fine) return entry;
    json_decref(entry);
    return NULL;
}

static bool add_results(const cm_result *result, json_t *results)
{
    for (size_t i = 0; i < result->n_verdicts; i++)
        if (json_array_append_new(results, result_of(&result->verdict[i])) != 0) return false;
    return true;
}

static const struct {
    const char *key;
    bool object;
    bool (*add)(const cm_result *, json_t *);
} part[] = {{"metadata", true, add_metadata},  {"hosts", false, add_hosts},
            {"columns", false, add_columns},   {"rows", false, add_rows},
            {"samples", false, add_samples},   {"checks", false, add_checks},
            {"findings", false, add_findings}, {"comments", false, add_comments},
            {"results", false, add_results}};

bool cm_result_json_write(const cm_result *result, FILE *file)
{
    json_t *root = json_pack("{s:s, s:i, s:s}", "schema", "clustermark-result", "schema_version", 3,
                             "program", result->program->name);
    bool fine = root != NULL;
    for (size_t i = 0; fine && i < sizeof part / sizeof part[0]; i++) {
        json_t *value = part[i].object ? json_object() : json_array();
        fine = json_object_set_new(root, part[i].key, value) == 0 && part[i].add(result, value);
    }
    if (!fine) {
        json_decref(root);
        errno = ENOMEM;
        return false;
    }
    /* 17 digits bring every double back bit for bit. */
    errno = 0;
    fine = json_dumpf(root, file, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0
           && fputc('\n', file) != EOF;
    int cause = errno;
    json_decref(root);
    errno = cause ? cause : ENOMEM;
    return fine;
}

#else

const char *cm_result_json_missing(void)
{
    return "this build has no JSON; install libjansson-dev (jansson-devel) and configure again";
}

bool cm_result_json_write(const cm_result *result, FILE *file)
{
    (void)result;
    (void)file;
    errno = ENOTSUP;
    return false;
}

#endif
