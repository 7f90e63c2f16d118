/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c: two levels and steps are found where they are, and seldom where they are not. */
#include "tap.h"
#include "random.h"
#include "measure/states.h"
#include <stdlib.h>

enum { MOST = 1000, RUNS = 3000 };

typedef struct {
    double deviation, autocorrelation;
    bool logarithmic;
    double apart, share; /* of the second level, in deviations; of the samples, 0: none */
    bool step;           /* the second level is at the end */
} row;

static void draw(const row *r, size_t n, uint64_t *state, cm_samples *samples)
{
    double rho = r->autocorrelation, x = random_normal(state);
    cm_samples_clear(samples);
    for (size_t i = 0; i < n; i++) {
        x = rho * x + sqrt(1 - rho * rho) * random_normal(state);
        double first = (1 - r->share) * (double)n;
        bool second = r->step ? (double)i >= first : random_uniform(state) < r->share;
        double value = r->deviation * (x + (second ? r->apart : 0));
        if (!cm_samples_add(samples, r->logarithmic ? exp(value) : 1 + value)) exit(99);
    }
}

static double found(const row *r, size_t n, uint64_t *state)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    int alarms = 0;
    for (int run = 0; run < RUNS; run++) {
        cm_states states;
        draw(r, n, state, &samples);
        if (!cm_states_find(&samples, &states)) exit(99);
        alarms += states.kind != CM_STATES_ONE;
    }
    cm_samples_free(&samples);
    return (double)alarms / RUNS;
}

static void test_false_alarms(void)
{
    static const size_t n[] = {CM_STATES_LEAST, 30, CM_STATES_LEAST_STEP, 100, 300};
    static const row rows[] = {
        {.deviation = 0.2},
        {.deviation = 0.2, .autocorrelation = 0.3},
        {.deviation = 0.2, .autocorrelation = 0.6},
        {.deviation = 0.5, .logarithmic = true},
        {.deviation = 0.5, .autocorrelation = 0.6, .logarithmic = true},
    };
    uint64_t state = 1;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
            double share = found(&rows[k], n[i], &state);
            ok(share <= 0.0145, "%s samples, autocorrelation %g, n %zu: false alarms %.4f",
               rows[k].logarithmic ? "lognormal" : "normal", rows[k].autocorrelation, n[i], share);
        }
}

static void test_power(void)
{
    static const struct {
        size_t n;
        row is;
    } cases[] = {
        {30, {.deviation = 0.02, .apart = 8, .share = 0.2}},
        {50, {.deviation = 0.02, .apart = 8, .share = 0.2}},
        {1000, {.deviation = 0.02, .apart = 8, .share = 0.2}},
        {50, {.deviation = 0.05, .apart = 3, .share = 0.5, .step = true}},
        {100, {.deviation = 0.05, .apart = 3, .share = 0.8, .step = true}},
        {200, {.deviation = 0.05, .apart = 3, .share = 0.5, .step = true, .autocorrelation = 0.3}},
    };
    uint64_t state = 2;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double share = found(&cases[k].is, cases[k].n, &state);
        ok(share > 0.9, "%s %g deviations apart, %g of the samples, n %zu: found %.4f",
           cases[k].is.step ? "a step," : "two levels", cases[k].is.apart, cases[k].is.share,
           cases[k].n, share);
    }
}

static void test_words(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_states s;
    uint64_t state = 3;
    for (int i = 0; i < 100; i++) cm_samples_add(&samples, i % 25 < 16 ? 0.21 : 0.73);
    for (size_t i = 0; i < samples.n; i++) samples.value[i] *= 1 + 0.01 * random_normal(&state);
    ok(cm_states_find(&samples, &s) && s.kind == CM_STATES_MIXED, "two levels in turn");
    ok_near(s.level[0], 0.21, 0.02, "the lower level");
    ok_near(s.level[1], 0.73, 0.02, "the higher one");
    ok_near(s.share[0], 0.64, 1e-9, "how many at the lower one");
    for (size_t i = 0; i < samples.n; i++) samples.value[i] = i < 40 ? 3 : 2;
    ok(cm_states_find(&samples, &s) && s.kind == CM_STATES_STEP && s.step == 40 && s.level[0] == 3
           && s.level[1] == 2,
       "a step without noise");
    for (size_t i = 0; i < samples.n; i++) samples.value[i] = 8 + (random_uniform(&state) < 0.5);
    ok(cm_states_find(&samples, &s) && s.kind == CM_STATES_ONE, "ticks of a coarse clock");
    for (size_t i = 0; i < samples.n; i++) samples.value[i] = i < 40 ? 1 : 1.01;
    ok(cm_states_find(&samples, &s) && s.kind == CM_STATES_ONE, "1 %% is no other state");
    for (size_t i = 0; i < samples.n; i++) samples.value[i] = 5;
    ok(cm_states_find(&samples, &s) && s.kind == CM_STATES_ONE, "equal samples");
    samples.value[3] = NAN;
    ok(cm_states_find(&samples, &s) && s.kind == CM_STATES_ONE, "NaN");
    cm_samples_free(&samples);
}

int main(void)
{
    test_false_alarms();
    test_power();
    test_words();
    return tap_done();
}
