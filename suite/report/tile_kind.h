/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_kind.h: the tiles of the report's first screen. Everything that is specific to one tile is
   in its entry of the table in tile_kind.c. The page, the lights, the sentence, the references and
   their export have no lists of their own. */
#ifndef SUITE_TILE_KIND_H
#define SUITE_TILE_KIND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct suite_tile suite_tile;
typedef struct suite_measured suite_measured;

enum { SUITE_TILE_FINDINGS = 5 };

typedef struct {
    /* Name and value. The value is that of a metric of a result, in the tile's unit. */
    const char *key;     /* "memory", on the page and in references.tab */
    const char *title;   /* "Memory" */
    const char *unit;    /* "MB/s" */
    bool less_is_better; /* otherwise more is */
    bool network;        /* of the network between two hosts; inside one it is no reference */
    const char *result, *metric;
    const char *(*choose)(const suite_measured *measured); /* the result; NULL: the one above */
    double scale;                                          /* from the metric's unit */
    bool per_rank; /* the value is over the number of ranks, which must be two or more */

    /* A description of what was measured, for a result of one host or of several; NULL: as for one.
       */
    const char *one_host, *several_hosts;
    char *(*describe)(const suite_tile *tile); /* instead of both; the caller frees */

    /* The upper bound that the hardware sets. */
    void (*bound)(suite_tile *tile); /* sets bound and bound_is if known; NULL: it never is */
    bool bounds_models;              /* it is that of a simulated cluster, too */
    const char *bound_label;         /* of the bar: "its memory channels" */

    /* Quantities of cm-nodes' findings that judge it, and what the sentence calls each; NULL: its
       value is the share of TCP segments that were sent again. None: the comparison of hosts says
       nothing about this tile. */
    struct {
        const char *quantity, *what;
    } finding[SUITE_TILE_FINDINGS];

    /* In the sentence: SUBJECT "at 61 % of" PEAK. NULL: it is not there. */
    const char *subject, *peak;
} suite_tile_kind;

extern const suite_tile_kind suite_tile_kinds[];
extern const size_t suite_tile_n_kinds;

#endif
