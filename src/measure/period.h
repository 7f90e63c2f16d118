/* SPDX-License-Identifier: BSD-3-Clause */
/* period.h: does a series repeat itself, and after how long? */
#ifndef CM_PERIOD_H
#define CM_PERIOD_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets power[k], k = 0 .. n / 2, to the periodogram of n values less their mean:
   |sum over i of value[i] exp(-2 pi i k / n)|^2 / n. n is a power of two. Returns false if memory
   is short. */
bool cm_spectrum(const double *value, size_t n, double *power);

/* A period is looked for in at least this many values, which must contain at least this many
   periods. */
enum { CM_PERIOD_LEAST_VALUES = 128, CM_PERIOD_LEAST_TIMES = 8 };

/* Period of a series. */
typedef struct {
    double length; /* in values; NaN if there is none */
    bool exact;    /* false: length or a multiple of it; the values do not say which */
} cm_period;

/* Looks for a period in n values (a power of two) at equal distances, in which events raise the
   values. Sets found->length to the period, between 2.5 and n / CM_PERIOD_LEAST_TIMES, or to NaN if
   no frequency stands out from its neighbours or if n is below CM_PERIOD_LEAST_VALUES. alarm, 0 to
   1, is the probability of finding a period in a series that has none; period.c says for which
   series this holds. If there are several periods, the one with the largest events is found. Events
   with a period below 2 values may look like events with a longer one. Returns false if memory is
   short. */
bool cm_period_find(const double *value, size_t n, double alarm, cm_period *found);

#ifdef __cplusplus
}
#endif
#endif
