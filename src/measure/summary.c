/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c: what n samples are: order statistics, moments, and how a sample depends on the one
   before. */
#include "config.h"
#include "measure/samples.h"
#include "measure/order.h"
#include <math.h>
#include <stdlib.h>

/* The second pass takes back the rounding error of the first (Chan, Golub and LeVeque, American
   Statistician 37 (1983) 242). Dividing before adding keeps the sum from overflowing. */
static double mean_of(const double *x, size_t n)
{
    double mean = 0, rest = 0;
    for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) rest += x[i] - mean;
    return mean + rest / (double)n;
}

/* With d = x - mean and e = sum d / n, which is 0 but for the rounding of mean:
   deviation s^2 = (sum d^2 - n e^2) / (n - 1); autocorrelation r(1) = sum (d_i - e) (d_(i+1) - e)
   / (sum d^2 - n e^2) (NIST StRD, univariate summary statistics). */
static void moments(const double *x, size_t n, cm_summary *summary)
{
    double mean = mean_of(x, n), sum = 0, squares = 0, products = 0;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        sum += d;
        squares += d * d;
        if (i + 1 < n) products += d * (x[i + 1] - mean);
    }
    double e = sum / (double)n, ends = (x[0] - mean) + (x[n - 1] - mean);
    squares -= sum * e;
    products -= e * (2 * sum - ends - (double)(n - 1) * e);
    summary->mean = mean;
    summary->deviation = n > 1 ? sqrt(fmax(0, squares) / (double)(n - 1)) : 0;
    summary->autocorrelation = summary->deviation == 0 ? 0 : products / squares;
}

static void orders(const double *sorted, size_t n, cm_summary *summary)
{
    size_t low = 1, high = n;
    bool has_interval = cm_median_interval(n, &low, &high);
    summary->interval = has_interval ? CM_INTERVAL_95 : CM_INTERVAL_RANGE;
    summary->min = sorted[0];
    summary->max = sorted[n - 1];
    summary->low = sorted[low - 1];
    summary->high = sorted[high - 1];
    summary->median = cm_order_quantile(sorted, n, 0.5);
    summary->p95 = cm_order_quantile(sorted, n, 0.95);
    summary->p99 = cm_order_quantile(sorted, n, 0.99);
}

bool cm_summarize(const cm_samples *samples, cm_summary *summary)
{
    size_t n = samples->n;
    cm_summary s = {.n = n,
                    .disturbed = samples->disturbed,
                    .counted = n,
                    .min = NAN,
                    .max = NAN,
                    .median = NAN,
                    .largest = NAN,
                    .low = NAN,
                    .high = NAN,
                    .mean = NAN,
                    .deviation = NAN,
                    .p95 = NAN,
                    .p99 = NAN,
                    .autocorrelation = NAN};
    if (n > 0) {
        double *value = cm_order_counted(samples, &n);
        double *sorted = value ? cm_order_sorted(value, n) : NULL;
        s.counted = n;
        s.left_out = n < samples->n;
        if (sorted && !isnan(sorted[n - 1])) { /* one NaN, and nothing is known */
            orders(sorted, n, &s);
            s.largest = s.max;
            for (size_t i = 0; i < samples->n; i++) s.largest = fmax(s.largest, samples->value[i]);
            moments(value, n, &s);
        }
        bool enough = sorted != NULL;
        free(value);
        free(sorted);
        if (!enough) return false;
    }
    *summary = s;
    return true;
}

bool cm_quantiles(const cm_samples *samples, size_t n, const double *fraction, double *value)
{
    for (size_t k = 0; k < n; k++) value[k] = NAN;
    if (samples->n == 0) return true;
    size_t counted;
    double *taken = cm_order_counted(samples, &counted);
    double *sorted = taken ? cm_order_sorted(taken, counted) : NULL;
    free(taken);
    if (!sorted) return false;
    if (!isnan(sorted[counted - 1]))
        for (size_t k = 0; k < n; k++) value[k] = cm_order_quantile(sorted, counted, fraction[k]);
    free(sorted);
    return true;
}
