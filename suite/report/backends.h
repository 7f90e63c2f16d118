/* SPDX-License-Identifier: BSD-3-Clause */
/* backends.h: the results of `clustermark run --backend` side by side: what is shown of them, and
   the figures. */
#ifndef SUITE_REPORT_BACKENDS_H
#define SUITE_REPORT_BACKENDS_H

#include "common/child.h"
#include "compare/compare.h"
#include "common/words.h"

/* What programs gave over each backend: a tested metric, or a row at one of the manifest's points.
 */
typedef struct {
    const suite_run *run;
    char *name;                /* "Latency", "allreduce, 8 B" */
    const compare_item **item; /* of each backend but the first; NULL: it is not in both */
} suite_backends_row;

typedef struct {
    const comparison *all; /* side[0] is the first backend */
    const suite_words *names;
    suite_backends_row *row; /* in the order of the table */
    size_t n;
    suite_words shared; /* runs that are left out, because ranks shared cores */
    suite_words lost;   /* "netpipe over sockets": it has a result over other backends only */
} suite_backends;

/* backends_rows.c: chooses and judges the rows of network, collectives and programs. Runs programs
   that say what their metrics mean. Free with suite_backends_free. */
suite_backends suite_backends_choose(comparison *all, const suite_words *names);
void suite_backends_free(suite_backends *backends);

/* The same file: how many times as fast the new side is as the base, with the ends of the interval;
   of what is neither better high nor low the ratio. */
typedef struct {
    double times, low, high; /* NaN: there is none */
    bool is_range;           /* low and high are no 95 % interval */
    bool told;               /* the difference was told from chance and matters */
} suite_backends_gain;
suite_backends_gain suite_backends_gain_of(const compare_item *item);
/* The same beside the words of the verdict: of what is slower, how many times as slow it is. */
suite_backends_gain suite_backends_amount_of(const compare_item *item);

/* backends_draw.c: draws DIR/backends.svg of all rows, and DIR/NAME-backends.svg of each run whose
   folder has figures/backends.gp; DIR is the first backend's folder, the others are beside it.
   Returns false if one could not be drawn or if children were interrupted. */
bool suite_backends_draw(suite_children *children, const suite_backends *backends, const char *dir);

#endif
