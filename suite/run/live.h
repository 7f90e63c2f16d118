/* SPDX-License-Identifier: BSD-3-Clause */
/* live.h: the table that a terminal shows during `clustermark run`: a row for each benchmark that
   is run. It is drawn over itself as long as a launch is under way, with as many rows as the
   terminal has room for; nothing of it is left when other lines are written. */
#ifndef SUITE_LIVE_H
#define SUITE_LIVE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    LIVE_WAITS, /* for its first or its next launch */
    LIVE_RUNS,
    LIVE_FAILED, /* no further launch */
} live_state;

typedef struct {
    const char *name;
    double about_s; /* of a launch */
    size_t launches, done;
    live_state state;
    bool wrong;    /* a metric was FAIL */
    double *value; /* of one metric, in each launch so far, sorted */
    size_t n_values;
    char *metric, *unit; /* of them; NULL: there are none yet */
} live_row;

typedef struct {
    live_row *row;
    size_t n;
    bool colour;
    double elapsed_s, seen_s; /* of the running launch; when that was, on the clock */
    int columns, lines;       /* of the terminal as it was drawn on */
    int *length;              /* of each line on the screen, in columns */
    size_t drawn;             /* lines on the screen */
} live_table;

/* Returns true if standard error is a terminal on which lines can be drawn again. */
bool live_possible(void);
void live_open(live_table *table);
void live_add(live_table *table, const char *name, double about_s, size_t launches);
/* NULL: there is no such row. */
live_row *live_find(live_table *table, const char *name);
/* A launch of the row gave the metric this value. */
void live_value(live_row *row, const char *metric, double value, const char *unit);

/* Draws the table if it has changed since: a second passed, or the terminal has another size. */
void live_tick(live_table *table, double elapsed_s);
/* Removes it from the screen. */
void live_erase(live_table *table);
/* Writes all rows, to stay there; nothing without rows. Frees the table. */
void live_close(live_table *table);

#endif
