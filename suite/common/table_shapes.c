/* SPDX-License-Identifier: BSD-3-Clause */
/* table_shapes.c: the shapes of the table's runs, and a run of its own for each further shape. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "memory.h"
#include "table.h"
#include "words.h"

static const char *const names[SUITE_SHAPES] = {"core", "pair", "pairs", "node", "hosts", "whole"};

static bool find_shape(const char *name, suite_shape *shape)
{
    for (*shape = 0; *shape < SUITE_SHAPES; ++*shape)
        if (strcmp(names[*shape], name) == 0) return true;
    return false;
}

static char *copy_or_null(const char *text) { return text ? suite_copy(text) : NULL; }

/* The run with another shape. It has no headline: the first shape answers the question. */
static suite_run run_with(const suite_run *first, suite_shape shape)
{
    const char *word = names[shape];
    suite_words figures = {0};
    suite_run run = *first;
    run.shape = shape;
    run.first = suite_copy(first->name);
    run.folder = suite_copy(first->folder);
    run.program = suite_copy(first->program);
    run.variant = first->variant ? suite_text("%s, %s", first->variant, word) : suite_copy(word);
    run.name = suite_text("%s-%s", first->name, word);
    run.base = suite_copy(first->base);
    for (int k = 0; k < SUITE_PROFILES; k++) run.options[k] = copy_or_null(first->options[k]);
    for (size_t f = 0; f < first->n_figures; f++) suite_words_add(&figures, first->figure[f]);
    run.figure = figures.word;
    run.heading = suite_text("%s (%s)", first->heading, word);
    run.question = suite_copy(first->question);
    run.rows = suite_copy(first->rows);
    run.curves = copy_or_null(first->curves);
    run.pair = copy_or_null(first->pair);
    run.scale = copy_or_null(first->scale);
    run.group = suite_copy(first->group);
    run.shows = suite_copy(first->shows);
    run.matrix = copy_or_null(first->matrix);
    run.size.name = copy_or_null(first->size.name);
    run.headline = run.further = run.points = NULL;
    return run;
}

bool suite_table_add_shapes(suite_table *table, const char *text)
{
    suite_words words = {0};
    suite_shape shape;
    bool right = true;
    suite_words_list(&words, text);
    for (size_t k = 0; k < words.n && (right = find_shape(words.word[k], &shape)); k++) {
        if (k == 0) {
            table->run[table->n - 1].shape = shape;
            continue;
        }
        table->run = suite_longer(table->run, table->n + 1, sizeof *table->run);
        table->run[table->n] = run_with(&table->run[table->n - k], shape);
        table->n++;
    }
    suite_words_free(&words);
    return right;
}
