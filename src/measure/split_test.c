/* SPDX-License-Identifier: BSD-3-Clause */
/* split_test.c: a permutation test of several metrics by the largest difference. */
#include "config.h"
#include "measure/split_test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "measure/order.h"
#include "measure/rank_test.h"
#include "random/random.h"

/* Up to this number, all splits are counted. If there are more, one less than this number is drawn.
   */
enum { SPLITS = 20000 };

typedef struct {
    size_t all, chosen, metrics; /* launches; in the smaller group */
    double *value;               /* [metrics][all] less their mean, over their deviation */
    size_t *member;              /* [chosen] of the split, ascending if all are counted */

} splits;

/* The sum over a group is a multiple of the difference of the means, since all sum to 0. */
static double statistic(const splits *s, size_t metric)
{
    double sum = 0;
    for (size_t i = 0; i < s->chosen; i++) sum += s->value[metric * s->all + s->member[i]];
    return fabs(sum);
}

static void standardize(double *value, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++) squares += pow(value[i] - mean, 2);
    /* equal values, but for rounding, differ nowhere */
    double deviation = sqrt(squares / (double)n);
    bool alike = deviation <= 1e-12 * fabs(mean);
    for (size_t i = 0; i < n; i++) value[i] = alike ? 0 : (value[i] - mean) / deviation;
}

/* The next choice of members in lexical order; false: that was the last. */
static bool next_split(splits *s)
{
    size_t k = s->chosen;
    while (k > 0 && s->member[k - 1] == s->all - s->chosen + k - 1) k--;
    if (k == 0) return false;
    s->member[k - 1]++;
    for (; k < s->chosen; k++) s->member[k] = s->member[k - 1] + 1;
    return true;
}

/* The first members of a shuffle; order holds all launches. */
static void random_split(splits *s, size_t *order, uint64_t *state)
{
    for (size_t k = 0; k < s->chosen; k++) {
        size_t other = k + (size_t)(cm_random_next(state) % (s->all - k)), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
        s->member[k] = order[k];
    }
}

static double splits_of(size_t all, size_t chosen)
{
    double n = 1;
    for (size_t k = 1; k <= chosen; k++) n *= (double)(all - chosen + k) / (double)k;
    return n;
}

/* Adds to count[j] whether the largest statistic of place[0] to place[j] reaches the observed one
   of place[j]. */
static void count_split(const splits *s, const size_t *place, const double *observed, double *count)
{
    double most = 0;
    for (size_t j = 0; j < s->metrics; j++) {
        most = fmax(most, statistic(s, place[j]));
        if (most >= observed[place[j]] * (1 - 1e-9)) count[j]++;
    }
}

static void count_all(splits *s, const size_t *place, const double *observed, double *count,
                      size_t *order, size_t limit, double *total)
{
    *total = 0;
    if (splits_of(s->all, s->chosen) <= (double)limit + 0.5) {
        for (size_t k = 0; k < s->chosen; k++) s->member[k] = k;
        do {
            count_split(s, place, observed, count);
            ++*total;
        } while (next_split(s));
        return;
    }
    uint64_t state = 1;
    for (size_t j = 0; j < s->metrics; j++) count[j] = 1; /* the given one */
    for (*total = 1; *total < (double)limit; ++*total) {
        random_split(s, order, &state);
        count_split(s, place, observed, count);
    }
}

static void find_p(splits *s, size_t first, size_t limit, double *p, double *scratch, size_t *index)
{
    double *observed = scratch, *count = scratch + s->metrics, total, before = 0;
    size_t *place = index, *order = index + s->metrics;
    for (size_t k = 0; k < s->chosen; k++) s->member[k] = first + k;
    for (size_t k = 0; k < s->metrics; k++) {
        size_t at = k;
        observed[k] = statistic(s, k);
        count[k] = 0;
        for (; at > 0 && observed[place[at - 1]] > observed[k]; at--) place[at] = place[at - 1];
        place[at] = k; /* ascending */
    }
    for (size_t k = 0; k < s->all; k++) order[k] = k;
    count_all(s, place, observed, count, order, limit, &total);
    for (size_t j = s->metrics; j > 0; j--) {
        before = fmax(before, count[j - 1] / total);
        p[place[j - 1]] = before;
    }
}

