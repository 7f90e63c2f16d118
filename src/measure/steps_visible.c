/* SPDX-License-Identifier: BSD-3-Clause */
/* steps_visible.c: the smallest step that could have been seen. Where nothing correlates, the ratio
   of normal values has one distribution for each n, whatever their deviation. Chance exceeds its
   critical value with the probability alpha; random orders of given values estimate the same. A
   step is seen in a series if it brings the ratio there, so that the smallest one is looked for in
   series of noise of deviation 1. */
#include "config.h"
#include "measure/steps.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "measure/order.h"
#include "measure/steps_internal.h"
#include "random/random.h"

enum { SERIES = 399, HALVINGS = 20 };
static const double power = 0.8;

/* Of values as they are: neither odd ones are moved, nor is their correlation looked for. */
static double ratio_in(const double *x, size_t n, double *centred, double *sum, size_t *places)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        centred[i] = x[i] - mean;
        squares += centred[i] * centred[i];
    }
    const cm_steps_place best = cm_steps_explained(centred, n, true, sum);
    *places = best.places;
    return cm_steps_ratio(best.part, squares, n, 1);
}

static void draw(size_t n, uint64_t *state, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = cm_random_normal(state);
}

/* x, centred: [n], sum: [n + 1]. Where orders cannot tell, it is that of p_of's bound. */
static bool set_critical(size_t n, double alpha, double *x, double *centred, double *sum,
                         double *critical)
{
    const size_t series = (size_t)fmax(CM_STEPS_FEW, ceil(20 / alpha));
    const double freedom = (double)(n - 2);
    uint64_t state = 1;
    size_t places;
    if (alpha < 20.0 / CM_STEPS_ORDERS) {
        draw(n, &state, x);
        ratio_in(x, n, centred, sum, &places);
        *critical = freedom * (pow((double)places / alpha, 2 / freedom) - 1);
        return true;
    }
    double *ratio = malloc(series * sizeof *ratio);
    for (size_t k = 0; ratio && k < series; k++) {
        draw(n, &state, x);
        ratio[k] = ratio_in(x, n, centred, sum, &places);
    }
    if (ratio) *critical = cm_order_select(ratio, series, 1 - alpha);
    free(ratio);
    return ratio;
}

/* The smallest step of this noise that reaches the critical value. */
static double needed(const double *noise, size_t n, double critical, double *x, double *centred,
                     double *sum)
{
    double low = 0, high = 64;
    for (int k = 0; k < HALVINGS; k++) {
        const double shift = (low + high) / 2;
        size_t places;
        for (size_t i = 0; i < n; i++) x[i] = noise[i] + (i < n / 2 ? 0 : shift);
        if (ratio_in(x, n, centred, sum, &places) >= critical) high = shift;
        else low = shift;
    }
    return high;
}

/* The smallest p that random orders can have: two orders of n values split them in half. */
static double least_p(size_t n)
{
    const double half = (double)(n / 2), rest = (double)(n - n / 2);
    return 2 * exp(lgamma(half + 1) + lgamma(rest + 1) - lgamma((double)n + 1));
}

bool cm_steps_visible(size_t n, double alpha, double *shift)
{
    double critical = NAN, seen[SERIES];
    uint64_t state = 2;
    *shift = NAN;
    if (n < 2 * CM_STEP_STAYS || least_p(n) > alpha) return true;
    double *room = malloc((4 * n + 1) * sizeof *room);
    if (!room) return false;
    double *x = room, *noise = room + n, *centred = room + 2 * n, *sum = room + 3 * n;
    const bool had = set_critical(n, alpha, x, centred, sum, &critical);
    for (size_t k = 0; had && k < SERIES; k++) {
        draw(n, &state, noise);
        seen[k] = needed(noise, n, critical, x, centred, sum);
    }
    if (had) *shift = cm_order_select(seen, SERIES, power);
    free(room);
    return had;
}

bool cm_steps_deviation(size_t n, const double *value, const cm_step *step, size_t found,
                        double *deviation)
{
    *deviation = NAN;
    if (n < 2 * CM_STEP_STAYS || n <= found + 1) return true;
    double *room = malloc((4 * n + 1) * sizeof *room);
    if (!room) return false;
    double *level = room, *centred = room + n, *scratch = room + 2 * n, *sum = room + 3 * n;
    for (size_t k = 0; k <= found; k++) {
        const size_t from = k > 0 ? step[k - 1].at : 0, end = k < found ? step[k].at : n;
        double mean = 0;
        for (size_t i = from; i < end; i++) mean += value[i] / (double)(end - from);
        for (size_t i = from; i < end; i++) level[i] = value[i] - mean;
    }
    const double apart = cm_steps_noise(level, n, scratch);
    const double squares = cm_steps_centre(level, n, apart, centred, scratch);
    const cm_steps_place best = cm_steps_explained(centred, n, true, sum);
    *deviation =
        squares > 0
            ? sqrt(squares / (double)(n - found - 1) * cm_steps_inflation(centred, n, &best, apart))
            : 0;
    free(room);
    return true;
}
