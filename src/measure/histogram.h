/* SPDX-License-Identifier: BSD-3-Clause */
/* histogram.h: many samples in little memory, on a logarithmic scale: for quantiles of more samples
   than can be kept. */
#ifndef CM_HISTOGRAM_H
#define CM_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 200 bins a decade from 10 ns to 1000 s: a bin is 1.16 % wide. Values outside count in the first
   or the last bin. */
enum { CM_HISTOGRAM_BINS_PER_DECADE = 200, CM_HISTOGRAM_BINS = 11 * CM_HISTOGRAM_BINS_PER_DECADE };

/* Samples in seconds, above 0. Empty if all is 0. */
typedef struct {
    int64_t count[CM_HISTOGRAM_BINS];
    int64_t n;
    double sum_s, min_s, max_s;
} cm_histogram;

void cm_histogram_add(cm_histogram *histogram, double time_s);

/* Adds all samples of another histogram. */
void cm_histogram_merge(cm_histogram *histogram, const cm_histogram *other);

/* Returns the quantile for fraction, 0 to 1: between the samples at rank fraction * (n - 1), as
   cm_quantiles, but known to the width of a bin only. The least and the greatest sample are exact.
   NaN if the histogram is empty. */
double cm_histogram_quantile(const cm_histogram *histogram, double fraction);

/* Writes the samples as "LOW_S:COUNT LOW_S:COUNT ...", 20 groups of bins a decade, without those
   that are empty. Text that does not fit in capacity is cut after a group. */
enum { CM_HISTOGRAM_TEXT_BYTES = 16384 }; /* fits always */
void cm_histogram_text(const cm_histogram *histogram, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
