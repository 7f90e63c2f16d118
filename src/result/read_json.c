/* SPDX-License-Identifier: BSD-3-Clause */
/* read_json.c: a record from the JSON that json.c writes, by jansson: its metadata and its table;
   read_json_said.c: what is said of it. */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/read_internal.h"
#include "result/read_json.h"
#include "result/result_internal.h"

#ifdef HAVE_JANSSON
enum {
    SCHEMA_VERSION_MOST = 3,
    FORMAT_LENGTH_MOST = 16 /* "%.40e" has 5 */
};

/* ---- metadata and hosts ---------------------------------------------------------------------- */

/* JSON does not have the format of a number in the metadata. */
static void shortest(double value, char *text, size_t size)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) return;
    }
}

/* Of a number or null; false: it is neither. */
static bool number_text(const json_t *value, char *text, size_t size)
{
    if (json_is_integer(value))
        snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value)) shortest(json_real_value(value), text, size);
    else snprintf(text, size, "nan");
    return json_is_number(value) || json_is_null(value);
}

static bool add_entry(cm_reader *reader, const char *key, const json_t *value)
{
    char text[64];
    if (json_is_string(value)) return cm_json_line(reader, key, json_string_value(value));
    if (!number_text(value, text, sizeof text))
        return cm_reader_fail(reader, "metadata.%s: expected a text, a number or null", key);
    return cm_reader_meta(reader, key, text, true);
}

static bool add_difference(cm_reader *reader, size_t host, const char *key, const json_t *value)
{
    char text[64];
    if (json_is_string(value))
        return cm_reader_differs(reader, host, key, json_string_value(value), false);
    if (!number_text(value, text, sizeof text))
        return cm_reader_fail(reader, "hosts: %s: expected a text, a number or null", key);
    return cm_reader_differs(reader, host, key, text, true);
}

/* Results of schema 1 have none. */
static bool read_hosts(cm_reader *reader, const json_t *hosts)
{
    for (size_t i = 0; i < json_array_size(hosts); i++) {
        const json_t *host = json_array_get(hosts, i);
        json_t *differs = json_object_get(host, "differs"), *value;
        json_int_t ranks = json_integer_value(json_object_get(host, "ranks"));
        const char *name = cm_json_string(host, "name"), *key;
        if (!name || ranks < 1 || !json_is_object(differs))
            return cm_reader_fail(reader, "hosts[%zu]: expected name, ranks and differs", i);
        if (!cm_reader_host(reader, name, (size_t)ranks)) return false;
        json_object_foreach(differs, key, value)
        {
            if (!add_difference(reader, i, key, value)) return false;
        }
    }
    return true;
}

static bool read_metadata(cm_reader *reader, json_t *metadata)
{
    const char *key;
    json_t *value;
    json_object_foreach(metadata, key, value)
    {
        if (!cm_reader_is_key(key, strlen(key)))
            return cm_reader_fail(reader, "metadata: \"%s\" is not a key", key);
        if (!json_is_array(value)) {
            if (!add_entry(reader, key, value)) return false;
            continue;
        }
        for (size_t i = 0; i < json_array_size(value); i++)
            if (!add_entry(reader, key, json_array_get(value, i))) return false;
    }
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool is_format(const char *format)
{
    int width;
    if (!format || (!cm_result_is_words(format) && strlen(format) > FORMAT_LENGTH_MOST))
        return false;
    return cm_result_format_width(format, &width);
}

static bool read_columns(cm_reader *reader, json_t *columns)
{
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = cm_json_string(column, "name"),
                   *format = cm_json_string(column, "format");
        if (!cm_json_is_word(name) || !is_format(format))
            return cm_reader_fail(reader, "columns[%zu]: expected a name of one word and a format",
                                  i);
        if (!cm_reader_column(reader, name, format)) return false;
    }
    return true;
}

/* The cell's text in this format; NULL: the value is not one of its kind. */
static const char *cell_text(const json_t *value, const char *format, char *text, size_t size)
{
    double number;
    if (cm_result_is_words(format) && json_is_string(value))
        return cm_json_is_word(json_string_value(value)) ? json_string_value(value) : NULL;
    if (!cm_json_number(value, &number) || (cm_result_is_words(format) && !isnan(number)))
        return NULL;
    if (isnan(number)) return "nan";
    cm_result_number_text(text, size, format, number);
    return text + strspn(text, " "); /* "% .2f" */
}

static bool read_row(cm_reader *reader, const json_t *columns, const json_t *row, size_t number)
{
    size_t n_columns = json_array_size(columns);
    if (!json_is_array(row) || json_array_size(row) != n_columns || n_columns == 0)
        return cm_reader_fail(reader, "rows[%zu]: %zu cells, but there are %zu columns", number,
                              json_array_size(row), n_columns);
    for (size_t i = 0; i < n_columns; i++) {
        char text[CM_JSON_NUMBER];
        const char *format = cm_json_string(json_array_get(columns, i), "format");
        const char *cell = cell_text(json_array_get(row, i), format, text, sizeof text);
        if (!cell)
            return cm_reader_fail(reader, "rows[%zu]: column %s: not a value in format %s", number,
                                  reader->record->column[i], format);
        if (!cm_reader_cell(reader, cell)) return false;
    }
    reader->record->n_rows++;
    return true;
}

