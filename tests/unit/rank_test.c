/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_test.c: the exact rank test, the ratio and its interval, what could have been seen, and
   Holm's procedure. */
#include "tap.h"
#include "random.h"
#include "measure/rank_test.h"
#include <stdint.h>
#include <stdlib.h>

static double p_of(size_t m, const double *x, size_t n, const double *y)
{
    double p;
    if (!cm_rank_test(m, x, n, y, &p)) exit(99);
    return p;
}

static cm_rank_factor factor_of(size_t m, const double *x, size_t n, const double *y)
{
    cm_rank_factor factor;
    if (!cm_rank_ratio(m, x, n, y, &factor)) exit(99);
    return factor;
}

/* P(U <= most) by counting all ways to deal the ranks of `all` to x and y, y having the bits of a
   word; sums of the ranks of y, doubled, are compared with the observed one. */
static double counted_p(size_t m, const double *x, size_t n, const double *y)
{
    double all[20], below = 0, above = 0, ways = 0;
    long twice[20], observed = 0;
    for (size_t i = 0; i < m + n; i++) all[i] = i < m ? x[i] : y[i - m];
    for (size_t i = 0; i < m + n; i++) {
        twice[i] = 1;
        for (size_t j = 0; j < m + n; j++) twice[i] += (all[j] < all[i]) + (all[j] <= all[i]);
        if (i >= m) observed += twice[i];
    }
    for (unsigned word = 0; word < 1u << (m + n); word++) {
        if ((size_t)__builtin_popcount(word) != n) continue;
        long sum = 0;
        for (size_t i = 0; i < m + n; i++) sum += word >> i & 1 ? twice[i] : 0;
        below += sum <= observed;
        above += sum >= observed;
        ways++;
    }
    return fmin(1, 2 * fmin(below, above) / ways);
}

static void published_tests(void)
{
    /* Hollander and Wolfe, table 4.1 (permeability of the chorioamnion), the example of R's
       wilcox.test: W = 35, one-sided p = 0.1272, difference 0.305, interval -0.15 to 0.76. */
    static const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    static const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    double a[10], b[5];
    ok(fabs(p_of(10, term, 5, early) / 2 - 0.1272) < 5e-5, "Hollander and Wolfe's table 4.1: p");
    for (int i = 0; i < 10; i++) a[i] = exp(term[i]);
    for (int i = 0; i < 5; i++) b[i] = exp(early[i]);
    cm_rank_factor factor = factor_of(5, b, 10, a);
    ok_near(log(factor.ratio), 0.305, 1e-12, "and the estimate");
    ok(factor.interval == CM_INTERVAL_95, "and a 95 %% interval");
    ok_near(log(factor.low), -0.15, 1e-12, "from -0.15");
    ok_near(log(factor.high), 0.76, 1e-12, "to 0.76");

    /* Critical values of U, two-sided, 0.05 and 0.01 (Mann and Whitney's table as Siegel and
       Castellan, Hollander and Wolfe and others print it); -1: none. */
    static const int table[][4] = {{3, 3, -1, -1},   {3, 5, 0, -1},    {4, 4, 0, -1},
                                   {5, 5, 2, 0},     {5, 10, 8, 4},    {6, 6, 5, 2},
                                   {7, 7, 8, 4},     {8, 8, 13, 7},    {10, 10, 23, 16},
                                   {12, 12, 37, 27}, {15, 15, 64, 51}, {20, 20, 127, 105}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        size_t m = (size_t)table[k][0], n = (size_t)table[k][1], five, one;
        if (!cm_rank_order(m, n, 0.05, &five) || !cm_rank_order(n, m, 0.01, &one)) exit(99);
        ok((int)five - 1 == table[k][2] && (int)one - 1 == table[k][3],
           "sizes %zu and %zu: critical values %d and %d", m, n, table[k][2], table[k][3]);
    }
}

