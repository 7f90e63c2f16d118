/* SPDX-License-Identifier: BSD-3-Clause */
/* page_result.c: a result: its checks and remarks, fits, winners, metadata and rows. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/memory.h"
#include "common/unit.h"
#include "page.h"
#include "pages.h"

static bool begins_with_one(const char *text, const char *const *beginning)
{
    while (*beginning && strncmp(text, *beginning, strlen(*beginning)) != 0) beginning++;
    return *beginning;
}

static void print_checks(FILE *out, const cm_record *record)
{
    static const char *const drawn[] = {"box: ", "histogram: ", NULL}; /* a figure shows them */
    if (record->n_checks + record->n_findings + record->n_comments == 0) return;
    piece_checks_begin(out, cm_record_meta(record, "launch_of_comments"));
    for (size_t k = 0; k < record->n_checks; k++)
        piece_check(out, record->check[k].pass, record->check[k].text);
    for (size_t k = 0; k < record->n_findings; k += cm_record_findings_said(record, k)) {
        char *said = suite_there(cm_record_finding_said(&record->finding[k]));
        piece_item(out, said);
        free(said);
    }
    for (size_t k = 0; k < record->n_comments; k++)
        if (!begins_with_one(record->comment[k], drawn)) piece_item(out, record->comment[k]);
    piece_list_end(out);
}

static bool is_error(const char *key)
{
    static const char end[] = "_error";
    size_t length = strlen(key), end_length = strlen(end);
    return length >= end_length && strcmp(key + length - end_length, end) == 0;
}

static void print_fits(FILE *out, const cm_record *record)
{
    if (record->n_fits == 0) return;
    piece_fits_begin(out);
    for (size_t k = 0; k < record->n_fits; k++) {
        const cm_record_fit *fit = &record->fit[k];
        if (is_error(fit->key)) continue;
        char *error = suite_text("%s_error", fit->key);
        const char *error_value = cm_record_fit_value(record, fit->model, error);
        piece_fit(out, fit->model, fit->key);
        page_number(out, fit->value);
        piece_fit_error(out);
        page_number(out, error_value ? error_value : "");
        piece_fit_end(out);
        free(error);
    }
    piece_table_end(out);
}

/* A number stands at its cell's right side, with few digits unless it is whole. */
static void print_cell(FILE *out, const char *text)
{
    double value;
    const bool number = cm_record_number(text, &value);
    const bool few = number && value != floor(value);
    piece_cell(out, few ? suite_digits_of(value, NAN, NAN).value : text, number);
}

/* Each word of a line by print. */
static void print_words(FILE *out, const char *line, void (*print)(FILE *, const char *))
{
    char *copy = suite_copy(line), *rest = copy;
    for (char *word; (word = strsep(&rest, " \t"));)
        if (*word) print(out, word);
    free(copy);
}

/* Lines of words, the first of them the heads. */
static void print_fastest(FILE *out, const cm_record *record)
{
    if (record->n_fastest == 0) return;
    piece_fastest_begin(out);
    print_words(out, record->fastest[0], piece_column);
    piece_head_end(out);
    for (size_t k = 1; k < record->n_fastest; k++) {
        piece_row_begin(out);
        print_words(out, record->fastest[k], print_cell);
        piece_row_end(out);
    }
    piece_table_end(out);
}

void page_result_answers(suite_page *page, const char *name, const cm_record *record)
{
    if (record->n_checks + record->n_findings + record->n_comments + record->n_fits
            + record->n_fastest
        == 0)
        return;
    piece_answers_begin(page->out, name, record->n_fits > 0, record->n_fastest > 0);
    print_checks(page->out, record);
    print_fits(page->out, record);
    print_fastest(page->out, record);
    piece_part_end(page->out);
}

static void print_files(const suite_page *page, const char *name, bool first)
{
    char *json = suite_folder_path(page->dir, name, "json");
    char *below = suite_text("%s%s", page->below, name);
    piece_rows_files(page->out, first, below, access(json, F_OK) == 0);
    free(below);
    free(json);
}

/* The rows of very long results stay in their files, so that the page can be opened. */
static void print_rows(suite_page *page, const char *name, const cm_record *record)
{
    enum { ROWS_MOST = 1000 };
    FILE *out = page->out;
    const size_t rows = record->n_rows < ROWS_MOST ? record->n_rows : ROWS_MOST;
    const bool first = rows < record->n_rows;
    piece_rows_begin(out, name, first, rows, record->n_rows);
    if (!page->alone) print_files(page, name, first);
    piece_rows_head(out);
    for (size_t c = 0; c < record->n_columns; c++) piece_column(out, record->column[c]);
    piece_head_end(out);
    for (size_t r = 0; r < rows; r++) {
        piece_row_begin(out);
        for (size_t c = 0; c < record->n_columns; c++)
            piece_cell(out, cm_record_cell(record, r, c), false);
        piece_row_end(out);
    }
    piece_part_of_tables_end(out);
}

void page_result_rows(suite_page *page, const char *name, const cm_record *record)
{
    piece_how_begin(page->out, name);
    page_metadata(page, record, false, SAID_MEASURED_KEYS);
    piece_part_end(page->out);
    if (record->n_rows > 0) print_rows(page, name, record);
}
