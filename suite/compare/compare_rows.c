/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_rows.c: joins rows by the columns that say what a row is about: size, algorithm, number
   of ranks. suite/benchmarks.tab names them for each program. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "pages.h"

/* All programs lay out their rows alike: settings, then n, the number of samples, then what was
   measured. A few settings stand behind it. cm-hint's first column is an n of another kind, its
   number of subintervals, and is a setting. */
static bool is_setting_by_layout(const cm_record *record, int column)
{
    static const char *const behind[] = {"ranks", "sweep", "type", "kernel"};
    int n = cm_record_column(record, "n");
    if (n < 0) return false;
    if (column < n || (n == 0 && column == 0)) return true;
    for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
        if (strcmp(record->column[column], behind[k]) == 0) return true;
    return false;
}

/* A result of a program that the table does not have, or without the columns that it names, is read
   by the layout. What stands before n without being named there may vary from launch to launch. */
static bool is_setting(const cm_record *record, const suite_words *key, int column)
{
    for (size_t k = 0; k < key->n; k++)
        if (cm_record_column(record, key->word[k]) >= 0)
            return suite_words_have(key, record->column[column]);
    return is_setting_by_layout(record, column);
}

/* A column that tells nothing: the only sweep. */
static bool is_idle(const cm_record *record, int column)
{
    const char *sweeps = cm_record_meta(record, "sweeps");
    return sweeps && strcmp(sweeps, "1") == 0 && strcmp(record->column[column], "sweep") == 0;
}

/* Returns how well a column represents its row: the median of the samples is best, then values that
   follow from the smallest sample, then a rate; 0: not at all. */
static int worth(const cm_record *record, const suite_words *key, int column)
{
    const char *name = record->column[column];
    if (is_setting(record, key, column) || is_setting_by_layout(record, column)) return 0;
    if (strncmp(name, "median_", 7) == 0) return 3;
    if (column > 0 && strncmp(record->column[column - 1], "min_", 4) == 0) return 2;
    return compare_column_better(name) == COMPARE_HIGH ? 1 : 0;
}

/* The best column with a number in this row, the first of equals; -1: none. */
static int column_of(const cm_record *record, const suite_words *key, size_t row, double *value)
{
    int best = -1, best_worth = 0;
    for (int c = 0; c < (int)record->n_columns; c++) {
        double number;
        int is_worth = worth(record, key, c);
        if (is_worth <= best_worth
            || !cm_record_number(cm_record_cell(record, row, (size_t)c), &number))
            continue;
        best = c;
        best_worth = is_worth;
        *value = number;
    }
    return best;
}

/* "size_bytes=8 transfer=word"; the caller frees. */
static char *setting_of(const cm_record *record, const suite_words *key, size_t row)
{
    char *text = suite_copy("");
    for (int c = 0; c < (int)record->n_columns; c++) {
        if (!is_setting(record, key, c) || is_idle(record, c)) continue;
        char *longer = suite_text("%s%s%s=%s", text, *text ? " " : "", record->column[c],
                                  cm_record_cell(record, row, (size_t)c));
        free(text);
        text = longer;
    }
    return text;
}

/* A value, where it belongs, and its place in the launch, which tells rows with the same setting
   apart. */
typedef struct {
    char *setting;
    const char *column;
    size_t launch, row, repeated;
    double value;
} cell;
typedef struct {
    cell *cell;
    size_t n;
} cells;

