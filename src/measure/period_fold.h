/* SPDX-License-Identifier: BSD-3-Clause */
/* period_fold.h: finds which multiple of a frequency's period is the period of the events. */
#ifndef CM_PERIOD_FOLD_H
#define CM_PERIOD_FOLD_H

#include "measure/period.h"

/* A series of n values; sum[i] is the sum of the first i of them, i = 0 .. n. */
typedef struct {
    const double *value, *sum;
    size_t n;
} cm_series;

/* Sets found->length, in values, to the period: cycle, at least 2 values, or a multiple of it. Sets
   found->exact to whether the events determine which one; if not, length is cycle. Sets *event to
   the total that one event adds to the values. Returns false if memory is short. */
bool cm_period_fold(const cm_series *series, double cycle, cm_period *found, double *event);

#endif
