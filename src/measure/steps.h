/* SPDX-License-Identifier: BSD-3-Clause */
/* steps.h: where a series of results, one after the other, changed its level and stayed there. */
#ifndef CM_STEPS_H
#define CM_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So long the last level must be, or one between two steps, lest it be a few odd results. */
enum { CM_STEP_STAYS = 3, CM_STEP_LEVEL = 6 };

typedef struct {
    size_t at;       /* the first value of the new level */
    size_t from, to; /* with 95 % confidence at is one of these */
    double p;        /* of a step as clear as this one anywhere between its neighbours by chance */
} cm_step;

/* Finds the steps of n finite values in their order; take logarithms of what differs by factors.
   The test is that of split_test.h, the largest difference of means over the deviation against
   random orders of the values, with all places of a step as its metrics, so that their number does
   no harm. Values that follow each other may be alike: the statistic is divided by what their
   correlation adds to the variance of a mean (Bartlett, Journal of the Royal Statistical Society 98
   (1935) 536). Single odd values count as five deviations. Levels that end again are looked for in
   parts of the series, both sides of a step are searched in the same way (binary segmentation;
   Vostrikova, Soviet Mathematics Doklady 24 (1981) 55), then each step is tested again between its
   neighbours. In a series without a step one is found with probability
   alpha at most, or 2 to 3 alpha where neighbours correlate by 0.5. step has room for
   n / CM_STEP_STAYS of them, in the order of at. Returns false if memory is short. */
bool cm_steps_find(size_t n, const double *value, double alpha, cm_step *step, size_t *found);

#ifdef __cplusplus
}
#endif
#endif
