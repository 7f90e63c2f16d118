/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h: every sample is kept; a stopping rule says when there are enough; a summary says
   what they are. */
#ifndef CM_SAMPLES_H
#define CM_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Samples in the order taken, in one unit (most often seconds). Start from CM_SAMPLES_EMPTY. */
typedef struct {
    double *value;
    size_t n, capacity;
    size_t examined; /* n when cm_stop_check last looked at the interval */
} cm_samples;
#define CM_SAMPLES_EMPTY \
    {                    \
        0, 0, 0, 0       \
    }

bool cm_samples_add(cm_samples *samples, double value);        /* false: out of memory */
bool cm_samples_reserve(cm_samples *samples, size_t capacity); /* then adding won't allocate */
void cm_samples_clear(cm_samples *samples);                    /* keeps the memory */
void cm_samples_free(cm_samples *samples);

/* Sampling goes on until the half-width of the 95 % confidence interval of the median, divided
   by the median, is at most relative_half_width (and n >= least), or n >= most, or the time is
   used up (and n >= least_in_time, at least 1). Below 6 samples there is no such interval.
   relative_half_width 0 or less: precision does not end it; most 0: count does not; time_limit_s
   INFINITY: time does not. When several hold, precision goes before count, count before time. */
typedef struct {
    double relative_half_width;
    size_t least, most;
    double time_limit_s;
    size_t least_in_time;
} cm_stop_rule;
typedef enum { CM_STOP_NOT, CM_STOP_PRECISION, CM_STOP_COUNT, CM_STOP_TIME } cm_stop;

/* elapsed_s: since the first sample began. Cost O(n log n); it looks at the interval only when
   n has grown by an eighth since it last did, so that calling it after every sample stays
   cheap. */
cm_stop cm_stop_check(const cm_stop_rule *rule, cm_samples *samples, double elapsed_s);
const char *cm_stop_name(cm_stop stop); /* "precision", "count", "time", "not" */

/* What an interval of the median is: CM_INTERVAL_RANGE, from the least sample to the greatest,
   where there are fewer than CM_INTERVAL_LEAST and no 95 % interval; else CM_INTERVAL_95. */
typedef enum { CM_INTERVAL_RANGE, CM_INTERVAL_95 } cm_interval;
enum { CM_INTERVAL_LEAST = 6 };
#define CM_INTERVAL_FORMAT "=range|95%" /* of a result's column that says which */

typedef struct {
    size_t n;
    double min, max, median;
    double low, high; /* of the median, by order statistics (binomial) or the range */
    cm_interval interval;
    double mean, deviation; /* sample standard deviation (n - 1); 0 when n == 1 */
    double p95, p99;        /* percentiles, linear interpolation between order statistics */
    double autocorrelation; /* lag 1; 0 when the deviation is 0 */
} cm_summary;

/* n == 0 gives NaN everywhere but in n, and so does a NaN among the samples. Does not change
   the samples; false: out of memory. */
bool cm_summarize(const cm_samples *samples, cm_summary *summary);

/* Quantiles as cm_summary's percentiles: value[k] that of fraction[k], 0 to 1, for k < n. NaN where
   cm_summarize would give it; false: out of memory. */
bool cm_quantiles(const cm_samples *samples, size_t n, const double *fraction, double *value);

/* Order-statistic ranks (from 1) of the 95 % interval of the median of n samples. False when
   n < 6. */
bool cm_median_interval(size_t n, size_t *low, size_t *high);

#ifdef __cplusplus
}
#endif
#endif
