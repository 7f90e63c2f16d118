/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h: keeps every sample, decides by a stopping rule when there are enough samples, and
   summarizes them. */
#ifndef CM_SAMPLES_H
#define CM_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Causes of disturbance. A sample may have several. sample/disturbance.c defines them. */
enum {
    CM_DISTURBED_WAITED = 1,
    CM_DISTURBED_SWITCHED = 2,
    CM_DISTURBED_FAULTED = 4,
    CM_DISTURBED_MOVED = 8,
    CM_DISTURBED_STOLEN = 16,
    CM_DISTURBED_SHARED = 32,
    CM_DISTURBED_PRESSED = 64,
    CM_DISTURBED_CLOCKED = 128,
    CM_DISTURBED_CAUSES = 8 /* their number */
};

/* Samples in the order in which they were taken, in one unit (usually seconds). Initialize with
   CM_SAMPLES_EMPTY. */
typedef struct {
    double *value;
    size_t n, capacity;
    unsigned char *cause; /* the causes of each sample, 0 if undisturbed; NULL: no sample is
                             disturbed */
    size_t disturbed;     /* number of disturbed samples */
    size_t examined;      /* n when cm_stop_check last looked at the interval */
    size_t narrow;        /* number of consecutive looks, up to 2, at which the interval was narrow
                             enough */
    bool of_all; /* disturbed samples are not left out, because the disturbance is part of what is
                    measured. The caller may set it */
} cm_samples;
#define CM_SAMPLES_EMPTY           \
    {                              \
        0, 0, 0, 0, 0, 0, 0, false \
    }

/* Adds a sample. Returns false if memory is short. */
bool cm_samples_add(cm_samples *samples, double value);

/* Makes room for capacity samples in all, so that adding them does not allocate. Returns false if
   memory is short. */
bool cm_samples_reserve(cm_samples *samples, size_t capacity);

/* Marks the samples first to end - 1, as far as they exist, as disturbed by these causes,
   CM_DISTURBED_... Disturbed samples are kept. Summaries, quantiles and the stopping rule leave
   them out if at least CM_INTERVAL_LEAST others remain, unless of_all is set. Returns false if
   memory is short. */
bool cm_samples_disturb(cm_samples *samples, size_t first, size_t end, unsigned cause);

/* Returns true if disturbed samples are left out. */
bool cm_samples_leave_out(const cm_samples *samples);

void cm_samples_clear(cm_samples *samples); /* removes all samples, keeps the memory */
void cm_samples_free(cm_samples *samples);  /* removes all samples, frees the memory */

/* Sampling stops when the first of these conditions is met:
   precision: the half-width of the 95 % confidence interval of the median, divided by the median,
              is at most relative_half_width at two looks in a row, and n >= least. Below 6 samples
              there is no such interval;
   count:     n >= most;
   time:      the time limit is reached, and n >= least_in_time, at least 1.
   Count and time apply to all samples, precision to those that a summary describes. While there are
   too few undisturbed samples for a summary, precision waits for more, up to 4 * least samples in
   all. A relative_half_width of 0 or less disables the first condition, most = 0 the second and
   time_limit_s = INFINITY the third. If several are met, precision takes precedence over count, and
   count over time. */
typedef struct {
    double relative_half_width;
    size_t least, most;
    double time_limit_s;
    size_t least_in_time;
} cm_stop_rule;
typedef enum { CM_STOP_NOT, CM_STOP_PRECISION, CM_STOP_COUNT, CM_STOP_TIME } cm_stop;

/* Returns the condition of the rule that is met, or CM_STOP_NOT. elapsed_s is the time in seconds
   since the first sample began. It is cheap to call this after every sample: the cost is O(n log
   n), but the interval is checked only when n has grown by a quarter since the last look. One look
   is enough if n has doubled since the last one, as when samples come in batches, or if the count
   or the time ends the sampling anyway. */
cm_stop cm_stop_check(const cm_stop_rule *rule, cm_samples *samples, double elapsed_s);

/* Returns "precision", "count", "time" or "not". */
const char *cm_stop_name(cm_stop stop);

/* The kind of the median's interval: CM_INTERVAL_95, or CM_INTERVAL_RANGE, from the least sample to
   the greatest, if there are fewer than CM_INTERVAL_LEAST samples and therefore no 95 % interval.
   */
typedef enum { CM_INTERVAL_RANGE, CM_INTERVAL_95 } cm_interval;
enum { CM_INTERVAL_LEAST = 6 };
#define CM_INTERVAL_FORMAT "=range|95%" /* column format of the interval's kind */

typedef struct {
    size_t n;         /* samples taken */
    size_t disturbed; /* number of disturbed samples among the n */
    size_t counted;   /* number of samples that the values below describe */
    bool left_out;    /* disturbed samples are left out, so counted is less than n */
    double min, max, median;
    double largest;   /* of all samples, including those left out */
    double low, high; /* interval of the median, by order statistics (binomial), or the range */
    cm_interval interval;
    double mean, deviation; /* sample standard deviation (n - 1); 0 when n == 1 */
    double p95, p99;        /* percentiles, linear interpolation between order statistics */
    double autocorrelation; /* lag 1; 0 when the deviation is 0 */
} cm_summary;

/* Summarizes the samples, which it does not change. If there are no samples or if one is NaN, all
   values except n and disturbed are NaN. Returns false if memory is short. */
bool cm_summarize(const cm_samples *samples, cm_summary *summary);

/* Sets value[k] to the quantile for fraction[k], 0 to 1, for k < n. Quantiles are computed like the
   percentiles of cm_summary and are NaN in the same cases. Returns false if memory is short. */
bool cm_quantiles(const cm_samples *samples, size_t n, const double *fraction, double *value);

/* Sets *low and *high to the ranks (from 1, among the sorted samples) of the ends of the 95 %
   interval of the median of n samples. Returns false if n < 6. */
bool cm_median_interval(size_t n, size_t *low, size_t *high);

#ifdef __cplusplus
}
#endif
#endif
