/* SPDX-License-Identifier: BSD-3-Clause */
/* read_fill.c: adds to the lists of a record. */
#include <config.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "result/read_internal.h"
#include "result/result_internal.h"

bool cm_reader_fail(cm_reader *reader, const char *format, ...)
{
    va_list list;
    if (reader->why_size == 0) return false;
    int length = snprintf(reader->why, reader->why_size, "%s: ", reader->path);
    if (length >= 0 && (size_t)length < reader->why_size) {
        va_start(list, format);
        vsnprintf(reader->why + length, reader->why_size - (size_t)length, format, list);
        va_end(list);
    }
    cm_result_clean(reader->why);
    return false;
}

static bool no_memory(cm_reader *reader) { return cm_reader_fail(reader, "no memory for it"); }

/* Makes room for element n of a list. Its capacity is not kept: it is n, rounded up to a power of
   2, so that only an n that is one finds the list full. */
static bool grow(cm_reader *reader, void **list, size_t n, size_t element)
{
    if ((n & (n - 1)) != 0) return true;
    size_t more = n > 0 ? 2 * n : 1;
    void *larger = n <= SIZE_MAX / 2 / element ? realloc(*list, more * element) : NULL;
    if (!larger) return no_memory(reader);
    *list = larger;
    return true;
}

static char *copy_part(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    cm_result_clean(copy);
    return copy;
}

static char *copy(const char *text) { return copy_part(text, strlen(text)); }

static bool add_string(cm_reader *reader, char ***list, size_t *n, const char *text)
{
    if (!grow(reader, (void **)list, *n, sizeof **list)) return false;
    char *own = copy(text);
    if (!own) return no_memory(reader);
    (*list)[(*n)++] = own;
    return true;
}

static bool add_entry(cm_reader *reader, cm_record_entry **list, size_t *n, const char *key,
                      const char *value, bool number)
{
    if (!grow(reader, (void **)list, *n, sizeof **list)) return false;
    cm_record_entry entry = {copy(key), copy(value), number};
    (*list)[(*n)++] = entry;
    return (entry.key && entry.value) || no_memory(reader);
}

static bool copy_optional(const char *text, char **own)
{
    *own = text ? copy(text) : NULL;
    return !text || *own;
}

bool cm_reader_meta(cm_reader *reader, const char *key, const char *value, bool number)
{
    return add_entry(reader, &reader->record->meta, &reader->record->n_meta, key, value, number);
}

bool cm_reader_host(cm_reader *reader, const char *name, size_t ranks)
{
    cm_record *record = reader->record;
    if (!grow(reader, (void **)&record->host, record->n_hosts, sizeof *record->host)) return false;
    cm_record_host host = {.name = copy(name), .ranks = ranks};
    record->host[record->n_hosts++] = host;
    return host.name || no_memory(reader);
}

bool cm_reader_differs(cm_reader *reader, size_t host, const char *key, const char *value,
                       bool number)
{
    cm_record_host *at = &reader->record->host[host];
    return add_entry(reader, &at->differs, &at->n_differs, key, value, number);
}

bool cm_reader_column(cm_reader *reader, const char *name, const char *format)
{
    cm_record *record = reader->record;
    if (!grow(reader, (void **)&record->format, record->n_columns, sizeof *record->format))
        return false;
    char *own;
    if (!copy_optional(format, &own)) return no_memory(reader);
    record->format[record->n_columns] = own;
    if (add_string(reader, &record->column, &record->n_columns, name)) return true;
    free(own);
    return false;
}

bool cm_reader_cell(cm_reader *reader, const char *text)
{
    return add_string(reader, &reader->record->cell, &reader->n_cells, text);
}

bool cm_reader_check(cm_reader *reader, const cm_record_check *check)
{
    cm_record *record = reader->record;
    if (!grow(reader, (void **)&record->check, record->n_checks, sizeof *record->check))
        return false;
    cm_record_check *own = &record->check[record->n_checks++];
    *own = *check;
    bool fine = copy_optional(check->text, &own->text);
    fine &= copy_optional(check->name, &own->name);
    fine &= copy_optional(check->relation, &own->relation);
    return fine || no_memory(reader);
}

bool cm_reader_parameter(cm_reader *reader, const char *model, size_t model_length,
                         const char *word, size_t length)
{
    cm_record *record = reader->record;
    const char *equals = memchr(word, '=', length);
    if (!equals || equals == word) return true;
    if (!grow(reader, (void **)&record->fit, record->n_fits, sizeof *record->fit)) return false;
    size_t key_length = (size_t)(equals - word);
    cm_record_fit fit = {copy_part(model, model_length), copy_part(word, key_length),
                         copy_part(equals + 1, length - key_length - 1)};
    record->fit[record->n_fits++] = fit;
    return (fit.model && fit.key && fit.value) || no_memory(reader);
}

bool cm_reader_plain(cm_reader *reader, const char *text)
{
    return add_string(reader, &reader->record->comment, &reader->record->n_comments, text);
}

bool cm_reader_fastest(cm_reader *reader, const char *text)
{
    return add_string(reader, &reader->record->fastest, &reader->record->n_fastest, text);
}

bool cm_reader_finding(cm_reader *reader, const cm_record_finding *finding)
{
    cm_record *record = reader->record;
    return grow(reader, (void **)&record->finding, record->n_findings, sizeof *record->finding)
           && (cm_finding_copy(finding, &record->finding[record->n_findings++])
               || no_memory(reader));
}

bool cm_reader_metric(cm_reader *reader, const cm_record_metric *metric)
{
    cm_record *record = reader->record;
    if (!grow(reader, (void **)&record->metric, record->n_metrics, sizeof *record->metric))
        return false;
    cm_record_metric *own = &record->metric[record->n_metrics++];
    *own = *metric;
    bool fine = copy_optional(metric->name, &own->name);
    fine &= copy_optional(metric->value, &own->value);
    fine &= copy_optional(metric->unit, &own->unit);
    fine &= copy_optional(metric->interval, &own->interval);
    fine &= copy_optional(metric->over, &own->over);
    fine &= copy_optional(metric->better, &own->better);
    return fine || no_memory(reader);
}

bool cm_reader_samples(cm_reader *reader, size_t row, const char *unit, double *value, size_t n)
{
    cm_record *record = reader->record;
    if (!grow(reader, (void **)&record->samples, record->n_samples, sizeof *record->samples)) {
        free(value);
        return false;
    }
    cm_record_samples samples = {.row = row, .n = n, .unit = copy(unit), .value = value};
    record->samples[record->n_samples++] = samples;
    return samples.unit || no_memory(reader);
}
