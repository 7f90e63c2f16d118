/* SPDX-License-Identifier: BSD-3-Clause */
/* period.c: the spectrum is that of its definition; periods are found where they are, and seldom
   where they are not. */
#include "tap.h"
#include "random.h"
#include "measure/order.h"
#include "measure/period.h"
#include <complex.h>
#include <stdlib.h>

enum { N = 1024, RUNS = 400, FOUND = 100 };
static const double alarm = 0.05;

static void test_spectrum(void)
{
    enum { SHORT = 64 };
    double value[SHORT], power[SHORT / 2 + 1], mean = 0, worst = 0;
    uint64_t state = 1;
    for (int i = 0; i < SHORT; i++) mean += (value[i] = 3 + random_normal(&state)) / SHORT;
    if (!cm_spectrum(value, SHORT, power)) exit(99);
    for (int k = 0; k <= SHORT / 2; k++) {
        double complex sum = 0;
        for (int i = 0; i < SHORT; i++)
            sum += (value[i] - mean) * cexp(-2 * acos(-1) * I * k * i / SHORT);
        worst = fmax(worst, fabs(power[k] - pow(cabs(sum), 2) / SHORT));
    }
    ok(worst < 1e-12, "the spectrum is that of the sum: %g", worst);
}

/* Of values of all kinds in random order, many of them equal. */
static void test_select(void)
{
    enum { MOST = 70 };
    double value[MOST];
    uint64_t state = 5;
    int wrong = 0;
    for (size_t n = 1; n <= MOST; n++)
        for (int run = 0; run < 20; run++) {
            const double p = run % 4 == 0 ? 0.5 : run % 5 == 0 ? 1 : random_uniform(&state);
            for (size_t k = 0; k < n; k++) {
                const double x = random_normal(&state);
                value[k] = run % 2 ? x : x > 1.5 ? NAN : x < -1.5 ? INFINITY : round(2 * x);
            }
            double *sorted = cm_order_sorted(value, n);
            if (!sorted) exit(99);
            const double want = cm_order_quantile(sorted, n, p), got = cm_order_select(value, n, p);
            wrong += isnan(want) ? !isnan(got) : got != want;
            free(sorted);
        }
    ok(wrong == 0, "a selected quantile is that of the sorted values: %d are not", wrong);
}

/* Series without a period. */
static void white(double *value, uint64_t *state)
{
    for (int i = 0; i < N; i++) value[i] = random_normal(state);
}
static void drift(double *value, uint64_t *state)
{
    double x = 0;
    for (int i = 0; i < N; i++) value[i] = x += random_normal(state);
}
static void damped(double *value, uint64_t *state)
{
    double x = 0;
    for (int i = 0; i < N; i++) value[i] = x = 0.9 * x + random_normal(state);
}
/* At random, some three of a hundred, most of them small and a few large. */
static void spikes(double *value, uint64_t *state)
{
    for (int i = 0; i < N; i++)
        value[i] = random_uniform(state) < 0.03 ? pow(random_uniform(state), -0.4) : 0;
}
/* Events that last for several values, at random. */
static void gaps(double *value, uint64_t *state)
{
    int left = 0;
    for (int i = 0; i < N; i++) {
        if (left == 0 && random_uniform(state) < 0.02) left = 1 + (int)(20 * random_uniform(state));
        value[i] = left > 0;
        left -= left > 0;
    }
}

static void test_false_alarms(void)
{
    static const struct {
        const char *name;
        void (*draw)(double *value, uint64_t *state);
    } series[] = {{"white noise", white},
                  {"a random walk", drift},
                  {"damped noise", damped},
                  {"spikes at random", spikes},
                  {"gaps at random", gaps}};
    uint64_t state = 2;
    for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
        double value[N];
        cm_period period;
        int alarms = 0;
        for (int run = 0; run < RUNS; run++) {
            series[k].draw(value, &state);
            if (!cm_period_find(value, N, alarm, &period)) exit(99);
            alarms += !isnan(period.length);
        }
        /* Three standard deviations of a share of the alarm. */
        ok(alarms <= RUNS * (alarm + 3 * sqrt(alarm / RUNS)),
           "%s: %d false alarms of %d, at most %g", series[k].name, alarms, RUNS, RUNS * alarm);
    }
}

/* Events of a length at a period, with some jitter, over noise and random spikes. */
static void events(double *value, uint64_t *state, double period, double length, double height)
{
    spikes(value, state);
    for (int i = 0; i < N; i++) value[i] = 0.1 * value[i] + 0.02 * random_normal(state);
    double phase = period * random_uniform(state);
    for (double at = phase; at + length + 1 < N; at += period) {
        double begin = at + 0.02 * period * random_uniform(state), end = begin + length;
        for (int i = (int)begin; i < end; i++)
            value[i] += height * (fmin(end, i + 1) - fmax(begin, i));
    }
}

static void test_found(void)
{
    static const struct {
        double period, length, height;
    } cases[] = {{80, 8, 1}, {80, 2, 3}, {16.3, 1, 1}, {4, 0.02, 10}, {113, 5, 4}, {37.7, 20, 0.3}};
    uint64_t state = 3;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int found = 0;
        for (int run = 0; run < FOUND; run++) {
            double value[N];
            cm_period period;
            events(value, &state, cases[k].period, cases[k].length, cases[k].height);
            if (!cm_period_find(value, N, 0.01, &period)) exit(99);
            found += fabs(period.length / cases[k].period - 1) < 0.05;
        }
        ok(found >= 0.95 * FOUND, "every %g values, %g long, %g high: found %d times of %d",
           cases[k].period, cases[k].length, cases[k].height, found, FOUND);
    }
}

static void test_edges(void)
{
    double value[N] = {0};
    cm_period period;
    ok(cm_period_find(value, N, 0.01, &period) && isnan(period.length), "equal values");
    for (int i = 0; i < N; i++) value[i] = i % 2;
    ok(cm_period_find(value, 64, 0.01, &period) && isnan(period.length), "too few values");
    for (int i = 0; i < N; i++) value[i] = i % 16 == 3;
    ok(cm_period_find(value, N, 0.01, &period) && fabs(period.length - 16) < 1e-3,
       "a period without noise");
    for (int i = 0; i < N; i++) value[i] = i >= N / 3;
    ok(cm_period_find(value, N, 0.01, &period) && isnan(period.length), "one step");
}

int main(void)
{
    test_spectrum();
    test_select();
    test_false_alarms();
    test_found();
    test_edges();
    return tap_done();
}
