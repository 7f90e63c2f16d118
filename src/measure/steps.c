/* SPDX-License-Identifier: BSD-3-Clause */
/* steps.c: a permutation test for steps at unknown places of a series, and a search by halves. */
#include "config.h"
#include "measure/steps.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "measure/order.h"
#include "random/random.h"

enum { ORDERS = 20000, FEW = 1999 }; /* random ones; the given one is one more */

/* Parts of the series that are looked at: the whole, and for levels that end again, lengths that
   fall by 1 / sqrt(2), each half over the next (seeded binary segmentation; Kovacs, Buehlmann, Li
   and Munk, Biometrika 110 (2023) 249). */
enum { LEAST_PART = 2 * CM_STEP_LEVEL };

typedef struct {
    const double *value;
    double *centred, *shuffled; /* [n] */
    double *sum;                /* [n + 1] */
    double alpha;
} search;

/* ---- The statistic ------------------------------------------------------------------------------
   Of n values the first k have the sum S less k times the mean. The part of all squares that the
   step between k and k + 1 explains is S^2 n / (k (n - k)) over their sum. */

typedef struct {
    double part;
    size_t at, from, end; /* of the values from..end - 1 */
    size_t places;        /* how many were looked at */
} best_place;

/* Looks at the values a to b - 1 of those whose sums these are. */
static void look(const double *sum, size_t a, size_t b, best_place *best)
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

