/* SPDX-License-Identifier: BSD-3-Clause */
/* steps.h: finds where a series of successive results changed its level permanently. */
#ifndef CM_STEPS_H
#define CM_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The minimum lengths of the last level and of a level between two steps. Shorter levels may be a
   few odd results. */
enum { CM_STEP_STAYS = 3, CM_STEP_LEVEL = 6 };

typedef struct {
    size_t at;       /* the first value of the new level */
    size_t from, to; /* at is within from .. to with 95 % confidence */
    double p;        /* probability that so clear a step occurs by chance anywhere between its
                        neighbours */
} cm_step;

/* Finds the steps of n finite values in their order. Pass logarithms of values that differ by
   factors. The test is that of split_test.h: the largest difference of means over the deviation,
   compared with random orders of the values. All places of a step are its metrics, so a large
   number of places does no harm. Because successive values may be correlated, the statistic is
   divided by what their correlation adds to the variance of a mean (Bartlett, Journal of the Royal
   Statistical Society 98 (1935) 536). Single odd values count as five deviations. Levels that end
   again are looked for in parts of the series, and both sides of a step are searched in the same
   way (binary segmentation; Vostrikova, Soviet Mathematics Doklady 24 (1981) 55). Then each step is
   tested again between its neighbours. In a series without a step, one is found with a probability
   of at most alpha, or of 1 to 2 alpha if neighbours correlate by 0.5, and 3 alpha if they do by
   0.8 in fewer than 20 values. step has room for n / CM_STEP_STAYS steps, which are sorted by at.
   Returns false if memory is short. */
bool cm_steps_find(size_t n, const double *value, double alpha, cm_step *step, size_t *found);

/* Sets *shift to the smallest step halfway through n independent normal values of deviation 1 that
   cm_steps_find finds four times out of five, at the level alpha: by what the later half is higher.
   It is NaN if so few values cannot reach alpha. The standard error is some 3 %. Returns false if
   memory is short. */
bool cm_steps_visible(size_t n, double alpha, double *shift);

/* Sets *deviation to that of n values within their levels, which end at the steps that were found,
   times the root of what the correlation of successive values adds to the variance of a mean: as
   cm_steps_find reckons it. cm_steps_visible's shift times this could have been seen in the values.
   It is NaN if they are too few. Returns false if memory is short. */
bool cm_steps_deviation(size_t n, const double *value, const cm_step *step, size_t found,
                        double *deviation);

#ifdef __cplusplus
}
#endif
#endif
