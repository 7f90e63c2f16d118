/* SPDX-License-Identifier: BSD-3-Clause */
/* outliers.h: tests whether the greatest of many values exceeds what chance explains. */
#ifndef CM_OUTLIERS_H
#define CM_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The standard deviation of a normal distribution over its median absolute deviation. */
#define CM_SIGMA_OF_MAD 1.4826

/* Among fewer values none can be called an outlier. */
enum { CM_OUTLIERS_FEWEST = 4 };

/* Sets *middle to the median of the values that are not NaN. Sets *scale to their scaled median
   absolute deviation or to error, whichever is larger; error is the standard error of a value (NaN:
   unknown). Returns false if memory is short or if all values are NaN. */
bool cm_outliers_scale(size_t n, const double *value, double error, double *middle, double *scale);

/* Sets *limit, in scales above the median. The greatest of n values from one normal distribution
   exceeds it with probability alpha. Median and scale are those of `known` of the values, at most
   n, drawn at random. *limit is INFINITY if known is below CM_OUTLIERS_FEWEST, because no value can
   then be told from the others. Returns false if memory is short. */
bool cm_outliers_limit(size_t n, size_t known, double alpha, double *limit);

/* Returns the same limit for n >= 1 if the number of known values is large enough to use a normal
   distribution. */
double cm_outliers_limit_many(double n, double alpha);

#ifdef __cplusplus
}
#endif
#endif
