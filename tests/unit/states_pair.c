/* SPDX-License-Identifier: BSD-3-Clause */
/* states_pair.c: two results whose launches have two states, in streaks: what is known, false
   alarms of the intervals, and power over fixed seeds. */
#include "tap.h"
#include "random.h"
#include "measure/lone.h"
#include "measure/split_test.h"
#include "measure/states_pair.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

static void must(bool had)
{
    if (!had) exit(99);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct {
    cm_states_pair pair;
    cm_rank_factor factor;
    double p;
} judged;

/* Sorts x and y, which the answer points into. */
static judged judge(size_t m, double *x, size_t n, double *y)
{
    judged j;
    qsort(x, m, sizeof *x, by_value);
    qsort(y, n, sizeof *y, by_value);
    must(cm_states_pair_find(m, x, n, y, &j.pair));
    must(cm_states_pair_ratio(&j.pair, &j.factor));
    must(cm_states_pair_test(&j.pair, &j.p));
    return j;
}

typedef struct {
    double gap;    /* the higher state over the lower */
    double noise;  /* deviation of a launch within its state, relative */
    double change; /* of the second result */
    double leave;  /* the probability that a launch has another state than the one before it */
    bool turns;    /* A B A B, else all launches of the first result precede those of the second */
} machine;

static void launch(const machine *is, size_t n, double *x, double *y, uint64_t *state)
{
    bool high = random_uniform(state) < 0.5;
    for (size_t i = 0; i < 2 * n; i++) {
        bool second = is->turns ? i % 2 == 1 : i >= n;
        double value = (high ? is->gap : 1) * exp(is->noise * random_normal(state));
        if (second) y[is->turns ? i / 2 : i - n] = value * is->change;
        else x[is->turns ? i / 2 : i] = value;
        high ^= random_uniform(state) < is->leave;
    }
}

typedef struct {
    int trials, intervals, excluding; /* intervals of 95 %, and those of them without 1 */
    int plain;                        /* cm_rank_ratio's without 1 */
    int found, plain_found;           /* by this test at alpha, and by cm_rank_test */
} counts;

static bool excludes(const cm_rank_factor *factor)
{
    return factor->interval == CM_INTERVAL_95 && (factor->low > 1 || factor->high < 1);
}

static counts count(const machine *is, size_t n, int trials, double alpha, uint64_t seed)
{
    counts c = {.trials = trials};
    double x[MOST], y[MOST];
    for (int t = 0; t < trials; t++) {
        cm_rank_factor plain;
        double p;
        launch(is, n, x, y, &seed);
        judged j = judge(n, x, n, y);
        must(cm_rank_ratio(n, x, n, y, &plain));
        must(cm_rank_test(n, x, n, y, &p));
        c.intervals += !isnan(j.factor.ratio) && j.factor.interval == CM_INTERVAL_95;
        c.excluding += excludes(&j.factor);
        c.plain += excludes(&plain);
        c.found += j.p <= alpha;
        c.plain_found += p <= alpha;
    }
    return c;
}

/* Two results of one build, rows of which each has a chain of states of its own: streaks of 3
   launches on average, in turns and one result after the other; states that are found, and states
   as near as the noise is wide, which are not. */
static void false_alarms(void)
{
    static const double gaps[] = {2.4, 1.06};
    for (int k = 0; k < 8; k++) {
        machine is = {
            .gap = gaps[k & 1], .noise = 0.03, .change = 1, .leave = 1.0 / 3, .turns = k & 2};
        size_t n = k & 4 ? 12 : 6;
        counts c = count(&is, n, 800, 0.05 / 19, 11);
        double most = 0.05 * c.intervals;
        most += 2 * sqrt(0.95 * most);
        ok(c.intervals > 200 && c.excluding <= most,
           "states %g apart, %zu and %zu launches %s: %d of %d intervals exclude 1", is.gap, n, n,
           is.turns ? "in turns" : "in a row", c.excluding, c.intervals);
        ok(is.turns || is.gap < 2 || c.plain > 0.07 * c.trials,
           "of independent launches' intervals %d of %d", c.plain, c.trials);
        ok(c.found <= 0.03 * c.trials, "verdicts among 19 metrics: %d", c.found);
    }
}

/* What the states leave, in the test of several metrics. */
static void aligned(void)
{
    machine is = {.gap = 2.4, .noise = 0.03, .change = 1, .leave = 1.0 / 3};
    enum { N = 6, TRIALS = 400 };
    uint64_t state = 19;
    int alarms = 0, with_states = 0;
    for (int t = 0; t < TRIALS; t++) {
        double both[2 * N], x[N], y[N], p;
        launch(&is, N, both, both + N, &state);
        memcpy(x, both, sizeof x);
        memcpy(y, both + N, sizeof y);
        judged j = judge(N, x, N, y);
        if (j.pair.kind != CM_STATES_PAIR_MATCHED) continue;
        cm_states_pair_align(&j.pair, false, N, both);
        cm_states_pair_align(&j.pair, true, N, both + N);
        for (int i = 0; i < 2 * N; i++) both[i] = log(both[i]);
        must(cm_split_test(N, N, 1, both, &p));
        with_states++;
        alarms += p <= 0.05;
    }
    ok(with_states > 200 && alarms <= 0.05 * with_states + 2 * sqrt(0.05 * with_states),
       "two states, aligned: %d false alarms at 5 %% in %d", alarms, with_states);
}

/* A change of 25 % of launches that have one state, at the level of 19 metrics. */
static void one_state(void)
{
    static const double noises[] = {0.03, 0.06, 0.09};
    for (int k = 0; k < 3; k++) {
        machine is = {.gap = 1, .noise = noises[k], .change = 1.25, .turns = true};
        counts c = count(&is, 6, 400, 0.05 / 19, 13);
        ok(c.found >= 0.98 * c.plain_found && c.found > 100,
           "25 %% with noise of %g %%, 6 and 6 launches: found in %d of 400, in %d without states",
           100 * is.noise, c.found, c.plain_found);
    }
}

/* The same change of launches that have two: found within the states. */
static void two_states(void)
{
    machine is = {.gap = 2.4, .noise = 0.03, .change = 1.25, .leave = 1.0 / 3, .turns = true};
    counts c = count(&is, 12, 400, 0.05 / 19, 17);
    ok(c.found > 300 && c.plain_found < 100,
       "25 %% in two states, 12 and 12 launches: found in %d of 400, in %d across them", c.found,
       c.plain_found);
}

static void known(void)
{
    double x[] = {22.1, 9.3, 21.9, 22.4, 9.4, 22.0}, y[] = {9.5, 22.3, 9.3, 9.35, 9.4, 9.25};
    judged j = judge(6, x, 6, y);
    ok(j.pair.kind == CM_STATES_PAIR_MATCHED && j.pair.x[1] == 4 && j.pair.y[1] == 1,
       "the higher state in 4 of 6 launches and in 1 of 6");
    ok(j.factor.ratio > 0.99 && j.factor.ratio < 1.01, "within the states nothing changed");
    /* of C(12, 5) = 792 ways C(6, 4) C(6, 1) = 90 have 4 and 1 high ones, 6 have 5 and 0 */
    ok_near(j.pair.shares_p, 2 * 96 / 792.0, 1e-12, "the shares differ by chance with p = 0.24");
    ok_near(cm_states_pair_least_p(&j.pair), 2.0 / (21 * 5), 1e-12,
            "7 low and 5 high ones can tell no change better than 2 of 105");
    ok_near(cm_states_pair_loss(&j.pair), 3 / (10.0 / 7 + 4.0 / 5), 1e-12, "what states cost");
    double visible, none;
    must(cm_states_pair_visible(&j.pair, 0.05, &visible));
    must(cm_states_pair_visible(&j.pair, 0.005, &none));
    ok(visible > 1 && visible < 1.2 && isnan(none), "visible at 5 %%: %.3f; at 0.5 %%: none",
       visible);

    double far[] = {50, 51, 52, 50.5, 51.5, 52.5};
    j = judge(6, x, 6, far);
    ok(j.pair.kind == CM_STATES_PAIR_UNMATCHED && isnan(j.factor.ratio) && j.p == 1,
       "a level far above both states is neither of them");
    cm_states_pair_align(&j.pair, true, 6, far);
    ok(far[0] == 1 && far[5] == 1, "and is aligned with nothing");
    ok(j.pair.x[0] == 2 && j.pair.x[1] == 4 && j.pair.y[1] == 6,
       "and both sides' own states are told");
    double between[] = {14, 14.1, 14.2, 14.3, 14.4, 14.5};
    j = judge(6, x, 6, between);
    ok(j.pair.kind == CM_STATES_PAIR_UNMATCHED, "nor is one in the middle");

    double slower[] = {22.0 * 1.25, 9.3 * 1.25, 22.1 * 1.25, 22.4 * 1.25, 9.4 * 1.25, 9.35 * 1.25};
    j = judge(6, x, 6, slower);
    ok(j.pair.kind == CM_STATES_PAIR_MATCHED && fabs(j.factor.ratio - 1.25) < 0.01 && j.p < 0.03,
       "a change of 25 %% in both states: p = %.4f", j.p);
    memcpy(y, slower, sizeof y);
    cm_states_pair_align(&j.pair, true, 6, y);
    /* of a change of 25 %, what both states have in different shares */
    ok(y[5] / y[0] < 1.1, "without the states the launches are alike");
}

typedef struct {
    size_t all[2], chosen[2]; /* values of a stratum, and how many of them are y's */
    double value[2][8];
} dealt;

/* The doubled sum of the ranks of the values whose bits are set; -1 if their number is wrong. */
static double sum_of(const dealt *d, unsigned word)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        unsigned bits = (k ? word >> d->all[0] : word) & ((1u << d->all[k]) - 1);
        const double *v = d->value[k];
        if ((size_t)__builtin_popcount(bits) != d->chosen[k]) return -1;
        for (size_t i = 0; i < d->all[k]; i++)
            for (size_t l = 0; l < d->all[k]; l++)
                if (bits >> i & 1) sum += (v[l] < v[i]) + (v[l] <= v[i]);
    }
    return sum;
}

