/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h: order statistics of an array; private to measure/. */
#ifndef CM_ORDER_H
#define CM_ORDER_H

#include <stddef.h>
#include "measure/samples.h"

/* Returns a sorted copy of n values, NaN last, which the caller frees. Returns NULL if n == 0 or if
   memory is short. */
double *cm_order_sorted(const double *value, size_t n);

/* Returns the samples that count, in the order in which they were taken, and sets *n to their
   number. These are the undisturbed samples, or all samples if too few are undisturbed. The caller
   frees them. Returns NULL if there are none or if memory is short. */
double *cm_order_counted(const cm_samples *samples, size_t *n);

/* Returns the quantile 0 <= p <= 1 of n >= 1 sorted values: the value at position (n - 1) p, linear
   between neighbours (type 7 of Hyndman and Fan, American Statistician 50 (1996) 361). */
double cm_order_quantile(const double *sorted, size_t n, double p);

/* Returns the same as cm_order_quantile for n >= 1 values in any order. Reorders the values and
   puts NaN last. The average time is proportional to n. */
double cm_order_select(double *value, size_t n, double p);

#endif
