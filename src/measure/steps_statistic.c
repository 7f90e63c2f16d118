/* SPDX-License-Identifier: BSD-3-Clause */
/* steps_statistic.c: how much of a series' variation a step explains, and what the correlation of
   its values takes from that. */
#include "config.h"
#include "measure/steps_internal.h"
#include <math.h>
#include <string.h>
#include "measure/order.h"

/* Parts of the series that are looked at: the whole, and for levels that end again, lengths that
   fall by 1 / sqrt(2), each half over the next (seeded binary segmentation; Kovacs, Buehlmann, Li
   and Munk, Biometrika 110 (2023) 249). */
enum { LEAST_PART = 2 * CM_STEP_LEVEL };

/* ---- The statistic ------------------------------------------------------------------------------
   Of n values the first k have the sum S less k times the mean. The part of all squares that the
   step between k and k + 1 explains is S^2 n / (k (n - k)) over their sum. */

/* Looks at the values a to b - 1 of those whose sums these are. */
static void look(const double *sum, size_t a, size_t b, cm_steps_place *best)
{
    const double n = (double)(b - a), mean = (sum[b] - sum[a]) / n;
    for (size_t k = CM_STEP_STAYS; k + CM_STEP_STAYS <= b - a; k++) {
        const double s = sum[a + k] - sum[a] - (double)k * mean;
        const double part = s * s * n / ((double)k * (n - (double)k));
        best->places++;
        if (part > best->part) {
            best->part = part;
            best->at = a + k;
            best->from = a;
            best->end = b;
        }
    }
}

cm_steps_place cm_steps_explained(const double *x, size_t n, bool parts, double *sum)
{
    cm_steps_place best = {.part = -1};
    sum[0] = 0;
    for (size_t k = 0; k < n; k++) sum[k + 1] = sum[k] + x[k];
    look(sum, 0, n, &best);
    for (double length = (double)n / sqrt(2); parts && length >= LEAST_PART; length /= sqrt(2)) {
        const size_t m = (size_t)length;
        for (size_t a = 0; a + m < n; a += m / 2) look(sum, a, a + m, &best);
        look(sum, n - m, n, &best);
    }
    return best;
}

/* The variance between the levels over that within them, divided by `inflated`. */
double cm_steps_ratio(double part, double squares, size_t n, double inflated)
{
    double within = squares - part;
    if (within <= 1e-14 * squares) return INFINITY;
    return part / within * (double)(n - 2) / inflated;
}

/* The correlation of neighbours, from the squares of the differences to the next value and to the
   one after it. If the correlation falls by a factor r from place to place, the latter are 1 + r
   times the former. Steps hardly matter: each is in one or two differences, and these are cut at
   five deviations. */
static double by_differences(const double *x, size_t n, double deviation)
{
    double squares[2] = {0, 0};
    for (size_t lag = 1; lag <= 2; lag++)
        for (size_t i = lag; i < n; i++) {
            double apart = fmin(fabs(x[i] - x[i - lag]), 5 * deviation);
            squares[lag - 1] += apart * apart / (double)(n - lag);
        }
    return squares[0] > 0 ? squares[1] / squares[0] - 1 : 0;
}

/* The same by the products of neighbours, less the mean of their level. It is too low by some 1 / n
   for each mean and as much again for the place, which is the best of many. A second step makes it
   far too high. Half of its standard error is added: with a correlation that is taken for too small
   by chance a step is found where there is none, and few results do not tell it well. */
static double by_products(const double *x, size_t n, size_t at)
{
    double mean[2] = {0, 0}, squares = 0, products = 0, before = 0;
    for (size_t i = 0; i < n; i++) mean[i >= at] += x[i] / (double)(i < at ? at : n - at);
    for (size_t i = 0; i < n; i++) {
        double now = x[i] - mean[i >= at];
        squares += now * now;
        if (i > 0 && i != at) products += now * before;
        before = now;
    }
    double r = squares > 0 ? products / squares : 0;
    return r + (4 + 4 * r) / (double)n + 0.5 / sqrt((double)n);
}

/* (1 + r) / (1 - r), what a correlation r of neighbours adds to the variance of a mean. The one by
   differences has an error of about 1 / sqrt(n), so it only limits the other, which is that of the
   part in which the step is clearest: there is hardly a second one. */
double cm_steps_inflation(const double *x, size_t n, const cm_steps_place *best, double deviation)
{
    double most = by_differences(x, n, deviation) + 1.5 / sqrt((double)n);
    double here = by_products(x + best->from, best->end - best->from, best->at - best->from);
    double r = fmin(fmax(fmin(here, most), 0), 0.95);
    return (1 + r) / (1 - r);
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* The deviation of a value from the next one's level, whatever steps and odd values there are. */
double cm_steps_noise(const double *x, size_t n, double *scratch)
{
    for (size_t i = 0; i + 1 < n; i++) scratch[i] = fabs(x[i + 1] - x[i]);
    return cm_order_select(scratch, n - 1, 0.5) / (0.6745 * sqrt(2));
}

/* Sets x to the values less their mean, odd ones moved to five deviations. Returns the sum of their
   squares. */
double cm_steps_centre(const double *value, size_t n, double deviation, double *x, double *scratch)
{
    double mean = 0, squares = 0;
    memcpy(scratch, value, n * sizeof *value);
    double middle = cm_order_select(scratch, n, 0.5), most = 5 * deviation;
    for (size_t i = 0; i < n; i++) {
        double away = value[i] - middle;
        x[i] = deviation > 0 ? fmin(fmax(away, -most), most) : away;
        mean += x[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        x[i] -= mean;
        squares += x[i] * x[i];
    }
    return squares;
}
