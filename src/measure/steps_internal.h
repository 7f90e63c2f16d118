/* SPDX-License-Identifier: BSD-3-Clause */
/* steps_internal.h: the statistic of steps.h; private to measure/. */
#ifndef CM_STEPS_INTERNAL_H
#define CM_STEPS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/steps.h"

/* Random orders of the values, of which the given one is one more: at most, and at least. */
enum { CM_STEPS_ORDERS = 20000, CM_STEPS_FEW = 1999 };

/* The place of n values that explains most of their variation. */
typedef struct {
    double part;          /* of the sum of squares */
    size_t at, from, end; /* of the values from..end - 1 */
    size_t places;        /* how many were looked at */
} cm_steps_place;

/* x: n values less their mean. parts: also within parts of them. sum: room for n + 1. */
cm_steps_place cm_steps_explained(const double *x, size_t n, bool parts, double *sum);

/* The variance between the levels over that within them, divided by `inflated`. */
double cm_steps_ratio(double part, double squares, size_t n, double inflated);

/* What the correlation r of successive values adds to the variance of a mean, (1 + r) / (1 - r). */
double cm_steps_inflation(const double *x, size_t n, const cm_steps_place *best, double deviation);

/* The deviation of a value from the next one's level, whatever steps and odd values there are.
   scratch: room for n. */
double cm_steps_noise(const double *x, size_t n, double *scratch);

/* Sets x to the values less their mean, odd ones moved to five deviations. Returns the sum of their
   squares. scratch: room for n. */
double cm_steps_centre(const double *value, size_t n, double deviation, double *x, double *scratch);

#endif
