/* SPDX-License-Identifier: BSD-3-Clause */
/* page_matrix.c: a result as a table of one column by two others (HACKING, "matrix"): collective
   operations by their algorithms, the fastest marked. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "common/unit.h"
#include "common/words.h"
#include "pages.h"

/* Numbers of columns of the record; -1: not there, or not wanted. */
typedef struct {
    int row, column, parameter, value, low, high, size;
} columns;

typedef struct {
    const char *row;
    char *column; /* "tree 1" */
    double value, low, high, size;
    bool range; /* low and high are no 95 % interval */
} cell;

typedef struct {
    const cm_record *record;
    columns at;
    bool seconds;
    char unit[SUITE_UNIT];
    bool marked;
    cell *cell;
    size_t n;
    suite_words rows, columns;
} matrix;

/* ---- Reading --------------------------------------------------------------------------------- */

static double number_at(const cm_record *record, size_t row, int column)
{
    double value;
    return column >= 0 && cm_record_number(cm_record_cell(record, row, (size_t)column), &value)
               ? value
               : NAN;
}

static int column_of(const cm_record *record, const char *before, const char *name)
{
    char *text = suite_text("%s%s", before, name);
    int column = cm_record_column(record, text);
    free(text);
    return column;
}

/* "low_p99_ratio" of p99_ratio; low_s of median_s, which is the result's main column. */
static int end_of(const cm_record *record, const char *before, const char *name)
{
    int column = column_of(record, before, name);
    return column < 0 && strcmp(name, "median_s") == 0 ? column_of(record, before, "s") : column;
}

static columns find_columns(const cm_record *record, const suite_words *words)
{
    char *column = words->word[1], *parameter = strchr(column, ':');
    if (parameter) *parameter++ = '\0';
    return (columns){.row = cm_record_column(record, words->word[0]),
                     .column = cm_record_column(record, column),
                     .parameter = parameter ? cm_record_column(record, parameter) : -1,
                     .value = cm_record_column(record, words->word[2]),
                     .low = end_of(record, "low_", words->word[2]),
                     .high = end_of(record, "high_", words->word[2]),
                     .size = cm_record_column(record, words->word[3])};
}

static double largest(const cm_record *record, int column)
{
    double most = -INFINITY;
    for (size_t r = 0; r < record->n_rows; r++) most = fmax(most, number_at(record, r, column));
    return most;
}

/* COLUMN=VALUE or COLUMN=max; a result without the column has no such row. */
static bool meets(const cm_record *record, size_t row, const char *condition)
{
    size_t length = strcspn(condition, "=");
    char *name = suite_text("%.*s", (int)length, condition);
    const char *wanted = condition + length + (condition[length] == '=');
    int column = cm_record_column(record, name);
    free(name);
    if (column < 0) return false;
    if (strcmp(wanted, "max") == 0)
        return number_at(record, row, column) == largest(record, column);
    return strcmp(cm_record_cell(record, row, (size_t)column), wanted) == 0;
}

static char *name_of(const matrix *all, size_t row)
{
    const char *name = cm_record_cell(all->record, row, (size_t)all->at.column);
    if (all->at.parameter < 0) return suite_copy(name);
    const char *parameter = cm_record_cell(all->record, row, (size_t)all->at.parameter);
    return strcmp(parameter, "0") == 0 ? suite_copy(name) : suite_text("%s %s", name, parameter);
}

static const cell *find(const matrix *all, const char *row, const char *column, double size)
{
    for (size_t k = 0; k < all->n; k++)
        if (all->cell[k].size == size && strcmp(all->cell[k].row, row) == 0
            && strcmp(all->cell[k].column, column) == 0)
            return &all->cell[k];
    return NULL;
}

static void add_new(suite_words *words, const char *word)
{
    if (!suite_words_have(words, word)) suite_words_add(words, word);
}

/* Adds the first of several sweeps. */
static void add(matrix *all, size_t row)
{
    const columns *at = &all->at;
    double value = number_at(all->record, row, at->value);
    double size = at->size < 0 ? 0 : number_at(all->record, row, at->size);
    cell new = {.row = cm_record_cell(all->record, row, (size_t)at->row),
                .column = name_of(all, row),
                .value = value,
                .low = number_at(all->record, row, at->low),
                .high = number_at(all->record, row, at->high),
                .size = size,
                .range = suite_result_row_is_range(all->record, row)};
    if (!isfinite(value) || !isfinite(size) || find(all, new.row, new.column, size)) {
        free(new.column);
        return;
    }
    add_new(&all->rows, new.row);
    add_new(&all->columns, new.column);
    all->cell = suite_longer(all->cell, all->n + 1, sizeof new);
    all->cell[all->n++] = new;
}

static void read_cells(matrix *all, const suite_words *words)
{
    for (size_t r = 0; r < all->record->n_rows; r++) {
        bool wanted = true;
        for (size_t k = 4; k < words->n && wanted; k++)
            wanted = meets(all->record, r, words->word[k]);
        if (wanted) add(all, r);
    }
}

static void free_matrix(matrix *all)
{
    for (size_t k = 0; k < all->n; k++) free(all->cell[k].column);
    free(all->cell);
    suite_words_free(&all->rows);
    suite_words_free(&all->columns);
}

/* ---- Which is the best ----------------------------------------------------------------------- */

static const cell *best_of(const matrix *all, const char *row, double size)
{
    const cell *best = NULL;
    for (size_t k = 0; k < all->n; k++) {
        const cell *one = &all->cell[k];
        if (one->size == size && strcmp(one->row, row) == 0 && (!best || one->value < best->value))
            best = one;
    }
    return best;
}

