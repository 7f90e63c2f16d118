/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_curve.c: the sizes of a sweep and the metrics of a whole curve. */
#include <math.h>
#include "hint.h"

int64_t hint_next_size(int64_t n)
{
    for (int k = (int)floor(10 * log10((double)n / 2));; k++) {
        int64_t next = llround(2 * pow(10, k / 10.0));
        if (next > n) return next;
    }
}

int64_t hint_next_size_of_original(int64_t n)
{
    const int64_t next = (int64_t)((double)n * 1.2589);
    return next > n ? next : n + 1;
}

int64_t hint_size_after(const hint_options *options, int64_t n)
{
    return options->kernel == HINT_ORIGINAL ? hint_next_size_of_original(n) : hint_next_size(n);
}

double hint_net_quips(size_t count, const hint_point *points)
{
    double net = points[count - 1].quips;
    for (size_t k = count - 1; k-- > 0;)
        net += points[k].quips * (1 - points[k].t_s / points[k + 1].t_s);
    return net;
}

const hint_point *hint_peak(size_t count, const hint_point *points)
{
    const hint_point *peak = points;
    for (size_t k = 1; k < count; k++)
        if (points[k].quips > peak->quips) peak = &points[k];
    return peak;
}

const hint_point *hint_within(size_t count, const hint_point *points, int64_t bytes)
{
    const hint_point *within = NULL;
    for (size_t k = 0; k < count; k++)
        if (points[k].memory_bytes <= bytes) within = &points[k];
    return within;
}
