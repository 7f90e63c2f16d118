/* SPDX-License-Identifier: BSD-3-Clause */
/* quantity.c: operations on a value and its interval, compared with numbers worked out by hand; how
   often the interval of a ratio covers the truth. */
#include "tap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "measure/quantity.h"
#include "random/random.h"

static cm_quantity q95(double low, double value, double high)
{
    return (cm_quantity){value, low, high, CM_INTERVAL_95, "trials", 12, CM_DISTURBED_NO};
}

static bool is(cm_quantity q, double low, double value, double high)
{
    return q.low == low && q.value == value && q.high == high;
}

static bool plain(cm_quantity q) { return q.n == 0 && !cm_quantity_has_interval(&q); }

static cm_samples from(size_t n, const double *value)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    for (size_t i = 0; i < n; i++)
        if (!cm_samples_add(&samples, value[i])) exit(99);
    return samples;
}

static cm_summary summary_of(const cm_samples *samples)
{
    cm_summary summary;
    if (!cm_summarize(samples, &summary)) exit(99);
    return summary;
}

static void test_states(void)
{
    cm_quantity q = cm_quantity_of(3);
    ok(q.value == 3 && plain(q), "a plain number: no samples, no interval");
    ok(isnan(cm_quantity_of(NAN).value) && plain(cm_quantity_of(NAN)), "nor has NaN");
    q = q95(1, 2, 3);
    ok(cm_quantity_has_interval(&q), "two finite ends are an interval");
    q = q95(1, 2, INFINITY);
    ok(!cm_quantity_has_interval(&q), "an infinite end is none");
    q = q95(NAN, 2, 3);
    ok(!cm_quantity_has_interval(&q), "and neither is NaN");

    const cm_disturbed no = CM_DISTURBED_NO, yes = CM_DISTURBED_YES, unknown = CM_DISTURBED_UNKNOWN;
    ok(cm_disturbed_either(no, no) == no, "neither is disturbed");
    ok(cm_disturbed_either(no, yes) == yes && cm_disturbed_either(yes, no) == yes, "one is");
    ok(cm_disturbed_either(unknown, yes) == yes && cm_disturbed_either(yes, unknown) == yes,
       "one is, whatever is not known of the other");
    ok(cm_disturbed_either(unknown, no) == unknown && cm_disturbed_either(no, unknown) == unknown,
       "not known of one: not known of both");
    ok(cm_disturbed_unseen(no) == unknown && cm_disturbed_unseen(yes) == yes
           && cm_disturbed_unseen(unknown) == unknown,
       "nothing looked at: only what was found is known");
}

static void test_summaries(void)
{
    cm_samples samples = from(8, (const double[]){8, 1, 7, 2, 6, 3, 5, 4});
    cm_summary s = summary_of(&samples);
    cm_quantity q = cm_quantity_median(&s);
    ok(is(q, 1, 4.5, 8) && q.kind == CM_INTERVAL_95 && q.n == 8 && q.disturbed == CM_DISTURBED_NO,
       "the median of eight: from the first to the last, as 2 / 2^8 < 5 %%");
    ok_text(q.over, "trials", "over trials");
    q = cm_quantity_over(&s, "sweeps", CM_DISTURBED_YES);
    ok(is(q, 1, 4.5, 8) && q.n == 8 && q.disturbed == CM_DISTURBED_YES,
       "over sweeps: disturbed as the samples of these");
    ok_text(q.over, "sweeps", "over sweeps");

    if (!cm_samples_disturb(&samples, 0, 2, CM_DISTURBED_WAITED)) exit(99);
    s = summary_of(&samples);
    q = cm_quantity_median(&s);
    ok(is(q, 2, 4.5, 7) && q.n == 6 && q.disturbed == CM_DISTURBED_NO
           && cm_disturbed_samples(&samples) == CM_DISTURBED_NO,
       "two disturbed samples of eight are left out: not disturbed");
    if (!cm_samples_disturb(&samples, 0, 3, CM_DISTURBED_WAITED)) exit(99);
    s = summary_of(&samples);
    q = cm_quantity_median(&s);
    ok(is(q, 1, 4.5, 8) && q.n == 8 && q.disturbed == CM_DISTURBED_YES
           && cm_disturbed_samples(&samples) == CM_DISTURBED_YES,
       "of three too few remain: the value is of disturbed samples");
    samples.n = samples.disturbed = 0;
    s = summary_of(&samples);
    q = cm_quantity_median(&s);
    ok(isnan(q.value) && plain(q), "no samples: NaN, without an interval");
    cm_samples_free(&samples);
}

