/* SPDX-License-Identifier: BSD-3-Clause */
/* place_table.c: the runs of a place, as a table like that of the benchmarks. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "results/folder.h"
#include "common/memory.h"
#include "place.h"
#include "common/say.h"
#include "virtual_place.h"

static char *copy_or_null(const char *text) { return text ? suite_copy(text) : NULL; }

/* The benchmark's run with the place's ranks and options. */
static suite_run run_of(const suite_run *base, const suite_place_run *own)
{
    suite_run run = {.folder = suite_copy(base->folder),
                     .program = suite_copy(base->program),
                     .variant = copy_or_null(own->further ? own->further : base->variant),
                     .ranks = SUITE_RANKS_NUMBER,
                     .number = own->ranks,
                     .settings = suite_copy(own->settings),
                     .heading = suite_copy(base->heading),
                     .question = suite_copy(base->question),
                     .rows = suite_copy(base->rows),
                     .headline = copy_or_null(base->headline),
                     .base = suite_copy(base->name),
                     .pair = copy_or_null(base->pair),
                     .scale = copy_or_null(base->scale),
                     .group = suite_copy(base->group),
                     .shows = suite_copy(base->shows),
                     .matrix = copy_or_null(base->matrix)};
    suite_words figures = {0};
    run.name =
        own->further ? suite_text("%s-%s", base->name, own->further) : suite_copy(base->name);
    for (size_t f = 0; f < base->n_figures; f++) suite_words_add(&figures, base->figure[f]);
    run.figure = figures.word;
    run.n_figures = figures.n;
    for (int k = 0; k < SUITE_PROFILES; k++) {
        run.options[k] = suite_copy(own->options);
        run.seconds[k] = own->seconds;
    }
    return run;
}

bool suite_place_table(const suite_home *home, const suite_place *place, suite_table *table)
{
    suite_table all;
    bool right = true;
    *table = (suite_table){0};
    if (!suite_table_read(home, &all)) return false;
    for (size_t r = 0; r < place->n_runs && right; r++) {
        const suite_run *base = suite_table_find(&all, place->run[r].base);
        if (base) {
            table->run = suite_longer(table->run, table->n + 1, sizeof table->run[0]);
            table->run[table->n++] = run_of(base, &place->run[r]);
        } else {
            suite_say("clusters/simulated/%s.place: run: '%s': expected a run of the benchmarks",
                      place->name, place->run[r].base);
            right = false;
        }
    }
    suite_table_free(&all);
    if (!right) suite_table_free(table);
    return right;
}

static bool has_file(const char *dir, const char *name, const char *suffix)
{
    char *path = suite_folder_path(dir, name, suffix);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Removes the runs with further shapes of which the folder has nothing: they were not wanted. */
static void forget_shapes(const char *dir, suite_table *table)
{
    suite_table gone = {.run = suite_array(table->n, sizeof *table->run)};
    size_t n = 0;
    for (size_t r = 0; r < table->n; r++) {
        const suite_run *run = &table->run[r];
        bool kept = !run->first || has_file(dir, run->name, "txt")
                    || has_file(dir, run->name, "json") || has_file(dir, run->name, "failed")
                    || has_file(dir, run->name, "skipped");
        if (kept) table->run[n++] = *run;
        else gone.run[gone.n++] = *run;
    }
    table->n = n;
    suite_table_free(&gone);
}

bool suite_table_of_folder(const suite_home *home, const char *dir, suite_table *table,
                           suite_place *place)
{
    suite_place own = {0};
    char *name = suite_folder_metadata(dir, "place");
    bool right = true;
    *table = (suite_table){0};
    if (!name || suite_virtual_is(name)) {
        right = suite_table_read(home, table);
        if (right) forget_shapes(dir, table);
        if (name) own = (suite_place){.name = suite_copy(name), .is_virtual = true};
    } else right = suite_place_read(home, name, &own) == 0 && suite_place_table(home, &own, table);
    free(name);
    if (place) *place = own;
    else suite_place_free(&own);
    return right;
}
