/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h: keeps every sample, decides by a stopping rule when there are enough, and summarizes
   them. */
#ifndef CM_SAMPLES_H
#define CM_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Samples in the order in which they were taken, in one unit (usually seconds). Initialize with
   CM_SAMPLES_EMPTY. */
typedef struct {
    double *value;
    size_t n, capacity;
    size_t examined; /* n when cm_stop_check last looked at the interval */
} cm_samples;
#define CM_SAMPLES_EMPTY \
    {                    \
        0, 0, 0, 0       \
    }

/* Adds a sample. Returns false if memory is short. */
bool cm_samples_add(cm_samples *samples, double value);

/* Makes room for capacity samples in all, so that adding them does not allocate. Returns false if
   memory is short. */
bool cm_samples_reserve(cm_samples *samples, size_t capacity);

void cm_samples_clear(cm_samples *samples); /* removes all samples, keeps the memory */
void cm_samples_free(cm_samples *samples);  /* removes all samples, frees the memory */

/* Sampling stops when the first of these conditions is met:
   precision: the half-width of the 95 % confidence interval of the median, divided by the median,
              is at most relative_half_width, and n >= least. Below 6 samples there is no such
              interval;
   count:     n >= most;
   time:      the time limit is reached, and n >= least_in_time, at least 1.
   A relative_half_width of 0 or less disables the first condition, most = 0 the second and
   time_limit_s = INFINITY the third. If several are met, precision goes before count and count
   before time. */
typedef struct {
    double relative_half_width;
    size_t least, most;
    double time_limit_s;
    size_t least_in_time;
} cm_stop_rule;
typedef enum { CM_STOP_NOT, CM_STOP_PRECISION, CM_STOP_COUNT, CM_STOP_TIME } cm_stop;

/* Returns the condition of the rule that is met, or CM_STOP_NOT. elapsed_s is the time in seconds
   since the first sample began. The cost is O(n log n), but the interval is computed only when n
   has grown by an eighth since the last time, so it is cheap to call this after every sample. */
cm_stop cm_stop_check(const cm_stop_rule *rule, cm_samples *samples, double elapsed_s);

/* Returns "precision", "count", "time" or "not". */
const char *cm_stop_name(cm_stop stop);

/* The kind of the median's interval. With fewer than CM_INTERVAL_LEAST samples there is no 95 %
   interval, and it is CM_INTERVAL_RANGE, from the least sample to the greatest; else it is
   CM_INTERVAL_95. */
typedef enum { CM_INTERVAL_RANGE, CM_INTERVAL_95 } cm_interval;
enum { CM_INTERVAL_LEAST = 6 };
#define CM_INTERVAL_FORMAT "=range|95%" /* format of a result's column with the kind */

typedef struct {
    size_t n;
    double min, max, median;
    double low, high; /* interval of the median, by order statistics (binomial), or the range */
    cm_interval interval;
    double mean, deviation; /* sample standard deviation (n - 1); 0 when n == 1 */
    double p95, p99;        /* percentiles, linear interpolation between order statistics */
    double autocorrelation; /* lag 1; 0 when the deviation is 0 */
} cm_summary;

/* Summarizes the samples, which it does not change. If there are no samples or if one is NaN, all
   values except n are NaN. Returns false if memory is short. */
bool cm_summarize(const cm_samples *samples, cm_summary *summary);

/* Sets value[k] to the quantile for fraction[k], 0 to 1, for k < n. Quantiles are computed as
   cm_summary's percentiles are, and are NaN in the cases in which those are. Returns false if
   memory is short. */
bool cm_quantiles(const cm_samples *samples, size_t n, const double *fraction, double *value);

/* Sets the ranks (from 1), among the sorted samples, of the ends of the 95 % interval of the median
   of n samples. Returns false if n < 6. */
bool cm_median_interval(size_t n, size_t *low, size_t *high);

#ifdef __cplusplus
}
#endif
#endif
