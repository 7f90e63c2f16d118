/* SPDX-License-Identifier: BSD-3-Clause */
/* states_few.h: tests whether a few values, one per launch, have two levels instead of one. */
#ifndef CM_STATES_FEW_H
#define CM_STATES_FEW_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two levels are looked for in at least this many values. */
enum { CM_STATES_FEW_LEAST = 4 };

typedef struct {
    size_t low, high; /* number of values in each level; both 0: one level */
    double level[2];  /* their medians */
    double between;   /* values below this belong to the lower level */
} cm_states_few;

/* Looks for two levels of positive values in any order. Each level must have at least two values
   and a tenth of all values. The nearest values of the two levels must differ by at least 10 %, and
   the spread within the levels must be small compared with their distance. False alarms: at most 1
   % of normal or lognormal values of any number, and 2 % with a lag-1 autocorrelation of 0.6.
   Detected with a probability of at least 0.9: two levels with at least a third of the values in
   each, 50 deviations apart with n = 4, 20 with n = 6, 14 with n >= 10. Fewer than
   CM_STATES_FEW_LEAST values, or values of which one is not finite or not above 0, have one level.
   Returns false if memory is short. */
bool cm_states_few_find(size_t n, const double *value, cm_states_few *states);

#ifdef __cplusplus
}
#endif
#endif
