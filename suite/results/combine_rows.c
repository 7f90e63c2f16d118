/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_rows.c: rows over launches. A row of one launch is that row of another which has the same
   cells in the columns that say what it is about; the second with these cells is the other's
   second. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "launches.h"
#include "common/index.h"
#include "common/memory.h"
#include "over.h"
#include "result/result_internal.h" /* formats of cells */
#include "common/words.h"

typedef struct {
    const suite_launches *launches;
    const cm_record *middle;
    suite_words key;
    suite_index *keys; /* [n] of each launch's rows */
    size_t *row;       /* [n] the row in each launch; NONE: it has none */
} rows;

static const size_t NONE = (size_t)-1;

/* ---- Which rows belong together -------------------------------------------------------------- */

/* What the row is about, one cell a line; a column that is not there is no cell. */
static char *key_of(const rows *r, const cm_record *record, size_t row)
{
    size_t length;
    char *text = NULL;
    FILE *out = suite_there(open_memstream(&text, &length));
    for (size_t k = 0; k < r->key.n; k++) {
        const int c = cm_record_column(record, r->key.word[k]);
        if (c >= 0) fprintf(out, "%zu %s\n", k, cm_record_cell(record, row, (size_t)c));
    }
    if (fclose(out) != 0) suite_there(NULL);
    return text;
}

/* The keys of all rows, each with how many there were before; the caller frees with
   suite_index_free. As no two are equal, the number of a key is that of its row. */
static suite_index keys_of(const rows *r, const cm_record *record)
{
    suite_index keys = {0}, seen = {0};
    size_t *times = suite_array(record->n_rows, sizeof *times);
    for (size_t row = 0; row < record->n_rows; row++) {
        char *key = key_of(r, record, row);
        char *numbered = suite_text("%s%zu", key, times[suite_index_add(&seen, key)]++);
        suite_index_add(&keys, numbered);
        free(numbered);
        free(key);
    }
    free(times);
    suite_index_free(&seen);
    return keys;
}

static size_t find_row(const rows *r, size_t launch, size_t row)
{
    const suite_index *keys = &r->keys[launch];
    const size_t found = suite_index_find(keys, r->keys[r->launches->middle].text[row]);
    return found < keys->n ? found : NONE;
}

/* ---- What a column becomes ------------------------------------------------------------------- */

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* The cell of a launch, NULL if it has no such row or column. */
static const char *cell_of(const rows *r, size_t launch, const char *column)
{
    const cm_record *record = &r->launches->record[launch];
    int c = cm_record_column(record, column);
    if (c < 0 || r->row[launch] == NONE) return NULL;
    return cm_record_cell(record, r->row[launch], (size_t)c);
}

/* Adds the launches' numbers in the column to values, which begins empty. */
static void collect(const rows *r, const char *column, cm_samples *values)
{
    *values = (cm_samples)CM_SAMPLES_EMPTY;
    for (size_t k = 0; k < r->launches->n; k++) {
        const char *cell = cell_of(r, k, column);
        if (cell) suite_over_add(values, cell);
    }
}

static cm_summary summary_of(const rows *r, const char *column)
{
    cm_samples values;
    collect(r, column, &values);
    cm_summary summary = suite_over_summary(&values);
    cm_samples_free(&values);
    return summary;
}

/* The column whose interval low_... and high_... are: the one in front of low_.... */
static const char *value_column(const rows *r, const char *name)
{
    const char *unit = strchr(name, '_');
    char *low = suite_text("low%s", unit ? unit : "");
    int c = cm_record_column(r->middle, low);
    free(low);
    return c > 0 ? r->middle->column[c - 1] : NULL;
}

/* The first low_... of the result, whose spread within a launch is kept; -1: there is none. */
static int first_low(const cm_record *record)
{
    for (size_t c = 1; c < record->n_columns; c++)
        if (begins(record->column[c], "low_")) return (int)c;
    return -1;
}

/* Returns the number of launches that have a number in the column whose interval the row has or,
   without an interval, that have the row. */
static size_t launches_with(const rows *r)
{
    size_t n = 0;
    int low = first_low(r->middle);
    if (low > 0) return summary_of(r, r->middle->column[low - 1]).n;
    for (size_t k = 0; k < r->launches->n; k++) n += r->row[k] != NONE;
    return n;
}

/* The word that most launches have, the middle launch's among equals. */
static char *most_frequent(const rows *r, const char *column, const char *own)
{
    const char *best = own;
    size_t most = 0;
    for (size_t k = 0; k < r->launches->n; k++) {
        size_t n = 0;
        const char *word = cell_of(r, k, column), *other;
        for (size_t j = 0; word && j < r->launches->n; j++)
            n += (other = cell_of(r, j, column)) && strcmp(word, other) == 0;
        if (n > most || (n == most && word && strcmp(word, own) == 0)) {
            most = n;
            best = word;
        }
    }
    return suite_copy(best);
}

/* Returns which samples the numbers describe. A row is disturbed if one of its launches is;
   disturbed samples that others replaced do no harm. */
static const char *summarized(const rows *r)
{
    bool replaced = false;
    for (size_t k = 0; k < r->launches->n; k++) {
        const char *cell = cell_of(r, k, "disturbed"), *of = cell_of(r, k, "summarized");
        double n;
        if (!cell || !of || !cm_record_number(cell, &n) || n <= 0) continue;
        if (strcmp(of, "all") == 0) return "all";
        replaced = true;
    }
    return replaced ? "undisturbed" : "all";
}

