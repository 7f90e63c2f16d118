/* SPDX-License-Identifier: BSD-3-Clause */
/* states_pair.c: two results are compared within the states that their launches are in. */
#include "config.h"
#include "measure/states_pair.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "measure/states_few.h"

/* One side's sorted values on both sides of the boundary. */
static void split(size_t all, const double *value, double between, size_t n[2], double level[2])
{
    n[0] = 0;
    while (n[0] < all && value[n[0]] < between) n[0]++;
    n[1] = all - n[0];
    for (int k = 0; k < 2; k++) {
        const double *first = value + (k ? n[0] : 0);
        level[k] = n[k] ? (first[(n[k] - 1) / 2] + first[n[k] / 2]) / 2 : NAN;
    }
}

/* The exact test of two shares is the rank test of values that are 0 or 1. */
static bool test_shares(cm_states_pair *pair)
{
    double x[CM_RANK_MOST], y[CM_RANK_MOST];
    size_t m = pair->x[0] + pair->x[1], n = pair->y[0] + pair->y[1];
    for (size_t k = 0; k < m; k++) x[k] = k >= pair->x[0];
    for (size_t k = 0; k < n; k++) y[k] = k >= pair->y[0];
    return cm_rank_test(m, x, n, y, &pair->shares_p);
}

static bool are_positive(size_t n, const double *value)
{
    for (size_t i = 0; i < n; i++)
        if (!(value[i] > 0 && isfinite(value[i]))) return false;
    return true;
}

/* Each side's own boundary; that of the other one where a side has none. NaN: neither has two
   states. */
static bool find_boundaries(size_t m, const double *x, size_t n, const double *y,
                            cm_states_pair *pair)
{
    cm_states_few in_x, in_y;
    pair->between[0] = pair->between[1] = NAN;
    if (!are_positive(m, x) || !are_positive(n, y)) return true;
    if (!cm_states_few_find(m, x, &in_x) || !cm_states_few_find(n, y, &in_y)) return false;
    if (in_x.low == 0 && in_y.low == 0) return true;
    pair->between[0] = in_x.low > 0 ? in_x.between : in_y.between;
    pair->between[1] = in_y.low > 0 ? in_y.between : in_x.between;
    return true;
}

/* The mean logarithm of both sides' launches in a state: by it a difference between the sides is
   divided among them by their numbers, so that a test of what is left raises no more false alarms
   than one of launches without states. */
static double level_of(const cm_states_pair *pair, int k)
{
    const cm_rank_stratum *s = &pair->stratum[k];
    double sum = 0;
    for (size_t i = 0; i < s->m; i++) sum += log(s->x[i]);
    for (size_t i = 0; i < s->n; i++) sum += log(s->y[i]);
    return sum / (double)(s->m + s->n);
}

static bool is_matched(const cm_states_pair *pair)
{
    double distance = level_of(pair, 1) - level_of(pair, 0);
    bool shared = false;
    for (int k = 0; k < 2; k++) {
        if (pair->x[k] == 0 || pair->y[k] == 0) continue;
        shared = true;
        if (!(fabs(log(pair->y_level[k] / pair->x_level[k])) < distance / 2)) return false;
    }
    return shared;
}

bool cm_states_pair_find(size_t m, const double *x, size_t n, const double *y, cm_states_pair *pair)
{
    *pair = (cm_states_pair){.shares_p = NAN, .strata = 1, .stratum = {{m, n, x, y}}};
    if (m > CM_RANK_MOST || n > CM_RANK_MOST) return true;
    if (!find_boundaries(m, x, n, y, pair)) return false;
    if (isnan(pair->between[0])) return true;
    split(m, x, pair->between[0], pair->x, pair->x_level);
    split(n, y, pair->between[1], pair->y, pair->y_level);
    pair->stratum[0] = (cm_rank_stratum){pair->x[0], pair->y[0], x, y};
    pair->stratum[1] = (cm_rank_stratum){pair->x[1], pair->y[1], x + pair->x[0], y + pair->y[0]};
    pair->kind = is_matched(pair) ? CM_STATES_PAIR_MATCHED : CM_STATES_PAIR_UNMATCHED;
    pair->strata = pair->kind == CM_STATES_PAIR_MATCHED ? 2 : 0;
    return test_shares(pair);
}

bool cm_states_pair_ratio(const cm_states_pair *pair, cm_rank_factor *factor)
{
    return cm_rank_ratio_within(pair->strata, pair->stratum, CM_STATES_PAIR_ALPHA, factor);
}

bool cm_states_pair_test(const cm_states_pair *pair, double *p)
{
    *p = 1;
    return pair->strata == 0 || cm_rank_test_within(pair->strata, pair->stratum, p);
}

double cm_states_pair_least_p(const cm_states_pair *pair)
{
    return cm_rank_least_p_within(pair->strata, pair->stratum);
}

void cm_states_pair_align(const cm_states_pair *pair, bool of_y, size_t n, double *value)
{
    if (pair->kind == CM_STATES_PAIR_ONE) return;
    if (pair->kind == CM_STATES_PAIR_UNMATCHED) {
        for (size_t i = 0; i < n; i++) value[i] = 1;
        return;
    }
    double level[2] = {level_of(pair, 0), level_of(pair, 1)};
    for (size_t i = 0; i < n; i++) value[i] /= exp(level[value[i] >= pair->between[of_y]]);
}

double cm_states_pair_loss(const cm_states_pair *pair)
{
    double m = 0, n = 0, within = 0;
    if (pair->kind == CM_STATES_PAIR_ONE) return 1;
    for (int k = 0; k < 2; k++) {
        double x = (double)pair->x[k], y = (double)pair->y[k];
        m += x;
        n += y;
        within += x + y > 0 ? x * y / (x + y) : 0;
    }
    return fmax(1, m * n / (m + n) / within);
}

bool cm_states_pair_visible(const cm_states_pair *pair, double alpha, double *ratio)
{
    double x[CM_RANK_MOST], y[CM_RANK_MOST];
    const cm_rank_stratum *first = pair->stratum;
    size_t m = first[0].m + first[1].m, n = first[0].n + first[1].n;
    *ratio = NAN;
    if (cm_states_pair_least_p(pair) > alpha) return true;
    memcpy(x, first->x, m * sizeof *x);
    memcpy(y, first->y, n * sizeof *y);
    cm_states_pair_align(pair, false, m, x);
    cm_states_pair_align(pair, true, n, y);
    if (!cm_rank_visible(m, x, n, y, alpha, ratio)) return false;
    *ratio = pow(*ratio, cm_states_pair_loss(pair));
    return true;
}
