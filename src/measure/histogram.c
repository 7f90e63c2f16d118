/* SPDX-License-Identifier: BSD-3-Clause */
/* histogram.c: counts of samples on a logarithmic scale, and their quantiles. */
#include <math.h>
#include <stdio.h>
#include "measure/histogram.h"

static const double first_s = 1e-8;

static int bin_of(double time_s)
{
    if (!(time_s > first_s)) return 0;
    double k = floor(CM_HISTOGRAM_BINS_PER_DECADE * log10(time_s / first_s));
    return k < CM_HISTOGRAM_BINS - 1 ? (int)k : CM_HISTOGRAM_BINS - 1;
}

/* The time at a place on the scale, in bins. */
static double time_at(double bins)
{
    return first_s * pow(10, bins / CM_HISTOGRAM_BINS_PER_DECADE);
}

void cm_histogram_add(cm_histogram *histogram, double time_s)
{
    histogram->count[bin_of(time_s)]++;
    histogram->sum_s += time_s;
    if (histogram->n == 0 || time_s < histogram->min_s) histogram->min_s = time_s;
    if (histogram->n == 0 || time_s > histogram->max_s) histogram->max_s = time_s;
    histogram->n++;
}

void cm_histogram_merge(cm_histogram *histogram, const cm_histogram *other)
{
    if (other->n == 0) return;
    for (int k = 0; k < CM_HISTOGRAM_BINS; k++) histogram->count[k] += other->count[k];
    if (histogram->n == 0 || other->min_s < histogram->min_s) histogram->min_s = other->min_s;
    if (histogram->n == 0 || other->max_s > histogram->max_s) histogram->max_s = other->max_s;
    histogram->sum_s += other->sum_s;
    histogram->n += other->n;
}

double cm_histogram_quantile(const cm_histogram *histogram, double fraction)
{
    double rank = fraction * (double)(histogram->n - 1), below = 0;
    int k = 0;
    if (histogram->n == 0) return NAN;
    if (rank <= 0) return histogram->min_s;
    if (rank >= (double)(histogram->n - 1)) return histogram->max_s;
    while (k < CM_HISTOGRAM_BINS - 1 && below + (double)histogram->count[k] <= rank)
        below += (double)histogram->count[k++];
    /* The samples of a bin are taken to lie evenly in it. */
    double time_s = time_at(k + (rank - below + 0.5) / (double)histogram->count[k]);
    return fmin(fmax(time_s, histogram->min_s), histogram->max_s);
}

void cm_histogram_text(const cm_histogram *histogram, char *text, size_t capacity)
{
    enum { GROUP = CM_HISTOGRAM_BINS_PER_DECADE / 20 };
    size_t used = 0;
    text[0] = 0;
    for (int first = 0; first < CM_HISTOGRAM_BINS; first += GROUP) {
        int64_t count = 0;
        for (int k = first; k < first + GROUP; k++) count += histogram->count[k];
        if (count == 0) continue;
        int n = snprintf(text + used, capacity - used, "%s%.4g:%lld", used ? " " : "",
                         time_at(first), (long long)count);
        if (n < 0 || (size_t)n >= capacity - used) {
            text[used] = 0;
            return;
        }
        used += (size_t)n;
    }
}
