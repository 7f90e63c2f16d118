/* SPDX-License-Identifier: BSD-3-Clause */
/* split_test.c: the test of several metrics by all splits of the launches: known values, false
   alarms and power over fixed seeds. */
#include "tap.h"
#include "random.h"
#include "measure/split_test.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { M = 6, ALL = 12, METRICS = 4 };

static void test(size_t m, size_t n, size_t metrics, const double *value, double *p)
{
    if (!cm_split_test(m, n, metrics, value, p)) exit(99);
}

static void known(void)
{
    /* Two against two: of the six splits the given one and its mirror image differ by 2, all others
       by less; with 1 and 2 exchanged beside 3 and 4, the splits have 2, 1, 0, 0, 1, 2. */
    static const double apart[] = {1, 2, 3, 4}, mixed[] = {1, 3, 2, 4}, same[] = {5, 5, 5, 5};
    double both[8], p[2];
    test(2, 2, 1, apart, p);
    ok_near(p[0], 2.0 / 6, 1e-12, "two against two apart: 2 of 6 splits");
    test(2, 2, 1, mixed, p);
    ok_near(p[0], 4.0 / 6, 1e-12, "the second largest difference: 4 of 6");
    test(2, 2, 1, same, p);
    ok_near(p[0], 1, 1e-12, "equal values differ nowhere");
    for (int k = 0; k < 4; k++) {
        both[k] = apart[k];
        both[4 + k] = same[k];
    }
    test(2, 2, 2, both, p);
    ok_near(p[0], 2.0 / 6, 1e-12, "a constant metric beside it takes nothing away");
    ok_near(p[1], 1, 1e-12, "and is not found");
    ok(isnan(cm_split_visible(3, 3, 2, 0.05)), "three against three can see nothing");
    ok(!cm_split_test(0, 3, 1, apart, p), "an empty group is refused");
}

/* A change far beyond the noise of one metric of four has the least p, which is not divided. */
static void far_apart(void)
{
    double value[METRICS * ALL], p[METRICS];
    uint64_t state = 7;
    int least = 0, others = 0;
    for (int t = 0; t < 50; t++) {
        for (int k = 0; k < METRICS * ALL; k++) value[k] = random_normal(&state);
        for (int i = M; i < ALL; i++) value[ALL + i] += 100;
        test(M, ALL - M, METRICS, value, p);
        least += fabs(p[1] - 2.0 / 924) < 1e-12;
        others += p[0] <= 0.05 || p[2] <= 0.05 || p[3] <= 0.05;
    }
    ok(least == 50, "a large change of one of four metrics: p is 2 / 924, %d of 50", least);
    ok(others <= 8, "the others are not found, but by chance: %d of 50", others);
}

/* Metrics that share half of their noise, and an outlier now and then. */
static void false_alarms(void)
{
    enum { TRIALS = 400 };
    double value[METRICS * ALL], p[METRICS];
    uint64_t state = 11;
    int alarms = 0;
    for (int t = 0; t < TRIALS; t++) {
        for (int i = 0; i < ALL; i++) {
            double shared = random_normal(&state);
            for (int k = 0; k < METRICS; k++)
                value[k * ALL + i] = shared + random_normal(&state) + (i == t % 17 ? 10 : 0);
        }
        test(M, ALL - M, METRICS, value, p);
        bool alarm = false;
        for (int k = 0; k < METRICS; k++) alarm |= p[k] <= 0.05;
        alarms += alarm;
    }
    /* 20 of 400 are expected, with a deviation of 4.4 */
    ok(alarms <= 33, "false alarms among four metrics at 5 %%: %d of %d", alarms, TRIALS);
    ok(alarms >= 4, "and the level is used");
}

/* What is called visible is found some four times out of five, at the level of 19 programs. */
static void power(void)
{
    enum { TRIALS = 200 };
    double value[METRICS * ALL], p[METRICS], alpha = 0.05 / 19;
    double visible = cm_split_visible(M, ALL - M, METRICS, alpha);
    uint64_t state = 13;
    int found = 0;
    for (int t = 0; t < TRIALS; t++) {
        for (int k = 0; k < METRICS * ALL; k++) value[k] = random_normal(&state);
        for (int i = M; i < ALL; i++) value[i] += visible;
        test(M, ALL - M, METRICS, value, p);
        found += p[0] <= alpha;
    }
    ok(visible > 2 && visible < 8, "visible are %.2f deviations", visible);
    double of_many = cm_split_visible(10, 10, 2, 0.05 / 60);
    ok(of_many > 1 && of_many < 5, "ten launches a side, 60 programs: %.2f deviations", of_many);
    ok(found >= 138 && found <= 182, "which are found in %d of %d", found, TRIALS);
}

int main(void)
{
    known();
    far_apart();
    false_alarms();
    power();
    return tap_done();
}
