/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c: two levels among a row's samples, or a step in their sequence. The thresholds were
   tabulated by simulation; unit/states repeats it. */
#include "config.h"
#include "measure/states.h"
#include "measure/order.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double least_share = 0.1, least_apart = 0.05;

typedef struct {
    double value;
    size_t at;
} place;

static int by_value(const void *left, const void *right)
{
    double a = ((const place *)left)->value, b = ((const place *)right)->value;
    return (a > b) - (a < b);
}

static bool far_apart(const cm_states *states)
{
    double lower = fmin(fabs(states->level[0]), fabs(states->level[1]));
    return fabs(states->level[1] - states->level[0]) >= least_apart * lower;
}

static size_t least_of(size_t n) { return (size_t)ceil(least_share * (double)n); }

/* ---- Two levels ------------------------------------------------------------------------------ */

/* A clock with coarse ticks gives few different values, which are no states: a tick d adds
   d^2 / 12 to the variance within a level. */
static double tick_of(const double *sorted, size_t n)
{
    double tick = INFINITY;
    for (size_t i = 1; i < n; i++)
        if (sorted[i] > sorted[i - 1]) tick = fmin(tick, sorted[i] - sorted[i - 1]);
    return isfinite(tick) ? tick : 0;
}

/* The split of sorted values that separates the means of the two sides most, in deviations within a
   side. The largest separation of n samples of one normal level exceeds 2.8 + 12 / sqrt(n) in 0.5 %
   of rows at most, with an autocorrelation up to 0.6. Logarithms make a lognormal level normal. */
static bool two_levels(const double *sorted, size_t n, double *x, cm_states *states)
{
    bool positive = sorted[0] > 0;
    for (size_t i = 0; i < n; i++) x[i] = positive ? log(sorted[i] / sorted[n / 2]) : sorted[i];
    double sum = 0, squares = 0, left = 0, left_squares = 0, best = 0, tick = tick_of(x, n);
    size_t least = least_of(n), split = 0;
    for (size_t i = 0; i < n; i++) sum += x[i], squares += x[i] * x[i];
    for (size_t k = 1; k <= n - least; k++) {
        left += x[k - 1];
        left_squares += x[k - 1] * x[k - 1];
        if (k < least) continue;
        double a = (double)k, b = (double)(n - k), right = sum - left;
        double within = left_squares - left * left / a + squares - left_squares - right * right / b;
        double deviation = sqrt(fmax(0, within) / (a + b - 2) + tick * tick / 12);
        double apart = right / b - left / a;
        if (deviation > 0 && apart / deviation > best) {
            best = apart / deviation;
            split = k;
        }
    }
    if (split == 0 || best < 2.8 + 12 / sqrt((double)n)) return false;
    *states = (cm_states){.kind = CM_STATES_MIXED,
                          .level = {cm_order_quantile(sorted, split, 0.5),
                                    cm_order_quantile(sorted + split, n - split, 0.5)},
                          .share = {(double)split / (double)n, (double)(n - split) / (double)n},
                          .n = n};
    return far_apart(states);
}

/* ---- A step ---------------------------------------------------------------------------------- */

/* Sets rank to the ranks minus their mean, in the order of the samples; equal values rank in that
   order, too. Returns false if out of memory. */
static bool ranks_of(const double *value, size_t n, double *rank)
{
    place *places = malloc(n * sizeof *places);
    if (!places) return false;
    for (size_t i = 0; i < n; i++) places[i] = (place){value[i], i};
    qsort(places, n, sizeof *places, by_value);
    for (size_t first = 0; first < n;) {
        size_t end = first + 1;
        while (end < n && places[end].value == places[first].value) end++;
        for (size_t i = first; i < end; i++)
            rank[places[i].at] = ((double)(first + end - 1) - (double)(n - 1)) / 2;
        first = end;
    }
    free(places);
    return true;
}

/* Returns the place where the sum of the ranks so far is farthest from 0 (Pettitt, Applied
   Statistics 28 (1979) 126). */
static size_t change_point(const double *rank, size_t n, double *farthest)
{
    size_t at = 0;
    double sum = 0;
    *farthest = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        sum += rank[i];
        if (fabs(sum) <= *farthest) continue;
        *farthest = fabs(sum);
        at = i + 1;
    }
    return at;
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

/* The sum in units of its deviation if there is no step. Samples with autocorrelation r (of what is
   left when the two levels are taken off, corrected for the bias of short rows) vary as n (1 - r) /
   (1 + r) independent ones. It exceeds 1.7 + 9 / sqrt(n) in 0.5 % of rows at most, r up to 0.6. */
static bool is_step(const double *rank, size_t n, size_t at, double farthest)
{
    const double level[2] = {mean_of(rank, at), mean_of(rank + at, n - at)};
    double squares = 0, products = 0, before = 0, m = (double)n;
    for (size_t i = 0; i < n; i++) {
        double rest = rank[i] - level[i >= at];
        squares += rest * rest;
        if (i > 0 && i != at) products += before * rest;
        before = rest;
    }
    if (!(squares > 0)) return farthest > 0;
    double r = products / squares;
    r = fmin(fmax(r + (1 + 4 * r) / m, 0), 0.97);
    double deviation = sqrt(m * squares / (m - 2) * (1 + r) / (1 - r));
    return farthest / deviation >= 1.7 + 9 / sqrt(m);
}

static double median_of(const double *value, size_t n)
{
    double *sorted = cm_order_sorted(value, n);
    double median = sorted ? cm_order_quantile(sorted, n, 0.5) : NAN;
    free(sorted);
    return median;
}

static bool step(const double *value, size_t n, double *rank, cm_states *states)
{
    double farthest;
    size_t at = change_point(rank, n, &farthest), least = least_of(n);
    if (at < least || n - at < least || !is_step(rank, n, at, farthest)) return false;
    *states = (cm_states){.kind = CM_STATES_STEP,
                          .level = {median_of(value, at), median_of(value + at, n - at)},
                          .share = {(double)at / (double)n, (double)(n - at) / (double)n},
                          .n = n,
                          .step = at};
    return far_apart(states);
}

static bool find(const double *value, size_t n, cm_states *states)
{
    double *sorted = cm_order_sorted(value, n), *work = malloc(n * sizeof *work);
    bool enough = sorted && work, found = false;
    if (enough && n >= CM_STATES_LEAST_STEP) {
        enough = ranks_of(value, n, work);
        found = enough && step(value, n, work, states);
    }
    if (enough && !found && !two_levels(sorted, n, work, states))
        *states = (cm_states){.kind = CM_STATES_ONE, .n = n};
    free(sorted);
    free(work);
    return enough;
}

bool cm_states_find(const cm_samples *samples, cm_states *states)
{
    size_t n = samples->n, finite = 0;
    *states = (cm_states){.kind = CM_STATES_ONE, .n = n};
    if (n < CM_STATES_LEAST) return true;
    double *value = cm_order_counted(samples, &n);
    if (!value) return false;
    states->n = n;
    while (finite < n && isfinite(value[finite])) finite++;
    bool enough = n < CM_STATES_LEAST || finite < n || find(value, n, states);
    free(value);
    return enough;
}
