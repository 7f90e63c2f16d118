/* SPDX-License-Identifier: BSD-3-Clause */
/* nist.c: summaries and fits against NIST's Statistical Reference Datasets, whose
   certified values have 15 digits (univariate, linear) or 11 (nonlinear). */
#include "tap.h"
#include "measure/fit.h"
#include "measure/least_squares.h"
#include "measure/samples.h"
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 256 };

typedef struct {
    size_t n;
    double value[2 * MOST];
    char text[4096];
} dataset;

/* tests/nist/NAME: values in reading order, and the comment lines for certified(). */
static dataset read_dataset(const char *name)
{
    dataset d = {0};
    char path[4096], line[256];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/nist/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        printf("Bail out! cannot read %s\n", path);
        exit(99);
    }
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') {
            strncat(d.text, line, sizeof d.text - strlen(d.text) - 1);
            continue;
        }
        char *rest = line, *end;
        for (double x = strtod(rest, &end); end != rest && d.n < 2 * MOST; x = strtod(rest, &end)) {
            d.value[d.n++] = x;
            rest = end;
        }
    }
    fclose(file);
    return d;
}

static double certified(const dataset *d, const char *what)
{
    char key[64];
    snprintf(key, sizeof key, "# certified %s ", what);
    const char *line = strstr(d->text, key);
    return line ? strtod(line + strlen(key), NULL) : NAN;
}

static cm_summary summary_of(size_t n, const double *value)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary s = {0};
    for (size_t i = 0; i < n; i++)
        if (!cm_samples_add(&samples, value[i])) exit(99);
    cm_summarize(&samples, &s);
    cm_samples_free(&samples);
    return s;
}

static void moments_agree(const char *name, const cm_summary *s, double mean, double deviation,
                          double autocorrelation, double tolerance)
{
    char text[128];
    snprintf(text, sizeof text, "%s: mean", name);
    ok_near(s->mean, mean, 1e-14, text);
    snprintf(text, sizeof text, "%s: deviation", name);
    ok_near(s->deviation, deviation, tolerance, text);
    snprintf(text, sizeof text, "%s: autocorrelation", name);
    ok_near(s->autocorrelation, autocorrelation, tolerance, text);
}

static void observed(const char *name, double tolerance)
{
    dataset d = read_dataset(name);
    ok(d.n == (size_t)certified(&d, "n"), "%s: %zu values", name, d.n);
    cm_summary s = summary_of(d.n, d.value);
    moments_agree(name, &s, certified(&d, "mean"), certified(&d, "deviation"),
                  certified(&d, "autocorrelation"), tolerance);
}

/* NumAcc2 to 4: base + 0.2, then 500 times base + 0.1, base + 0.3. Certified: mean base + 0.2,
   deviation 0.1, autocorrelation -0.999, exactly. The decimals are rounded on reading, to base
   * eps / 0.1 of the deviation; with the base taken away, which is exact, the same doubles must
   give the same moments to the last digits. */
static void constructed(const char *name, double base, double tolerance)
{
    enum { N = 1001 };
    double x[N], shifted[N];
    for (int i = 0; i < N; i++) {
        char decimal[32];
        snprintf(decimal, sizeof decimal, "%.0f.%d", base, i == 0 ? 2 : i % 2 ? 1 : 3);
        x[i] = strtod(decimal, NULL);
        shifted[i] = x[i] - base;
    }
    cm_summary s = summary_of(N, x), exact = summary_of(N, shifted);
    moments_agree(name, &s, base + 0.2, 0.1, -0.999, tolerance);
    ok(fabs(s.deviation - exact.deviation) <= 1e-12 * exact.deviation
           && fabs(s.autocorrelation - exact.autocorrelation) <= 1e-12,
       "%s: what is lost was lost on reading", name);
}

/* 5000 digits of pi = 16 atan(1/5) - 4 atan(1/239) (Machin), in fixed point with 9 digits a
   word. */
enum { WORDS = 5040 / 9 };
#define RADIX 1000000000u

static bool divide(uint32_t *a, uint32_t by)
{
    uint64_t rest = 0;
    bool nonzero = false;
    for (int i = 0; i < WORDS; i++) {
        rest = rest * RADIX + a[i];
        a[i] = (uint32_t)(rest / by);
        nonzero |= a[i] != 0;
        rest %= by;
    }
    return nonzero;
}

static void add(int64_t *sum, const uint32_t *a, int64_t factor)
{
    for (int i = 0; i < WORDS; i++) sum[i] += factor * a[i];
}

static void arctangent(int64_t *sum, uint32_t inverse, int64_t factor)
{
    uint32_t power[WORDS] = {1}, term[WORDS];
    divide(power, inverse);
    for (uint32_t k = 1;; k += 2) {
        memcpy(term, power, sizeof term);
        if (!divide(term, k)) return;
        add(sum, term, k % 4 == 1 ? factor : -factor);
        divide(power, inverse * inverse);
    }
}