/* P of the sum that is observed where y's values are the last ones, by all ways to deal them: that
   word is the last one of them. */
static double counted_p(const dealt *d)
{
    unsigned words = 1u << (d->all[0] + d->all[1]);
    double observed = 0, below = 0, above = 0, ways = 0;
    for (unsigned word = 0; word < words; word++)
        if (sum_of(d, word) >= 0) observed = sum_of(d, word);
    for (unsigned word = 0; word < words; word++) {
        double sum = sum_of(d, word);
        if (sum < 0) continue;
        ways++;
        below += sum <= observed;
        above += sum >= observed;
    }
    return fmin(1, 2 * fmin(below, above) / ways);
}

static void counted(void)
{
    uint64_t state = 5;
    bool equal = true;
    for (int run = 0; run < 20; run++) {
        dealt d;
        cm_rank_stratum stratum[2];
        double p;
        for (int k = 0; k < 2; k++) {
            size_t m = 1 + cm_random_next(&state) % 4, n = 1 + cm_random_next(&state) % 4;
            for (int i = 0; i < 8; i++) d.value[k][i] = floor(3 * random_normal(&state));
            d.all[k] = m + n;
            d.chosen[k] = n;
            stratum[k] = (cm_rank_stratum){m, n, d.value[k], d.value[k] + m};
        }
        must(cm_rank_test_within(2, stratum, &p));
        equal &= fabs(p - counted_p(&d)) < 1e-12;
    }
    ok(equal, "20 pairs of samples in two strata: p is what counting gives");
}

