/* SPDX-License-Identifier: BSD-3-Clause */
/* states_few.c: two levels among few values: a known case, false alarms and power over fixed
   seeds. */
#include "tap.h"
#include "random.h"
#include "measure/states_few.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static cm_states_few find(size_t n, const double *value)
{
    cm_states_few states;
    if (!cm_states_few_find(n, value, &states)) exit(99);
    return states;
}

static void known(void)
{
    static const double latency[] = {22.1, 9.3, 21.9, 22.4, 9.4, 22.0};
    static const double lone[] = {9.3, 9.4, 9.2, 9.35, 9.25, 22}, few[] = {9, 9, 22};
    static const double near[] = {100, 100.1, 100.2, 105, 105.1, 105.2};
    static const double zero[] = {0, 0, 0, 22, 22, 22}, same[] = {5, 5, 5, 5, 5, 5};
    cm_states_few states = find(6, latency);
    ok(states.low == 2 && states.high == 4, "9.3 us in 2 of 6 launches, 22 us in 4");
    ok_near(states.level[0], sqrt(9.3 * 9.4), 1e-9, "the lower level");
    ok_near(states.level[1], sqrt(22.0 * 22.1), 1e-9, "the higher level");
    ok(states.between > 9.4 && states.between < 21.9, "what lies between them");
    ok(find(6, lone).low == 0, "one launch is no state");
    ok(find(3, few).low == 0, "three launches have none");
    ok(find(6, near).low == 0, "levels 5 %% apart are one");
    ok(find(6, zero).low == 0, "values of 0 have none");
    ok(find(6, same).low == 0, "equal values have none");
}

/* Of one level with noise of a third, so that the gap of 10 % keeps nothing away; independent, and
   with an autocorrelation of 0.6. */
static void false_alarms(void)
{
    enum { TRIALS = 4000 };
    static const size_t sizes[] = {4, 5, 6, 8, 12, 20, 50};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double value[50], before = 0;
        uint64_t state = 3 + s;
        int alarms[2] = {0};
        for (int t = 0; t < TRIALS; t++)
            for (int streaks = 0; streaks < 2; streaks++) {
                for (size_t i = 0; i < sizes[s]; i++) {
                    before = (streaks ? 0.6 : 0) * before + random_normal(&state);
                    value[i] = exp(before / 3);
                }
                alarms[streaks] += find(sizes[s], value).low > 0;
            }
        ok(alarms[0] <= TRIALS / 100, "%zu values of one level: %d false alarms in %d", sizes[s],
           alarms[0], TRIALS);
        ok(alarms[1] <= TRIALS / 50, "in streaks: %d", alarms[1]);
    }
}

static void found(void)
{
    static const struct {
        size_t n, low;
        double apart;
    } cases[] = {{4, 2, 50}, {6, 2, 20}, {6, 3, 20}, {10, 4, 14}, {20, 7, 14}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double value[20];
        uint64_t state = 17;
        int right = 0;
        for (int t = 0; t < 500; t++) {
            for (size_t i = 0; i < cases[c].n; i++)
                value[i] =
                    exp(0.02 * (random_normal(&state) + (i < cases[c].low ? 0 : cases[c].apart)));
            right += find(cases[c].n, value).low == cases[c].low;
        }
        ok(right >= 450, "%zu of %zu values %g deviations lower: found %d times in 500",
           cases[c].low, cases[c].n, cases[c].apart, right);
    }
}

int main(void)
{
    known();
    false_alarms();
    found();
    return tap_done();
}
