/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_test.c: the exact Wilcoxon-Mann-Whitney test, and the ratio with the interval that inverts
   it. */
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

static bool sizes_are_right(size_t m, size_t n)
{
    return m > 0 && n > 0 && m <= CM_RANK_MOST && n <= CM_RANK_MOST;
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

bool cm_rank_test(size_t m, const double *x, size_t n, const double *y, double *p)
{
    ranked all[2 * CM_RANK_MOST];
    size_t twice[2 * CM_RANK_MOST]; /* the mean of tied ranks may end in 1/2 */
    size_t observed = 0;
    rank_sums sums;
    *p = NAN;
    if (!sizes_are_right(m, n)) return true;
    for (size_t i = 0; i < m + n; i++) {
        all[i] = (ranked){i < m ? x[i] : y[i - m], i >= m};
        if (isnan(all[i].value)) return true;
    }
    qsort(all, m + n, sizeof *all, by_value);
    for (size_t first = 0, end; first < m + n; first = end) {
        for (end = first + 1; end < m + n && all[end].value == all[first].value;) end++;
        for (size_t i = first; i < end; i++) {
            twice[i] = first + 1 + end; /* the ranks first + 1 to end */
            /* the smaller sample makes the smaller table */
            if (all[i].second == (n <= m)) observed += twice[i];
        }
    }
    if (!sum_ranks(m + n, twice, n <= m ? n : m, &sums)) return false;
    double below = 0, above = 0;
    for (size_t s = 0; s <= sums.most; s++) {
        if (s <= observed) below += sums.count[s];
        if (s >= observed) above += sums.count[s];
    }
    *p = fmin(1, 2 * fmin(below, above) / sums.total);
    free(sums.count);
    return true;
}

double cm_rank_least_p(size_t m, size_t n)
{
    double choices = 1;
    for (size_t i = 1; i <= m; i++) choices *= (double)(n + i) / (double)i;
    return fmin(1, 2 / choices);
}

bool cm_rank_order(size_t m, size_t n, double alpha, size_t *c)
{
    size_t rank[2 * CM_RANK_MOST], chosen = n < m ? n : m, least = chosen * (chosen + 1) / 2;
    rank_sums sums;
    *c = 0;
    if (!sizes_are_right(m, n)) return true;
    for (size_t i = 0; i < m + n; i++) rank[i] = i + 1;
    if (!sum_ranks(m + n, rank, chosen, &sums)) return false;
    double below = sums.count[least]; /* P(U <= c) of all choices */
    /* Sums of at most 100 terms a place; alpha / 2 itself may be such a probability. */
    while (below <= alpha / 2 * sums.total * (1 + 1e-12)) {
        ++*c;
        below += sums.count[least + *c];
    }
    free(sums.count);
    return true;
}

bool cm_rank_ratio(size_t m, const double *x, size_t n, const double *y, cm_rank_factor *factor)
{
    double ratio[CM_RANK_MOST * CM_RANK_MOST];
    size_t c;
    *factor = (cm_rank_factor){NAN, NAN, NAN, CM_INTERVAL_RANGE};
    if (!sizes_are_right(m, n)) return true;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            if (!(x[i] > 0 && y[j] > 0 && isfinite(x[i]) && isfinite(y[j]))) return true;
            ratio[i * n + j] = log(y[j]) - log(x[i]); /* y / x could overflow */
        }
    if (!cm_rank_order(m, n, 0.05, &c)) return false;
    double *sorted = cm_order_sorted(ratio, m * n);
    if (!sorted) return false;
    factor->ratio = exp(cm_order_quantile(sorted, m * n, 0.5));
    factor->interval = c > 0 ? CM_INTERVAL_95 : CM_INTERVAL_RANGE;
    factor->low = exp(sorted[c > 0 ? c - 1 : 0]);
    factor->high = exp(sorted[m * n - (c > 0 ? c : 1)]);
    free(sorted);
    return true;
}
