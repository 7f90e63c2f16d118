/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_further.c: the second family of tests: what a manifest's key further names beside the
   headline, metrics of RESULT lines, a middle size, and the sum over the sizes. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "pages.h"

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

/* Returns true if every launch has as many rows of the size as the first; a launch that was cut
   short, or sizes that follow from what was measured, would else be compared with other sizes. */
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

/* The sizes that all launches have, ascending, and how many only some of them have; the caller
   frees. */
static sized *sizes_of(const both *b, const char *size_name, const char *column_name, size_t *n,
                       size_t *lacking)
{
    sized *sizes = NULL;
    size_t known = 0;
    for (size_t l = 0; l < count(b); l++) {
        const cm_record *record = launch(b, l);
        int s = cm_record_column(record, size_name);
        for (size_t r = 0; s >= 0 && r < record->n_rows; r++) {
            double size;
            size_t k = 0;
            if (!cm_record_number(cm_record_cell(record, r, (size_t)s), &size)) continue;
            while (k < known && sizes[k].size != size) k++;
            if (k < known) continue;
            sizes = suite_longer(sizes, known + 1, sizeof *sizes);
            sizes[known++] = (sized){.size = size};
        }
    }
    *n = 0;
    for (size_t k = 0; k < known; k++)
        if (is_in_all(b, size_name, column_name, sizes[k].size)) sizes[(*n)++] = sizes[k];
    *lacking = known - *n;
    if (*n > 0) qsort(sizes, *n, sizeof *sizes, by_size);
    return sizes;
}

/* Sizes that are left out, once: of the sum over all. */
static void note_lacking_sizes(compare_pair *pair, const both *b, const char *column,
                               size_t lacking)
{
    if (lacking == 0) return;
    char *sizes = suite_counted(lacking, "sizes");
    char *sentence = said_compare_sizes(b->base->name, sizes, column);
    suite_words_add(&pair->notes, sentence);
    free(sentence);
    free(sizes);
}

/* ---- Items ----------------------------------------------------------------------------------- */

static compare_values part(const double *values, size_t n)
{
    compare_values some = compare_values_new(n);
    for (size_t k = 0; k < n; k++) compare_values_add(&some, k, values[k]);
    return some;
}

/* Adds what by_launch says, and takes it and the strings. */
static void add(compare_pair *pair, const both *b, double *by_launch, compare_item item)
{
    item.bench = suite_copy(b->base->name);
    item.by_launch = by_launch;
    item.base = part(by_launch, b->base->n);
    item.new = part(by_launch + b->base->n, b->new->n);
    compare_tell_gaps(&item, b->base, b->new);
    compare_tell_lone(&item, b->base, b->new);
    compare_tell_distances(&item, b->base, b->new);
    compare_items_add(&pair->further, item);
}

/* A metric that a launch lacks is not tested: its launches could not be compared as a whole. It is
   shown with the others, with the launches that lack it. What no launch has was not measured. */
static void note_lacking(compare_pair *pair, const both *b, const char *metric)
{
    compare_values base = compare_values_of(b->base, metric);
    compare_values new = compare_values_of(b->new, metric);
    if (base.n + new.n > 0) {
        char *sentence = said_compare_lacking(b->base->name, metric, pair->base->label, base.n,
                                              base.of, pair->new->label, new.n, new.of);
        suite_words_add(&pair->notes, sentence);
        free(sentence);
    }
    compare_values_free(&base);
    compare_values_free(&new);
}

static void add_metric(comparison *all, compare_pair *pair, const both *b, const char *name)
{
    if (compare_is_constant(b->base, b->new, name)) return;
    double *by_launch = suite_array(count(b), sizeof *by_launch);
    const char *unit = "";
    for (size_t k = 0; k < count(b); k++) {
        const cm_record_metric *metric = cm_record_metric_of(launch(b, k), name);
        if (!metric || !cm_record_number(metric->value, &by_launch[k]) || !isfinite(by_launch[k])) {
            note_lacking(pair, b, name);
            free(by_launch);
            return;
        }
        unit = metric->unit;
    }
    if (compare_other_unit(b->base, b->new, name, unit)) { /* which is noted with the others */
        free(by_launch);
        return;
    }
    add(pair, b, by_launch,
        (compare_item){.metric = suite_copy(name),
                       .unit = suite_copy(unit),
                       .better = compare_metric_better(all, b->base, name)});
}

/* "middle" or "sum", of a column, over sizes. */
static void add_sizes(compare_pair *pair, const both *b, const char *what, const char *column,
                      const char *size_name)
{
    bool middle = strcmp(what, "middle") == 0;
    size_t n, lacking;
    sized *sizes = sizes_of(b, size_name, column, &n, &lacking);
    if (!middle) note_lacking_sizes(pair, b, column, lacking);
    /* With fewer values, the middle is one of the ends, and the sum is the only number. */
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
                                             : said_compare_summed(size_name),
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
