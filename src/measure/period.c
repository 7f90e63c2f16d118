/* SPDX-License-Identifier: BSD-3-Clause */
/* period.c: the period of a series, from frequencies that stand above those around them.

   Powers of a series without a period are about independent and exponential, with a mean that
   changes slowly with the frequency (white noise, single spikes, and drifts, whose power falls with
   the frequency). A frequency k is compared with the median of m = 2 j + 1 powers around it, from
   k / 2 to 2 k and at most WINDOW to each side. The median of m exponentials with mean 1 is a sum
   of independent exponentials with rates m, m - 1, .., m - j (Renyi 1953), so the chance that one
   more exponential exceeds r medians is the Laplace transform of that sum at r:

       P(power > r median) = product over i = 0 .. j of (m - i) / (m - i + r)

   A frequency stands above the others if this chance, times the number of frequencies that are
   tested (Bonferroni), is below the alarm. Means do change within a window, where gaps of several
   values fall at random, for example; therefore r is two thirds of the power over the median.

   Short events that repeat have power at all multiples of their frequency, and any of them may be
   the strongest. The series is folded to tell which (period_fold.h), at the strongest frequency
   first. Then the multiples of what was found are left out, and the strongest of the rest is next:
   several things may have periods. The one with the largest events counts. */
#include "config.h"
#include "measure/period.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"
#include "measure/period_fold.h"

enum { WINDOW = 32, FIRST = CM_PERIOD_LEAST_TIMES, MOST_FOLDED = 6 };
static const double slope = 1.5, pi = 3.14159265358979323846;

typedef struct {
    size_t end;  /* powers 0 to end - 1 are there */
    size_t last; /* frequencies FIRST to last are tested */
    double *power;
    bool *stands; /* set to false once it is explained */
} spectrum;

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Copies the powers around k, an odd number of them, without that of k. */
static size_t around(const spectrum *s, size_t k, double *power)
{
    size_t first = larger((k + 1) / 2, k > WINDOW ? k - WINDOW : 1);
    size_t last = smaller(smaller(2 * k, k + WINDOW), s->end - 1), m = 0;
    for (size_t i = first; i <= last; i++)
        if (i != k) power[m++] = s->power[i];
    return m - (m % 2 == 0);
}

static bool stands_above(const spectrum *s, size_t k, double chance)
{
    double power[2 * WINDOW], by_chance = 1;
    size_t m = around(s, k, power);
    if (!(s->power[k] > 0)) return false;
    double ratio = s->power[k] / (slope * cm_order_select(power, m, 0.5));
    for (size_t i = 0; i <= m / 2; i++) {
        double rate = (double)(m - i);
        by_chance *= rate / (rate + ratio);
    }
    return by_chance < chance;
}

/* Power at a frequency between those of the spectrum. */
static double power_at(const cm_series *s, double frequency)
{
    double angle = 2 * pi * frequency / (double)s->n, mean = s->sum[s->n] / (double)s->n;
    double cosine = cos(angle), sine = sin(angle), c = 1, d = 0, real = 0, imaginary = 0;
    for (size_t i = 0; i < s->n; i++) {
        real += (s->value[i] - mean) * c;
        imaginary += (s->value[i] - mean) * d;
        double next = c * cosine - d * sine;
        d = d * cosine + c * sine;
        c = next;
    }
    return real * real + imaginary * imaginary;
}

/* The frequency of most power near k, by golden sections: a period need not fit into the series a
   whole number of times. */
static double refine(const cm_series *s, double k)
{
    static const double golden = 0.6180339887498949, near = 0.75, precision = 1e-4;
    double low = k - near, high = k + near;
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = power_at(s, left), at_right = power_at(s, right);
    while (high - low > precision) {
        if (at_left > at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = power_at(s, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = power_at(s, right);
        }
    }
    return (low + high) / 2;
}

/* Short events have power beyond half the rate of the values, too, where it looks like that of a
   lower frequency: 1.6 values as 2.7. Their sums over a value keep a quarter of it at 0.6 of the
   rate and a tenth at three quarters of it. Therefore cycles below 2.5 values do not count at all,
   and those below 4 a quarter. */
static double weight(const spectrum *s, size_t k)
{
    return 2 * k > s->end ? 0.25 * s->power[k] : s->power[k];
}

/* Returns 0 if no frequency is left that stands above the others. */
static size_t strongest(const spectrum *s)
{
    size_t best = 0;
    for (size_t k = FIRST; k <= s->last; k++)
        if (s->stands[k] && weight(s, k) > weight(s, best)) best = k;
    return best;
}

/* A frequency, and its neighbours, which share its power. */
static void leave_out(spectrum *s, double frequency)
{
    size_t k = (size_t)lround(frequency);
    for (size_t i = k > 0 ? k - 1 : 0; i <= k + 1 && i < s->end; i++) s->stands[i] = false;
}

/* All multiples, and what those beyond half the rate look like. */
static void leave_out_multiples(spectrum *s, double frequency)
{
    double rate = 2 * (double)s->end;
    for (double multiple = frequency; multiple < rate; multiple += frequency)
        leave_out(s, fmin(multiple, rate - multiple));
}

static bool find(spectrum *s, const cm_series *series, double alarm, cm_period *found)
{
    double chance = alarm / (double)(s->last - FIRST + 1);
    for (size_t k = FIRST; k <= s->last; k++) s->stands[k] = stands_above(s, k, chance);
    double largest = 0;
    for (int folded = 0; folded < MOST_FOLDED; folded++) {
        size_t k = strongest(s);
        cm_period period;
        double event;
        if (k == 0) break;
        if (!cm_period_fold(series, (double)series->n / refine(series, (double)k), &period, &event))
            return false;
        if (folded == 0 || (period.exact && event > largest)) *found = period;
        if (period.exact) largest = fmax(largest, event);
        leave_out(s, (double)k);
        if (period.exact) leave_out_multiples(s, (double)series->n / period.length);
    }
    return true;
}

bool cm_period_find(const double *value, size_t n, double alarm, cm_period *found)
{
    *found = (cm_period){.length = NAN};
    if (n < CM_PERIOD_LEAST_VALUES) return true;
    spectrum s = {.end = n / 2,
                  .last = n * 2 / 5 + 1,
                  .power = malloc((n / 2 + 1) * sizeof *s.power),
                  .stands = calloc(n / 2 + 1, sizeof *s.stands)};
    double *sum = malloc((n + 1) * sizeof *sum);
    bool enough = s.power && s.stands && sum && cm_spectrum(value, n, s.power);
    if (enough) {
        s.power[0] = sum[0] = 0;
        for (size_t i = 0; i < n; i++) sum[i + 1] = sum[i] + value[i];
        enough = find(&s, &(cm_series){value, sum, n}, alarm, found);
    }
    free(s.power);
    free(s.stands);
    free(sum);
    return enough;
}
