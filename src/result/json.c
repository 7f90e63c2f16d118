/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: a result as JSON, by jansson; doc/result.schema.json says what stands where. */
#include <config.h>
#include <errno.h>
#include <math.h>
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
        if (json_array_append_new(samples, json_pack("{s:I, s:s, s:o}", "row", (json_int_t)raw->row,
                                                     "unit", raw->unit, "values", values))
            != 0)
            return false;
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

static bool add_results(const cm_result *result, json_t *results)
{
    for (size_t i = 0; i < result->n_verdicts; i++) {
        const cm_result_said *said = &result->verdict[i];
        if (json_array_append_new(results,
                                  json_pack("{s:b, s:s, s:o, s:s}", "pass", said->pass, "metric",
                                            said->metric, "value", number(said->value, false),
                                            "unit", said->unit))
            != 0)
            return false;
    }
    return true;
}

static const struct {
    const char *key;
    bool object;
    bool (*add)(const cm_result *, json_t *);
} part[] = {{"metadata", true, add_metadata}, {"columns", false, add_columns},
            {"rows", false, add_rows},        {"samples", false, add_samples},
            {"checks", false, add_checks},    {"comments", false, add_comments},
            {"results", false, add_results}};

bool cm_result_json_write(const cm_result *result, FILE *file)
{
    json_t *root = json_pack("{s:s, s:i, s:s}", "schema", "clustermark-result", "schema_version", 1,
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