static void test_least(void)
{
    cm_samples samples = from(9, (const double[]){9, 3, 8, 2, 7, 4, 6, 5, 1});
    cm_quantity q;
    ok(cm_quantity_least_sample(&samples, &q) && is(q, 1, 1, 5) && q.n == 5
           && q.kind == CM_INTERVAL_RANGE && q.disturbed == CM_DISTURBED_NO,
       "the least sample: a range to the fifth least");
    q = cm_quantity_invert(q, 60);
    ok(is(q, 12, 60, 60) && q.kind == CM_INTERVAL_RANGE && q.n == 5, "the rate of the fastest");
    if (!cm_samples_disturb(&samples, 8, 9, CM_DISTURBED_WAITED)) exit(99);
    ok(cm_quantity_least_sample(&samples, &q) && is(q, 2, 2, 6) && q.disturbed == CM_DISTURBED_NO,
       "disturbed samples do not count");
    samples.n = 3;
    ok(cm_quantity_least_sample(&samples, &q) && is(q, 3, 3, 9) && q.n == 3,
       "fewer than five: all");
    samples.n = 0;
    ok(cm_quantity_least_sample(&samples, &q) && isnan(q.value) && plain(q), "none: NaN");
    cm_samples_free(&samples);
}

static void test_fits(void)
{
    static const double t = 2.446912; /* Student at 6 degrees of freedom, to 2e-3 */
    cm_quantity q = cm_quantity_student(10, 2, 6, "rounds", 7);
    ok(fabs(q.low - (10 - 2 * t)) < 2e-3 && fabs(q.high - (10 + 2 * t)) < 2e-3 && q.value == 10
           && q.kind == CM_INTERVAL_95 && q.n == 7 && q.disturbed == CM_DISTURBED_NO,
       "Student's interval for 6 degrees of freedom");
    ok_text(q.over, "rounds", "over what it was told");
    q = cm_quantity_fit((cm_estimate){10, 2}, 8, 2, 4, CM_DISTURBED_YES);
    ok(fabs(q.low - (10 - 2 * t)) < 2e-3 && q.n == 4 && q.disturbed == CM_DISTURBED_YES,
       "a fit of 8 values with 2 parameters has as many");
    ok_text(q.over, "sizes", "a fit is over sizes");
    q = cm_quantity_fit((cm_estimate){10, 0}, 2, 2, 2, CM_DISTURBED_NO);
    ok(q.value == 10 && plain(q), "no degree of freedom: a plain number");
    q = cm_quantity_fit((cm_estimate){10, 0}, 1, 2, 1, CM_DISTURBED_NO);
    ok(q.value == 10 && plain(q), "fewer values than parameters, likewise");
    q = cm_quantity_bounded(&(cm_bounded){.value = 5, .error = 1, .low = 2, .high = 9}, 6,
                            CM_DISTURBED_UNKNOWN);
    ok(is(q, 2, 5, 9) && q.kind == CM_INTERVAL_95 && q.n == 6
           && q.disturbed == CM_DISTURBED_UNKNOWN,
       "a parameter with an interval of its own");
}

static void test_single(void)
{
    cm_quantity q = cm_quantity_scale(q95(1, 2, 4), 3);
    ok(is(q, 3, 6, 12) && q.n == 12 && q.kind == CM_INTERVAL_95, "three times");
    ok(is(cm_quantity_scale(q95(1, 2, 4), -1), -4, -2, -1), "a negative factor swaps the ends");
    ok(plain(cm_quantity_scale(cm_quantity_of(2), 3)), "a plain number stays one");
    ok(is(cm_quantity_shift(q95(1, 2, 4), -3), -2, -1, 1), "less 3");
    q = cm_quantity_invert(q95(1, 2, 4), 8);
    ok(is(q, 2, 4, 8) && q.n == 12, "8 over it: the ends change places");
    q = cm_quantity_invert(q95(0, 2, 4), 8);
    ok(q.value == 4 && !cm_quantity_has_interval(&q), "with an end of 0 there is no interval");
    ok(is(cm_quantity_clamp(q95(-1, 2, 140), 0, 100), 0, 2, 100), "clamped: the ends");
    ok(is(cm_quantity_clamp(q95(-3, -2, -1), 0, 100), 0, 0, 0), "and the value");
    q = cm_quantity_clamp(cm_quantity_of(NAN), 0, 100);
    ok(isnan(q.value) && isnan(q.low), "what is not known stays so");
    ok(is(cm_quantity_mapped(q95(1, 2, 4), 4, 1, 16), 1, 4, 16), "a growing function");
    ok(is(cm_quantity_mapped(q95(1, 2, 4), -4, -1, -16), -16, -4, -1), "a falling one");
}

