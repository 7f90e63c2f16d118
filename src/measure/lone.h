/* SPDX-License-Identifier: BSD-3-Clause */
/* lone.h: finds single launches, at most one in ten, that are far away from all others. */
#ifndef CM_LONE_H
#define CM_LONE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A lone value is at least this many times greater, or smaller, than its neighbour. A state of the
   machine may also be seen in only one launch, but states are not that far apart (2.4 times was
   seen). */
#define CM_LONE_FACTOR 4

typedef struct {
    size_t n;       /* number of lone values, too few to be a state; 0: none */
    bool high;      /* the lone values are the greatest; otherwise the smallest */
    double nearest; /* the lone value nearest to the others; all values at least as far away are
                       lone */
    double times;   /* median of the lone values over that of the others */
} cm_lone;

/* Looks for lone values among n positive values in any order. Lone values are fewer than
   cm_states_few_find needs for a state, CM_LONE_FACTOR times as far out as their neighbour, and
   further from the others' median than the greatest of as many lognormal values. If the others have
   two states, this applies within the states. False alarms: at most 0.5 % of samples that have one
   state of any spread, or two states that are less than CM_LONE_FACTOR apart, in streaks of any
   length. Always found: among 12 launches, one that took 20 times as long while the others scatter
   by 9 %; among 6, the same while the others scatter by 3 %. No lone values are found among fewer
   than CM_OUTLIERS_FEWEST values, or if any value is not finite or not above 0. Returns false if
   memory is short. */
bool cm_lone_find(size_t n, const double *value, cm_lone *lone);

#ifdef __cplusplus
}
#endif
#endif