static void counted_tests(void)
{
    uint64_t state = 3;
    bool equal = true, tied = true;
    for (int run = 0; run < 60; run++) {
        double x[7], y[7];
        size_t m = 1 + cm_random_next(&state) % 7, n = 1 + cm_random_next(&state) % 7;
        for (size_t i = 0; i < m; i++) x[i] = random_normal(&state);
        for (size_t i = 0; i < n; i++) y[i] = random_normal(&state) + 0.5;
        equal &= fabs(p_of(m, x, n, y) - counted_p(m, x, n, y)) < 1e-12;
        for (size_t i = 0; i < m; i++) x[i] = floor(2 * x[i]);
        for (size_t i = 0; i < n; i++) y[i] = floor(2 * y[i]);
        tied &= fabs(p_of(m, x, n, y) - counted_p(m, x, n, y)) < 1e-12;
    }
    ok(equal, "60 pairs of samples: p is what counting gives");
    ok(tied, "with ties, too");
}

static void edge_tests(void)
{
    static const double one[] = {1, 1.01, 1.02, 1.03, 1.04}, two[] = {2, 2.1, 2.2, 2.3, 2.4};
    static const double same[] = {7, 7, 7, 7, 7}, zero[] = {0, 1, 2, 3, 4};
    static const double bad[] = {1, 2, NAN, 3, 4};
    double many[CM_RANK_MOST + 1];
    for (int i = 0; i <= CM_RANK_MOST; i++) many[i] = 1 + i;
    ok_near(p_of(5, one, 5, two), 2.0 / 252, 1e-12, "5 and 5, apart: the smallest p");
    ok_near(p_of(5, two, 5, one), 2.0 / 252, 1e-12, "in the other direction, too");
    ok_near(cm_rank_least_p(5, 5), 2.0 / 252, 1e-12, "cm_rank_least_p says so");
    ok(cm_rank_least_p(1, 1) == 1 && cm_rank_least_p(0, 9) == 1, "one launch a side: p is 1");
    ok(p_of(1, one, 1, two) == 1 && p_of(5, same, 5, same) == 1, "all equal: p is 1");
    ok(isnan(p_of(0, one, 5, two)) && isnan(p_of(CM_RANK_MOST + 1, many, 5, two))
           && isnan(p_of(5, bad, 5, two)),
       "no values, too many, NaN: no p");
    double p = p_of(CM_RANK_MOST, many, CM_RANK_MOST, many);
    ok(p > 0.99 && p <= 1, "50 and 50, equal");
    cm_rank_factor factor = factor_of(1, one, 1, two);
    ok(factor.interval == CM_INTERVAL_RANGE && fabs(factor.ratio - 2) < 1e-12
           && factor.low == factor.high,
       "one launch a side: the ratio alone");
    factor = factor_of(3, one, 3, two);
    ok(factor.interval == CM_INTERVAL_RANGE && fabs(factor.low - 2 / 1.02) < 1e-12
           && fabs(factor.high - 2.2) < 1e-12,
       "3 and 3: the range of the ratios, no interval");
    factor = factor_of(5, same, 5, same);
    ok(factor.interval == CM_INTERVAL_95 && factor.low == 1 && factor.high == 1, "all equal: 1");
    factor = factor_of(5, zero, 5, one);
    ok(isnan(factor.ratio) && isnan(factor.low), "a value that is not above 0 has no ratio");
}

/* Samples of 5 and 6 values, logarithms normal or skewed, y greater by the factor 1.3. */
static void level_tests(void)
{
    enum { RUNS = 4000, M = 5, N = 6 };
    for (int skewed = 0; skewed < 2; skewed++) {
        uint64_t state = 11;
        int rejected = 0, caught = 0;
        for (int run = 0; run < RUNS; run++) {
            double x[M], y[N];
            for (int i = 0; i < M; i++)
                x[i] = exp(0.1 * (skewed ? -log(random_uniform(&state)) : random_normal(&state)));
            for (int i = 0; i < N; i++)
                y[i] = exp(0.1 * (skewed ? -log(random_uniform(&state)) : random_normal(&state)));
            rejected += p_of(M, x, N, y) <= 0.05;
            for (int i = 0; i < N; i++) y[i] *= 1.3;
            cm_rank_factor factor = factor_of(M, x, N, y);
            caught += factor.low <= 1.3 && 1.3 <= factor.high;
        }
        /* U <= 3: 2 * 7 / 462 = 0.0303; standard error 0.0027 */
        ok(fabs((double)rejected / RUNS - 14.0 / 462) < 0.011, "%s: false alarms in %.4f",
           skewed ? "skewed" : "normal", (double)rejected / RUNS);
        ok(fabs((double)caught / RUNS - (1 - 14.0 / 462)) < 0.011,
           "the interval catches the ratio in %.4f", (double)caught / RUNS);
    }
}

