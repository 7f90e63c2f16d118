/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_numbers.h: single numbers of a plate, whose precision is known at run time. */
#ifndef HEAT_NUMBERS_H
#define HEAT_NUMBERS_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { HEAT_SINGLE, HEAT_DOUBLE } heat_precision;

static inline size_t heat_number_bytes(heat_precision precision)
{
    return precision == HEAT_SINGLE ? sizeof(float) : sizeof(double);
}

static inline double heat_number_epsilon(heat_precision precision)
{
    return precision == HEAT_SINGLE ? (double)FLT_EPSILON : DBL_EPSILON;
}

/* Number j of a row. */
static inline double heat_get(heat_precision precision, const void *row, int64_t j)
{
    return precision == HEAT_SINGLE ? (double)((const float *)row)[j] : ((const double *)row)[j];
}

static inline void heat_set(heat_precision precision, void *row, int64_t j, double value)
{
    if (precision == HEAT_SINGLE) ((float *)row)[j] = (float)value;
    else ((double *)row)[j] = value;
}

/* Sets `count` numbers from number 0. */
static inline void heat_fill(heat_precision precision, void *row, double value, int64_t count)
{
    for (int64_t j = 0; j < count; j++) heat_set(precision, row, j, value);
}

#endif
