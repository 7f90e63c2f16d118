/* SPDX-License-Identifier: BSD-3-Clause */
/* histogram.h: a logarithmic histogram, for the quantiles of more samples than can be kept in
   memory. */
#ifndef CM_HISTOGRAM_H
#define CM_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 200 bins per decade from 10 ns to 1000 s, so that a bin is 1.16 % wide. Values outside this range
   count in the first or the last bin. */
enum { CM_HISTOGRAM_BINS_PER_DECADE = 200, CM_HISTOGRAM_BINS = 11 * CM_HISTOGRAM_BINS_PER_DECADE };

/* Samples in seconds, above 0. A zeroed struct is an empty histogram. */
typedef struct {
    int64_t count[CM_HISTOGRAM_BINS];
    int64_t n;
    double sum_s, min_s, max_s;
} cm_histogram;

void cm_histogram_add(cm_histogram *histogram, double time_s);

/* Adds all samples of another histogram. */
void cm_histogram_merge(cm_histogram *histogram, const cm_histogram *other);

/* Returns the quantile for fraction, 0 to 1. It interpolates between the samples at rank fraction *
   (n - 1), as cm_quantiles does, but is only as precise as the width of a bin. The least and the
   greatest sample are exact. Returns NaN if the histogram is empty. */
double cm_histogram_quantile(const cm_histogram *histogram, double fraction);

/* Writes the samples as "LOW_S:COUNT LOW_S:COUNT ...", in 20 groups of bins per decade, and skips
   empty groups. Text that does not fit in capacity is cut after a group. */
enum { CM_HISTOGRAM_TEXT_BYTES = 16384 }; /* always large enough */
void cm_histogram_text(const cm_histogram *histogram, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