/* How many of the pairs have a lone launch, none of which was planted, and how many have one after
   a launch of the first result took 20 times as long, or a 20th. */
typedef struct {
    int pairs, said, planted, found;
} lone_counts;

static lone_counts count_lone(const machine *is, size_t n, int trials, uint64_t seed)
{
    lone_counts c = {.pairs = trials};
    double x[MOST], y[MOST];
    for (int t = 0; t < trials; t++) {
        cm_lone lone[2];
        launch(is, n, x, y, &seed);
        must(cm_lone_find(n, x, &lone[0]) && cm_lone_find(n, y, &lone[1]));
        c.said += lone[0].n + lone[1].n > 0;
        double value = x[t % (int)n] *= t % 2 ? 20 : 1 / 20.0;
        must(cm_lone_find(n, x, &lone[0]));
        c.planted++;
        c.found += lone[0].n == 1 && lone[0].nearest == value && lone[0].high == (t % 2 == 1);
    }
    return c;
}

/* One state, states in streaks that are found and such as near as the noise is wide, and noise so
   wide that a launch has four times its neighbour now and then. */
static void lone_launches(void)
{
    static const struct {
        size_t n;
        double gap, noise;
        bool all; /* a launch of 20 times the others' time can always be told from them */
    } of[] = {{12, 1, 0.03, true},    {12, 1, 0.09, true},  {12, 2.4, 0.03, true},
              {12, 1.06, 0.03, true}, {6, 1, 0.03, true},   {6, 2.4, 0.03, false},
              {6, 3, 0.03, false},    {12, 3, 0.09, false}, {6, 1, 1, false},
              {12, 1, 1, false},      {4, 1, 1, false},     {12, 1, 2, false}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        machine is = {
            .gap = of[k].gap, .noise = of[k].noise, .change = 1, .leave = 1.0 / 3, .turns = k % 2};
        lone_counts c = count_lone(&is, of[k].n, 400, 23 + k);
        ok(c.said <= 0.02 * c.pairs,
           "%zu launches, states %g apart, noise %g %%: %d of %d pairs have a lone launch", of[k].n,
           is.gap, 100 * is.noise, c.said, c.pairs);
        if (of[k].all)
            ok(c.found == c.planted, "one of 20 times the others: found in %d of %d", c.found,
               c.planted);
        else printf("# one of 20 times the others: found in %d of %d\n", c.found, c.planted);
    }
    double three[] = {1, 1.01, 20}, zero[] = {1, 1, 1, 0, 20}, equal[] = {1, 1, 1, 1, 20};
    cm_lone lone;
    must(cm_lone_find(3, three, &lone));
    ok(lone.n == 0, "three launches are too few");
    must(cm_lone_find(5, zero, &lone));
    ok(lone.n == 0, "a value of 0 has no logarithm");
    must(cm_lone_find(5, equal, &lone));
    ok(lone.n == 1 && lone.high && lone.times == 20, "equal values have no deviation");
}

int main(void)
{
    known();
    lone_launches();
    counted();
    false_alarms();
    aligned();
    one_state();
    two_states();
    return tap_done();
}
