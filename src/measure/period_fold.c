/* SPDX-License-Identifier: BSD-3-Clause */
/* period_fold.c: folds a series at the cycle of one of its frequencies and at multiples of it.

   Events at a period T have power at all frequencies k / T, and any of these may be the strongest.
   Folded at the cycle C = T / k, the events lie at one phase: in the box, the part of the cycle
   that explains most of the variance (box least squares; Kovacs, Zucker, Mazeh, A&A 391 (2002)
   369). Let x_i be the sum of the box in cycle i. Only every k-th x_i has an event. For each
   multiple d, the cycles i = r, r + d, r + 2 d, .. are a class, and

       score(d) = max over r of (low quantile of class r - low quantile of what is beside boxes) / d

   is what a class explains per cycle. A class of which a third or more has no event explains
   nothing, whatever single large values it has. For events that stand out, score(k) is the largest
   one; at j k there are j classes with events, each of which explains a part 1 / j, and divisors of
   k mix cycles with and without events. For events that are lost in the noise a quantile moves as
   the mean does, so that divisors explain as much as k. In both cases k is the largest d whose
   score is about the best one. */
#include "config.h"
#include "measure/period_fold.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"

enum {
    BINS = 16,           /* of a cycle */
    MOST_MULTIPLE = 256, /* events shorter than a part of this of their period are not resolved */
    MOST_IN_CLASS = 64,  /* cycles that are looked at */
    LEAST_IN_CLASS = 3   /* for a multiple to be considered */
};
static const double low = 0.3;
static const double about_best = 0.8, clearly_less = 0.65; /* of the best score */
static const double other_class = 0.4;                     /* of the score of a class with events */
static const double least_share = 0.5; /* of all that is above the surroundings, in the class */

typedef struct {
    double begin, length; /* of the first cycle's box, in values */
    double cycle;
    size_t cycles; /* those whose box, and what is beside it, are in the series */
} boxes;

/* Sum of the series from 0 to a time that may lie within a value. */
static double until(const cm_series *s, double time)
{
    size_t i = time > 0 ? (size_t)time : 0;
    if (i >= s->n) return s->sum[s->n];
    return s->sum[i] + (time - (double)i) * s->value[i];
}

static double in_box(const cm_series *s, const boxes *b, size_t i, double shift)
{
    double begin = b->begin + shift + (double)i * b->cycle;
    return until(s, begin + b->length) - until(s, begin);
}

/* Chooses the box: at most half a cycle, so that what is half a cycle later is beside it, and if
   possible 2 values, so that it holds a short event wherever in a value that is. */
static boxes best_box(const cm_series *s, double cycle)
{
    boxes best = {.cycle = cycle, .cycles = (size_t)((double)s->n / cycle - 1.5)};
    int least = (int)fmin(ceil(2 * BINS / cycle), BINS / 2);
    double width = cycle / BINS, profile[2 * BINS] = {0}, all = 0, most = -1;
    for (int j = 0; j < BINS; j++) {
        boxes bin = {.begin = j * width, .length = width, .cycle = cycle};
        for (size_t i = 0; i < best.cycles; i++) profile[j] += in_box(s, &bin, i, 0);
        profile[j + BINS] = profile[j];
        all += profile[j];
    }
    for (int j = 0; j < BINS; j++) {
        double sum = 0;
        for (int bins_in = 1; bins_in <= BINS / 2; bins_in++) {
            sum += profile[j + bins_in - 1];
            double part = (double)bins_in / BINS, above = sum - part * all;
            double explained = above * above / (part * (1 - part));
            if (bins_in < least || above <= 0 || explained <= most) continue;
            most = explained;
            best.begin = j * width;
            best.length = bins_in * width;
        }
    }
    if (most < 0) best.length = width; /* equal values */
    return best;
}

/* The low quantile of every `step`-th of n > first values from the first, or -INFINITY where it
   cannot be above `above`: to count is faster than to select. */
static double low_quantile(const double *value, size_t n, size_t first, size_t step, double above)
{
    double of_class[MOST_IN_CLASS];
    size_t m = 0, not_above = 0;
    for (size_t i = first; i < n && m < MOST_IN_CLASS; i += step) {
        not_above += value[i] <= above;
        of_class[m++] = value[i];
    }
    /* The quantile lies between the value at this index and the next one. */
    const size_t before = (size_t)(low * (double)(m - 1));
    return not_above >= before + 2 ? -INFINITY : cm_order_select(of_class, m, low);
}

static double mean(const double *value, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += value[i];
    return sum / (double)n;
}

typedef struct {
    size_t multiples;
    double score[MOST_MULTIPLE + 1], second[MOST_MULTIPLE + 1]; /* [d], d = 1 .. multiples */
} scores;

static void find_scores(const double *x, size_t cycles, double surroundings, scores *s)
{
    for (size_t d = 1; d <= s->multiples; d++) {
        double best = -INFINITY, second = -INFINITY;
        for (size_t first = 0; first < d; first++) {
            double quantile = low_quantile(x, cycles, first, d, second);
            second = fmax(second, fmin(quantile, best));
            best = fmax(quantile, best);
        }
        s->score[d] = (best - surroundings) / (double)d;
        s->second[d] = (second - surroundings) / (double)d;
    }
}

/* above: the mean of the boxes above what is beside them. */
static void choose(const scores *s, size_t cycles, double above, cm_period *found, double *event)
{
    double best = 0, rival = 0;
    size_t chosen = 1;
    for (size_t d = 1; d <= s->multiples; d++) best = fmax(best, s->score[d]);
    for (size_t d = 1; d <= s->multiples; d++)
        if (s->score[d] >= about_best * best) chosen = d;
    for (size_t d = chosen + 1; d <= s->multiples; d++) rival = fmax(rival, s->score[d]);
    found->exact = best > 0 && rival < clearly_less * best
                   && s->second[chosen] < other_class * s->score[chosen]
                   && s->score[chosen] > least_share * above
                   && cycles >= CM_PERIOD_LEAST_TIMES * chosen;
    *event = (double)chosen * s->score[chosen];
    if (found->exact) found->length *= (double)chosen;
}

static void fold(const cm_series *series, double cycle, double *x, double *beside, cm_period *found,
                 double *event)
{
    boxes b = best_box(series, cycle);
    scores s = {.multiples = b.cycles / LEAST_IN_CLASS};
    for (size_t i = 0; i < b.cycles; i++) {
        x[i] = in_box(series, &b, i, 0);
        beside[i] = in_box(series, &b, i, cycle / 2);
    }
    if (s.multiples > MOST_MULTIPLE) s.multiples = MOST_MULTIPLE;
    find_scores(x, b.cycles, low_quantile(beside, b.cycles, 0, 1, -INFINITY), &s);
    choose(&s, b.cycles, mean(x, b.cycles) - mean(beside, b.cycles), found, event);
}

bool cm_period_fold(const cm_series *series, double cycle, cm_period *found, double *event)
{
    size_t most = (size_t)((double)series->n / cycle) + 1;
    double *x = malloc(2 * most * sizeof *x);
    *found = (cm_period){.length = cycle};
    if (x) fold(series, cycle, x, x + most, found, event);
    free(x);
    return x != NULL;
}
