/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c: the clock, keeping samples, when to stop, and what a summary says. */
#include "tap.h"
#include "random.h"
#include "measure/clock.h"
#include "measure/samples.h"
#include <stdint.h>
#include <stdlib.h>

static cm_samples from(size_t n, const double *value)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    for (size_t i = 0; i < n; i++)
        if (!cm_samples_add(&samples, value[i])) exit(99);
    return samples;
}

static void clock_tests(void)
{
    double previous = cm_clock_now_s();
    bool monotonic = true;
    for (int i = 0; i < 100000; i++) {
        double now = cm_clock_now_s();
        monotonic &= now >= previous;
        previous = now;
    }
    ok(monotonic, "the clock does not run backwards");
    ok(previous >= 0 && previous < 3600, "it starts near 0, where doubles keep nanoseconds");
    double resolution_s = cm_clock_resolution_s(), cost_s = cm_clock_cost_s();
    ok(resolution_s >= 0.9e-9 && resolution_s < 0.1, "resolution %.3g s is a step", resolution_s);
    ok(cost_s > 0 && cost_s < 1e-2, "cost of a reading %.3g s is a time", cost_s);
}

static void keeping_tests(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    bool added = true, kept = true;
    for (int i = 0; i < 10000; i++) added &= cm_samples_add(&samples, i);
    for (int i = 0; i < 10000; i++) kept &= samples.value[i] == i;
    ok(added && kept && samples.n == 10000, "10000 samples are kept in order");
    cm_samples_clear(&samples);
    ok(samples.n == 0 && samples.capacity >= 10000, "clearing keeps the memory");
    double *before = samples.value;
    for (int i = 0; i < 10000; i++) cm_samples_add(&samples, i);
    ok(samples.value == before, "adding within the capacity does not move");
    ok(!cm_samples_reserve(&samples, SIZE_MAX / 4), "more memory than there is: refused");
    ok(samples.n == 10000 && samples.value[9999] == 9999, "and nothing lost");
    cm_samples_free(&samples);
    ok(!samples.value && samples.n == 0 && samples.capacity == 0, "free empties");
}

/* P(B <= k), B binomial (n, 1/2), through logarithms: another way than the library's. */
static double binomial_below(size_t n, size_t k)
{
    long double sum = 0;
    for (size_t j = 0; j <= k; j++)
        sum += expl(lgammal((long double)n + 1) - lgammal((long double)j + 1)
                    - lgammal((long double)(n - j) + 1) - (long double)n * logl(2));
    return (double)sum;
}

static bool interval_is_best(size_t n)
{
    size_t low, high;
    if (!cm_median_interval(n, &low, &high)) return false;
    return low + high == n + 1 && binomial_below(n, low - 1) <= 0.025 * (1 + 1e-9)
           && binomial_below(n, low) > 0.025 * (1 - 1e-9);
}

static void interval_tests(void)
{
    static const size_t known[][3] = {/* tables of the sign test's interval, 95 % */
                                      {6, 1, 6},    {8, 1, 8},    {9, 2, 8},    {10, 2, 9},
                                      {12, 3, 10},  {15, 4, 12},  {20, 6, 15},  {25, 8, 18},
                                      {30, 10, 21}, {50, 18, 33}, {100, 40, 61}};
    size_t low = 77, high = 77;
    bool none = true;
    for (size_t n = 0; n < 6; n++) none &= !cm_median_interval(n, &low, &high);
    ok(none && low == 77 && high == 77, "no interval below 6 samples");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        cm_median_interval(known[i][0], &low, &high);
        ok(low == known[i][1] && high == known[i][2], "n = %zu: ranks %zu and %zu", known[i][0],
           low, high);
    }
    bool best = true;
    for (size_t n = 6; n <= 1500; n++) best &= interval_is_best(n);
    ok(best, "n = 6 to 1500: at least 95 %%, and one rank narrower would be less");
    best = true;
    for (size_t n = 1501; n < 60000; n += n / 7 + 1) best &= interval_is_best(n);
    ok(best, "so for larger n");
    cm_median_interval(1000000, &low, &high); /* n/2 - 1.96 sqrt(n)/2 = 499020.02 */
    ok(low == 499020 && high == 500981, "n = 10^6: ranks %zu and %zu", low, high);

    enum { RUNS = 4000, N = 25 };
    uint64_t state = 1;
    int caught = 0;
    for (int run = 0; run < RUNS; run++) {
        double x[N];
        for (int i = 0; i < N; i++) x[i] = -log(random_uniform(&state)); /* median ln 2 */
        cm_samples samples = from(N, x);
        cm_summary s;
        cm_summarize(&samples, &s);
        caught += s.low <= log(2) && log(2) <= s.high;
        cm_samples_free(&samples);
    }
    double share = (double)caught / RUNS; /* 1 - 2 P(B <= 7) = 0.9567, standard error 0.0032 */
    ok(fabs(share - 0.9567) < 0.013, "of 4000 skewed samples the interval catches %.4f", share);
}

