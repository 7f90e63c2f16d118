/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_further.c: the second family of tests: what a manifest's key further names beside the
   headline, metrics of RESULT lines, a middle size, and the sum over the sizes. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"

/* The launches of both sides in one row: those of the base, then those of new. */
typedef struct {
    const compare_bench *base, *new;
} both;

static size_t count(const both *b) { return b->base->n + b->new->n; }

static const cm_record *launch(const both *b, size_t k)
{
    return k < b->base->n ? &b->base->launch[k] : &b->new->launch[k - b->base->n];
}

/* ---- Values of rows -------------------------------------------------------------------------- */

typedef struct {
    double size, value; /* value: the sum of the rows of this size */
    size_t rows;
} sized;

static int by_size(const void *a, const void *b)
{
    double x = ((const sized *)a)->size, y = ((const sized *)b)->size;
    return (x > y) - (x < y);
}

/* The rows of one size of a launch, those with a number in the column. */
static sized of_size(const cm_record *record, int size_column, int column, double size)
{
    sized one = {.size = size};
    for (size_t r = 0; r < record->n_rows; r++) {
        double value, is_of;
        if (!cm_record_number(cm_record_cell(record, r, (size_t)size_column), &is_of)
            || is_of != size
            || !cm_record_number(cm_record_cell(record, r, (size_t)column), &value))
            continue;
        one.value += value;
        one.rows++;
    }
    return one;
}

/* True if every launch has as many rows of the size as the first; a launch that was cut short, or
   sizes that follow from what was measured, would else be compared with other sizes. */
static bool is_in_all(const both *b, const char *size_name, const char *column_name, double size)
{
    size_t rows = 0;
    for (size_t k = 0; k < count(b); k++) {
        const cm_record *record = launch(b, k);
        int s = cm_record_column(record, size_name), c = cm_record_column(record, column_name);
        if (s < 0 || c < 0) return false;
        sized one = of_size(record, s, c, size);
        if (k == 0) rows = one.rows;
        if (one.rows == 0 || one.rows != rows) return false;
    }
    return true;
}

/* The sizes that all launches have, ascending; the caller frees. */
static sized *sizes_of(const both *b, const char *size_name, const char *column_name, size_t *n)
{
    const cm_record *first = launch(b, 0);
    int s = cm_record_column(first, size_name);
    sized *sizes = suite_array(first->n_rows, sizeof *sizes);
    *n = 0;
    for (size_t r = 0; s >= 0 && r < first->n_rows; r++) {
        double size;
        bool known = false;
        if (!cm_record_number(cm_record_cell(first, r, (size_t)s), &size)) continue;
        for (size_t k = 0; k < *n; k++) known |= sizes[k].size == size;
        if (!known && is_in_all(b, size_name, column_name, size))
            sizes[(*n)++] = (sized){.size = size};
    }
    if (*n > 0) qsort(sizes, *n, sizeof *sizes, by_size);
    return sizes;
}

/* ---- Items ----------------------------------------------------------------------------------- */

static compare_values part(const double *values, size_t n)
{
    compare_values some = {.value = suite_array(n, sizeof(double)), .n = n};
    memcpy(some.value, values, n * sizeof *values);
    compare_values_finish(&some);
    return some;
}

/* Adds what by_launch says, and takes it and the strings. */
static void add(compare_pair *pair, const both *b, double *by_launch, compare_item item)
{
    item.bench = suite_copy(b->base->name);
    item.by_launch = by_launch;
    item.base = part(by_launch, b->base->n);
    item.new = part(by_launch + b->base->n, b->new->n);
    compare_items_add(&pair->further, item);
}

/* A metric that a launch lacks is not tested: its launches could not be compared as a whole. */
static void add_metric(comparison *all, compare_pair *pair, const both *b, const char *metric)
{
    double *by_launch = suite_array(count(b), sizeof *by_launch);
    const char *unit = "";
    for (size_t k = 0; k < count(b); k++) {
        const cm_record_verdict *verdict = cm_record_verdict_of(launch(b, k), metric);
        if (!verdict || !cm_record_number(verdict->value, &by_launch[k])
            || !isfinite(by_launch[k])) {
            free(by_launch);
            return;
        }
        unit = verdict->unit;
    }
    add(pair, b, by_launch,
        (compare_item){.metric = suite_copy(metric),
                       .unit = suite_copy(unit),
                       .better = compare_metric_better(all, b->base, metric)});
}

/* "middle" or "sum", of a column, over sizes. */
static void add_sizes(compare_pair *pair, const both *b, const char *what, const char *column,
                      const char *size_name)
{
    bool middle = strcmp(what, "middle") == 0;
    size_t n;
    sized *sizes = sizes_of(b, size_name, column, &n);
    /* Of fewer, the middle is an end, and the sum is the only one. */
    if (n >= (middle ? 3 : 2)) {
        double *by_launch = suite_array(count(b), sizeof *by_launch);
        size_t from = middle ? (n - 1) / 2 : 0, end = middle ? from + 1 : n;
        for (size_t k = 0; k < count(b); k++) {
            const cm_record *record = launch(b, k);
            for (size_t i = from; i < end; i++)
                by_launch[k] += of_size(record, cm_record_column(record, size_name),
                                        cm_record_column(record, column), sizes[i].size)
                                    .value;
        }
        add(pair, b, by_launch,
            (compare_item){.metric = suite_copy(column),
                           .setting = middle ? suite_text("%s=%g", size_name, sizes[from].size)
                                             : suite_text("summed over %s", size_name),
                           .better = compare_column_better(column)});
    }
    free(sizes);
}

void compare_further_join(comparison *all, compare_pair *pair, const compare_bench *base,
                          const compare_bench *new)
{
    const suite_run *run = suite_table_find(&all->table, base->name);
    const both b = {base, new};
    suite_words words = {0};
    if (!run || !run->further) return;
    suite_words_split(&words, run->further);
    for (size_t k = 0; k < words.n; k++) {
        char *word = words.word[k], *column = strchr(word, ':');
        char *size = column ? strchr(column + 1, ':') : NULL;
        if (!size) {
            add_metric(all, pair, &b, word);
            continue;
        }
        *column = *size = '\0';
        add_sizes(pair, &b, word, column + 1, size + 1);
    }
    suite_words_free(&words);
}
