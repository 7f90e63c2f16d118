/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_period.c: on made-up time lines cm-noise finds the period of the losses, never a fraction
   of it, and none if there is none. */
#include <stdlib.h>
#include "../noise/noise.h"
#include "random.h"
#include "tap.h"

enum { LINES = 40, QUIET = 20 };
static const double alarm = 0.01;

typedef struct {
    size_t n;
    double quantum_s;
    double *done;
} line;

static void lose(const line *l, double at_s, double time_s)
{
    double end_s = at_s + time_s, q = l->quantum_s;
    for (size_t i = (size_t)(at_s / q); i < l->n && (double)i * q < end_s; i++)
        l->done[i] -= fmin(end_s / q, (double)(i + 1)) - fmax(at_s / q, (double)i);
}

/* At random, this share of the time; 5 us to 10 ms long, the longer the rarer. */
static void lose_detours(const line *l, double share, uint64_t *state)
{
    static const double shortest_s = 5e-6, longest_s = 1e-2, exponent = 1.1;
    double total_s = (double)l->n * l->quantum_s, at_s = 0;
    double mean_s =
        exponent / (exponent - 1) * shortest_s * (1 - pow(shortest_s / longest_s, exponent - 1));
    while ((at_s -= mean_s / share * log(random_uniform(state))) < total_s)
        lose(l, at_s, fmin(shortest_s * pow(random_uniform(state), -1 / exponent), longest_s));
}

/* Detours, what the period loses if period_s > 0, and an error of half a percent in each count. */
static void make(const line *l, double period_s, double share, double detours, uint64_t *state)
{
    double total_s = (double)l->n * l->quantum_s;
    for (size_t i = 0; i < l->n; i++) l->done[i] = 1;
    lose_detours(l, detours, state);
    for (double at_s = period_s * random_uniform(state); period_s > 0 && at_s < total_s;
         at_s += period_s)
        lose(l, at_s, share * period_s);
    for (size_t i = 0; i < l->n; i++)
        l->done[i] = fmax(l->done[i], 0) * (1 + 0.005 * random_normal(state));
}

/* Periods from 1 ms, or from 4 quanta, to 40 ms, which take 1 to 5 % of the time. */
static void test_told(const line *l, uint64_t *state)
{
    double shortest_s = fmax(1e-3, 4 * l->quantum_s);
    int right = 0;
    for (int k = 0; k < LINES; k++) {
        double period_s = shortest_s * pow(40e-3 / shortest_s, random_uniform(state));
        double share = 0.01 * pow(5, random_uniform(state));
        noise_core core;
        make(l, period_s, share, 0.003, state);
        if (!noise_core_time(l->done, l->n, l->quantum_s, alarm, &core)) exit(99);
        bool told = core.period_exact && fabs(core.period_s / period_s - 1) < 0.02;
        right += told;
        if (!told)
            printf("# planted %g ms, %g %%: found %g ms%s\n", 1e3 * period_s, 100 * share,
                   1e3 * core.period_s, core.period_exact ? "" : " or a multiple");
    }
    ok(right == LINES, "quanta of %g us: %d of %d periods told", 1e6 * l->quantum_s, right, LINES);
}

/* If detours take more time than the periodic losses, the period may be hidden, but a wrong period
   is never reported. */
static void test_hidden(const line *l, uint64_t *state)
{
    static const double period_s = 25e-3, share = 0.01;
    int right = 0, wrong = 0;
    for (int k = 0; k < LINES; k++) {
        noise_core core;
        make(l, period_s, share, 0.1, state);
        if (!noise_core_time(l->done, l->n, l->quantum_s, alarm, &core)) exit(99);
        bool told = core.period_exact, multiple = !told && !isnan(core.period_s);
        double ratio = period_s / core.period_s, whole = told ? 1 : round(ratio);
        right += told;
        wrong += (told || multiple) && fabs(ratio - whole) > 0.02 * whole;
    }
    ok(wrong == 0, "quanta of %g us, ten times the detours: %d of %d told, none wrong",
       1e6 * l->quantum_s, right, LINES);
}

static void test_none(const line *l, uint64_t *state)
{
    int told = 0;
    for (int k = 0; k < QUIET; k++) {
        noise_core core;
        make(l, 0, 0, k % 2 ? 0.003 : 0.05, state);
        if (!noise_core_time(l->done, l->n, l->quantum_s, alarm, &core)) exit(99);
        told += !isnan(core.period_s);
    }
    ok(told <= 2, "quanta of %g us, no period: told in %d of %d", 1e6 * l->quantum_s, told, QUIET);
}

/* Of 2.5 periods only a part has enough repetitions to be seen. */
static void test_too_few(void)
{
    enum { N = 512 };
    double done[N];
    line l = {N, 200e-6, done};
    uint64_t state = 7;
    int told = 0;
    for (int k = 0; k < LINES; k++) {
        noise_core core;
        make(&l, 40e-3, 0.03, 0.003, &state);
        if (!noise_core_time(done, N, l.quantum_s, alarm, &core)) exit(99);
        told += core.period_exact;
    }
    ok(told == 0, "2.5 periods of 40 ms: another one told in %d of %d", told, LINES);
}

int main(void)
{
    static const struct {
        double quantum_s;
        size_t n;
    } lines[] = {{10e-6, 1 << 16}, {100e-6, 1 << 14}, {250e-6, 1 << 13}, {1e-3, 1 << 11}};
    /* The shortest quanta take as long as all others. */
    for (size_t k = tier_is_big() ? 0 : 1; k < sizeof lines / sizeof *lines; k++) {
        line l = {.n = lines[k].n, .quantum_s = lines[k].quantum_s};
        uint64_t state = k + 1;
        l.done = malloc(l.n * sizeof *l.done);
        if (!l.done) return 99;
        test_told(&l, &state);
        test_none(&l, &state);
        if (k > 0) test_hidden(&l, &state);
        free(l.done);
    }
    test_too_few();
    return tap_done();
}
