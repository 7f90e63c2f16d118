/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: the rows of a result and their samples. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

/* Copies samples for the JSON. of: what they are, or NULL. */
static void add_raw(cm_result *result, size_t row, const char *of, const char *unit,
                    const cm_samples *samples)
{
    const size_t n = samples->n;
    cm_record *record = &result->record;
    double *value = malloc((n > 0 ? n : 1) * sizeof *value);
    if (value && n > 0) memcpy(value, samples->value, n * sizeof *value);
    if (!value || !cm_reader_samples(&result->fill, row, unit ? unit : "1", value, n)) {
        result->out_of_memory = true;
        return;
    }
    cm_record_samples *own = &record->samples[record->n_samples - 1];
    own->of = of ? cm_result_copy(result, of) : NULL;
    if (samples->disturbed == 0) return;
    own->cause = malloc(n);
    if (own->cause) memcpy(own->cause, samples->cause, n);
    else result->out_of_memory = true;
}

double cm_result_cell_value(const cm_result_layout *column, const void *row)
{
    const void *at = (const char *)row + column->offset;
    switch (column->cell) {
    case CM_CELL_BOOL:
        return *(const bool *)at;
    case CM_CELL_INT:
        return *(const int *)at;
    case CM_CELL_UNSIGNED:
        return *(const unsigned *)at;
    case CM_CELL_LONG:
        return (double)*(const long *)at;
    case CM_CELL_UNSIGNED_LONG:
        return (double)*(const unsigned long *)at;
    case CM_CELL_LONG_LONG:
        return (double)*(const long long *)at;
    case CM_CELL_UNSIGNED_LONG_LONG:
        return (double)*(const unsigned long long *)at;
    default:
        return *(const double *)at;
    }
}

/* The header, if row is NULL. */
static void print_cells(cm_result *result, const void *row)
{
    const cm_record *record = &result->record;
    for (size_t i = 0; i < record->n_columns; i++) {
        const cm_result_layout *column = &result->column[i];
        char text[512]; /* "%.40f" of 1e308 has 351 places */
        if (row)
            cm_result_number_text(text, sizeof text, record->format[i],
                                  cm_result_cell_value(column, row));
        cm_text_cell(result->out, i > 0 ? "  " : "", column->width, row ? text : record->column[i]);
    }
    fputc('\n', result->out);
    cm_result_print(result);
}

void cm_result_print_header(cm_result *result)
{
    if (result->header_printed || result->record.n_columns == 0) return;
    result->header_printed = true;
    print_cells(result, NULL);
}

/* For the JSON. */
static bool keep_row(cm_result *result, const void *row)
{
    cm_record *record = &result->record;
    for (size_t i = 0; i < record->n_columns; i++) {
        const char *format = record->format[i];
        const double value = cm_result_cell_value(&result->column[i], row);
        char text[64];
        if (cm_result_is_words(format)) cm_result_word(format, value, text);
        else cm_result_exact_text(text, sizeof text, value, strcmp(format, "%.0f") == 0);
        if (!cm_reader_cell(&result->fill, text)) return false;
    }
    record->n_rows += record->n_columns > 0;
    return true;
}

void cm_result_row(cm_result *result, const void *row, const cm_samples *samples, const char *unit)
{
    locale_t user = uselocale(result->numbers);
    size_t number = result->n_rows++;
    cm_result_print_header(result);
    if (result->record.n_columns > 0) print_cells(result, row);
    if (samples) {
        cm_result_find_states(result, number, samples, unit);
        cm_result_count_disturbed(result, samples);
    }
    if (result->json.path && !keep_row(result, row)) result->out_of_memory = true;
    if (result->json.path && samples) add_raw(result, number, NULL, unit, samples);
    uselocale(user);
}

void cm_result_row_samples(cm_result *result, const char *of, const char *unit, size_t n,
                           const double *value)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    if (!result->json.path || result->n_rows == 0) return;
    bool enough = cm_samples_reserve(&samples, n);
    for (size_t k = 0; enough && k < n; k++) enough = cm_samples_add(&samples, value[k]);
    if (enough) add_raw(result, result->n_rows - 1, of, unit, &samples);
    else result->out_of_memory = true;
    cm_samples_free(&samples);
}
