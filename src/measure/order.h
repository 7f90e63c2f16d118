/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h: order statistics of a sorted array; private to measure/. */
#ifndef CM_ORDER_H
#define CM_ORDER_H

#include <stddef.h>

/* A sorted copy, NaN last; the caller frees it. NULL: n == 0 or out of memory. */
double *cm_order_sorted(const double *value, size_t n);

/* Quantile 0 <= p <= 1 of n >= 1 sorted values: position (n - 1) p, linear between neighbours
   (type 7 of Hyndman and Fan, American Statistician 50 (1996) 361). */
double cm_order_quantile(const double *sorted, size_t n, double p);

#endif
