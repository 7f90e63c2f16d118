/* SPDX-License-Identifier: BSD-3-Clause */
/* broken_line.c: whether and where a line breaks, tested at a level that is charged for the search
   and that no single point decides. */
#include "config.h"
#include "measure/protocols.h"
#include <math.h>

/* Two lines have two parameters more than one. For a known place of the break and normal residuals,
   with m = n - 4 degrees of freedom and the sums S1 and S2 of their squares,

       F = (S1 - S2) / 2 / (S2 / m)   has   P(F > f) = (1 + 2 f / m)^(-m/2) = (S2 / S1)^(m/2)

   (Draper and Smith, Applied Regression Analysis, 3rd ed. 1998, section 6.1). The best of c places
   is as good with at most c times this probability (Bonferroni). The scale of each residual is
   known from a few rows only, which counts as fewer degrees of freedom: credit, which is set so
   that tests/unit/fit_seeds.c finds the rates that the levels promise.

   Without point j the sum of a line is less by r_j^2 / (1 - h_j), where h_j is its leverage (Cook
   and Weisberg, Residuals and Influence in Regression, 1982, section 2.2). That the best sum falls
   as much as without the farthest of n points has at most n c times the probability above, which is
   that of two parameters: one would be less probable. Of three points of a line none is known to be
   the wrong one. */
static const double credit = 0.8;

/* Adds to gain[j], j < n, what each point adds to the sum of its line. */
static void gains(const cm_points *p, size_t first, size_t n, const cm_line_solution *line,
                  double *gain)
{
    for (size_t j = first; j < first + n; j++) {
        double w = 1 / (p->scale[j] * p->scale[j]), dx = p->x[j] - line->x_mean;
        double r = p->y[j] - line->intercept - line->slope * p->x[j];
        double rest = 1 - w * (1 / line->weight + dx * dx / line->sxx);
        gain[j] = rest > 1e-6 ? fmin(w * r * r / rest, line->sse) : 0;
    }
}

static double rounding_sum(const cm_points *p)
{
    double sum = 0;
    for (size_t k = 0; k < p->n; k++) sum += pow(p->rounding[k] / p->scale[k], 2);
    return sum;
}

/* Returns the logarithm of the probability above, with m degrees of freedom. */
static double log_chance(double less, double more, double rounding, double m)
{
    return credit * m / 2 * log((fmax(less, 0) + rounding) / (fmax(more, less) + rounding));
}

static bool part(const cm_points *p, size_t first, size_t n, cm_line_solution *line)
{
    return cm_least_squares_line(n, p->x + first, p->y + first, p->scale + first, 1, line)
           && (!p->rising || line->slope > 0);
}

/* Sets far and far_chance from the least sum with all points and without each. */
static void farthest(size_t n, double least, const double *without, double rounding, double places,
                     double m, cm_broken_line *found)
{
    found->far = 0;
    for (size_t j = 1; j < n; j++)
        if (without[j] < without[found->far]) found->far = j;
    double chance = m > 0 ? log_chance(without[found->far], least, rounding, m) : 0;
    found->far_chance = fmin(1, places * (double)n * exp(chance));
}

bool cm_broken_line_one(const cm_points *p, double *room, cm_broken_line *found)
{
    cm_line_solution one;
    if (!cm_least_squares_line(p->n, p->x, p->y, p->scale, 1, &one)) return false;
    *found = (cm_broken_line){.one = one, .chance = 1};
    gains(p, 0, p->n, &one, room);
    for (size_t j = 0; j < p->n; j++) room[j] = one.sse - room[j];
    farthest(p->n, one.sse, room, rounding_sum(p), 1, (double)p->n - 3, found);
    return true;
}

bool cm_broken_line_search(const cm_points *p, double *room, cm_broken_line *found)
{
    const double rounding = rounding_sum(p), n = (double)p->n;
    double *one_gain = room, *gain = room + p->n, *without = room + 2 * p->n;
    double least = INFINITY, best = 0, places = 0;
    if (!cm_broken_line_one(p, room, found)) return false;
    if (p->n < 2 * p->fewest) return true;
    gains(p, 0, p->n, &found->one, one_gain);
    for (size_t j = 0; j < p->n; j++) without[j] = INFINITY;
    for (size_t k = p->fewest; k + p->fewest <= p->n; k++) {
        cm_line_solution low, high;
        if (p->x[k - 1] == p->x[k] || !part(p, 0, k, &low) || !part(p, k, p->n - k, &high))
            continue;
        double sum = low.sse + high.sse, chance = -INFINITY;
        places++;
        gains(p, 0, k, &low, gain);
        gains(p, k, p->n - k, &high, gain);
        for (size_t j = 0; j < p->n; j++) {
            double now = sum - gain[j];
            chance =
                fmax(chance, log_chance(now, found->one.sse - one_gain[j], rounding, n - 1 - 4));
            without[j] = fmin(without[j], (j < k ? k : p->n - k) > 3 ? now : sum);
        }
        best = fmin(best, chance);
        if (!(sum < least)) continue;
        least = sum;
        found->split = k;
        found->low = low;
        found->high = high;
    }
    if (found->split == 0) return true;
    found->chance = fmin(1, places * exp(best));
    farthest(p->n, least, without, rounding, places, n - 5, found);
    return true;
}

void cm_broken_line_part(const cm_points *p, cm_broken_line *found, size_t *last_low,
                         size_t *first_high)
{
    /* Chi-squared of one degree of freedom exceeds it in 0.01 %. */
    static const double unsure = 15;
    const double least = found->low.sse + found->high.sse;
    const double most = least * (1 + unsure / ((double)p->n - 4));
    cm_line_solution low, high;
    *last_low = *first_high = found->split;
    for (size_t k = p->fewest; k + p->fewest <= p->n; k++) {
        if (p->x[k - 1] == p->x[k] || !part(p, 0, k, &low) || !part(p, k, p->n - k, &high)
            || low.sse + high.sse > most)
            continue;
        if (k < *last_low) *last_low = k;
        if (k > *first_high) *first_high = k;
    }
    /* Lines that rose at each of these breaks may fall without the points between. */
    if (part(p, 0, *last_low, &low) && part(p, *first_high, p->n - *first_high, &high)) {
        found->low = low;
        found->high = high;
    } else *last_low = *first_high = found->split;
}
