/* SPDX-License-Identifier: BSD-3-Clause */
/* tile.h: what the report's first screen says: a sentence, tiles and warnings.

   A tile shows one quantity (tile_kind.h): its value, what the hardware can do at most
   (tile_bound.c), and a light. The light's rule is the same for all computers (tile_light.c); of a
   latency the bound is the least, and the shares are those of the bound over the value:

       good   the whole interval of the value reaches 3/4 of that bound
       look   all of it reaches 1/2, and none of it 3/4
       slow   none of it reaches 1/2, or cm-nodes names a host, or a pair of hosts, that is not
              like the others in this quantity, or got slower in it in a burn-in
       none   the interval spans one of these limits; the value was disturbed; the machine was
              busy (tile_busy.c); no bound is known and no hosts were compared; or the numbers
              are no measure of this machine */
#ifndef SUITE_TILE_H
#define SUITE_TILE_H

#include <stdbool.h>
#include "results/folder.h"
#include "places/place.h"
#include "results/results.h"
#include "reference.h"
#include "tile_kind.h"
#include "common/table.h"

/* Shares of the bound from which a value is good, and below which it is slow. */
#define SUITE_SHARE_GOOD 0.75
#define SUITE_SHARE_SLOW 0.5

typedef enum { SUITE_LIGHT_NONE, SUITE_LIGHT_GOOD, SUITE_LIGHT_LOOK, SUITE_LIGHT_SLOW } suite_light;

struct suite_tile {
    const suite_tile_kind *kind;
    char *what;                     /* what was measured, in one line */
    char *name;                     /* of the result: "stream" */
    const cm_record *record;        /* NULL: not measured, and missing says why */
    const cm_record_metric *metric; /* likewise */
    double value, low, high;        /* in the kind's unit; low and high may be NaN */
    double bound;                   /* in the same unit; NaN: not known */
    char *bound_is;                 /* "2 cores x 2 FMA units of 512 bits at 4.07 GHz" */
    char *bound_from;               /* who says so */
    bool bound_given;               /* a line of references.tab does */
    char *missing;
    suite_light light;
    char *why; /* of the light */
};

/* The contents of the first screen. */
struct suite_measured {
    const suite_table *table;
    const suite_entry *entry;           /* [table->n] */
    const suite_place *place;           /* its name is NULL: none */
    const char *comm;                   /* the backend, if no result says it; NULL: not known */
    const suite_references *references; /* that may give bounds; NULL: none */
};

/* tiles.c: makes all tiles, [suite_tile_n_kinds], one of each kind. Free with suite_tiles_free. */
suite_tile *suite_tiles_make(const suite_measured *measured);
void suite_tiles_free(suite_tile *tile);

/* tile_link.c: the rate of the network between the hosts of the result, in Mbit/s, what it is
   ("10 Gbit/s Ethernet"; the caller frees), and who says so (from may be NULL). Returns NaN, with
   NULL, if it is not known. */
double suite_link_Mbit_per_s(const cm_record *record, char **is, const char **from);

/* tile_bound.c: sets the bound: that of references.tab, or else the hardware's own. */
void suite_tile_bound(suite_tile *tile, const suite_measured *measured);
/* The value as a share of the bound, or of a latency the bound as a share of the value. */
double suite_tile_share(const suite_tile *tile, double value);
/* Returns true if the value is so far beyond the bound that the bound is wrong. */
bool suite_tile_beyond(const suite_tile *tile);
/* "Bound: 51.2 GB/s (...). Good would be 38.4 GB/s or more, slow less than 25.6 GB/s"; the caller
   frees. NULL: there is no bound. */
char *suite_tile_bound_words(const suite_tile *tile);
/* The line of references.tab that gives a bound where there is none, or a wrong one, with the words
   VALUE and SOURCE to fill in; the caller frees. NULL: none would count. */
char *suite_tile_bound_line(const suite_tile *tile, const suite_measured *measured);

/* tile_light.c: sets light and why. */
void suite_tile_light(suite_tile *tile, const suite_measured *measured);

/* tile_busy.c: what says that the machine was busy; the caller frees. NULL: nothing does. */
char *suite_busy_words(const suite_measured *measured);

/* tile_odd.c: the findings of cm-nodes. */
typedef struct {
    const suite_tile_kind *kind;  /* that it judges; NULL: none (clocks) */
    char *who;                    /* "n17" or "n17-n18" */
    double ratio;                 /* to the others; NaN: not told */
    bool burn_in;                 /* the ratio is to what it was itself before */
    double lost;                  /* share of TCP segments that were sent again; NaN: not that */
    const char *what;             /* "memory"; NULL: lost packets */
    size_t launches, of_launches; /* in how many of how many; 0: the result is of one */
} suite_odd;
typedef struct {
    suite_odd *odd;
    size_t n;
    bool compared; /* there were enough hosts, and rounds, to name one */
    size_t hosts;
} suite_odds;
suite_odds suite_odds_find(const suite_measured *measured);
void suite_odds_free(suite_odds *odds);

/* tile_sentence.c; the caller frees. */
char *suite_first_sentence(const suite_measured *measured, const suite_tile *tile);

/* tile_words.c: a number with three significant digits and no exponent. */
char *suite_three_digits(double value);

/* Returns true if these numbers are no measure of this machine: simulated, or the dummy backend's.
   */
bool suite_is_simulated(const suite_measured *measured);
bool suite_is_dummy(const suite_measured *measured);
/* The record of the run of this name; NULL: there is no complete one. */
const cm_record *suite_measured_record(const suite_measured *measured, const char *name);
/* Returns the metadata as a number, or `otherwise` if there is none. */
double suite_meta_number(const cm_record *record, const char *key, double otherwise);

/* tile_export.c: writes what the results have of the quantities as lines of references.tab.
   Returns their number; 0: there is nothing to compare with (no result, a simulated cluster, the
   dummy backend). */
size_t suite_tiles_write(FILE *out, const suite_measured *measured);

#endif
