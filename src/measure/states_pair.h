/* SPDX-License-Identifier: BSD-3-Clause */
/* states_pair.h: compares the launches of two results that may have been made in two states of the
   machine, and whose states come in streaks of launches. */
#ifndef CM_STATES_PAIR_H
#define CM_STATES_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/rank_test.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The level at which an interval over launches is taken to hold with 95 %. In streaks of 3 launches
   on average the lag-1 correlation is r = 1 - 2/3, and 1 launch of n independent ones is worth
   (1 - r) / (1 + r) = 1/2: normal deviates grow from 1.96 to 1.96 sqrt(2) = 2.77, which
   independent launches exceed with a probability of 0.0056. From 6 launches a side on there is such
   an interval. Streaks cannot be told from chance in 6 launches; hence it is the same for all. */
#define CM_STATES_PAIR_ALPHA 0.0056

typedef enum {
    CM_STATES_PAIR_ONE,      /* neither result has two states */
    CM_STATES_PAIR_MATCHED,  /* one has, and the states of both are the same but for a change */
    CM_STATES_PAIR_UNMATCHED /* one has, but which state of the other is which is unknown */
} cm_states_pair_kind;

typedef struct {
    cm_states_pair_kind kind;
    size_t x[2], y[2];             /* launches of the lower and of the higher state */
    double x_level[2], y_level[2]; /* their medians; NaN: no launch */
    double between[2]; /* values of x, and of y, below it are of the lower state; NaN: one state */
    double shares_p;   /* how likely shares that differ so much are by chance; NaN: one state */
    size_t strata;     /* that x and y are compared within: 1; MATCHED: 2; UNMATCHED: 0 */
    cm_rank_stratum stratum[2]; /* point into x and y */
} cm_states_pair;

/* Finds the states of m launches x and n launches y, both sorted. A side has two states if
   cm_states_few_find finds them in it alone, since a change between the sides makes two levels of
   both together; a side that has one is split by the boundary of the other one. States match if
   each is less than half the distance of the states away from itself on the other side, on a
   logarithmic scale, and if one state is in both. Values that are not all above 0 have one state.
   Returns false if memory is short. */
bool cm_states_pair_find(size_t m, const double *x, size_t n, const double *y,
                         cm_states_pair *pair);

/* The ratio y / x within the states and its interval at CM_STATES_PAIR_ALPHA; as cm_rank_ratio's,
   and all NaN if the states do not match. Returns false if memory is short. */
bool cm_states_pair_ratio(const cm_states_pair *pair, cm_rank_factor *factor);

/* cm_rank_test within the states; *p is 1 if they do not match. */
bool cm_states_pair_test(const cm_states_pair *pair, double *p);

/* The smallest p that the test can have; 1 if the states do not match. */
double cm_states_pair_least_p(const cm_states_pair *pair);

/* The smallest ratio above 1 that the test finds four times out of five: cm_rank_visible of the
   values over their state's level, the larger the fewer pairs of launches share a state. NaN if the
   test cannot reach alpha, or if there is no ratio. Returns false if memory is short. */
bool cm_states_pair_visible(const cm_states_pair *pair, double alpha, double *ratio);

/* Divides n values of x, or of y, in any order, by the level of their state, that of both sides; so
   that what is left differs by a change alone. Of UNMATCHED states nothing is left, and all become
   1. */
void cm_states_pair_align(const cm_states_pair *pair, bool of_y, size_t n, double *value);

/* How many times larger a change must be to be found by a test of aligned values than without
   states: pairs of launches in different states tell nothing. 1 or more. */
double cm_states_pair_loss(const cm_states_pair *pair);

#ifdef __cplusplus
}
#endif
#endif
