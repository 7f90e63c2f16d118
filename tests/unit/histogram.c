/* SPDX-License-Identifier: BSD-3-Clause */
/* histogram.c: quantiles of a histogram against those of the samples themselves. */
#include "tap.h"
#include "measure/histogram.h"
#include "measure/samples.h"
#include "random/random.h"
#include <stdlib.h>

/* A bin's width, and half of it for the place in the bin. */
static const double width = 0.018;

static double logarithmic(uint64_t *state)
{
    double u = (double)(cm_random_next(state) >> 11) * 0x1p-53;
    return 1e-6 * pow(1e4, u * u * u); /* most are short */
}

static void quantile_tests(const cm_histogram *histogram, const cm_samples *samples)
{
    static const double fraction[] = {0, 0.01, 0.5, 0.95, 0.99, 0.999, 1};
    enum { N = sizeof fraction / sizeof *fraction };
    double exact[N];
    if (!cm_quantiles(samples, N, fraction, exact)) exit(99);
    for (int k = 0; k < N; k++) {
        char name[64];
        snprintf(name, sizeof name, "the quantile for %g", fraction[k]);
        ok_near(cm_histogram_quantile(histogram, fraction[k]), exact[k], width, name);
    }
    ok(cm_histogram_quantile(histogram, 0) == exact[0], "the least sample is exact");
    ok(cm_histogram_quantile(histogram, 1) == exact[N - 1], "so is the greatest");
}

int main(void)
{
    enum { SAMPLES = 50000 };
    cm_histogram *one = calloc(1, sizeof *one), *other = calloc(1, sizeof *other);
    cm_samples samples = CM_SAMPLES_EMPTY;
    uint64_t state = 7;
    double sum_s = 0;
    if (!one || !other) return 99;
    ok(isnan(cm_histogram_quantile(one, 0.5)), "an empty histogram has no median");
    for (int k = 0; k < SAMPLES; k++) {
        double time_s = logarithmic(&state);
        sum_s += time_s;
        if (!cm_samples_add(&samples, time_s)) return 99;
        cm_histogram_add(k % 3 ? one : other, time_s);
    }
    cm_histogram_merge(one, other);
    ok(one->n == SAMPLES, "two histograms merged have all samples");
    ok_near(one->sum_s, sum_s, 1e-9, "and their sum");
    quantile_tests(one, &samples);

    char text[CM_HISTOGRAM_TEXT_BYTES], *at = text;
    long long counted = 0;
    cm_histogram_text(one, text, sizeof text);
    while ((at = strchr(at, ':'))) counted += strtoll(++at, &at, 10);
    ok(counted == SAMPLES, "the text has all of them");

    cm_histogram *odd = calloc(1, sizeof *odd);
    if (!odd) return 99;
    cm_histogram_add(odd, 0);
    cm_histogram_add(odd, 1e9);
    ok(cm_histogram_quantile(odd, 0) == 0 && cm_histogram_quantile(odd, 1) == 1e9,
       "times outside the scale are kept at its ends");
    cm_histogram_merge(odd, &(cm_histogram){0});
    ok(odd->n == 2 && odd->min_s == 0, "merging nothing changes nothing");
    memset(odd, 0, sizeof *odd);
    cm_histogram_add(odd, 3e-6);
    ok(cm_histogram_quantile(odd, 0.999) == 3e-6, "one sample is every quantile");
    cm_samples_free(&samples);
    free(one);
    free(other);
    free(odd);
    return tap_done();
}
