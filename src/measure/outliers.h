/* SPDX-License-Identifier: BSD-3-Clause */
/* outliers.h: is the greatest of many values more than the greatest of many that are alike? */
#ifndef CM_OUTLIERS_H
#define CM_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The standard deviation of a normal distribution over its median absolute deviation. */
#define CM_SIGMA_OF_MAD 1.4826

/* Fewer values cannot be told apart. */
enum { CM_OUTLIERS_FEWEST = 4 };

/* Sets *middle to the median of the values that are not NaN and *scale to the larger one of their
   scaled median absolute deviation and of error, the standard error of a value (NaN: not known).
   Returns false if memory is short or if all are NaN. */
bool cm_outliers_scale(size_t n, const double *value, double error, double *middle, double *scale);

/* Sets *limit to the number of scales by which the greatest of n normal values that are alike is
   above their median with a probability of only alpha. Median and scale are those of `known` of the
   values, at most n, drawn at random. INFINITY if known is below CM_OUTLIERS_FEWEST: then no value
   can be told from the others. Returns false if memory is short. */
bool cm_outliers_limit(size_t n, size_t known, double alpha, double *limit);

/* The same of n values, n >= 1, of which there are enough for a normal distribution's limit. */
double cm_outliers_limit_many(double n, double alpha);

#ifdef __cplusplus
}
#endif
#endif
