/* SPDX-License-Identifier: BSD-3-Clause */
/* states.h: does a row have two levels instead of one? */
#ifndef CM_STATES_H
#define CM_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/samples.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CM_STATES_MIXED: two levels, in any order. CM_STATES_STEP: one level up to some sample and
   another one behind it. */
typedef enum { CM_STATES_ONE, CM_STATES_MIXED, CM_STATES_STEP } cm_states_kind;

/* The fewest samples in which two levels, or a step, are looked for. */
enum { CM_STATES_LEAST = 20, CM_STATES_LEAST_STEP = 50 };

typedef struct {
    cm_states_kind kind;
    double level[2]; /* medians of the two states: the lower one first, or those before and behind
                         the step; in the unit of the samples */
    double share[2]; /* of the samples, their sum is 1 */
    size_t n;        /* samples that were looked at */
    size_t step;     /* CM_STATES_STEP: number of samples before it */
} cm_states;

/* Looks for two states whose levels differ by at least 5 %. Fewer than CM_STATES_LEAST samples have
   one. Disturbed samples are left out as in a summary. False alarms: at most 1 % of rows of normal
   or lognormal samples, independent or with a lag-1 autocorrelation of at most 0.6. Found with a
   probability of at least 0.9: two levels 8 deviations apart with at least 20 % of the samples in
   each, n >= 30; a step of 3 deviations in the middle, n >= 50, or behind a fifth, n >= 100. States
   of less than 10 % of the samples are not looked for. Returns false if memory is short. */
bool cm_states_find(const cm_samples *samples, cm_states *states);

#ifdef __cplusplus
}
#endif
#endif
