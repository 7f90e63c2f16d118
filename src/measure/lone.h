/* SPDX-License-Identifier: BSD-3-Clause */
/* lone.h: does a launch, or one in ten, stand far away from all others? */
#ifndef CM_LONE_H
#define CM_LONE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many times its neighbour a lone value is, or how small a part of it, at least. A state of the
   machine may be seen in one launch only, too; states are not that far apart (2.4 times was
   seen). */
#define CM_LONE_FACTOR 4

typedef struct {
    size_t n;       /* lone values, fewer than make a state; 0: none */
    bool high;      /* they are the greatest ones, else the smallest */
    double nearest; /* the nearest to the others: as far away, or further, is lone */
    double times;   /* their median over that of the others */
} cm_lone;

/* Looks for lone values among n positive ones in any order: fewer than cm_states_few_find takes for
   a state, CM_LONE_FACTOR times as far as their neighbour, and further from the others' median than
   the greatest of as many lognormal ones; within the states if the others have two. False alarms:
   at most 0.5 % of samples that have one state of any spread, or two that are less than
   CM_LONE_FACTOR apart in streaks of any length. Found always: a launch of 12 that took 20 times
   as long where the others scatter by 9 %, and one of 6 where they scatter by 3 %. Fewer than
   CM_OUTLIERS_FEWEST values, and such that are not all above 0 and finite, have none. Returns false
   if memory is short. */
bool cm_lone_find(size_t n, const double *value, cm_lone *lone);

#ifdef __cplusplus
}
#endif
#endif
