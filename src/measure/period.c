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
   the strongest. The period is that of the lowest frequency, of which the strongest is a multiple,
   such that two thirds of the multiples below the strongest one also stand above the others and
   have a tenth of its power. */
#include "config.h"
#include "measure/period.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"

enum { WINDOW = 32, FIRST = CM_PERIOD_LEAST_TIMES };
static const double slope = 1.5, power_of_multiple = 0.1, share_of_multiples = 2.0 / 3;

typedef struct {
    size_t end; /* frequencies FIRST to end - 1 are tested */
    double *power;
    bool *stands;
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

static bool stands_above(const spectrum *s, size_t k, double chance, bool *enough)
{
    double power[2 * WINDOW];
    size_t m = around(s, k, power);
    double *sorted = cm_order_sorted(power, m);
    *enough = sorted != NULL;
    if (!sorted) return false;
    double ratio = s->power[k] / (slope * sorted[m / 2]), by_chance = 1;
    free(sorted);
    if (!(s->power[k] > 0)) return false;
    for (size_t i = 0; i <= m / 2; i++) {
        double rate = (double)(m - i);
        by_chance *= rate / (rate + ratio);
    }
    return by_chance < chance;
}

/* Between neighbours, by their powers: a period need not fit into the series a whole number of
   times. */
static double centre(const spectrum *s, size_t k)
{
    double sum = 0, moment = 0;
    for (size_t i = k - 1; i <= k + 1 && i < s->end; i++) {
        sum += s->power[i];
        moment += (double)i * s->power[i];
    }
    return moment / sum;
}

static bool is_multiple(const spectrum *s, double frequency, double least)
{
    size_t k = (size_t)lround(frequency);
    for (size_t i = k - 1; i <= k + 1 && i < s->end; i++)
        if (s->stands[i] && s->power[i] >= least) return true;
    return false;
}

/* Returns by what the strongest frequency must be divided. */
static size_t divisor(const spectrum *s, double strongest, double least)
{
    for (size_t d = (size_t)(strongest / FIRST); d > 1; d--) {
        size_t multiples = 0;
        for (size_t j = 1; j < d; j++)
            multiples += is_multiple(s, strongest * (double)j / (double)d, least);
        if ((double)multiples >= share_of_multiples * (double)(d - 1)) return d;
    }
    return 1;
}

static bool find(spectrum *s, size_t n, double alarm, double *period)
{
    double chance = alarm / (double)(s->end - FIRST);
    size_t strongest = 0;
    for (size_t k = FIRST; k < s->end; k++) {
        bool enough;
        s->stands[k] = stands_above(s, k, chance, &enough);
        if (!enough) return false;
        if (s->stands[k] && s->power[k] > s->power[strongest]) strongest = k;
    }
    if (strongest == 0) return true;
    double frequency = centre(s, strongest);
    *period = (double)n * (double)divisor(s, frequency, power_of_multiple * s->power[strongest])
              / frequency;
    return true;
}

bool cm_period_find(const double *value, size_t n, double alarm, double *period)
{
    *period = NAN;
    if (n < CM_PERIOD_LEAST_VALUES) return true;
    spectrum s = {.end = n / 2,
                  .power = malloc((n / 2 + 1) * sizeof *s.power),
                  .stands = calloc(n / 2 + 1, sizeof *s.stands)};
    bool found = s.power && s.stands && cm_spectrum(value, n, s.power);
    if (found) {
        s.power[0] = 0;
        found = find(&s, n, alarm, period);
    }
    free(s.power);
    free(s.stands);
    return found;
}
