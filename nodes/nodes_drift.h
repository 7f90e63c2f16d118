/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_drift.h: which host got slower while a burn-in lasted. */
#ifndef NODES_DRIFT_H
#define NODES_DRIFT_H

#include <stdbool.h>
#include "nodes.h"

enum {
    NODES_RATES = NODES_CLOCK, /* the kinds that are rates */
    NODES_PARTS = 48,          /* of a burn-in, at most */
    NODES_FEWEST_PARTS = 12    /* with fewer parts no host can be named */
};

typedef struct {
    int host, kind;
    int part;     /* the first slower one; of a steady fall 0 */
    bool steady;  /* a straight line fits better than a step */
    double ratio; /* of the rate: after the step to before it, or of the line's end to its begin */
    double z;     /* the fall in deviations */
} nodes_fall;

typedef struct {
    double limit;              /* deviations that count */
    double bound[NODES_RATES]; /* a host that fell in the middle, and below this ratio, would have
                                  been named, of any host; NaN: no host was judged */
    double all[NODES_RATES];   /* of the median host, the last quarter to the first one; NaN */
    nodes_fall *fall;
    int falls;
} nodes_drift;

/* Returns the limit, in deviations. If no host falls, the probability that any host falls by more
   in any kind is false_alarms / 2. INFINITY: no host can be named with this few parts. */
double nodes_drift_limit(int hosts, int parts, double false_alarms);

/* Judges each host by its own rates: rate[kind][host * parts + part], NaN: none. Among 4 hosts or
   more what all have in common is taken out, part by part. Returns false if memory is short.

   A host's series is split where the medians of the logarithms, before and after, differ most. The
   difference is divided by its deviation: that of a median, of the scaled median absolute deviation
   beside the step, or beside a line if that fits better (the host's own or the median host's,
   whichever is larger), times the square root of (1 + r) / (1 - r), where r is the correlation of
   neighbours: noise comes in streaks. A host is named beyond the limit, if four fifths of the parts
   after the step are nearer to their median than to that before. */
bool nodes_drift_find(int hosts, int parts, double *const rate[NODES_RATES], double limit,
                      nodes_drift *drift);
void nodes_drift_free(nodes_drift *drift);

#endif