static char *combine_cell(const rows *r, const char *name, const char *own)
{
    double number;
    const char *value =
        begins(name, "low_") || begins(name, "high_") ? value_column(r, name) : NULL;
    if (suite_words_have(&r->key, name)) return suite_copy(own);
    if (strcmp(name, "n") == 0) return suite_text("%zu", launches_with(r));
    if (strcmp(name, "interval") == 0)
        return suite_copy(launches_with(r) < CM_INTERVAL_LEAST ? "range" : "95%");
    if (strcmp(name, "summarized") == 0) return suite_copy(summarized(r));
    if (!cm_record_number(own, &number) && strcmp(own, "nan") != 0)
        return most_frequent(r, name, own);
    if (value) {
        cm_summary over = summary_of(r, value);
        return suite_over_cell(begins(name, "low_") ? over.low : over.high, own);
    }
    cm_summary over = summary_of(r, name);
    if (begins(name, "min_")) return suite_over_cell(over.min, own);
    if (begins(name, "max_")) return suite_over_cell(over.max, own);
    if (strcmp(name, "disturbed") == 0)
        return suite_text("%.0f", over.n ? over.mean * (double)over.n : 0);
    if (begins(name, "deviation_")) {
        char *median = suite_text("median%s", name + strlen("deviation"));
        if (cm_record_column(r->middle, median) >= 0) over.median = summary_of(r, median).deviation;
        free(median);
    }
    return suite_over_cell(over.median, own);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void add_columns(const cm_record *middle, int low, cm_record *combined)
{
    size_t n = middle->n_columns;
    combined->column = suite_array(n + 2, sizeof *combined->column);
    combined->format = suite_array(n + 2, sizeof *combined->format);
    for (size_t c = 0; c < n; c++) {
        combined->column[c] = suite_copy(middle->column[c]);
        if (middle->format && middle->format[c])
            combined->format[c] = suite_copy(middle->format[c]);
    }
    if (low >= 0) {
        const char *unit = middle->column[low] + strlen("low"), *format = combined->format[low];
        if (format) combined->format[n] = suite_copy(format);
        combined->column[n++] = suite_text("within_low%s", unit);
        if (format) combined->format[n] = suite_copy(format);
        combined->column[n++] = suite_text("within_high%s", unit);
    }
    combined->n_columns = n;
}

/* ---- Formats --------------------------------------------------------------------------------- */

/* Returns true if all numbers of the column keep their digits in this format. */
static bool keeps(const cm_record *record, size_t column, const char *format)
{
    for (size_t r = 0; r < record->n_rows; r++) {
        char text[512];
        double own, again;
        if (!cm_record_number(cm_record_cell(record, r, column), &own)) continue;
        cm_result_number_text(text, sizeof text, format, own);
        if (!cm_record_number(text + strspn(text, " "), &again)
            || fabs(again - own) > 1e-13 * fabs(own))
            return false;
    }
    return true;
}

/* Medians may have more digits than the values of which they are: the column gets a format that has
   them, so that the result is the same when it is read again. */
static void widen(cm_record *record, size_t column)
{
    char **format = &record->format[column];
    if (!*format || cm_result_is_words(*format) || keeps(record, column, *format)) return;
    for (int digits = 5; digits <= 17; digits++) {
        free(*format);
        *format = suite_text("%%.%dg", digits);
        if (keeps(record, column, *format)) break;
    }
}

static void write_cells(cm_record *record, size_t column)
{
    const char *format = record->format[column];
    if (!format || cm_result_is_words(format)) return;
    for (size_t r = 0; r < record->n_rows; r++) {
        char text[512], **cell = &record->cell[r * record->n_columns + column];
        double number;
        if (!cm_record_number(*cell, &number)) continue;
        cm_result_number_text(text, sizeof text, format, number);
        free(*cell);
        *cell = suite_copy(text + strspn(text, " "));
    }
}

void suite_combine_rows(const suite_launches *launches, const char *names, cm_record *combined)
{
    const cm_record *middle = &launches->record[launches->middle];
    rows r = {.launches = launches,
              .middle = middle,
              .keys = suite_array(launches->n, sizeof *r.keys),
              .row = suite_array(launches->n, sizeof *r.row)};
    int low = first_low(middle);
    suite_words_split(&r.key, names);
    for (size_t k = 0; k < launches->n; k++) r.keys[k] = keys_of(&r, &launches->record[k]);
    add_columns(middle, low, combined);
    combined->cell = suite_array(middle->n_rows * combined->n_columns, sizeof *combined->cell);
    char **to = combined->cell;
    for (size_t i = 0; i < middle->n_rows; i++) {
        for (size_t k = 0; k < launches->n; k++) r.row[k] = find_row(&r, k, i);
        for (size_t c = 0; c < middle->n_columns; c++)
            *to++ = combine_cell(&r, middle->column[c], cm_record_cell(middle, i, c));
        if (low < 0) continue;
        char *high = suite_text("high%s", middle->column[low] + strlen("low"));
        const char *own = cm_record_cell(middle, i, (size_t)low);
        *to++ = suite_over_cell(summary_of(&r, middle->column[low]).median, own);
        *to++ = suite_over_cell(summary_of(&r, high).median, own);
        free(high);
    }
    combined->n_rows = middle->n_rows;
    for (size_t c = 0; c < combined->n_columns; c++) {
        widen(combined, c);
        write_cells(combined, c);
    }
    for (size_t k = 0; k < launches->n; k++) suite_index_free(&r.keys[k]);
    suite_words_free(&r.key);
    free(r.keys);
    free(r.row);
}
