/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_estimate.c: quantiles, ratios of quantiles, and how far they can be trusted.

   Successive samples of a congested network depend on each other, so an interval that took them for
   independent would be far too narrow. The rounds are apart. Leaving out one round after the other
   gives the jackknife's variance of the logarithm (Quenouille 1956; Tukey 1958): with q_(k) the
   logarithm without round k and q their mean, (n - 1) / n * sum (q_(k) - q)^2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "congestion.h"
#include "measure/fit.h"

const double congestion_fractions[CONGESTION_QUANTILES] = {0.5, 0.99, 0.999};

static const size_t none = (size_t)-1;
/* Samples beyond a quantile that its interval needs. */
enum { LEAST_BEYOND = 5 };

/* The quantile of all rounds but one. all is memory for a histogram. */
static double quantile_without(const cm_histogram *rounds, size_t n, size_t left_out,
                               double fraction, cm_histogram *all)
{
    memset(all, 0, sizeof *all);
    for (size_t k = 0; k < n; k++)
        if (k != left_out) cm_histogram_merge(all, &rounds[k]);
    double least = left_out == none ? 1 : LEAST_BEYOND;
    bool enough = (double)all->n * (1 - fraction) > least - 1e-9;
    return enough ? cm_histogram_quantile(all, fraction) : NAN;
}

static double value_without(const cm_histogram *over, const cm_histogram *under, size_t n,
                            size_t left_out, double fraction, cm_histogram *all)
{
    double value = quantile_without(over, n, left_out, fraction, all);
    return under ? value / quantile_without(under, n, left_out, fraction, all) : value;
}

/* value[k] is without round k. There is no interval, but NaN, if one of them is not known. */
static cm_quantity over_rounds(double all, const double *value, size_t n)
{
    double mean = 0, squares = 0, low = all, high = all;
    for (size_t k = 0; k < n; k++) mean += log(value[k]) / (double)n;
    for (size_t k = 0; k < n; k++) {
        squares += pow(log(value[k]) - mean, 2);
        low = fmin(low, value[k]);
        high = fmax(high, value[k]);
    }
    cm_quantity q =
        cm_quantity_student(0, sqrt((double)(n - 1) / (double)n * squares), n - 1, "rounds", n);
    q = cm_quantity_mapped(q, all, all * exp(q.low), all * exp(q.high));
    if (n < CM_INTERVAL_LEAST)
        q = (cm_quantity){.value = all, .low = low, .high = high, .over = "rounds", .n = n};
    if (!isnan(mean)) return q;
    q.low = q.high = NAN;
    q.n = 0;
    return q;
}

cm_quantity congestion_ratio(const cm_histogram *over, const cm_histogram *under, size_t n,
                             double fraction)
{
    cm_histogram *all = malloc(sizeof *all);
    double *value = calloc(n, sizeof *value);
    if (!all || !value) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu rounds", n);
    const double whole = value_without(over, under, n, none, fraction, all);
    for (size_t k = 0; k < n; k++) value[k] = value_without(over, under, n, k, fraction, all);
    const cm_quantity q = over_rounds(whole, value, n);
    free(all);
    free(value);
    return q;
}

cm_quantity congestion_quantile(const cm_histogram *rounds, size_t n, double fraction)
{
    return congestion_ratio(rounds, NULL, n, fraction);
}