static void summary_tests(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary s;
    ok(cm_summarize(&samples, &s) && s.n == 0 && isnan(s.median) && isnan(s.mean) && isnan(s.p99)
           && isnan(s.low) && isnan(s.autocorrelation),
       "no samples: NaN");

    samples = from(1, (double[]){3});
    cm_summarize(&samples, &s);
    ok(s.n == 1 && s.min == 3 && s.max == 3 && s.median == 3 && s.mean == 3 && s.deviation == 0
           && s.low == 3 && s.high == 3 && s.p95 == 3 && s.autocorrelation == 0,
       "one sample");
    cm_samples_free(&samples);

    samples = from(4, (double[]){4, 1, 3, 2});
    cm_summarize(&samples, &s);
    ok(s.median == 2.5 && s.low == 1 && s.high == 4, "even number: the middle of two");
    ok_near(s.deviation, sqrt(5.0 / 3), 1e-15, "deviation by n - 1");
    ok_near(s.autocorrelation, (1.5 * -1.5 + -1.5 * 0.5 + 0.5 * -0.5) / 5, 1e-15,
            "autocorrelation in the order taken");
    ok(samples.value[0] == 4 && samples.value[3] == 2, "the samples keep their order");
    cm_samples_free(&samples);

    for (int i = 100; i >= 0; i--) cm_samples_add(&samples, i);
    cm_summarize(&samples, &s);
    ok(s.median == 50 && s.p95 == 95 && s.p99 == 99, "percentiles of 0 to 100");
    const double fraction[] = {0, 0.999, 1, 0.5};
    double value[4];
    ok(cm_quantiles(&samples, 4, fraction, value) && value[0] == 0 && fabs(value[1] - 99.9) < 1e-12
           && value[2] == 100 && value[3] == 50,
       "any quantiles of them");
    cm_samples_clear(&samples);
    ok(cm_quantiles(&samples, 4, fraction, value) && isnan(value[0]) && isnan(value[3]),
       "of none: NaN");
    for (int i = 0; i < 10; i++) cm_samples_add(&samples, i);
    cm_summarize(&samples, &s);
    ok_near(s.p95, 8.55, 1e-14, "percentiles are interpolated");
    ok_near(s.p99, 8.91, 1e-14, "also the last");
    ok(s.low == 1 && s.high == 8, "interval of 10 samples: second and ninth");
    cm_samples_add(&samples, NAN);
    ok(cm_summarize(&samples, &s) && s.n == 11 && isnan(s.median) && isnan(s.max) && isnan(s.mean),
       "a NaN among them: NaN");
    ok(cm_quantiles(&samples, 1, fraction, value) && isnan(value[0]), "also in quantiles");
    cm_samples_clear(&samples);
    for (int i = 0; i < 7; i++) cm_samples_add(&samples, 0.1);
    cm_summarize(&samples, &s);
    ok(s.mean == 0.1 && s.deviation == 0 && s.autocorrelation == 0, "constant samples");
    cm_samples_clear(&samples);
    for (int i = 0; i < 9; i++) cm_samples_add(&samples, i < 5 ? 1 : INFINITY);
    cm_summarize(&samples, &s);
    ok(s.median == 1 && isinf(s.max) && isinf(s.p95) && !isfinite(s.mean), "infinities");
    cm_samples_free(&samples);
}

static void disturbed_tests(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary s;
    double half = 0.5, middle;
    for (int i = 0; i < 8; i++) cm_samples_add(&samples, i);
    ok(cm_samples_disturb(&samples, 6, SIZE_MAX, CM_DISTURBED_WAITED) && samples.disturbed == 2,
       "the last two are disturbed");
    ok(cm_samples_disturb(&samples, 7, 8, CM_DISTURBED_STOLEN) && samples.disturbed == 2
           && samples.cause[7] == (CM_DISTURBED_WAITED | CM_DISTURBED_STOLEN),
       "one of them has two causes");
    ok(cm_samples_leave_out(&samples) && cm_summarize(&samples, &s) && s.n == 8 && s.counted == 6
           && s.left_out && s.disturbed == 2 && s.median == 2.5 && s.max == 5 && s.mean == 2.5,
       "six others: the summary is over them");
    ok(cm_quantiles(&samples, 1, &half, &middle) && middle == 2.5, "quantiles, too");
    ok(s.largest == 7, "but the largest is that of all");
    samples.of_all = true;
    ok(!cm_samples_leave_out(&samples) && cm_summarize(&samples, &s) && s.counted == 8
           && !s.left_out && s.disturbed == 2 && s.max == 7
           && cm_quantiles(&samples, 1, &half, &middle) && middle == 3.5,
       "nothing is left out if the disturbance is what is measured");
    samples.of_all = false;
    cm_samples_disturb(&samples, 0, 1, CM_DISTURBED_MOVED);
    ok(!cm_samples_leave_out(&samples) && cm_summarize(&samples, &s) && s.counted == 8
           && s.disturbed == 3 && s.max == 7,
       "five others are too few: it is over all");
    for (int i = 8; i < 500; i++) cm_samples_add(&samples, i);
    ok(samples.disturbed == 3 && samples.cause[499] == 0 && samples.cause[6] != 0,
       "more samples are not disturbed");
    cm_samples_clear(&samples);
    cm_samples_add(&samples, 1);
    ok(samples.disturbed == 0 && samples.cause[0] == 0, "clearing clears the marks");
    cm_samples_free(&samples);
}

