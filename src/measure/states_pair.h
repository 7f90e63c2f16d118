/* SPDX-License-Identifier: BSD-3-Clause */
/* states_pair.h: compares the launches of two results if the machine may have had two states, which
   may last for several launches. */
#ifndef CM_STATES_PAIR_H
#define CM_STATES_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/rank_test.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An interval over launches at this level is taken to hold with 95 %. If a state lasts 3 launches
   on average, the lag-1 correlation is r = 1 - 2/3, and one launch is worth (1 - r) / (1 + r) = 1/2
   independent launches. Normal deviates then grow from 1.96 to 1.96 sqrt(2) = 2.77, which
   independent launches exceed with a probability of 0.0056. With 6 launches or more on each side
   there is such an interval. Streaks cannot be told from chance in 6 launches, so the level is
   always this one. */
#define CM_STATES_PAIR_ALPHA 0.0056

typedef enum {
    CM_STATES_PAIR_ONE,      /* neither result has two states */
    CM_STATES_PAIR_MATCHED,  /* one has two, and the states of both results correspond, apart from a
                                change */
    CM_STATES_PAIR_UNMATCHED /* one has two, but it is unknown which states correspond */
} cm_states_pair_kind;

typedef struct {
    cm_states_pair_kind kind;
    size_t x[2], y[2];             /* number of launches in the lower and in the higher state */
    double x_level[2], y_level[2]; /* their medians; NaN: no launch */
    double between[2]; /* values of x, and of y, below this belong to the lower state; NaN: one
                          state */
    double shares_p;   /* probability that the states' shares differ this much by chance; NaN: one
                          state */
    size_t strata;     /* number of strata in which x and y are compared: 1; MATCHED: 2; UNMATCHED:
                          0 */
    cm_rank_stratum stratum[2]; /* points into x and y */
} cm_states_pair;

/* Finds the states of m launches x and n launches y, both sorted. A side has two states if
   cm_states_few_find finds them in that side alone; in both sides together, a change would look
   like two levels. If only one side has two states, its boundary splits the other side too. States
   match if each is less than half the distance of the states away from its counterpart, on a
   logarithmic scale, and if at least one state occurs on both sides. Values of which one is not
   above 0 have one state. Returns false if memory is short. */
bool cm_states_pair_find(size_t m, const double *x, size_t n, const double *y,
                         cm_states_pair *pair);

/* Sets factor to the ratio y / x within the states and its interval at CM_STATES_PAIR_ALPHA, as
   cm_rank_ratio does. All are NaN if the states do not match. Returns false if memory is short. */
bool cm_states_pair_ratio(const cm_states_pair *pair, cm_rank_factor *factor);

/* Does cm_rank_test within the states; *p is 1 if they do not match. */
bool cm_states_pair_test(const cm_states_pair *pair, double *p);

/* Returns the smallest p that the test can have; 1 if the states do not match. */
double cm_states_pair_least_p(const cm_states_pair *pair);

/* Sets *ratio to the smallest ratio above 1 that the test detects four times out of five. It is
   cm_rank_visible's for the values divided by their state's level, and larger if fewer pairs of
   launches share a state. NaN if the test cannot reach alpha, or if there is no ratio. Returns
   false if memory is short. */
bool cm_states_pair_visible(const cm_states_pair *pair, double alpha, double *ratio);

/* Divides n values of x, or of y, in any order, by the level of their state, taken over both sides.
   Aligned values differ only by a change. If the states are UNMATCHED, all values become 1. */
void cm_states_pair_align(const cm_states_pair *pair, bool of_y, size_t n, double *value);

/* Returns the factor, at least 1, by which a change must be larger to be detected in aligned values
   than without states. Pairs of launches in different states contribute nothing. */
double cm_states_pair_loss(const cm_states_pair *pair);

#ifdef __cplusplus
}
#endif
#endif
