/* SPDX-License-Identifier: BSD-3-Clause */
/* coverage.c: how often the interval of a row that the stopping rule ended covers the median. */
#include "tap.h"
#include "random.h"
#include "measure/samples.h"
#include <stdlib.h>

enum { RUNS = 10000, MOST = 300 };

typedef double distribution(uint64_t *state, double deviation); /* its median is 1 */

static double normal(uint64_t *state, double deviation)
{
    return 1 + deviation * random_normal(state);
}

static double lognormal(uint64_t *state, double deviation)
{
    return exp(deviation * random_normal(state));
}

/* Takes samples until the rule ends them. Returns true if their interval covers the median. */
static bool covers(distribution *draw, double deviation, uint64_t *state, cm_samples *samples)
{
    static const cm_stop_rule rule = {
        .relative_half_width = 0.02, .least = 10, .most = MOST, .time_limit_s = INFINITY};
    cm_summary summary;
    cm_samples_clear(samples);
    do {
        if (!cm_samples_add(samples, draw(state, deviation))) exit(99);
    } while (cm_stop_check(&rule, samples, 0) == CM_STOP_NOT);
    if (!cm_summarize(samples, &summary)) exit(99);
    return summary.low <= 1 && 1 <= summary.high;
}

static void test(const char *name, distribution *draw, double deviation)
{
    static const double least_share = 0.935; /* 95 % is said; the standard error is 0.0022 */
    uint64_t state = 4;
    cm_samples samples = CM_SAMPLES_EMPTY;
    int covered = 0;
    double taken = 0;
    for (int run = 0; run < RUNS; run++) {
        covered += covers(draw, deviation, &state, &samples);
        taken += (double)samples.n;
    }
    cm_samples_free(&samples);
    double share = (double)covered / RUNS;
    ok(share >= least_share, "%s, deviation %g: covered by %.4f, %.1f samples a row", name,
       deviation, share, taken / RUNS);
}

int main(void)
{
    static const double deviation[] = {0.005, 0.015, 0.02, 0.03, 0.05, 0.07};
    for (size_t i = 0; i < sizeof deviation / sizeof *deviation; i++) {
        test("normal", normal, deviation[i]);
        test("lognormal", lognormal, deviation[i]);
    }
    return tap_done();
}
