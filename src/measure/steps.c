/* SPDX-License-Identifier: BSD-3-Clause */
/* steps.c: a permutation test for steps at unknown places of a series, and a search by halves. */
#include "config.h"
#include "measure/steps.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "measure/order.h"
#include "measure/steps_internal.h"
#include "random/random.h"

typedef struct {
    const double *value;
    double *centred, *shuffled; /* [n] */
    double *sum;                /* [n + 1] */
    double alpha;
} search;

/* ---- One step of a part of the series -------------------------------------------------------- */

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
    const bool rare = s->alpha < 20.0 / CM_STEPS_ORDERS;
    const double orders = rare ? CM_STEPS_FEW : fmax(CM_STEPS_FEW, ceil(20 / s->alpha));
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
        const double part = cm_steps_explained(s->shuffled, n, parts, s->sum).part;
        reached += cm_steps_ratio(part, squares, n, 1) >= observed * (1 - 1e-9);
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
    double deviation = cm_steps_noise(s->value + first, n, scratch);
    double squares = cm_steps_centre(s->value + first, n, deviation, s->centred, scratch);
    if (!(squares > 0)) return true;
    const cm_steps_place best = cm_steps_explained(s->centred, n, parts, s->sum);
    double inflated = cm_steps_inflation(s->centred, n, &best, deviation);
    step->p =
        p_of(s, n, parts, best.places, squares, cm_steps_ratio(best.part, squares, n, inflated));
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