static bool test(size_t m, size_t n, size_t metrics, const double *value, size_t limit, double *p)
{
    if (m == 0 || n == 0 || m > CM_RANK_MOST || n > CM_RANK_MOST) return false;
    splits s = {.all = m + n, .chosen = n < m ? n : m, .metrics = metrics};
    s.value = malloc((metrics * s.all + 1) * sizeof *s.value);
    s.member = malloc(s.chosen * sizeof *s.member);
    double *scratch = malloc((2 * metrics + 1) * sizeof *scratch);
    size_t *index = malloc((metrics + s.all) * sizeof *index);
    bool had = s.value && s.member && scratch && index;
    if (had) {
        memcpy(s.value, value, metrics * s.all * sizeof *value);
        for (size_t k = 0; k < metrics; k++) standardize(s.value + k * s.all, s.all);
        find_p(&s, n < m ? m : 0, limit, p, scratch, index);
    }
    free(s.value);
    free(s.member);
    free(scratch);
    free(index);
    return had;
}

bool cm_split_test(size_t m, size_t n, size_t metrics, const double *value, double *p)
{
    return test(m, n, metrics, value, SPLITS, p);
}

/* ---- What could have been seen --------------------------------------------------------------- */

/* Box and Muller's; both words in (0, 1]. */
static double normal(uint64_t *state)
{
    double u = ((double)(cm_random_next(state) >> 11) + 1) * 0x1p-53;
    double v = ((double)(cm_random_next(state) >> 11) + 1) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v);
}

/* How far the first metric of one trial's noise must be moved until the test finds it: by halving
   an interval, to 1 %. NaN if memory is short. */
static double needed_shift(size_t m, size_t n, size_t metrics, double alpha, uint64_t *state,
                           double *noise, double *moved, double *p)
{
    /* Enough to reach alpha at all, where not all splits are counted. */
    size_t limit = (size_t)fmin(SPLITS, fmax(1000, 4 / alpha));
    double least = 0, most = 64;
    size_t all = m + n;
    for (size_t k = 0; k < metrics * all; k++) noise[k] = normal(state);
    while (most - least > 0.01 * most) {
        double shift = most > 4 * least + 1 ? sqrt((least + 0.25) * most) : (least + most) / 2;
        memcpy(moved, noise, metrics * all * sizeof *moved);
        for (size_t i = m; i < all; i++) moved[i] += shift;
        if (!test(m, n, metrics, moved, limit, p)) return NAN;
        if (p[0] <= alpha) most = shift;
        else least = shift;
    }
    return most;
}

double cm_split_visible(size_t m, size_t n, size_t metrics, double alpha)
{
    enum { TRIALS = 101 }; /* the quantile's standard error is some 3 % */
    static const double power = 0.8;
    double shift[TRIALS], visible = NAN;
    uint64_t state = 1;
    if (metrics == 0 || cm_rank_least_p(m, n) > alpha) return NAN;
    double *noise = malloc(metrics * (m + n) * sizeof *noise);
    double *moved = malloc(metrics * (m + n) * sizeof *moved), *p = malloc(metrics * sizeof *p);
    bool had = noise && moved && p;
    for (size_t t = 0; had && t < TRIALS; t++) {
        shift[t] = needed_shift(m, n, metrics, alpha, &state, noise, moved, p);
        had = !isnan(shift[t]);
    }
    double *sorted = had ? cm_order_sorted(shift, TRIALS) : NULL;
    if (sorted) visible = cm_order_quantile(sorted, TRIALS, power);
    free(sorted);
    free(noise);
    free(moved);
    free(p);
    return visible;
}
