/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_visible.c: the smallest ratio that the rank test could have seen, given how much the values
   of each sample differ among themselves. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"
#include "measure/rank_test.h"
#include "random/random.h"

/* Logarithms are taken as normal with one deviation s, estimated from both samples. A shift d of y
   is found in a sample if the c-th smallest difference y - x of the noise alone, D, and d are above
   0 together: d > -D. So the shift that is found with probability 0.8 is the quantile 0.8 of -D,
   which noise of deviation 1 gives once for all s. Normal approximations (Noether, JASA 82 (1987)
   645) are wrong by far for the three to ten launches that matter here. */

enum { TRIALS = 1999 }; /* the quantile's standard error is some 1 % of the shift */
static const double power = 0.8;

/* Box and Muller's; both words in (0, 1]. */
static double normal(uint64_t *state)
{
    double u = ((double)(cm_random_next(state) >> 11) + 1) * 0x1p-53;
    double v = ((double)(cm_random_next(state) >> 11) + 1) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v);
}

/* -D of one trial; NaN if memory is short. */
static double needed_shift(size_t m, size_t n, size_t c, uint64_t *state)
{
    double x[CM_RANK_MOST], difference[CM_RANK_MOST * CM_RANK_MOST];
    for (size_t i = 0; i < m; i++) x[i] = normal(state);
    for (size_t j = 0; j < n; j++) {
        double y = normal(state);
        for (size_t i = 0; i < m; i++) difference[j * m + i] = y - x[i];
    }
    double *sorted = cm_order_sorted(difference, m * n);
    double shift = sorted ? -sorted[c - 1] : NAN;
    free(sorted);
    return shift;
}

/* The shift found with that power, in deviations; NaN if memory is short. */
static double visible_shift(size_t m, size_t n, size_t c)
{
    double shift[TRIALS];
    uint64_t state = 1;
    for (size_t t = 0; t < TRIALS; t++) {
        shift[t] = needed_shift(m, n, c, &state);
        if (isnan(shift[t])) return NAN;
    }
    double *sorted = cm_order_sorted(shift, TRIALS);
    double visible = sorted ? cm_order_quantile(sorted, TRIALS, power) : NAN;
    free(sorted);
    return visible;
}

/* The squared deviations of logarithms from their mean. */
static double squares(size_t n, const double *value)
{
    double mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++) mean += log(value[i]) / (double)n;
    for (size_t i = 0; i < n; i++) sum += pow(log(value[i]) - mean, 2);
    return sum;
}

static bool are_positive(size_t n, const double *value)
{
    for (size_t i = 0; i < n; i++)
        if (!(value[i] > 0 && isfinite(value[i]))) return false;
    return true;
}

bool cm_rank_visible(size_t m, const double *x, size_t n, const double *y, double alpha,
                     double *ratio)
{
    size_t c;
    *ratio = NAN;
    if (!cm_rank_order(m, n, alpha, &c)) return false;
    if (c == 0 || !are_positive(m, x) || !are_positive(n, y)) return true;
    double shift = visible_shift(m, n, c);
    if (isnan(shift)) return false;
    double deviation = sqrt((squares(m, x) + squares(n, y)) / (double)(m + n - 2));
    *ratio = exp(shift * deviation);
    return true;
}
