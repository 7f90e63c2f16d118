/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h: the simulated places of `clustermark run --place`. Each has two files in
   clusters/simulated: NAME.xml, SimGrid's platform, and NAME.place, which says what is run there
   and which of a paper's numbers must come out. */
#ifndef SUITE_PLACE_H
#define SUITE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include "papers/answer.h"
#include "common/child.h"
#include "common/home.h"
#include "common/table.h"
#include "common/words.h"

/* A line "run: NAME | RANKS | SECONDS | OPTIONS". NAME is that of a benchmark's run (netpipe), with
   a further name behind a slash for a run of its own (bisection/8). CM_ variables may stand before
   the options. */
typedef struct {
    char *base, *further; /* further: NULL if there is none */
    int ranks;
    double seconds; /* how long it takes, about */
    char *settings, *options;
} suite_place_run;

/* A line "item: OWNER:KEY | fitted, predicted or input | ANSWER". OWNER:KEY is an item of a
   paper. */
typedef struct {
    char *owner, *key;
    bool fitted; /* the platform was fitted to this number */
    bool input;  /* the platform or its constants say so themselves: no prediction */
    suite_answer answer;
} suite_place_item;

typedef struct {
    char *name, *about, *paper;
    bool is_virtual;   /* name is that of virtual hosts; nothing else is set */
    char *beside;      /* the place that beside/ in its items means; NULL: none */
    suite_words hosts; /* of the ranks, in their order */
    suite_place_run *run;
    size_t n_runs;
    suite_place_item *item;
    size_t n_items;
} suite_place;

/* Reads clusters/simulated/NAME.place. Returns 0, or prints one line and returns the exit status: 2
   if there is no such place, 3 if its file is wrong. Free with suite_place_free in any case. */
int suite_place_read(const suite_home *home, const char *name, suite_place *place);
void suite_place_free(suite_place *place);

/* Returns true for a simulated cluster: the time of its computations is not measured, and what a
   record says of its hosts is of the machine that simulated them. */
static inline bool suite_place_simulates(const suite_place *place)
{
    return place->name && !place->is_virtual;
}

/* The place's answer to this item, or NULL. */
const suite_place_item *suite_place_answer(const suite_place *place, const char *owner,
                                           const char *key);

/* All places, for what the report says of items that a run has no answer to. Returns true, or
   prints one line and returns false. Free with suite_places_free in any case. */
typedef struct {
    suite_place *place;
    size_t n;
} suite_places;
bool suite_places_read(const suite_home *home, suite_places *places);
void suite_places_free(suite_places *places);

/* The names of all places, sorted. */
void suite_place_names(const suite_home *home, suite_words *names);

/* The path of NAME.xml. The caller frees. */
char *suite_place_platform(const suite_home *home, const suite_place *place);

/* place_table.c: the runs of the place: those of the table of benchmarks with the place's ranks and
   options in every profile. Returns true, or prints one line and returns false. */
bool suite_place_table(const suite_home *home, const suite_place *place, suite_table *table);
/* The table of the results in dir: of the place that run.txt names, otherwise of all benchmarks.
   Reads that place if place is not NULL; its name is then NULL if there is none. */
bool suite_table_of_folder(const suite_home *home, const char *dir, suite_table *table,
                           suite_place *place);

/* place_tree.c: finds SimGrid, and builds the programs for it in the user's cache, from the sources
   of home. tree is then a home with the same data and these programs. Returns 0, or prints one line
   and returns the exit status. Free tree with suite_home_free. */
int suite_place_build(const suite_home *home, const suite_place *place, suite_children *children,
                      suite_home *tree);

#endif
