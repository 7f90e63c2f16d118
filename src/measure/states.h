/* SPDX-License-Identifier: BSD-3-Clause */
/* states.h: tests whether a row has two levels instead of one. */
#ifndef CM_STATES_H
#define CM_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/samples.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CM_STATES_MIXED: two levels, in any order. CM_STATES_STEP: one level up to some sample and
   another one after it. */
typedef enum { CM_STATES_ONE, CM_STATES_MIXED, CM_STATES_STEP } cm_states_kind;

/* Two levels, or a step, are looked for in at least this many samples. */
enum { CM_STATES_LEAST = 20, CM_STATES_LEAST_STEP = 50 };

typedef struct {
    cm_states_kind kind;
    double level[2]; /* medians of the two states, in the unit of the samples: the lower one first
                        or, for a step, the one before the step first */
    double share[2]; /* share of the samples in each; their sum is 1 */
    size_t n;        /* number of samples tested */
    size_t step;     /* CM_STATES_STEP: number of samples before it */
} cm_states;

/* Looks for two states whose levels differ by at least 5 %. Fewer than CM_STATES_LEAST samples
   always have one state. Disturbed samples are left out as in a summary. False alarms: at most 1 %
   of rows of normal or lognormal samples, independent or with a lag-1 autocorrelation of at most
   0.6. Detected with a probability of at least 0.9: two levels 8 deviations apart with at least 20
   % of the samples in each and n >= 30; a step of 3 deviations in the middle with n >= 50, or after
   one fifth with n >= 100. States with less than 10 % of the samples are not looked for. Returns
   false if memory is short. */
bool cm_states_find(const cm_samples *samples, cm_states *states);

#ifdef __cplusplus
}
#endif
#endif