static void test_pairs(void)
{
    const cm_quantity over = q95(4, 5, 6);
    const cm_quantity under = {1.5, 1, 2, CM_INTERVAL_RANGE, "pairs", 5, CM_DISTURBED_YES};
    cm_quantity q = cm_quantity_ratio(over, under);
    ok(is(q, 2, 5 / 1.5, 6) && q.kind == CM_INTERVAL_RANGE && q.n == 5
           && q.disturbed == CM_DISTURBED_YES,
       "a ratio: least over greatest to greatest over least; the weaker of both kinds");
    ok_text(q.over, "trials", "over what the first is");
    q = cm_quantity_ratio(over, over);
    ok(q.kind == CM_INTERVAL_95 && q.disturbed == CM_DISTURBED_NO, "of two 95 %% intervals");
    ok(is(cm_quantity_ratio(q95(-4, -2, 4), q95(1, 2, 4)), -4, -1, 4), "of either sign");
    ok(is(cm_quantity_ratio(q95(-4, -2, -1), q95(1, 2, 4)), -4, -1, -0.25), "below 0");
    ok(plain(cm_quantity_ratio(over, cm_quantity_of(2))), "over a plain number: one");
    ok(cm_quantity_ratio(over, cm_quantity_of(2)).value == 2.5, "with the value");
    ok(is(cm_quantity_difference(over, q95(1, 2, 4)), 0, 3, 5), "a difference");
    ok(plain(cm_quantity_difference(cm_quantity_of(2), over)), "from a plain number: one");

    ok(cm_quantity_greater(over, under).value == 5 && cm_quantity_greater(under, over).value == 5,
       "the greater one");
    ok(cm_quantity_smaller(over, under).n == 5 && cm_quantity_smaller(under, over).n == 5,
       "the smaller one, with all it has");
    ok(cm_quantity_greater(cm_quantity_of(NAN), under).value == 1.5
           && cm_quantity_greater(under, cm_quantity_of(NAN)).value == 1.5
           && cm_quantity_smaller(cm_quantity_of(NAN), under).value == 1.5
           && cm_quantity_smaller(under, cm_quantity_of(NAN)).value == 1.5,
       "NaN is neither");
    ok(cm_quantity_greater(over, q95(1, 5, 9)).low == 4, "of equal ones the first");
}

static void test_overlap(void)
{
    /* An exchange of 8 to 10 s hides in 20 to 21 s of computing; together 24 to 26 s, or less than
       computing alone. */
    cm_summary exchange = {.low = 8, .high = 10, .median = 10}, compute = exchange,
               total = exchange;
    cm_summary *const all[] = {&exchange, &compute, &total};
    for (int k = 0; k < 3; k++) {
        all[k]->n = all[k]->counted = 9;
        all[k]->interval = CM_INTERVAL_95;
    }
    compute.low = 20, compute.high = 21, compute.median = 20.5;
    total.low = 24, total.high = 26, total.median = 25.5;
    cm_quantity q = cm_quantity_overlap(&exchange, &compute, &total);
    ok(is(q, 0.25, 0.5, 0.7) && q.kind == CM_INTERVAL_95 && q.n == 9,
       "an overlap: all three times at their worst");
    total.low = 17, total.high = 18;
    q = cm_quantity_overlap(&exchange, &compute, &total);
    ok(q.low == 1.2 && q.high == 1.5, "also of times below that of computing");
}

/* Log-normal trials of two known medians, 3 and 2. Both intervals must hold for the ratio's to
   fail, so it covers the truth more often than either; a run of 4,000 has a standard deviation of
   0.35 % at 95 %. The seed is fixed. */
static void test_coverage(void)
{
    enum { RUNS = 4000, MOST = 40 };
    static const size_t counts[] = {6, 12, MOST};
    uint64_t state = 20261128;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        int covered = 0, inverse = 0;
        for (int run = 0; run < RUNS; run++) {
            double value[2][MOST];
            cm_quantity q[2];
            for (int side = 0; side < 2; side++) {
                for (size_t i = 0; i < counts[k]; i++)
                    value[side][i] = (side ? 2 : 3) * exp(0.3 * cm_random_normal(&state));
                const cm_samples samples = {
                    .value = value[side], .n = counts[k], .capacity = counts[k]};
                const cm_summary s = summary_of(&samples);
                q[side] = cm_quantity_median(&s);
            }
            const cm_quantity ratio = cm_quantity_ratio(q[0], q[1]);
            const cm_quantity rate = cm_quantity_invert(q[0], 6);
            covered += ratio.low <= 1.5 && 1.5 <= ratio.high && ratio.kind == CM_INTERVAL_95;
            inverse += rate.low <= 2 && 2 <= rate.high;
        }
        ok(covered >= 0.95 * RUNS, "a ratio of medians of %zu: %d of %d intervals cover the truth",
           counts[k], covered, RUNS);
        ok(inverse >= 0.95 * RUNS - 3 * sqrt(0.05 * 0.95 * RUNS),
           "a rate of %zu: %d of %d do, but for chance", counts[k], inverse, RUNS);
    }
}

int main(void)
{
    test_states();
    test_summaries();
    test_least();
    test_fits();
    test_single();
    test_pairs();
    test_overlap();
    test_coverage();
    return tap_done();
}