static void pi_digits(double *digit, int n)
{
    static int64_t sum[WORDS];
    arctangent(sum, 5, 16);
    arctangent(sum, 239, -4);
    for (int i = WORDS - 1; i > 0; i--) {
        int64_t carry = sum[i] / (int64_t)RADIX - (sum[i] % (int64_t)RADIX < 0);
        sum[i] -= carry * (int64_t)RADIX;
        sum[i - 1] += carry;
    }
    digit[0] = (double)sum[0];
    for (int i = 1; i < n; i++) {
        int64_t word = sum[1 + (i - 1) / 9];
        for (int j = (i - 1) % 9; j < 8; j++) word /= 10;
        digit[i] = (double)(word % 10);
    }
}

static void linear(void)
{
    dataset d = read_dataset("Norris.dat");
    size_t n = d.n / 2;
    double x[MOST], y[MOST];
    for (size_t k = 0; k < n; k++) {
        y[k] = d.value[2 * k];
        x[k] = d.value[2 * k + 1];
    }
    ok(n == (size_t)certified(&d, "n"), "Norris: %zu points", n);
    cm_line line;
    ok(cm_fit_line(n, x, y, CM_FIT_ABSOLUTE, &line), "Norris: fits");
    ok_near(line.intercept.value, certified(&d, "intercept"), 1e-12, "Norris: intercept");
    ok_near(line.intercept.error, certified(&d, "intercept_error"), 1e-13, "Norris: its error");
    ok_near(line.slope.value, certified(&d, "slope"), 1e-14, "Norris: slope");
    ok_near(line.slope.error, certified(&d, "slope_error"), 1e-13, "Norris: its error");
    ok_near(line.residual_deviation, certified(&d, "residual_deviation"), 1e-13,
            "Norris: residual deviation");
    ok_near(line.r_squared, certified(&d, "r_squared"), 1e-14, "Norris: R squared");
}

static double power_law(const double *b, double x, double *derivatives)
{
    derivatives[0] = pow(x, b[1]);
    derivatives[1] = b[0] * derivatives[0] * log(x);
    return b[0] * derivatives[0];
}

static double adsorption(const double *b, double x, double *derivatives)
{
    double base = 1 + b[1] * x / 2;
    derivatives[0] = 1 - pow(base, -2);
    derivatives[1] = b[0] * x * pow(base, -3);
    return b[0] * derivatives[0];
}

static void nonlinear(const char *name, cm_curve *model, double b1, double b2)
{
    dataset d = read_dataset(name);
    size_t n = d.n / 2;
    double x[MOST], y[MOST], start[2] = {b1, b2}, deviation;
    for (size_t k = 0; k < n; k++) {
        y[k] = d.value[2 * k];
        x[k] = d.value[2 * k + 1];
    }
    cm_estimate b[2];
    ok(n == (size_t)certified(&d, "n")
           && cm_least_squares_curve(n, x, y, 2, model, start, b, &deviation),
       "%s from %g, %g: converges", name, b1, b2);
    ok_near(b[0].value, certified(&d, "b1"), 1e-9, "b1");
    ok_near(b[1].value, certified(&d, "b2"), 1e-9, "b2");
    ok_near(b[0].error, certified(&d, "b1_error"), 1e-9, "error of b1");
    ok_near(b[1].error, certified(&d, "b2_error"), 1e-9, "error of b2");
    ok_near(deviation, certified(&d, "residual_deviation"), 1e-9, "residual deviation");
}

int main(void)
{
    static double pi[5000];
    cm_summary s;
    observed("Lew.dat", 5e-15);
    observed("Lottery.dat", 5e-15);
    observed("Mavro.dat", 1e-12); /* decimals rounded on reading: 2 eps / 4e-4 */
    observed("Michelso.dat", 1e-12);
    pi_digits(pi, 5000);
    ok(pi[0] == 3 && pi[1] == 1 && pi[2] == 4 && pi[4995] == 6 && pi[4999] == 2,
       "5000 digits of pi");
    /* NIST's file has a 3 where pi has an 8, and the certified values are those of the file; of pi
       itself the mean is 22679/5000. */
    ok(pi[956] == 8, "the 957th is 8");
    pi[956] = 3;
    s = summary_of(5000, pi);
    moments_agree("PiDigits", &s, 4.53480000000000, 2.86733906028871, -0.00355099287237972, 1e-13);
    s = summary_of(3, (double[]){10000001, 10000003, 10000002});
    moments_agree("NumAcc1", &s, 10000002, 1, -0.5, 1e-15);
    constructed("NumAcc2", 1, 1e-13);
    constructed("NumAcc3", 1000000, 1e-8);
    constructed("NumAcc4", 10000000, 1e-7);
    linear();
    nonlinear("DanWood.dat", power_law, 1, 5);
    nonlinear("DanWood.dat", power_law, 0.7, 4);
    nonlinear("Misra1b.dat", adsorption, 500, 0.0001);
    nonlinear("Misra1b.dat", adsorption, 300, 0.0002);
    return tap_done();
}
