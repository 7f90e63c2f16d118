/* SPDX-License-Identifier: BSD-3-Clause */
/* states_few.h: do a few values, one of each launch, have two levels instead of one? */
#ifndef CM_STATES_FEW_H
#define CM_STATES_FEW_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The fewest values in which two levels are looked for. */
enum { CM_STATES_FEW_LEAST = 4 };

typedef struct {
    size_t low, high; /* values in each; both 0: one level */
    double level[2];  /* their medians */
    double between;   /* values below it are of the lower level */
} cm_states_few;

/* Looks for two levels of positive values in any order: at least two values, and a tenth of all, in
   each; at least 10 % between the nearest values of both; and a spread within the levels that is
   small compared with their distance. False alarms: at most 1 % of normal or lognormal values of
   any number, and 2 % with a lag-1 autocorrelation of 0.6. Found with a probability of at least
   0.9: two levels with a third of the values or more in each, 50 deviations apart with n = 4, 20
   with n = 6, 14 with n >= 10. Fewer values than CM_STATES_FEW_LEAST, and such that are
   not all above 0 and finite, have one level. Returns false if memory is short. */
bool cm_states_few_find(size_t n, const double *value, cm_states_few *states);

#ifdef __cplusplus
}
#endif
#endif
