/* SPDX-License-Identifier: BSD-3-Clause */
/* period_fold.h: which multiple of a frequency's period is the period of the events that make it;
   private to measure/. */
#ifndef CM_PERIOD_FOLD_H
#define CM_PERIOD_FOLD_H

#include "measure/period.h"

/* A series of n values; sum[i] is that of the first i of them, i = 0 .. n. */
typedef struct {
    const double *value, *sum;
    size_t n;
} cm_series;

/* Sets found->length to the period in values: cycle, at least 2 values, or a multiple of it;
   found->exact tells whether the events say which. If not, length is the cycle. *event: what an
   event adds to the values, together. Returns false if memory is short. */
bool cm_period_fold(const cm_series *series, double cycle, cm_period *found, double *event);

#endif