static best_place explained(const double *x, size_t n, bool parts, double *sum)
{
    best_place best = {.part = -1};
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
static double ratio_of(double part, double squares, size_t n, double inflated)
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
static double inflation(const double *x, size_t n, const best_place *best, double deviation)
{
    double most = by_differences(x, n, deviation) + 1.5 / sqrt((double)n);
    double here = by_products(x + best->from, best->end - best->from, best->at - best->from);
    double r = fmin(fmax(fmin(here, most), 0), 0.95);
    return (1 + r) / (1 - r);
}

/* ---- One step of a part of the series -------------------------------------------------------- */

/* The deviation of a value from the next one's level, whatever steps and odd values there are. */
static double noise(const double *x, size_t n, double *scratch)
{
    for (size_t i = 0; i + 1 < n; i++) scratch[i] = fabs(x[i + 1] - x[i]);
    return cm_order_select(scratch, n - 1, 0.5) / (0.6745 * sqrt(2));
}

/* Sets x to the values less their mean, odd ones moved to five deviations. Returns the sum of their
   squares. */
static double centre(const double *value, size_t n, double deviation, double *x, double *scratch)
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

/* Sets the places with the largest weights that make up 95 % of the sum. The weight is the
   likelihood of the best means, RSS^(-n / 2), where n is the number of independent values that the
   correlated ones are worth. */
static bool set_places(const double *x, size_t n, double squares, double inflated, cm_step *step,
                       double *weight)
{
    double sum = 0, total = 0, part = 0, least = squares;
    for (size_t k = 1; k < n; k++) {
        sum += x[k - 1];
        weight[k - 1] = fmax(squares - sum * sum * (double)n / ((double)k * (double)(n - k)), 0);
        if (k >= CM_STEP_STAYS && k + CM_STEP_STAYS <= n) least = fmin(least, weight[k - 1]);
    }
    for (size_t k = 1; k < n; k++) {
        double *w = &weight[k - 1];
        if (k < CM_STEP_STAYS || k + CM_STEP_STAYS > n) *w = 0;
        else *w = *w <= least ? 1 : pow(least / *w, (double)n / inflated / 2);
        total += *w;
    }
    double *sorted = cm_order_sorted(weight, n - 1);
    if (!sorted) return false;
    size_t last = n - 1;
    while (last > 1 && part < 0.95 * total) part += sorted[--last];
    step->from = step->to = 0;
    for (size_t k = 1; k < n; k++)
        if (weight[k - 1] >= sorted[last]) {
            if (step->from == 0) step->from = k;
            step->to = k;
        }
    free(sorted);
    return true;
}

/* If n values are normal, the part of their variation that a given place explains has the
   distribution Beta(1/2, (n - 2)/2). Its tail is below (1 - part)^((n - 2)/2), the tail of Beta(1,
   (n - 2)/2). The bound is this times the number of places. */
static double bound(size_t n, size_t places, double ratio)
{
    const double freedom = (double)(n - 2);
    return fmin(1, (double)places * pow(1 + ratio / freedom, -freedom / 2));
}

/* Whether random orders have as clear a step; counts only until it is clear that alpha is not
   reached. Orders cannot tell what is rarer than one of them: there none may be as clear, and the
   probability is that of normal values. */
static double p_of(const search *s, size_t n, bool parts, size_t places, double squares,
                   double observed)
{
    const bool rare = s->alpha < 20.0 / ORDERS;
    const double orders = rare ? FEW : fmax(FEW, ceil(20 / s->alpha));
    const double most = rare ? 1 : s->alpha * (orders + 1);
    double reached = 1, drawn = 1;
    if (rare && bound(n, places, observed) > s->alpha) return 1;
    uint64_t state = 1;
    memcpy(s->shuffled, s->centred, n * sizeof *s->shuffled);
    while (drawn <= orders && reached <= most) {
        for (size_t k = n - 1; k > 0; k--) {
            size_t other = (size_t)(((cm_random_next(&state) >> 32) * (k + 1)) >> 32);
            double kept = s->shuffled[k];
            s->shuffled[k] = s->shuffled[other];
            s->shuffled[other] = kept;
        }
        const double part = explained(s->shuffled, n, parts, s->sum).part;
        reached += ratio_of(part, squares, n, 1) >= observed * (1 - 1e-9);
        drawn++;
    }
    return rare && reached == 1 ? bound(n, places, observed) : reached / drawn;
}

/* Tests n values from `first` on; step->p is 1 where they are too few or equal. */
static bool test(const search *s, size_t first, size_t n, bool parts, cm_step *step,
                 double *scratch)
{
    *step = (cm_step){.p = 1};
    if (n < 2 * CM_STEP_STAYS) return true;
    double deviation = noise(s->value + first, n, scratch);
    double squares = centre(s->value + first, n, deviation, s->centred, scratch);
    if (!(squares > 0)) return true;
    const best_place best = explained(s->centred, n, parts, s->sum);
    double inflated = inflation(s->centred, n, &best, deviation);
    step->p = p_of(s, n, parts, best.places, squares, ratio_of(best.part, squares, n, inflated));
    if (!parts && !set_places(s->centred, n, squares, inflated, step, scratch)) return false;
    step->at = first + best.at;
    step->from += first;
    step->to += first;
    return true;
}

/* ---- All steps ------------------------------------------------------------------------------- */

static void insert(cm_step *step, size_t *found, cm_step new)
{
    size_t k = (*found)++;
    for (; k > 0 && step[k - 1].at > new.at; k--) step[k] = step[k - 1];
    step[k] = new;
}

/* Searches from..end, and both sides of a step found. */
static bool split(const search *s, size_t from, size_t end, cm_step *step, size_t *found,
                  double *scratch)
{
    cm_step one;
    if (!test(s, from, end - from, true, &one, scratch)) return false;
    if (!(one.p <= s->alpha)) return true;
    insert(step, found, one);
    return split(s, from, one.at, step, found, scratch)
           && split(s, one.at, end, step, found, scratch);
}

static void drop(cm_step *step, size_t *found, size_t k)
{
    memmove(&step[k], &step[k + 1], (*found - k - 1) * sizeof *step);
    --*found;
}

/* The first step that ends a level which is too short to be one, but that at either end; *found:
   there is none. */
static size_t short_level(const cm_step *step, size_t found)
{
    for (size_t k = 1; k < found; k++)
        if (step[k].at - step[k - 1].at < CM_STEP_LEVEL) return k;
    return found;
}

/* Tests each step between its neighbours, which were not known when it was found, and moves it to
   its best place there; the least sure one that does not pass goes, until all pass. */
static bool again(const search *s, size_t n, cm_step *step, size_t *found, double *scratch)
{
    for (size_t rounds = *found + 1; rounds > 0 && *found > 0; rounds--) {
        size_t worst = 0;
        for (size_t k = 0; k < *found; k++) {
            size_t from = k > 0 ? step[k - 1].at : 0;
            size_t end = k + 1 < *found ? step[k + 1].at : n;
            cm_step one;
            if (!test(s, from, end - from, false, &one, scratch)) return false;
            if (one.at == 0) one.at = step[k].at;
            step[k] = one;
            if (one.p > step[worst].p) worst = k;
        }
        const size_t brief = short_level(step, *found);
        if (step[worst].p > s->alpha) drop(step, found, worst);
        else if (brief < *found) drop(step, found, brief - (step[brief - 1].p > step[brief].p));
        else break;
    }
    return true;
}

bool cm_steps_find(size_t n, const double *value, double alpha, cm_step *step, size_t *found)
{
    *found = 0;
    if (n < 2 * CM_STEP_STAYS) return true;
    double *room = malloc((4 * n + 1) * sizeof *room);
    if (!room) return false;
    const search s = {value, room, room + n, room + 3 * n, alpha};
    bool had =
        split(&s, 0, n, step, found, room + 2 * n) && again(&s, n, step, found, room + 2 * n);
    free(room);
    return had;
}
