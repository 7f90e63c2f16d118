/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c: the prediction of one further result from those that were kept. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "common/memory.h"
#include "bound.h"
#include "measure/order.h"

/* ---- Student's distribution ------------------------------------------------------------------ */

/* P(|T| > t) by the finite sums over cos(theta) with theta = atan(t / sqrt(freedom)) (Abramowitz
   and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4). */
static double beyond(double t, size_t freedom)
{
    const double theta = atan(t / sqrt((double)freedom)), c = cos(theta), s = sin(theta);
    double term = freedom % 2 ? c : 1, sum = freedom == 1 ? 0 : term;
    for (size_t j = freedom % 2 ? 3 : 2; j < freedom; j += 2)
        sum += term *= c * c * (double)(j - 1) / (double)j;
    return 1 - (freedom % 2 ? 2 / acos(-1) * (theta + s * sum) : s * sum);
}

double fleet_student(double alpha, size_t freedom)
{
    double low = 0, high = 1e8;
    for (int k = 0; k < 60; k++) {
        const double middle = low > 0 ? sqrt(low * high) : 1e-8;
        if (beyond(middle, freedom) > 2 * alpha) low = middle;
        else high = middle;
    }
    return high;
}

/* ---- A history ------------------------------------------------------------------------------- */

static double median(const fleet_past *past)
{
    double *y = suite_array(past->n + 1, sizeof *y);
    for (size_t k = 0; k < past->n; k++) y[k] = past->y[k];
    const double median = past->n ? cm_order_select(y, past->n, 0.5) : NAN;
    free(y);
    return median;
}

static double deviation(const fleet_past *past)
{
    double mean = 0, squares = 0;
    for (size_t k = 0; k < past->n; k++) mean += past->y[k] / (double)past->n;
    for (size_t k = 0; k < past->n; k++) squares += (past->y[k] - mean) * (past->y[k] - mean);
    return sqrt(squares / (double)(past->n - 1));
}

static double predicted(double alpha, size_t n, double s)
{
    return s > 0 ? fleet_student(alpha, n - 1) * s * sqrt(1 + 1 / (double)n) : 0;
}

/* The fewest results; 0: not even FLEET_MOST are enough. */
static size_t needed_for(double alpha, double s, double loss)
{
    if (predicted(alpha, FLEET_MOST, s) > loss) return 0;
    size_t n = FLEET_FEWEST;
    while (predicted(alpha, n, s) > loss) n++;
    return n;
}

fleet_bound fleet_bound_of(const fleet_past *past, double alpha, double loss)
{
    fleet_bound bound = {.middle = median(past), .fall = INFINITY, .needed = FLEET_FEWEST};
    if (past->n < 3) return bound;
    const double s = deviation(past);
    if (past->n >= FLEET_FEWEST) bound.fall = fmax(predicted(alpha, past->n, s), FLEET_MARGIN);
    if (bound.fall > loss) bound.needed = needed_for(alpha, s, loss);
    return bound;
}