/* Returns true if the intervals do not tell which of the two is faster. */
static bool meet(const cell *a, const cell *b) { return a->low <= b->high && b->low <= a->high; }

/* The next larger size of the row; infinite: there is none. */
static double next_size(const matrix *all, const char *row, double size)
{
    double next = INFINITY;
    for (size_t k = 0; k < all->n; k++)
        if (all->cell[k].size > size && strcmp(all->cell[k].row, row) == 0)
            next = fmin(next, all->cell[k].size);
    return next;
}

/* The next size at which another than this one is clearly the fastest. */
static double next_change(const matrix *all, const cell *best)
{
    double size = best->size;
    while (isfinite(size = next_size(all, best->row, size))) {
        const cell *now = best_of(all, best->row, size);
        const cell *before = find(all, best->row, best->column, size);
        if (!before || !meet(now, before)) break;
    }
    return size;
}

/* ---- On the page ----------------------------------------------------------------------------- */

static void print_cell(FILE *out, const matrix *all, const cell *one, const cell *best)
{
    if (!one) {
        piece_matrix_cell_none(out);
        return;
    }
    bool known = isfinite(one->low) && isfinite(one->high);
    bool is_best = all->marked && one == best;
    bool shown = known && (is_best || !all->marked);
    suite_digits digits = suite_digits_of(one->value, one->low, one->high);
    char *text = suite_text("%.6g", one->value);
    piece_matrix_cell(out, is_best, text, known ? digits.low : NULL, digits.high, one->range,
                      digits.value, !is_best && all->marked && best && meet(one, best));
    piece_matrix_cell_end(out, shown ? digits.low : NULL, digits.high, one->range);
    free(text);
}

static void print_sizes(FILE *out, const matrix *all, const char *row)
{
    size_t n = 0;
    double size = next_size(all, row, -INFINITY);
    for (double next = size; isfinite(next); n++) next = next_change(all, best_of(all, row, next));
    piece_tbody_begin(out);
    for (size_t k = 0; k < n; k++) {
        const cell *best = best_of(all, row, size);
        piece_row_begin(out);
        if (k == 0) piece_matrix_group(out, n, row);
        piece_matrix_size(out, n > 1, size, best->column);
        for (size_t c = 0; c < all->columns.n; c++)
            print_cell(out, all, find(all, row, all->columns.word[c], size), best);
        piece_row_end(out);
        size = next_change(all, best);
    }
    piece_tbody_end(out);
}

static void print_plain(FILE *out, const matrix *all, const char *row)
{
    piece_matrix_row(out, row);
    for (size_t c = 0; c < all->columns.n; c++)
        print_cell(out, all, find(all, row, all->columns.word[c], 0), NULL);
    piece_row_end(out);
}

static int by_number(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* All seconds get the same unit, the one in which the middle value is easy to read. */
static void choose_unit(matrix *all)
{
    double *value = suite_array(all->n, sizeof value[0]);
    for (size_t k = 0; k < all->n; k++) value[k] = all->cell[k].value;
    qsort(value, all->n, sizeof value[0], by_number);
    double divisor = suite_unit_easy(value[all->n / 2], "s", NULL, all->unit);
    free(value);
    for (size_t k = 0; k < all->n; k++) {
        all->cell[k].value /= divisor;
        all->cell[k].low /= divisor;
        all->cell[k].high /= divisor;
    }
}

/* "median, µs" of median_s; the caller frees. */
static char *caption_of(const matrix *all, const char *value)
{
    size_t length = strlen(value) - (all->seconds ? strlen("_s") : 0);
    char *name = suite_text("%.*s%s%s", (int)length, value, all->seconds ? ", " : "", all->unit);
    for (char *c = name; *c; c++)
        if (*c == '_') *c = ' ';
    return name;
}

static void print_matrix(FILE *out, const matrix *all, const suite_words *words)
{
    char *caption = caption_of(all, words->word[2]);
    if (all->marked) piece_matrix_explained(out, words->word[1]);
    piece_matrix_begin(out, words->word[0], words->word[1], caption, all->marked);
    free(caption);
    for (size_t c = 0; c < all->columns.n; c++) piece_head_number(out, all->columns.word[c]);
    piece_thead_end(out);
    if (!all->marked) piece_tbody_begin(out);
    for (size_t r = 0; r < all->rows.n; r++)
        if (all->marked) print_sizes(out, all, all->rows.word[r]);
        else print_plain(out, all, all->rows.word[r]);
    if (!all->marked) piece_tbody_end(out);
    piece_wide_end(out);
}

bool page_matrix(suite_page *page, const suite_run *run, const cm_record *record)
{
    suite_words words = {0};
    bool any = false;
    if (!run->matrix) return false;
    if (suite_words_split(&words, run->matrix) && words.n >= 4) {
        char *value = words.word[2], *second = strrchr(value, '_');
        matrix all = {.record = record,
                      .at = find_columns(record, &words),
                      .seconds = second && strcmp(second, "_s") == 0,
                      .marked = strcmp(words.word[3], "-") != 0};
        bool there = all.at.row >= 0 && all.at.column >= 0 && all.at.value >= 0
                     && (all.at.size >= 0 || !all.marked);
        if (there) read_cells(&all, &words);
        any = all.n > 0;
        if (any && all.seconds) choose_unit(&all);
        if (any) print_matrix(page->out, &all, &words);
        free_matrix(&all);
    }
    suite_words_free(&words);
    return any;
}
