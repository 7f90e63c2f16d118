/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_test.c: the exact Wilcoxon-Mann-Whitney test, within one or more strata, and the ratio with
   the interval that inverts it. */
#include "config.h"
#include "measure/rank_test.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"

/* The sums that `chosen` of some ranks can have, and how many choices have each. Counts are sums of
   positive doubles, so that their relative error stays near n eps although C(100, 50) has 30
   digits. */
typedef struct {
    size_t most;   /* the largest sum */
    double *count; /* most + 1 */
    double total;
} rank_sums;

/* Choices of j of the first i ranks with the sum s: C(i, j, s) = C(i - 1, j, s) + C(i - 1, j - 1, s
   - rank[i]); j and s run downwards, so that one table holds C(i - 1) and C(i). */
static bool sum_ranks(size_t n, const size_t *rank, size_t chosen, rank_sums *sums)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) most += rank[i];
    size_t width = most + 1;
    double *count = calloc((chosen + 1) * width, sizeof *count);
    if (!count) return false;
    count[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1 < chosen ? i + 1 : chosen; j >= 1; j--)
            for (size_t s = most; s + 1 > rank[i]; s--)
                count[j * width + s] += count[(j - 1) * width + s - rank[i]];
    *sums = (rank_sums){.most = most, .count = malloc(width * sizeof *count)};
    for (size_t s = 0; sums->count && s <= most; s++) {
        sums->count[s] = count[chosen * width + s];
        sums->total += sums->count[s];
    }
    free(count);
    return sums->count != NULL;
}

/* The sums of two independent strata, added; frees both, and sets count to NULL if memory is
   short. */
static rank_sums add_sums(rank_sums a, rank_sums b)
{
    rank_sums both = {.most = a.most + b.most, .total = a.total * b.total};
    both.count = a.count && b.count ? calloc(both.most + 1, sizeof *both.count) : NULL;
    for (size_t i = 0; both.count && i <= a.most; i++)
        for (size_t j = 0; j <= b.most; j++) both.count[i + j] += a.count[i] * b.count[j];
    free(a.count);
    free(b.count);
    return both;
}

/* The sums of the others' ranks are those of the chosen, read from the end. */
static void reverse(rank_sums *sums)
{
    for (size_t i = 0, j = sums->most; i < j; i++, j--) {
        double kept = sums->count[i];
        sums->count[i] = sums->count[j];
        sums->count[j] = kept;
    }
}

static bool is_empty(const cm_rank_stratum *s) { return s->m == 0 || s->n == 0; }

/* Both sizes of at least one stratum above 0, and those of all together not too large. */
static bool sizes_are_right(size_t n, const cm_rank_stratum *stratum)
{
    size_t x = 0, y = 0, used = 0;
    for (size_t k = 0; k < n; k++) {
        if (stratum[k].m > CM_RANK_MOST || stratum[k].n > CM_RANK_MOST) return false;
        x += stratum[k].m;
        y += stratum[k].n;
        used += !is_empty(&stratum[k]);
    }
    return used > 0 && x <= CM_RANK_MOST && y <= CM_RANK_MOST;
}

typedef struct {
    double value;
    bool second;
} ranked;

static int by_value(const void *a, const void *b)
{
    double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
    return (x > y) - (x < y);
}

/* The doubled sum of y's ranks in one stratum, and all that it could have been; the count is NULL
   if memory is short. */
static rank_sums test_stratum(const cm_rank_stratum *s, size_t *observed)
{
    ranked all[2 * CM_RANK_MOST];
    size_t twice[2 * CM_RANK_MOST], n = s->m + s->n; /* the mean of tied ranks may end in 1/2 */
    rank_sums sums = {0};
    for (size_t i = 0; i < n; i++)
        all[i] = (ranked){i < s->m ? s->x[i] : s->y[i - s->m], i >= s->m};
    qsort(all, n, sizeof *all, by_value);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && all[end].value == all[first].value;) end++;
        for (size_t i = first; i < end; i++) {
            twice[i] = first + 1 + end; /* the ranks first + 1 to end */
            if (all[i].second) *observed += twice[i];
        }
    }
    /* the smaller sample makes the smaller table */
    if (!sum_ranks(n, twice, s->n <= s->m ? s->n : s->m, &sums)) return (rank_sums){0};
    if (s->n > s->m) reverse(&sums);
    return sums;
}

static bool any_nan(size_t n, const double *value)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(value[i])) return true;
    return false;
}

