/* SPDX-License-Identifier: BSD-3-Clause */
/* lone.c: launches that stand alone. */
#include "config.h"
#include "measure/lone.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"
#include "measure/outliers.h"
#include "measure/states_few.h"

/* The level for each end, so that both ends together have the level that the header states. */
static const double alpha = 0.0025;

/* How many deviations, by the median of all, the greatest of normal values is above their median
   with this probability: of CM_OUTLIERS_FEWEST values and more, 200,000 trials each. An even number
   of values has no value in the middle, from which the deviations are larger. */
static const double bound[] = {23.9, 27.6, 13.2, 14.1, 10.1, 10.4, 8.3, 8.6, 7.4,
                               7.5,  6.8,  6.9,  6.5,  6.4,  6.1,  6.2, 5.8};

static double bound_of(size_t n)
{
    size_t k = n - CM_OUTLIERS_FEWEST;
    return k < sizeof bound / sizeof *bound ? bound[k] : cm_outliers_limit_many((double)n, alpha);
}

/* Divides the others, which are sorted, by the levels of their states if they have two. The lone
   ones above them come from the higher one: that needs the least of a disturbance. */
static bool align(size_t n, size_t others, double *value)
{
    cm_states_few states;
    if (!cm_states_few_find(others, value, &states)) return false;
    for (size_t i = 0; states.low > 0 && i < n; i++)
        value[i] /= states.level[i < others && value[i] < states.between ? 0 : 1];
    return true;
}

/* True in *is if the last n - others of the values, sorted upwards, are lone. */
static bool is_lone(size_t n, size_t others, const double *sorted, bool *is)
{
    *is = false;
    if (!(sorted[others] >= CM_LONE_FACTOR * sorted[others - 1])) return true;
    double *value = malloc(n * sizeof *value), middle, scale;
    for (size_t i = 0; value && i < n; i++) value[i] = sorted[i];
    bool done = value && align(n, others, value);
    for (size_t i = 0; done && i < n; i++) value[i] = log(value[i]);
    done = done && cm_outliers_scale(n, value, NAN, &middle, &scale);
    *is = done && value[others] - middle > bound_of(n) * scale;
    free(value);
    return done;
}

/* Finds lone values among the greatest; as many as possible that are lone together. */
static bool find_high(size_t n, const double *sorted, cm_lone *lone)
{
    size_t most = n / 10 < 2 ? 1 : n / 10 - 1;
    bool is = false, done = true;
    for (size_t k = most; k > 0 && done && !is; k--) {
        done = is_lone(n, n - k, sorted, &is);
        if (is)
            *lone = (cm_lone){.n = k,
                              .nearest = sorted[n - k],
                              .times = cm_order_quantile(sorted + n - k, k, 0.5)
                                       / cm_order_quantile(sorted, n - k, 0.5)};
    }
    return done;
}

bool cm_lone_find(size_t n, const double *value, cm_lone *lone)
{
    *lone = (cm_lone){0};
    if (n < CM_OUTLIERS_FEWEST) return true;
    for (size_t i = 0; i < n; i++)
        if (!(value[i] > 0 && isfinite(value[i]))) return true;
    double *sorted = cm_order_sorted(value, n), *inverse = malloc(n * sizeof *inverse);
    bool done = sorted && inverse && find_high(n, sorted, lone);
    if (done && lone->n > 0) lone->high = true;
    else if (done) {
        for (size_t i = 0; i < n; i++) inverse[i] = 1 / sorted[n - 1 - i];
        done = find_high(n, inverse, lone);
        if (lone->n > 0) {
            lone->nearest = sorted[lone->n - 1];
            lone->times = 1 / lone->times;
        }
    }
    free(sorted);
    free(inverse);
    return done;
}