/* 16 metrics that do not change, 6 and 6 launches: how often is any of them rejected? The exact
   answer for independent metrics is 1 - (1 - 2/924)^16 = 0.0341: p adjusted is at most 0.05 for the
   smallest p only, 16 * 2/924 = 0.0346, since 16 * 4/924 = 0.069. */
static void family_tests(void)
{
    enum { RUNS = 3000, METRICS = 16, N = 6 };
    uint64_t state = 17;
    int alarms = 0;
    for (int run = 0; run < RUNS; run++) {
        double p[METRICS];
        bool any = false;
        for (int k = 0; k < METRICS; k++) {
            double x[N], y[N];
            for (int i = 0; i < N; i++) x[i] = random_normal(&state);
            for (int i = 0; i < N; i++) y[i] = random_normal(&state);
            p[k] = p_of(N, x, N, y);
        }
        if (!cm_holm(METRICS, p, p)) exit(99);
        for (int k = 0; k < METRICS; k++) any |= p[k] <= 0.05;
        alarms += any;
    }
    /* standard error 0.0033 */
    ok(fabs((double)alarms / RUNS - 0.0341) < 0.0135, "of 16 metrics any false alarm in %.4f",
       (double)alarms / RUNS);
}

static void visible_tests(void)
{
    enum { RUNS = 3000, N = 6 };
    /* Of logarithms with the deviation 0.1 exactly; then that shift, drawn anew. */
    double x[N], y[N], visible, none;
    const double alpha = 0.05;
    for (int i = 0; i < N; i++) x[i] = exp(0.1 * (i % 2 ? 1 : -1) * sqrt((N - 1.0) / N));
    if (!cm_rank_visible(N, x, N, x, alpha, &visible)) exit(99);
    uint64_t state = 5;
    int found = 0;
    for (int run = 0; run < RUNS; run++) {
        double a[N];
        for (int i = 0; i < N; i++) a[i] = exp(0.1 * random_normal(&state));
        for (int i = 0; i < N; i++) y[i] = visible * exp(0.1 * random_normal(&state));
        found += p_of(N, a, N, y) <= alpha;
    }
    ok(visible > 1 && fabs((double)found / RUNS - 0.8) < 0.035,
       "a ratio of %.3f, said to be visible, is found in %.3f", visible, (double)found / RUNS);
    if (!cm_rank_visible(N, x, N, x, 0.002, &none)) exit(99);
    ok(isnan(none), "6 and 6 cannot reach 0.002: NaN");
    if (!cm_rank_visible(1, x, 1, x, alpha, &none)) exit(99);
    ok(isnan(none), "nor one launch a side 0.05");
    double same[] = {3, 3, 3, 3, 3, 3};
    if (!cm_rank_visible(N, same, N, same, alpha, &none)) exit(99);
    ok(none == 1, "without spread any ratio is visible");
}

static void holm_tests(void)
{
    /* R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") */
    static const double p[] = {0.01, 0.04, 0.03, 0.005}, want[] = {0.03, 0.06, 0.06, 0.02};
    double adjusted[4];
    if (!cm_holm(4, p, adjusted) || !cm_holm(0, p, adjusted)) exit(99);
    bool right = true;
    for (int k = 0; k < 4; k++) right &= fabs(adjusted[k] - want[k]) < 1e-12;
    ok(right, "Holm's adjusted p of four tests");
    double large[] = {0.5, 0.9};
    if (!cm_holm(2, large, large)) exit(99);
    ok(large[0] == 1 && large[1] == 1, "at most 1");
}

int main(void)
{
    published_tests();
    counted_tests();
    edge_tests();
    level_tests();
    family_tests();
    visible_tests();
    holm_tests();
    return tap_done();
}