bool cm_rank_test_within(size_t n, const cm_rank_stratum *stratum, double *p)
{
    rank_sums sums = {0};
    size_t observed = 0, used = 0;
    *p = NAN;
    if (!sizes_are_right(n, stratum)) return true;
    for (size_t k = 0; k < n; k++)
        if (any_nan(stratum[k].m, stratum[k].x) || any_nan(stratum[k].n, stratum[k].y)) return true;
    for (size_t k = 0; k < n; k++) {
        if (is_empty(&stratum[k])) continue;
        rank_sums one = test_stratum(&stratum[k], &observed);
        sums = used++ > 0 ? add_sums(sums, one) : one;
        if (!sums.count) return false;
    }
    double below = 0, above = 0;
    for (size_t s = 0; s <= sums.most; s++) {
        if (s <= observed) below += sums.count[s];
        if (s >= observed) above += sums.count[s];
    }
    *p = fmin(1, 2 * fmin(below, above) / sums.total);
    free(sums.count);
    return true;
}

bool cm_rank_test(size_t m, const double *x, size_t n, const double *y, double *p)
{
    return cm_rank_test_within(1, &(cm_rank_stratum){m, n, x, y}, p);
}

double cm_rank_least_p_within(size_t n, const cm_rank_stratum *stratum)
{
    double choices = 1;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 1; i <= stratum[k].m; i++)
            choices *= (double)(stratum[k].n + i) / (double)i;
    return fmin(1, 2 / choices);
}

double cm_rank_least_p(size_t m, size_t n)
{
    return cm_rank_least_p_within(1, &(cm_rank_stratum){m, n, NULL, NULL});
}

/* cm_rank_order's c of the pairs within the strata. */
static bool find_order(size_t n, const cm_rank_stratum *stratum, double alpha, size_t *c)
{
    size_t rank[2 * CM_RANK_MOST], used = 0, least = 0;
    rank_sums sums = {0};
    for (size_t i = 0; i < 2 * CM_RANK_MOST; i++) rank[i] = i + 1;
    for (size_t k = 0; k < n; k++) {
        const cm_rank_stratum *s = &stratum[k];
        size_t chosen = s->n < s->m ? s->n : s->m;
        rank_sums one = {0};
        if (chosen == 0) continue;
        least += chosen * (chosen + 1) / 2;
        if (!sum_ranks(s->m + s->n, rank, chosen, &one)) one.count = NULL;
        sums = used++ > 0 ? add_sums(sums, one) : one;
        if (!sums.count) return false;
    }
    double below = sums.count[least]; /* P(U <= c) of all choices */
    /* Sums of at most 100 terms a place; alpha / 2 itself may be such a probability. */
    for (*c = 0; below <= alpha / 2 * sums.total * (1 + 1e-12);) {
        ++*c;
        below += sums.count[least + *c];
    }
    free(sums.count);
    return true;
}

bool cm_rank_order(size_t m, size_t n, double alpha, size_t *c)
{
    const cm_rank_stratum one = {m, n, NULL, NULL};
    *c = 0;
    return !sizes_are_right(1, &one) || find_order(1, &one, alpha, c);
}

/* The logarithms of y / x, which could overflow, of the pairs within the strata; false if a value
   has none. */
static bool fill_ratios(size_t n, const cm_rank_stratum *stratum, double *ratio, size_t *pairs)
{
    *pairs = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < stratum[k].m; i++)
            for (size_t j = 0; j < stratum[k].n; j++) {
                double x = stratum[k].x[i], y = stratum[k].y[j];
                if (!(x > 0 && y > 0 && isfinite(x) && isfinite(y))) return false;
                ratio[(*pairs)++] = log(y) - log(x);
            }
    return true;
}

bool cm_rank_ratio_within(size_t n, const cm_rank_stratum *stratum, double alpha,
                          cm_rank_factor *factor)
{
    double ratio[CM_RANK_MOST * CM_RANK_MOST];
    size_t c, pairs;
    *factor = (cm_rank_factor){NAN, NAN, NAN, CM_INTERVAL_RANGE};
    if (!sizes_are_right(n, stratum) || !fill_ratios(n, stratum, ratio, &pairs)) return true;
    if (!find_order(n, stratum, alpha, &c)) return false;
    double *sorted = cm_order_sorted(ratio, pairs);
    if (!sorted) return false;
    factor->ratio = exp(cm_order_quantile(sorted, pairs, 0.5));
    factor->interval = c > 0 ? CM_INTERVAL_95 : CM_INTERVAL_RANGE;
    factor->low = exp(sorted[c > 0 ? c - 1 : 0]);
    factor->high = exp(sorted[pairs - (c > 0 ? c : 1)]);
    free(sorted);
    return true;
}

bool cm_rank_ratio(size_t m, const double *x, size_t n, const double *y, cm_rank_factor *factor)
{
    return cm_rank_ratio_within(1, &(cm_rank_stratum){m, n, x, y}, 0.05, factor);
}
