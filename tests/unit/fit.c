/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c: each model on data with a known answer, with and without noise; data that
   determine nothing are refused; standard errors cover the truth as often as they should. */
#include "tap.h"
#include "random.h"
#include "measure/fit.h"
#include <stdint.h>

/* ---- Coverage: how often does truth lie within t standard errors? ---------------------------- */

enum { RUNS = 2000 };

/* 2000 runs at 95 %: standard error 0.0049; 4 of them each way. */
static void covers(int caught, const char *what)
{
    double share = (double)caught / RUNS;
    ok(share > 0.93 && share < 0.97, "%s: 95 %% interval covers %.3f", what, share);
}

static bool within(cm_estimate estimate, double truth, double t)
{
    return fabs(estimate.value - truth) <= t * estimate.error;
}

/* 97.5 % points of Student's t. */
#define T_5 2.570582
#define T_6 2.446912
#define T_8 2.306004

/* Tables of Student's t, as in Abramowitz and Stegun 26.10. */
static void student_tests(void)
{
    const struct {
        size_t freedom;
        double t;
    } known[] = {{1, 12.706205}, {2, 4.302653}, {3, 3.182446},  {4, 2.776445},  {5, T_5},
                 {6, T_6},       {8, T_8},      {10, 2.228139}, {30, 2.042272}, {120, 1.979930}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        ok_near(cm_student_95(known[k].freedom), known[k].t, known[k].freedom < 6 ? 2e-3 : 1e-4,
                "Student's t");
    ok(isnan(cm_student_95(0)), "none without a degree of freedom");
}

/* ---- Line ------------------------------------------------------------------------------------ */

static void line_tests(void)
{
    double x[10], y[10];
    cm_line line;
    for (int k = 0; k < 10; k++) {
        x[k] = k;
        y[k] = 3 + 0.5 * k;
    }
    ok(cm_fit_line(10, x, y, CM_FIT_ABSOLUTE, &line), "line: exact data fit");
    ok_near(line.intercept.value, 3, 1e-14, "intercept");
    ok_near(line.slope.value, 0.5, 1e-14, "slope");
    ok(line.slope.error < 1e-14 && line.intercept.error < 1e-14 && line.r_squared > 1 - 1e-14,
       "no errors");
    ok(cm_fit_line(10, x, y, CM_FIT_RELATIVE, &line), "relative");
    ok_near(line.intercept.value, 3, 1e-14, "intercept");

    /* Four points by hand: x = 0 1 2 3, y = 1 2 2 4: slope 0.9, intercept 0.9, sum of squares
       0.7. */
    double few[] = {1, 2, 2, 4};
    cm_fit_line(4, x, few, CM_FIT_ABSOLUTE, &line);
    ok_near(line.slope.value, 0.9, 1e-14, "by hand: slope");
    ok_near(line.intercept.value, 0.9, 1e-14, "intercept");
    ok_near(line.slope.error, sqrt(0.35 / 5), 1e-14, "slope's error");
    ok_near(line.intercept.error, sqrt(0.35 * (0.25 + 2.25 / 5)), 1e-14, "intercept's error");
    ok_near(line.residual_deviation, sqrt(0.35), 1e-14, "residual deviation");
    ok_near(line.r_squared, 1 - 0.7 / 4.75, 1e-14, "R squared");

    /* Relative weights by hand: the normal equations of a/y + b x/y = 1, solved by Cramer. */
    double s0 = 0, s1 = 0, s2 = 0, r0 = 0, r1 = 0;
    for (int k = 0; k < 4; k++) {
        double w = 1 / (few[k] * few[k]);
        s0 += w;
        s1 += w * x[k];
        s2 += w * x[k] * x[k];
        r0 += w * few[k];
        r1 += w * x[k] * few[k];
    }
    double determinant = s0 * s2 - s1 * s1, a = (s2 * r0 - s1 * r1) / determinant;
    double b = (s0 * r1 - s1 * r0) / determinant, sse = 0;
    for (int k = 0; k < 4; k++) {
        double r = 1 - (a + b * x[k]) / few[k];
        sse += r * r;
    }
    cm_fit_line(4, x, few, CM_FIT_RELATIVE, &line);
    ok_near(line.slope.value, b, 1e-13, "relative by hand: slope");
    ok_near(line.intercept.value, a, 1e-13, "intercept");
    ok_near(line.residual_deviation, sqrt(sse / 2), 1e-13, "relative residual deviation");
    ok_near(line.slope.error, sqrt(sse / 2 * s0 / determinant), 1e-13, "slope's error");
    ok_near(line.intercept.error, sqrt(sse / 2 * s2 / determinant), 1e-13, "intercept's error");

    /* Large x: centred sums keep what x'x would lose. */
    for (int k = 0; k < 10; k++) {
        x[k] = 1e9 + k;
        y[k] = 2 * x[k] + 5 + (k % 2 ? 0.25 : -0.25);
    }
    cm_fit_line(10, x, y, CM_FIT_ABSOLUTE, &line);
    ok_near(line.slope.value, 2 + 1.25 / 82.5, 1e-13, "x near 10^9: slope");

    cm_line before = {.slope = {7, 8}};
    line = before;
    double same[] = {5, 5, 5}, wild[] = {1, NAN, 2}, infinite[] = {1, INFINITY, 2};
    double zero[] = {1, 0, 2};
    double near[] = {1e9, 1e9 + 1e-7, 1e9};
    ok(!cm_fit_line(2, x, y, CM_FIT_ABSOLUTE, &line), "two points: refused");
    ok(!cm_fit_line(0, x, y, CM_FIT_RELATIVE, &line), "none: refused");
    ok(!cm_fit_line(3, same, y, CM_FIT_ABSOLUTE, &line), "all x alike: refused");
    ok(!cm_fit_line(3, near, y, CM_FIT_ABSOLUTE, &line), "x alike but for rounding: refused");
    ok(!cm_fit_line(3, wild, y, CM_FIT_ABSOLUTE, &line), "NaN in x: refused");
    ok(!cm_fit_line(3, x, wild, CM_FIT_RELATIVE, &line), "NaN in y: refused");
    ok(!cm_fit_line(3, x, infinite, CM_FIT_ABSOLUTE, &line), "infinity: refused");
    ok(!cm_fit_line(3, x, zero, CM_FIT_RELATIVE, &line), "y = 0 with relative weights: refused");
    ok(cm_fit_line(3, x, zero, CM_FIT_ABSOLUTE, &line), "y = 0 otherwise is a value");
    line = before;
    cm_fit_line(3, same, y, CM_FIT_ABSOLUTE, &line);
    ok(memcmp(&line, &before, sizeof line) == 0, "a refused fit leaves the result alone");
    ok(cm_fit_line(3, x, same, CM_FIT_ABSOLUTE, &line) && line.slope.value == 0
           && line.r_squared == 0,
       "constant y: slope 0");

    uint64_t state = 11;
    int slope = 0, intercept = 0;
    for (int run = 0; run < RUNS; run++) {
        for (int k = 0; k < 10; k++) {
            x[k] = k * k;
            y[k] = 4 - 0.1 * x[k] + 0.3 * random_normal(&state);
        }
        cm_fit_line(10, x, y, CM_FIT_ABSOLUTE, &line);
        slope += within(line.slope, -0.1, T_8);
        intercept += within(line.intercept, 4, T_8);
    }
    covers(slope, "line's slope");
    covers(intercept, "line's intercept");
}

/* ---- Latency and bandwidth, BSP -------------------------------------------------------------- */

static void latency_bandwidth_tests(void)
{
    double bytes[16], time_s[16];
    cm_latency_bandwidth fit;
    uint64_t state = 12;
    for (int k = 0; k < 16; k++) {
        bytes[k] = ldexp(1, k + 4);
        time_s[k] = 104e-6 + bytes[k] / 5.58e6;
    }
    ok(cm_fit_latency_bandwidth(16, bytes, time_s, CM_FIT_RELATIVE, &fit),
       "latency/bandwidth fits");
    ok_near(fit.latency_s.value, 104e-6, 1e-13, "latency");
    ok_near(fit.bandwidth_B_per_s.value, 5.58e6, 1e-13, "bandwidth");
    int latency = 0, bandwidth = 0;
    for (int run = 0; run < RUNS; run++) {
        double noisy_s[10];
        for (int k = 0; k < 10; k++) noisy_s[k] = time_s[k] * (1 + 0.01 * random_normal(&state));
        cm_fit_latency_bandwidth(10, bytes, noisy_s, CM_FIT_RELATIVE, &fit);
        latency += within(fit.latency_s, 104e-6, T_8);
        bandwidth += within(fit.bandwidth_B_per_s, 5.58e6, T_8);
    }
    covers(latency, "latency");
    covers(bandwidth, "bandwidth");
    for (int k = 0; k < 16; k++) time_s[k] = 1 - 1e-9 * bytes[k];
    ok(!cm_fit_latency_bandwidth(16, bytes, time_s, CM_FIT_ABSOLUTE, &fit),
       "time that falls with the size: refused");

    cm_bsp_parameters bsp;
    for (int k = 0; k < 16; k++) time_s[k] = 7.5e-6 + 40e-9 * bytes[k];
    ok(cm_fit_bsp(16, bytes, time_s, CM_FIT_ABSOLUTE, &bsp), "BSP fits");
    ok_near(bsp.g_s_per_word.value, 40e-9, 1e-13, "g");
    ok_near(bsp.l_s.value, 7.5e-6, 1e-11, "l");
    ok(!cm_fit_bsp(2, bytes, time_s, CM_FIT_ABSOLUTE, &bsp), "two h: refused");
}

/* ---- Two protocols --------------------------------------------------------------------------- */

/* innocente-1999, section 5.2.1: 104 us and 5.58 MB/s, then 5.23 ms and 10.6 MB/s. */
static double two_protocols_s(double bytes)
{
    return bytes <= 65536 ? 104e-6 + bytes / 5.58e6 : 5.23e-3 + bytes / 10.6e6;
}

static void rows_of(size_t n, const double *bytes, const double *time_s, cm_protocol_row *row)
{
    for (size_t k = 0; k < n; k++)
        row[k] = (cm_protocol_row){bytes[k], time_s[k], NAN, NAN, 0, CM_ROW_USED};
}

static void two_protocols_tests(void)
{
    enum { N = 20, SPLIT = 13 };
    double bytes[N], time_s[N];
    for (int k = 0; k < N; k++) {
        bytes[k] = ldexp(1, k + 4); /* 16 B to 8 MB; bytes[12] = 65536 */
        time_s[k] = two_protocols_s(bytes[k]);
    }
    double meeting = (5.23e-3 - 104e-6) / (1 / 5.58e6 - 1 / 10.6e6);
    cm_protocol_row row[N];
    cm_protocols fit;
    rows_of(N, bytes, time_s, row);
    ok(cm_fit_protocols(N, row, &fit) && fit.change, "two protocols fit");
    ok(fit.split_bytes == bytes[SPLIT], "the change is after 65536 B (%g)", fit.split_bytes);
    ok(fit.eager.rows == SPLIT && fit.eager.first_bytes == 16 && fit.eager.last_bytes == 65536
           && fit.rendezvous.rows == N - SPLIT && fit.rendezvous.first_bytes == bytes[SPLIT],
       "each has its rows");
    ok_near(fit.eager.latency_s.value, 104e-6, 1e-9, "eager latency");
    ok_near(fit.eager.bandwidth_B_per_s.value, 5.58e6, 1e-9, "eager bandwidth");
    ok_near(fit.rendezvous.latency_s.value, 5.23e-3, 1e-9, "rendezvous latency");
    ok_near(fit.rendezvous.bandwidth_B_per_s.value, 10.6e6, 1e-9, "rendezvous bandwidth");
    ok_near(fit.crossover_bytes.value, meeting, 1e-9, "crossover 60.4 KB");
    ok(fit.crossover_bytes.low <= fit.crossover_bytes.value
           && fit.crossover_bytes.value <= fit.crossover_bytes.high,
       "in its interval");

    /* One row, whichever, makes no protocol and hides none. */
    double one_s[N];
    int invented = 0, hidden = 0, named = 0;
    for (int k = 0; k < N; k++) one_s[k] = 50e-6 + bytes[k] / 100e6;
    for (int wrong = 0; wrong < N; wrong++) {
        rows_of(N, bytes, one_s, row);
        row[wrong].time_s *= 10;
        invented += !cm_fit_protocols(N, row, &fit) || fit.change
                    || fabs(fit.one.bandwidth_B_per_s.value / 100e6 - 1) > 1e-6;
        named += row[wrong].use == CM_ROW_OUTLIER;
        rows_of(N, bytes, time_s, row);
        row[wrong].time_s *= 10;
        hidden += !cm_fit_protocols(N, row, &fit) || !fit.change
                  || fabs(fit.rendezvous.bandwidth_B_per_s.value / 10.6e6 - 1) > 1e-6;
    }
    ok(invented == 0, "a row ten times too long in one protocol: %d of %d are wrong", invented, N);
    ok(named == N, "it is left out in %d", named);
    ok(hidden == 0, "in two protocols: %d are wrong", hidden);

    rows_of(N, bytes, one_s, row);
    row[3].time_s = -row[3].time_s;
    row[7].time_s = 0;
    row[11].time_s = NAN;
    ok(cm_fit_protocols(N, row, &fit) && !fit.change && fit.one.rows == N - 3
           && row[3].use == CM_ROW_NO_TIME && row[7].use == CM_ROW_NO_TIME
           && row[11].use == CM_ROW_NO_TIME && row[4].use == CM_ROW_USED,
       "rows with a time of not more than 0 are left out");
    ok_near(fit.one.latency_s.value, 50e-6, 1e-9, "and the others fitted");

    cm_protocols before = fit;
    rows_of(N, bytes, time_s, row);
    ok(!cm_fit_protocols(2, row, &fit), "two rows: refused");
    row[4].bytes = row[2].bytes;
    ok(!cm_fit_protocols(N, row, &fit), "sizes not ascending: refused");
    double flat[6] = {1, 1, 1, 1, 1, 1};
    rows_of(6, bytes, flat, row);
    ok(!cm_fit_protocols(6, row, &fit), "no growth: refused");
    for (int k = 0; k < 6; k++) row[k].time_s = -1;
    ok(!cm_fit_protocols(6, row, &fit), "no time above 0: refused");
    ok(memcmp(&before, &fit, sizeof fit) == 0, "a refused fit leaves the result alone");
    double parallel_s[12], few[12];
    for (int k = 0; k < 12; k++) {
        few[k] = k + 1;
        parallel_s[k] = few[k] + (k < 6 ? 0 : 8);
    }
    rows_of(12, few, parallel_s, row);
    ok(cm_fit_protocols(12, row, &fit) && fit.change && fit.split_bytes == 7
           && isnan(fit.crossover_bytes.value) && isnan(fit.crossover_bytes.error),
       "parallel lines: no crossover");
    double repeated[] = {1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9, 10};
    for (int k = 0; k < 12; k++) parallel_s[k] = repeated[k] + (k < 7 ? 0.01 * (k % 3) : 8);
    rows_of(12, repeated, parallel_s, row);
    ok(cm_fit_protocols(12, row, &fit) && fit.split_bytes == 6, "rows of one size stay together");
    cm_protocol line;
    rows_of(N, bytes, time_s, row);
    ok(cm_fit_protocol(SPLIT, row, &line), "one line of the short messages");
    ok_near(line.bandwidth_B_per_s.value, 5.58e6, 1e-9, "has their bandwidth");
}

/* ---- LogGP ----------------------------------------------------------------------------------- */

/* Sizes are the powers of 4 from 1. Times follow the model: round trips, and trains that whoever is
   slower limits. */
enum { LOGGP_N = 10 };
typedef struct {
    double bytes[LOGGP_N], send_s[LOGGP_N], receive_s[LOGGP_N], gap_s[LOGGP_N], trip_s[LOGGP_N];
} loggp_data;

static loggp_data loggp_of(double L, double o, double copy, double g, double G)
{
    loggp_data d;
    for (int k = 0; k < LOGGP_N; k++) {
        d.bytes[k] = ldexp(1, 2 * k);
        d.send_s[k] = o + (d.bytes[k] - 1) * copy;
        d.receive_s[k] = 0.9 * d.send_s[k];
        d.gap_s[k] = fmax(d.send_s[k], g + (d.bytes[k] - 1) * G);
        d.trip_s[k] = 2 * (L + d.send_s[k] + d.receive_s[k] + (d.bytes[k] - 1) * G);
    }
    return d;
}

static bool loggp_fits(const loggp_data *d, size_t n, cm_loggp *fit)
{
    return cm_fit_loggp(n, d->bytes, d->send_s, d->receive_s, d->gap_s, d->trip_s, fit);
}

static size_t loggp_split(const loggp_data *d)
{
    return cm_loggp_split(LOGGP_N, d->bytes, d->send_s, d->receive_s, d->gap_s, d->trip_s);
}

/* Trains; network: the number of sizes at which the network limits them. */
static void loggp_exact(const char *what, const loggp_data *d, size_t network, double L, double g,
                        double G)
{
    cm_loggp fit;
    double worst = 0;
    ok(loggp_fits(d, LOGGP_N, &fit), "%s: fits", what);
    ok(fit.network == network, "%s: the network limits %zu trains", what, fit.network);
    ok_near(fit.L_s.value, L, 1e-10, "L");
    if (network > 0) ok_near(fit.g_s.value, g, 1e-10, "g");
    else ok(isnan(fit.g_s.value), "%s: no g", what);
    ok_near(fit.G_s_per_byte.value, G, 1e-10, "G");
    for (int k = 0; k < LOGGP_N; k++) {
        double b = d->bytes[k], o = d->send_s[k], r = d->receive_s[k];
        worst = fmax(worst, fabs(cm_loggp_gap_s(&fit, b, o, r) / d->gap_s[k] - 1));
        worst = fmax(worst, fabs(2 * cm_loggp_half_trip_s(&fit, b, o, r) / d->trip_s[k] - 1));
    }
    ok(worst < 1e-9, "%s: the prediction is right: %g", what, worst);
}

/* The interval of each parameter covers the truth as often as its level says. */
static void loggp_coverage(void)
{
#define T_17 2.109816 /* 2 * 10 values, 3 parameters */
    const double L = 5e-6, g = 1.5e-6, G = 0.9e-9;
    const loggp_data exact = loggp_of(L, 0.8e-6, 0.05e-9, g, G);
    uint64_t state = 14;
    int caught[3] = {0}, split = 0;
    for (int run = 0; run < RUNS; run++) {
        loggp_data noisy = exact;
        cm_loggp fit;
        for (int k = 0; k < LOGGP_N; k++) {
            noisy.gap_s[k] *= 1 + 0.005 * random_normal(&state);
            noisy.trip_s[k] *= 1 + 0.005 * random_normal(&state);
        }
        loggp_fits(&noisy, LOGGP_N, &fit);
        caught[0] += within(fit.L_s, L, T_17);
        caught[1] += within(fit.g_s, g, T_17);
        caught[2] += within(fit.G_s_per_byte, G, T_17);
        split += loggp_split(&noisy) < LOGGP_N;
    }
    covers(caught[0], "L");
    covers(caught[1], "g");
    covers(caught[2], "G");
    ok(split < RUNS / 20, "one protocol with noise: taken for two in %d of %d", split, RUNS);
}

static void loggp_tests(void)
{
    const double L = 5e-6, G = 1e-9;
    loggp_data d = loggp_of(L, 0.8e-6, 0.05e-9, 1.5e-6, G);
    loggp_exact("the network limits all trains", &d, LOGGP_N, L, 1.5e-6, G);
    ok(loggp_split(&d) == LOGGP_N, "one protocol");
    /* A line through all trains has a G of 0.9 ns here. */
    d = loggp_of(L, 20e-9, 0, G, G);
    loggp_exact("the processor limits short messages", &d, LOGGP_N - 3, L, G, G);
    d = loggp_of(L, 1e-6, 2e-9, 10e-6, G);
    loggp_exact("the processor limits long messages", &d, 7, L, 10e-6, G);
    d = loggp_of(L, 2e-6, 2e-9, 0.5e-6, G);
    loggp_exact("the processor limits all trains", &d, 0, L, NAN, G);
    d = loggp_of(-1e-6, 3e-6, 0, 4e-6, G);
    loggp_exact("the overheads overlap", &d, LOGGP_N, -1e-6, 4e-6, G);
    loggp_coverage();

    for (int k = LOGGP_N / 2; k < LOGGP_N; k++) d.trip_s[k] += 20e-6;
    ok(loggp_split(&d) == LOGGP_N / 2, "another protocol from 1024 bytes on");

    cm_loggp fit, before = {.L_s = {7, 8}};
    fit = before;
    ok(!loggp_fits(&d, 2, &fit), "two sizes: refused");
    d.bytes[0] = 0;
    ok(!loggp_fits(&d, LOGGP_N, &fit), "size 0: refused");
    d.bytes[0] = 1;
    d.send_s[3] = -1e-9;
    ok(!loggp_fits(&d, LOGGP_N, &fit), "overhead below 0: refused");
    d.send_s[3] = NAN;
    ok(!loggp_fits(&d, LOGGP_N, &fit), "NaN: refused");
    ok(memcmp(&fit, &before, sizeof fit) == 0, "a refused fit leaves the result alone");
}

/* ---- Speed-up -------------------------------------------------------------------------------- */

static void speed_up_tests(void)
{
    enum { N = 7 };
    double p[N], s[N], u[N];
    for (int k = 0; k < N; k++) {
        p[k] = ldexp(1, k);
        s[k] = 1 / (0.05 + 0.95 / p[k]);
        u[k] = p[k] / (1 + 0.03 * (p[k] - 1) + 0.0005 * p[k] * (p[k] - 1));
    }
    cm_amdahl amdahl;
    cm_usl usl;
    ok(cm_fit_amdahl(N, p, s, &amdahl), "Amdahl fits");
    ok_near(amdahl.serial_fraction.value, 0.05, 1e-12, "serial fraction");
    ok(amdahl.residual_deviation < 1e-12, "no residual");
    ok(cm_fit_usl(N, p, u, &usl), "USL fits");
    ok_near(usl.sigma.value, 0.03, 1e-11, "sigma");
    ok_near(usl.kappa.value, 0.0005, 1e-11, "kappa");
    ok(cm_fit_usl(N, p, s, &usl), "USL fits Amdahl's data");
    ok_near(usl.sigma.value, 0.05, 1e-11, "with sigma the serial fraction");
    ok(fabs(usl.kappa.value) < 1e-13, "and kappa 0");
    ok(cm_fit_amdahl(N, p, p, &amdahl) && fabs(amdahl.serial_fraction.value) < 1e-14,
       "perfect speed-up: serial fraction 0");
    double super[] = {1, 2.1, 4.3, 8.8, 17.8, 36, 74};
    ok(cm_fit_amdahl(N, p, super, &amdahl) && amdahl.serial_fraction.value < 0,
       "super-linear: below 0");
    double collapse[] = {1, 1.5, 1.9, 1.7, 1.1, 0.6, 0.3};
    ok(cm_fit_usl(N, p, collapse, &usl) && usl.kappa.value > 0.01, "a collapse: kappa");

    /* The minimum is that of the squares of S itself: no neighbour is better. */
    double wrong[] = {1, 1.8, 3.7, 5.2, 10.1, 11, 15.6}, least = INFINITY, at = 0;
    cm_fit_amdahl(N, p, wrong, &amdahl);
    for (int i = 0; i <= 20000; i++) {
        double f = 0.02 + 0.06 * i / 20000, sse = 0;
        for (int k = 0; k < N; k++) sse += pow(wrong[k] - 1 / (f + (1 - f) / p[k]), 2);
        if (sse < least) {
            least = sse;
            at = f;
        }
    }
    ok(fabs(amdahl.serial_fraction.value - at) < 3.1e-6, "Amdahl's least squares as by search");
    ok_near(amdahl.residual_deviation, sqrt(least / 6), 1e-6, "and its residual deviation");

    uint64_t state = 15;
    int f = 0, sigma = 0, kappa = 0;
    for (int run = 0; run < RUNS; run++) {
        double noisy_s[N], noisy_u[N];
        for (int k = 0; k < N; k++) {
            noisy_s[k] = s[k] + 0.1 * random_normal(&state);
            noisy_u[k] = u[k] + 0.1 * random_normal(&state);
        }
        cm_fit_amdahl(N, p, noisy_s, &amdahl);
        cm_fit_usl(N, p, noisy_u, &usl);
        f += within(amdahl.serial_fraction, 0.05, T_6);
        sigma += within(usl.sigma, 0.03, T_5);
        kappa += within(usl.kappa, 0.0005, T_5);
    }
    covers(f, "serial fraction");
    covers(sigma, "sigma");
    covers(kappa, "kappa");

    double ones[] = {1, 1, 1}, two[] = {1, 2, 2, 2}, low[] = {0.5, 1, 2}, bad[] = {1, -1, 2};
    cm_amdahl amdahl_before = amdahl;
    cm_usl usl_before = usl;
    ok(!cm_fit_amdahl(1, p, s, &amdahl), "Amdahl from one point: refused");
    ok(!cm_fit_amdahl(3, ones, s, &amdahl), "from one processor: refused");
    ok(!cm_fit_amdahl(3, low, s, &amdahl), "from half a processor: refused");
    ok(!cm_fit_amdahl(3, p, bad, &amdahl), "from a speed-up below 0: refused");
    ok(!cm_fit_usl(2, p, u, &usl), "USL from two points: refused");
    ok(!cm_fit_usl(4, two, u, &usl), "from one p above 1: refused");
    ok(!cm_fit_usl(3, p, (double[]){1, NAN, 2}, &usl), "from NaN: refused");
    ok(!cm_fit_usl(3, p, (double[]){1, INFINITY, 2}, &usl), "from infinity: refused");
    ok(memcmp(&amdahl, &amdahl_before, sizeof amdahl) == 0
           && memcmp(&usl, &usl_before, sizeof usl) == 0,
       "refused fits leave the result alone");
}

int main(void)
{
    student_tests();
    line_tests();
    latency_bandwidth_tests();
    two_protocols_tests();
    loggp_tests();
    speed_up_tests();
    return tap_done();
}
