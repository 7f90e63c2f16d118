/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.c: cm-noise's work and its reference, what it makes of known quanta, and its model of a
   barrier against known expectations. */
#include <stdlib.h>
#include "../noise/noise.h"
#include "random.h"
#include "tap.h"

static void test_work(void)
{
    static const int64_t steps[] = {0, 1, 2, 3, 1000, 4095, 4096, 99999};
    int wrong = 0;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        wrong += noise_work(k + 7, steps[k]) != noise_work_reference(k + 7, steps[k]);
    ok(wrong == 0, "the work's answer is that of the closed form");
    ok(noise_work(1, 1000) != noise_work_reference(1, 1001), "a step more is another answer");
    ok(noise_work_steps(1e-3) > noise_work_steps(1e-5), "more time, more steps");
}

static void test_kernels(void)
{
    enum { N = 128 };
    double time_s[N], done[N], least = 0, sum = 0;
    int64_t wrong = -1, steps = noise_work_steps(20e-6);
    size_t n = noise_fixed_work(steps, 1, N, time_s, &wrong);
    ok(n == N && wrong == 0, "as many quanta as there is room for, all right");
    n = noise_fixed_work(steps, 1e-4, N, time_s, &wrong);
    ok(n >= 1 && n < N && wrong == 0, "or as time allows");
    noise_fixed_time(steps, 100e-6, N, done, &wrong);
    for (int k = 0; k < N; k++) {
        least = fmin(least, done[k]);
        sum += done[k];
    }
    ok(wrong == 0 && least == 0 && sum > 1, "units of work are in their intervals");
}

/* Quanta of 1 ms, of which every tenth loses 2 us and one loses 1.5 ms. */
static void test_core(void)
{
    enum { N = 1000 };
    cm_samples samples = CM_SAMPLES_EMPTY;
    noise_core core;
    for (int i = 0; i < N; i++)
        cm_samples_add(&samples, 1e-3 + (i == 555 ? 1.5e-3 : i % 10 == 3 ? 2e-6 : 0));
    ok(noise_core_work(&samples, &core), "a core");
    ok_near(core.total_s, 1 + 1.5e-3 + 200e-6, 1e-9, "its time");
    ok_near(core.lost_s, 1.5e-3 + 200e-6, 1e-9, "what it lost");
    ok_near(core.time_s.max - core.time_s.min, 1.5e-3, 1e-9, "its largest gap");
    ok(core.over[0] == 101 && core.over[1] == 1 && core.over[3] == 1 && core.over[4] == 0,
       "how many lost how much: %g %g %g %g", core.over[0], core.over[1], core.over[3],
       core.over[4]);
    double sum = 0, most = 0;
    for (int k = 0; k < NOISE_SLICES; k++) {
        sum += core.slice_lost_s[k];
        most = fmax(most, core.slice_lost_s[k]);
    }
    ok_near(sum, core.lost_s, 1e-9, "the slices together");
    ok_near(most, core.slice_lost_s[5], 0, "the slice with the gap");
    cm_samples_free(&samples);
}

/* A gap that is longer than a slice is in all slices that it covers. */
static void test_long_gap(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    noise_core core;
    for (int i = 0; i < 100; i++) cm_samples_add(&samples, i == 50 ? 1 : 1e-3);
    ok(noise_core_work(&samples, &core), "a core with a gap of a second");
    double slice_s = core.total_s / NOISE_SLICES;
    ok_near(core.slice_lost_s[4], slice_s * (1 - 1e-3), 1e-9, "fills the slices in its middle");
    ok(core.slice_lost_s[0] > 0 && core.slice_lost_s[0] < slice_s, "and a part of the first");
    cm_samples_free(&samples);
}

/* Units done in a quantum: 100, but 50 in every 16th. */
static void test_fixed_time(void)
{
    enum { N = 256 };
    double done[N];
    noise_core core;
    for (int i = 0; i < N; i++) done[i] = i % 16 == 5 ? 50 : 100;
    ok(noise_core_time(done, N, 1e-3, 0.01, &core), "fixed time");
    ok_near(core.time_lost_share, 0.5 / 16, 1e-9, "what it lost");
    ok(core.period_exact, "it has a period");
    ok_near(core.period_s, 16e-3, 1e-3, "of 16 quanta");
}

static double expected_us(const cm_samples *samples, double draws)
{
    noise_distribution distribution;
    noise_distribution_of(samples, &distribution);
    return 1e6 * noise_expected_maximum_s(&distribution, draws);
}

/* The largest of N exponentials of mean 1 is expected at 1 + 1/2 + .. + 1/N. */
static void test_exponential(void)
{
    enum { N = 100000 };
    cm_samples samples = CM_SAMPLES_EMPTY;
    double harmonic = 0;
    for (int i = 0; i < N; i++) cm_samples_add(&samples, 1e-3 - 5e-6 * log((i + 0.5) / N));
    for (int draws = 1; draws <= 1024; draws++) {
        harmonic += 1. / draws;
        if ((draws & (draws - 1)) == 0 && draws % 3 == 1)
            ok_near(expected_us(&samples, draws), 5 * harmonic, 0.03, "exponential gaps");
    }
    cm_samples_free(&samples);
}

/* One gap of 1 ms in 100 quanta: the largest of N is 1 ms unless none of them has it. */
static void test_rare(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    for (int i = 0; i < 100; i++) cm_samples_add(&samples, i == 0 ? 2e-3 : 1e-3);
    for (int draws = 1; draws <= 1000; draws *= 10)
        ok_near(expected_us(&samples, draws), 1e3 * (1 - pow(0.99, draws)), 1e-6, "a rare gap");
    cm_samples_free(&samples);
}

/* The same by drawing. */
static void test_drawn(void)
{
    enum { N = 2000, DRAWS = 16, RUNS = 20000 };
    cm_samples samples = CM_SAMPLES_EMPTY;
    uint64_t state = 1;
    double mean_us = 0;
    for (int i = 0; i < N; i++)
        cm_samples_add(&samples, 1e-3 + 1e-6 * exp(2 * random_normal(&state)) * (i > 0));
    for (int run = 0; run < RUNS; run++) {
        double most = 0;
        for (int k = 0; k < DRAWS; k++)
            most = fmax(most, samples.value[(int)(N * random_uniform(&state))] - 1e-3);
        mean_us += 1e6 * most / RUNS;
    }
    ok_near(expected_us(&samples, DRAWS), mean_us, 0.05, "lognormal gaps, drawn");
    cm_samples_free(&samples);
}

int main(void)
{
    test_work();
    test_kernels();
    test_core();
    test_long_gap();
    test_fixed_time();
    test_exponential();
    test_rare();
    test_drawn();
    return tap_done();
}
