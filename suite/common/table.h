/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h: suite/benchmarks.tab, a line for each run that `clustermark run` knows; suite/manifests
   writes it from the benchmarks' manifests. */
#ifndef SUITE_TABLE_H
#define SUITE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include "home.h"

typedef enum { SUITE_QUICK, SUITE_STANDARD, SUITE_FULL, SUITE_PROFILES } suite_profile;
extern const char *const suite_profile_names[]; /* NULL-terminated */

/* Where the ranks of a run are: one on a core; two, on two hosts if there are several; two on each
   host; one on each core of one host; one on each host; one on each core of each host. If there is
   one host, the last three are the same. */
typedef enum {
    SUITE_SHAPE_CORE,
    SUITE_SHAPE_PAIR,
    SUITE_SHAPE_PAIRS,
    SUITE_SHAPE_NODE,
    SUITE_SHAPE_HOSTS,
    SUITE_SHAPE_WHOLE,
    SUITE_SHAPES
} suite_shape;

typedef enum { SUITE_RANKS_NUMBER, SUITE_RANKS_ALL, SUITE_RANKS_EVEN } suite_ranks;

/* A number that stands as %NAME in the options and grows with the number of ranks. */
typedef struct {
    char *name;                    /* "order" */
    double of_two[SUITE_PROFILES]; /* for two ranks */
    double root;                   /* of ranks it grows with the 3rd root */
    double bytes, power;           /* bytes * number^power of memory are needed */
} suite_size;

typedef struct {
    char *folder;  /* "network/patterns" */
    char *program; /* "cm-patterns" */
    char *variant; /* "ping" of the run cm-patterns/ping; NULL: the run without a name */
    char *name;    /* of its result: "patterns-ping" */
    char *base;    /* name, without what a place adds: "heat" of heat-16 */
    suite_ranks ranks;
    int number;     /* of SUITE_RANKS_NUMBER */
    int least;      /* fewest ranks with which it is run; 0: any number */
    bool processes; /* the dummy backend cannot play its ranks */
    bool rails;     /* only with --rails */
    suite_shape shape;
    char *first;                   /* name of the same run with the first shape; NULL: this is it */
    char *options[SUITE_PROFILES]; /* NULL: not in that profile */
    suite_size size;               /* that the options name; its name is NULL: none */
    char *settings;                /* of a place: CM_ variables, as words; NULL: none */
    double seconds[SUITE_PROFILES]; /* how long a run takes on two cores, about */
    char **figure;                  /* names of figures/NAME.gp */
    size_t n_figures;
    char *heading, *question;
    char *rows;     /* the columns that say what a row is about, with blanks between them */
    char *curves;   /* what compare draws of several results (curves.gp); NULL: nothing */
    char *points;   /* values of curves' X, whose rows a report of several backends shows; NULL */
    char *pair;     /* figures/NAME.gp that is drawn of two results; NULL: none */
    char *scale;    /* the column with the number of ranks, for figures/scale.gp; NULL: none */
    char *group;    /* the part of the report it is in: node, network, collectives, programs; "" */
    char *shows;    /* two sentences for the report: what a reader sees of its numbers; may be "" */
    char *matrix;   /* ROW COLUMN VALUE SIZE, columns of a table in the report (page_matrix.c), and
                       conditions COLUMN=VALUE; NULL: none */
    char *headline; /* the metric of its RESULT lines that compare tests; NULL: none */
    char *further;  /* what compare tests in a second family, with blanks between (HACKING,
                       "Manifests"); NULL: nothing */
} suite_run;

typedef struct {
    suite_run *run;
    size_t n;
} suite_table;

/* Reads the table, whose lines are KEY=VALUE|KEY=VALUE...: the keys of a manifest (HACKING), and
   folder. Returns true, or prints one line and returns false: a key is unknown, is there twice or
   is missing, or its value is wrong (which names file and line), or the file cannot be read. */
bool suite_table_read(const suite_home *home, suite_table *table);
void suite_table_free(suite_table *table);

/* table_shapes.c: gives the last run of the table the first of the shapes of a list ("whole,node"),
   and adds a run for each further one. Returns false if there is no such shape. */
bool suite_table_add_shapes(suite_table *table, const char *shapes);

/* The run whose result has this name, or NULL. */
const suite_run *suite_table_find(const suite_table *table, const char *name);
/* Returns the title of the run of this name, such as "cm-patterns ping", or the name itself if the
   table does not have it. The caller frees it. */
char *suite_table_title(const suite_table *table, const char *name);

/* The gnuplot script of a figure: of the run's own folder, or ../common/figures. The caller
   frees. */
char *suite_figure_script(const suite_home *home, const suite_run *run, const char *figure);

#endif
