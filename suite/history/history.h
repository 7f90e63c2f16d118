/* SPDX-License-Identifier: BSD-3-Clause */
/* history.h: `clustermark history`: what a cluster gave over months, where it changed, and what
   else changed there. */
#ifndef SUITE_HISTORY_H
#define SUITE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "common/home.h"
#include "common/table.h"
#include "fleet/kept.h"
#include "measure/rank_test.h"
#include "measure/steps.h"

/* Of all headlines together, and of all hosts together: how often one of them has a step where
   nothing changed. */
#define HISTORY_LEVEL 0.05

/* With as many results a step in the middle of them can pass the test among some headlines; of
   fewer it is said that they are too few. */
enum { HISTORY_FEW = 12 };

typedef struct {
    size_t at;               /* of the kept results */
    double value, low, high; /* low and high NaN: no interval */
    bool range;              /* low and high are the least and the greatest */
    size_t launches;         /* that the interval is over; 0: it is not over launches */
    bool disturbed;
} history_point;

typedef struct {
    cm_step place;         /* indices of points */
    cm_rank_factor factor; /* value after over value before; NaN: one is not above 0 */
    double pages;          /* on how many such pages without a change chance alone makes one step as
                              clear as this */
    bool worse, better;    /* neither: the metric has no better way */
    bool stays;            /* worse, and the last level still is */
} history_step;

/* A metric over time. Texts are those of the kept results and of the table. */
typedef struct {
    const char *title, *benchmark, *metric, *unit, *better, *meaning;
    size_t hosts, ranks;
    history_point *point;
    size_t n;
    history_step *step;
    size_t n_steps;
    double visible; /* the smallest ratio above 1 of a step halfway that could have been seen; NaN:
                       the values are too few, not all above 0, or all the same */
} history_line;

/* Something of the machine that is not what it was before. */
typedef struct {
    size_t at; /* the first kept result with it */
    const char *what, *before, *now;
} history_change;

typedef struct {
    const char *name;
    size_t number; /* in the order in which results name them */
    size_t results;
    history_line *line;
    size_t n;
    history_change *change; /* those that only some hosts had */
    size_t n_changes;
    size_t stood_out; /* in how many results cm-nodes named it */
} history_host;

typedef struct {
    suite_history kept;
    suite_table table;
    history_line *line;
    size_t n;
    history_host *host; /* those with steps first */
    size_t n_hosts;
    history_change *change;
    size_t n_changes;
    char **left_out; /* "FILE: WHY" */
    size_t n_left_out;
} history;

/* history_gather.c: reads DIR. Results of another cluster than most, and benchmarks of other
   numbers of hosts and ranks than most, are left out and told. Returns 0, or prints one line and
   returns the exit status. Free with history_free in any case. */
int history_read(const suite_home *home, const char *dir, const char *cluster, history *all);
void history_free(history *all);

/* history_changes.c: what changed on the first host, and on each other. */
void history_find_changes(history *all);

/* history_steps.c: finds the steps of all lines; puts hosts with steps first. Returns false if
   memory is short. */
bool history_find_steps(history *all);
/* Is the last level worse than one before it? */
bool history_is_worse(const history_line *line);
bool history_host_is_worse(const history_host *host);
/* Does the host differ from others: by a step, by a change of its own, or named by cm-nodes? */
bool history_host_is_odd(const history_host *host);
/* What could have been seen in n lines: the smallest ratio in half of the *of lines of which it is
   known, and the line of these in which it is the largest, *most; NULL: there is none. */
double history_visible(const history_line *const *line, size_t n, const history_line **most,
                       size_t *of);
/* How many steps the headlines have, and all hosts. */
void history_count_steps(const history *all, size_t *of_lines, size_t *of_hosts);

/* history_figure.c: a line with its intervals, levels, steps and changes; link[k] is where the
   report of kept result k is, NULL: nowhere. And the same of a host in the height of a line. */
void history_figure(FILE *out, const history *all, const history_line *line, char *const *link);
void history_spark(FILE *out, const history *all, const history_line *line);
/* The median of a line's points from .. end - 1. */
double history_median(const history_line *line, size_t from, size_t end);
/* "2026-11-28"; static memory, for one use. */
const char *history_day(time_t time);

/* history_links.c: for each kept result the path of its report from the page, NULL: there is none.
   reports: the folder with the results' folders; NULL: they are beside DIR, or in it. The caller
   frees the texts and the array. */
char **history_links(const history *all, const char *dir, const char *reports, const char *page);

/* history_page.c: the page as one text, with links to reports as history_links has them; page:
   where it will be. The caller frees; NULL: the style was not found, which one line says. */
char *history_page(const suite_home *home, const history *all, const char *dir, const char *reports,
                   const char *page);

#endif
