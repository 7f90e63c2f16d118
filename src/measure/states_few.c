/* SPDX-License-Identifier: BSD-3-Clause */
/* states_few.c: two levels among the few values that launches have. */
#include "config.h"
#include "measure/states_few.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"

/* The sorted logarithms are split in two so that the squares within the parts are least, as
   two-means clustering does. Of one normal level the part of all squares that remains within is
   below these bounds, by the number of values, once in 200 times (200,000 trials each). Of more
   than 20 values it remains larger, so that the last bound serves them, too. */
static const double bound[] = {0.0032, 0.0113, 0.0229, 0.0365, 0.0512, 0.0640,
                               0.0779, 0.0898, 0.0990, 0.1093, 0.1183, 0.1241,
                               0.1324, 0.1394, 0.1454, 0.1504, 0.1562};
static const double least_gap = 1.1;

static double bound_of(size_t n)
{
    size_t last = sizeof bound / sizeof *bound - 1, k = n - CM_STATES_FEW_LEAST;
    return bound[k < last ? k : last];
}

/* The part of the squares that remains within the first `low` values and the others. */
static double remainder_of(size_t n, const double *sorted, size_t low)
{
    double mean[3] = {0}, squares[3] = {0};
    for (size_t i = 0; i < n; i++) {
        mean[2] += sorted[i] / (double)n;
        mean[i >= low] += sorted[i] / (double)(i < low ? low : n - low);
    }
    for (size_t i = 0; i < n; i++) {
        squares[2] += pow(sorted[i] - mean[2], 2);
        squares[i >= low] += pow(sorted[i] - mean[i >= low], 2);
    }
    return squares[2] > 0 ? (squares[0] + squares[1]) / squares[2] : 1;
}

static void find(size_t n, const double *sorted, cm_states_few *states)
{
    size_t fewest = n / 10 < 2 ? 2 : n / 10, best = 0;
    double least = 1;
    for (size_t low = fewest; low + fewest <= n; low++) {
        double remains = remainder_of(n, sorted, low);
        if (remains >= least) continue;
        least = remains;
        best = low;
    }
    if (best == 0 || least > bound_of(n) || sorted[best] - sorted[best - 1] < log(least_gap))
        return;
    *states = (cm_states_few){.low = best,
                              .high = n - best,
                              .level = {exp(cm_order_quantile(sorted, best, 0.5)),
                                        exp(cm_order_quantile(sorted + best, n - best, 0.5))},
                              .between = exp((sorted[best - 1] + sorted[best]) / 2)};
}

bool cm_states_few_find(size_t n, const double *value, cm_states_few *states)
{
    *states = (cm_states_few){0};
    if (n < CM_STATES_FEW_LEAST) return true;
    for (size_t i = 0; i < n; i++)
        if (!(value[i] > 0 && isfinite(value[i]))) return true;
    double *sorted = cm_order_sorted(value, n);
    if (!sorted) return false;
    for (size_t i = 0; i < n; i++) sorted[i] = log(sorted[i]);
    find(n, sorted, states);
    free(sorted);
    return true;
}