static bool read_samples(cm_reader *reader, json_t *samples)
{
    for (size_t k = 0; k < json_array_size(samples); k++) {
        const json_t *entry = json_array_get(samples, k), *row = json_object_get(entry, "row");
        const json_t *values = json_object_get(entry, "values");
        const char *unit = cm_json_string(entry, "unit");
        const cm_record *record = reader->record;
        size_t n = json_array_size(values);
        if (!json_is_integer(row) || json_integer_value(row) < 0 || !unit || !json_is_array(values)
            || (record->n_columns > 0 && (size_t)json_integer_value(row) >= record->n_rows))
            return cm_reader_fail(reader, "samples[%zu]: expected row, unit and values", k);
        double *value = malloc((n > 0 ? n : 1) * sizeof *value);
        if (!value) return cm_reader_fail(reader, "no memory for it");
        for (size_t i = 0; i < n; i++)
            if (!cm_json_number(json_array_get(values, i), &value[i])) {
                free(value);
                return cm_reader_fail(reader, "samples[%zu]: value %zu is not a number", k, i);
            }
        if (!cm_reader_samples(reader, (size_t)json_integer_value(row), unit, value, n))
            return false;
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool read_rows(cm_reader *reader, json_t *root, json_t *rows)
{
    const json_t *columns = json_object_get(root, "columns");
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!read_row(reader, columns, json_array_get(rows, i), i)) return false;
    return true;
}

/* The member, if it is there and of this type. */
static json_t *part_of(cm_reader *reader, json_t *root, const char *key, json_type type)
{
    json_t *part = json_object_get(root, key);
    if (part && json_typeof(part) == type) return part;
    cm_reader_fail(reader, "expected %s \"%s\", as a result has",
                   type == JSON_OBJECT ? "an object" : "an array", key);
    return NULL;
}

static bool read_root(cm_reader *reader, json_t *root)
{
    static const char schema[] = "clustermark-result";
    const char *said = cm_json_string(root, "schema");
    json_int_t version = json_integer_value(json_object_get(root, "schema_version"));
    if (!said || strcmp(said, schema) != 0)
        return cm_reader_fail(reader, "JSON, but no result: \"schema\" is not \"%s\"", schema);
    if (version < 1 || version > SCHEMA_VERSION_MOST)
        return cm_reader_fail(reader,
                              "schema_version is %" JSON_INTEGER_FORMAT "; expected 1 to %d",
                              version, SCHEMA_VERSION_MOST);
    json_t *part;
    return (part = part_of(reader, root, "metadata", JSON_OBJECT)) && read_metadata(reader, part)
           && read_hosts(reader, json_object_get(root, "hosts"))
           && (part = part_of(reader, root, "columns", JSON_ARRAY)) && read_columns(reader, part)
           && (part = part_of(reader, root, "rows", JSON_ARRAY)) && read_rows(reader, root, part)
           && (part = part_of(reader, root, "samples", JSON_ARRAY)) && read_samples(reader, part)
           && (part = part_of(reader, root, "checks", JSON_ARRAY)) && cm_json_checks(reader, part)
           && cm_json_findings(reader, json_object_get(root, "findings"))
           && (part = part_of(reader, root, "comments", JSON_ARRAY))
           && cm_json_comments(reader, part)
           && (part = part_of(reader, root, "results", JSON_ARRAY))
           && cm_json_results(reader, part);
}

/* The rest of the file; NULL after cm_reader_fail. The caller frees. */
static char *rest_of(cm_reader *reader, FILE *file, size_t *bytes)
{
    size_t capacity = 1 << 16, got;
    char *text = malloc(capacity);
    *bytes = 0;
    while (text && (got = fread(text + *bytes, 1, capacity - *bytes, file)) > 0) {
        *bytes += got;
        if (*bytes < capacity) continue;
        char *longer = realloc(text, capacity *= 2);
        if (!longer) free(text);
        text = longer;
    }
    if (text && !ferror(file)) return text;
    cm_reader_fail(reader, "%s", text ? strerror(errno) : "no memory for it");
    free(text);
    return NULL;
}

/* json_loadf would read one byte at a time. */
bool cm_reader_json(cm_reader *reader, FILE *file, size_t lines)
{
    json_error_t error;
    size_t bytes;
    char *text = rest_of(reader, file, &bytes);
    if (!text) return false;
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!root)
        return cm_reader_fail(reader, "line %zu: %s",
                              lines + (size_t)(error.line > 0 ? error.line : 1), error.text);
    bool fine = read_root(reader, root);
    json_decref(root);
    return fine;
}

#else

bool cm_reader_json(cm_reader *reader, FILE *file, size_t lines)
{
    (void)file;
    (void)lines;
    return cm_reader_fail(reader, "JSON, but %s", cm_result_json_missing());
}

#endif
