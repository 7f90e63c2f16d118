/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c: what is looked up in a record, and its end. */
#include <config.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/read_internal.h"

bool cm_record_complete(const cm_record *record) { return record->n_metrics > 0; }

bool cm_record_failed(const cm_record *record)
{
    for (size_t i = 0; i < record->n_metrics; i++)
        if (!record->metric[i].pass) return true;
    return false;
}

bool cm_record_wrong(const cm_record *record)
{
    for (size_t i = 0; i < record->n_checks; i++)
        if (!record->check[i].pass) return true;
    for (size_t i = 0; i < record->n_metrics; i++)
        if (!record->metric[i].pass && strcmp(record->metric[i].name, CM_FINDINGS_METRIC) != 0)
            return true;
    return false;
}

const cm_record_finding *cm_record_finding_of(const cm_record *record, const char *what, size_t k)
{
    for (size_t i = 0; i < record->n_findings; i++)
        if (strcmp(record->finding[i].what, what) == 0 && k-- == 0) return &record->finding[i];
    return NULL;
}

size_t cm_record_findings_said(const cm_record *record, size_t at)
{
    size_t n = 1;
    while (at + n < record->n_findings && !*record->finding[at + n].words) n++;
    return n;
}

const char *cm_record_meta(const cm_record *record, const char *key)
{
    for (size_t i = 0; i < record->n_meta; i++)
        if (strcmp(record->meta[i].key, key) == 0) return record->meta[i].value;
    return NULL;
}

int cm_record_column(const cm_record *record, const char *name)
{
    for (size_t i = 0; i < record->n_columns && i < INT_MAX; i++)
        if (strcmp(record->column[i], name) == 0) return (int)i;
    return -1;
}

const char *cm_record_cell(const cm_record *record, size_t row, size_t column)
{
    return record->cell[row * record->n_columns + column];
}

const char *cm_record_fit_value(const cm_record *record, const char *model, const char *key)
{
    for (size_t i = 0; i < record->n_fits; i++)
        if (strcmp(record->fit[i].model, model) == 0 && strcmp(record->fit[i].key, key) == 0)
            return record->fit[i].value;
    return NULL;
}

const cm_record_metric *cm_record_metric_of(const cm_record *record, const char *name)
{
    for (size_t i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metric[i].name, name) == 0) return &record->metric[i];
    return NULL;
}

/* strtod would also take hexadecimal numbers, "infinity" and blanks before. */
static bool is_decimal(const char *text)
{
    static const char digits[] = "0123456789";
    text += *text == '+' || *text == '-';
    size_t whole = strspn(text, digits), fraction = 0;
    text += whole;
    if (*text == '.') {
        fraction = strspn(++text, digits);
        text += fraction;
    }
    if (whole + fraction == 0) return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        size_t exponent = strspn(text, digits);
        if (exponent == 0) return false;
        text += exponent;
    }
    return !*text;
}

bool cm_record_number(const char *text, double *value)
{
    if (!is_decimal(text)) return false;
    locale_t numbers = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (numbers == (locale_t)0) return false;
    locale_t user = uselocale(numbers);
    double number = strtod(text, NULL);
    uselocale(user);
    freelocale(numbers);
    if (!isfinite(number)) return false;
    *value = number;
    return true;
}

/* ---- The end --------------------------------------------------------------------------------- */

static void free_strings(char **list, size_t n)
{
    for (size_t i = 0; i < n; i++) free(list[i]);
    free(list);
}

void cm_record_free(cm_record *record)
{
    for (size_t i = 0; i < record->n_meta; i++)
        free(record->meta[i].key), free(record->meta[i].value);
    for (size_t i = 0; i < record->n_hosts; i++) {
        cm_record_host *host = &record->host[i];
        for (size_t k = 0; k < host->n_differs; k++)
            free(host->differs[k].key), free(host->differs[k].value);
        free(host->name), free(host->differs);
    }
    for (size_t i = 0; i < record->n_checks; i++)
        free(record->check[i].text), free(record->check[i].name), free(record->check[i].relation);
    for (size_t i = 0; i < record->n_fits; i++)
        free(record->fit[i].model), free(record->fit[i].key), free(record->fit[i].value);
    for (size_t i = 0; i < record->n_metrics; i++) {
        cm_record_metric *metric = &record->metric[i];
        free(metric->name), free(metric->value), free(metric->unit);
        free(metric->interval), free(metric->over), free(metric->better);
    }
    for (size_t i = 0; i < record->n_findings; i++) cm_finding_free(&record->finding[i]);
    for (size_t i = 0; i < record->n_samples; i++)
        free(record->samples[i].unit), free(record->samples[i].value), free(record->samples[i].of),
            free(record->samples[i].cause);
    free(record->meta);
    free(record->host);
    free(record->check);
    free(record->fit);
    free(record->metric);
    free(record->finding);
    free(record->samples);
    free_strings(record->cell, record->n_rows * record->n_columns);
    free_strings(record->column, record->n_columns);
    if (record->format) free_strings(record->format, record->n_columns);
    free_strings(record->fastest, record->n_fastest);
    free_strings(record->comment, record->n_comments);
    *record = (cm_record){0};
}

/* A row that is not whole belongs to nobody else. */
void cm_reader_free(cm_reader *reader)
{
    cm_record *record = reader->record;
    for (size_t i = record->n_rows * record->n_columns; i < reader->n_cells; i++)
        free(record->cell[i]);
    cm_record_free(record);
}