static void stop_tests(void)
{
    const cm_stop_rule rule = {
        .relative_half_width = 0.01, .least = 10, .most = 1000, .time_limit_s = 5};
    cm_samples samples = CM_SAMPLES_EMPTY;
    ok(cm_stop_check(&rule, &samples, 9) == CM_STOP_NOT, "never without a sample");
    cm_stop stop = CM_STOP_NOT;
    while (stop == CM_STOP_NOT) {
        cm_samples_add(&samples, 1);
        stop = cm_stop_check(&rule, &samples, 0);
    }
    ok(stop == CM_STOP_PRECISION && samples.n >= 10 && samples.n <= 12,
       "equal samples stop soon after the least number (%zu)", samples.n);

    cm_samples_clear(&samples);
    static const double luck[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0};
    stop = CM_STOP_NOT;
    for (size_t i = 0; i < 100 && stop == CM_STOP_NOT; i++) {
        cm_samples_add(&samples, i < sizeof luck / sizeof *luck ? luck[i] : 1);
        stop = cm_stop_check(&rule, &samples, 0);
    }
    ok(stop == CM_STOP_PRECISION && samples.n == 18,
       "a narrow look at 10 and a wide one at 12: two more in a row are needed (%zu)", samples.n);

    cm_samples_clear(&samples);
    cm_samples_add(&samples, 1);
    ok(cm_stop_check(&rule, &samples, 5) == CM_STOP_TIME, "time used up: one sample is enough");
    cm_samples few = from(3, (const double[]){1, 2, 3});
    const cm_stop_rule four = {.time_limit_s = 1, .least_in_time = 4};
    ok(cm_stop_check(&four, &few, 2) == CM_STOP_NOT && cm_samples_add(&few, 4)
           && cm_stop_check(&four, &few, 2) == CM_STOP_TIME,
       "or as many as the rule wants in any case");
    cm_samples_free(&few);

    cm_samples_clear(&samples);
    uint64_t state = 2;
    for (stop = CM_STOP_NOT; stop == CM_STOP_NOT; stop = cm_stop_check(&rule, &samples, 0))
        cm_samples_add(&samples, random_uniform(&state)); /* would need some 10^4 */
    ok(stop == CM_STOP_COUNT && samples.n == 1000, "scattered samples stop at the most");

    cm_samples_clear(&samples);
    for (stop = CM_STOP_NOT; stop == CM_STOP_NOT; stop = cm_stop_check(&rule, &samples, 0))
        cm_samples_add(&samples, 1 + 0.02 * random_normal(&state));
    cm_summary s;
    cm_summarize(&samples, &s);
    ok(stop == CM_STOP_PRECISION && samples.n > 10 && samples.n < 100
           && (s.high - s.low) / 2 <= 0.01 * s.median,
       "2 %% deviation reach 1 %% precision after %zu", samples.n);

    cm_samples_clear(&samples);
    for (int i = 0; i < 800; i++) cm_samples_add(&samples, 1);
    ok(cm_stop_check(&rule, &samples, 0) == CM_STOP_PRECISION, "samples may come in batches");
    samples.value[0] = 2;
    ok(cm_stop_check(&rule, &samples, 6) == CM_STOP_PRECISION,
       "precision is named first where time is up as well");

    cm_samples_clear(&samples);
    const cm_stop_rule never = {
        .relative_half_width = 0, .least = 1, .most = 0, .time_limit_s = INFINITY};
    bool ended = false;
    for (int i = 0; i < 3000; i++) {
        cm_samples_add(&samples, 1);
        ended |= cm_stop_check(&never, &samples, 1e9) != CM_STOP_NOT;
    }
    ok(!ended, "each condition can be switched off");
    cm_samples_clear(&samples);
    for (int i = 0; i < 500; i++) {
        cm_samples_add(&samples, i % 2 ? NAN : 1);
        ended |= cm_stop_check(&rule, &samples, 0) != CM_STOP_NOT;
    }
    ok(!ended, "NaN is not precise");
    ok_text(cm_stop_name(CM_STOP_PRECISION), "precision", "precision has a name");
    ok_text(cm_stop_name(CM_STOP_COUNT), "count", "count has a name");
    ok_text(cm_stop_name(CM_STOP_TIME), "time", "time has a name");
    cm_samples_free(&samples);
}

int main(void)
{
    clock_tests();
    keeping_tests();
    interval_tests();
    summary_tests();
    disturbed_tests();
    stop_tests();
    return tap_done();
}