static int by_place(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    int order = strcmp(x->setting, y->setting);
    if (!order) order = strcmp(x->column, y->column);
    if (!order) order = (x->launch > y->launch) - (x->launch < y->launch);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_key(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    int order = strcmp(x->setting, y->setting);
    if (!order) order = strcmp(x->column, y->column);
    return order ? order : (x->repeated > y->repeated) - (x->repeated < y->repeated);
}

/* All cells of all launches, those of one key beside each other. */
static cells cells_of(const compare_bench *bench, const suite_words *key)
{
    cells all = {0};
    size_t rows = 0;
    for (size_t k = 0; k < bench->n; k++) rows += bench->launch[k].n_rows;
    all.cell = suite_array(rows, sizeof *all.cell);
    for (size_t k = 0; k < bench->n; k++) {
        const cm_record *record = &bench->launch[k];
        for (size_t row = 0; row < record->n_rows; row++) {
            cell one = {.launch = k, .row = row};
            int column = column_of(record, key, row, &one.value);
            if (column < 0) continue;
            one.column = record->column[column];
            one.setting = setting_of(record, key, row);
            all.cell[all.n++] = one;
        }
    }
    qsort(all.cell, all.n, sizeof *all.cell, by_place);
    for (size_t k = 1; k < all.n; k++) {
        cell *one = &all.cell[k], *before = one - 1;
        bool again = one->launch == before->launch && strcmp(one->setting, before->setting) == 0
                     && strcmp(one->column, before->column) == 0;
        one->repeated = again ? before->repeated + 1 : 0;
    }
    qsort(all.cell, all.n, sizeof *all.cell, by_key);
    return all;
}

static void free_cells(cells *all)
{
    for (size_t k = 0; k < all->n; k++) free(all->cell[k].setting);
    free(all->cell);
}

/* Returns the number of cells from here on that have the same key. */
static size_t group(const cells *all, size_t from)
{
    size_t n = 1;
    while (from + n < all->n && by_key(&all->cell[from], &all->cell[from + n]) == 0) n++;
    return n;
}

static compare_values values_of(const compare_bench *bench, const cell *first, size_t n)
{
    compare_values values = compare_values_new(bench->n);
    for (size_t k = 0; k < n; k++) compare_values_add(&values, first[k].launch, first[k].value);
    return values;
}

static void add(compare_pair *pair, const compare_bench *const of[2], const cell *base,
                size_t n_base, const cell *new, size_t n_new)
{
    char *setting = base->repeated > 0 ? said_compare_row_of(base->setting, base->repeated + 1)
                                       : suite_copy(base->setting);
    compare_item item = {.bench = suite_copy(of[0]->name),
                         .metric = suite_copy(base->column),
                         .setting = setting,
                         .better = compare_column_better(base->column),
                         .base = values_of(of[0], base, n_base),
                         .new = values_of(of[1], new, n_new)};
    compare_tell_gaps(&item, of[0], of[1]);
    compare_tell_distances(&item, of[0], of[1]);
    compare_items_add(&pair->rows, item);
}

/* Rows that cannot be compared. */
static void note_only(compare_pair *pair, const char *bench, const size_t only[2])
{
    const compare_side *side[] = {pair->base, pair->new};
    for (int k = 0; k < 2; k++) {
        if (only[k] == 0) continue;
        char *rows = suite_counted(only[k], "rows");
        char *sentence = said_compare_rows_only(bench, rows, side[k]->label);
        suite_words_add(&pair->notes, sentence);
        free(sentence);
        free(rows);
    }
}

void compare_join_rows(const comparison *all, compare_pair *pair, const compare_bench *base,
                       const compare_bench *new)
{
    const suite_run *run = suite_table_find(&all->table, base->name);
    const compare_bench *const of[] = {base, new};
    size_t only[2] = {0};
    suite_words key = {0};
    if (run) suite_words_split(&key, run->rows);
    cells a = cells_of(base, &key), b = cells_of(new, &key);
    for (size_t i = 0, j = 0; i < a.n || j < b.n;) {
        size_t n_a = i < a.n ? group(&a, i) : 0, n_b = j < b.n ? group(&b, j) : 0;
        int order = n_a && n_b ? by_key(&a.cell[i], &b.cell[j]) : n_a ? -1 : 1;
        if (order == 0) add(pair, of, &a.cell[i], n_a, &b.cell[j], n_b);
        else only[order > 0]++;
        if (order <= 0) i += n_a;
        if (order >= 0) j += n_b;
    }
    note_only(pair, base->name, only);
    free_cells(&a);
    free_cells(&b);
    suite_words_free(&key);
}
