/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_drift.c: the falls of many series, and how far a series without one falls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nodes_drift.h"
#include "random/random.h"

/* Over its deviation without noise: the relative error of a median of normal values. */
static const double median_error = 1.2533;
/* The correlation of neighbours that is added to the estimated one, in its standard errors
   1 / sqrt(n): the estimate is of values from which the best step was taken, so it is too low. */
static const double correlation_margin = 1;
static const double most_correlation = 0.9;
/* The part of the values after a step that must be nearer to their median than to that before. */
static const double most_values = 0.8;

/* One host's series, without the parts in which it has no value. */
typedef struct {
    int n, part[NODES_PARTS];
    double y[NODES_PARTS];
} series;

typedef struct {
    int split;      /* number of values before it; 0: too few values */
    bool steady;    /* a line fits better */
    bool lasts;     /* most values after it are as low */
    double fall;    /* median before - median after */
    double ratio;   /* over the series */
    double sigma;   /* of a value */
    double inflate; /* of the error of a mean, by correlation */
} step;

/* ---- One series ------------------------------------------------------------------------------ */

static void insert(double *sorted, int n, double value)
{
    int k = n;
    for (; k > 0 && sorted[k - 1] > value; k--) sorted[k] = sorted[k - 1];
    sorted[k] = value;
}

static double middle_of(const double *sorted, int n)
{
    return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

/* Medians of the first k values and, from the other end, of the others. */
static void medians_of(const series *s, double *before, double *after)
{
    double sorted[NODES_PARTS];
    for (int k = 0; k < s->n; k++) {
        insert(sorted, k, s->y[k]);
        before[k + 1] = middle_of(sorted, k + 1);
    }
    for (int k = s->n - 1; k >= 0; k--) {
        insert(sorted, s->n - 1 - k, s->y[k]);
        after[k] = middle_of(sorted, s->n - k);
    }
}

static double weight(int n, int split) { return sqrt((double)split * (n - split) / n); }

/* Sets left to the residuals of the least squares y = a + b * part. Returns their absolute sum, and
   b. */
static double line_of(const series *s, double *left, double *slope)
{
    double x = 0, y = 0, xx = 0, xy = 0, sum = 0;
    for (int k = 0; k < s->n; k++) x += s->part[k], y += s->y[k];
    x /= s->n;
    y /= s->n;
    for (int k = 0; k < s->n; k++) {
        xx += (s->part[k] - x) * (s->part[k] - x);
        xy += (s->part[k] - x) * (s->y[k] - y);
    }
    *slope = xy / xx;
    for (int k = 0; k < s->n; k++) {
        left[k] = s->y[k] - y - *slope * (s->part[k] - x);
        sum += fabs(left[k]);
    }
    return sum;
}

/* Residuals beside the step or the line, whichever fits better. */
static void residuals_of(const series *s, double before, double after, step *best, double *left)
{
    double of_line[NODES_PARTS], sum = 0, slope;
    const double sum_of_line = line_of(s, of_line, &slope);
    for (int k = 0; k < s->n; k++) {
        left[k] = s->y[k] - (k < best->split ? before : after);
        sum += fabs(left[k]);
    }
    best->steady = sum_of_line < sum;
    best->ratio = exp(-best->fall);
    if (!best->steady) return;
    best->ratio = exp(slope * (s->part[s->n - 1] - s->part[0]));
    memcpy(left, of_line, sizeof of_line);
}

/* Their spread, and the correlation of neighbours; far ones count as 3 deviations. */
static void noise_of(int n, double *left, step *best)
{
    double sorted[NODES_PARTS], square = 0, product = 0;
    for (int k = 0; k < n; k++) insert(sorted, k, fabs(left[k]));
    best->sigma = nodes_sigma_of_mad * middle_of(sorted, n);
    const double most = 3 * best->sigma;
    for (int k = 0; k < n; k++) {
        left[k] = fmax(-most, fmin(most, left[k]));
        square += left[k] * left[k];
        if (k > 0) product += left[k] * left[k - 1];
    }
    double r = (square > 0 ? product / square : 0) + correlation_margin / sqrt(n);
    r = fmax(0, fmin(most_correlation, r));
    best->inflate = sqrt((1 + r) / (1 - r));
}

/* A few streaks make a median low, but not most values. */
static bool lasts(const series *s, const step *best, double before)
{
    int low = 0;
    for (int k = best->split; k < s->n; k++) low += s->y[k] < before - best->fall / 2;
    return low >= most_values * (s->n - best->split);
}

/* Returns the place of the step between two levels that leaves the least residuals. */
static int place_step(const series *s, double before, double after)
{
    int place = s->n / 4;
    double sum = 0, least = 0; /* beyond those of the first place */
    for (int split = place; split < s->n - s->n / 4; split++) {
        sum += fabs(s->y[split] - before) - fabs(s->y[split] - after);
        if (sum >= least) continue;
        least = sum;
        place = split + 1;
    }
    return place;
}

/* Returns the step with the deepest fall. */
static step find_step(const series *s)
{
    double before[NODES_PARTS + 1], after[NODES_PARTS + 1], left[NODES_PARTS];
    step best = {.sigma = NAN};
    if (s->n < NODES_FEWEST_PARTS) return best;
    medians_of(s, before, after);
    for (int split = s->n / 4; split <= s->n - s->n / 4; split++) {
        const double fall = before[split] - after[split];
        if (best.split > 0 && fall * weight(s->n, split) <= best.fall * weight(s->n, best.split))
            continue;
        best.split = split;
        best.fall = fall;
    }
    const double high = before[best.split], low = after[best.split];
    best.split = place_step(s, high, low);
    residuals_of(s, high, low, &best, left);
    noise_of(s->n, left, &best);
    best.lasts = lasts(s, &best, high);
    return best;
}

/* Returns the standard error of a fall at this split. */
static double error_of(const step *at, int n, int split, double sigma)
{
    static const double least = 1e-9; /* equal values have no noise */
    return fmax(least, median_error * fmax(at->sigma, sigma) * at->inflate / weight(n, split));
}

/* ---- What chance does ------------------------------------------------------------------------ */

/* Quantiles from simulated series. Beyond them, an exponential through the last two quantiles is
   used, which is above the tail of a normal distribution. */
double nodes_drift_limit(int hosts, int parts, double false_alarms)
{
    enum { RUNS = 2000 };
    static const double often = 0.05, seldom = 0.005;
    const double alpha = nodes_share(false_alarms, NODES_RATES) / hosts;
    double z[RUNS];
    uint64_t state = 1;
    if (parts < NODES_FEWEST_PARTS) return INFINITY;
    for (int run = 0; run < RUNS; run++) {
        series s = {.n = parts};
        for (int k = 0; k < parts; k++) s.part[k] = k, s.y[k] = cm_random_normal(&state);
        const step at = find_step(&s);
        z[run] = at.fall / error_of(&at, parts, at.split, 0);
    }
    nodes_sort(z, RUNS);
    const double q_often = z[(int)((1 - often) * RUNS)], q_seldom = z[(int)((1 - seldom) * RUNS)];
    return q_seldom + (q_seldom - q_often) * log10(seldom / fmin(seldom, alpha));
}

/* ---- All hosts ------------------------------------------------------------------------------- */

/* Sets the part that all hosts have in common, for each part of the burn-in; 0 if there are too few
   hosts. */
static bool common_of(int hosts, int parts, const double *rate, double *common)
{
    double *room = malloc((size_t)hosts * sizeof *room);
    if (!room) return false;
    for (int part = 0; part < parts; part++) {
        size_t n = 0;
        for (int host = 0; host < hosts; host++) {
            const double value = rate[(size_t)host * (size_t)parts + (size_t)part];
            if (value > 0) room[n++] = log(value);
        }
        common[part] = n > 0 ? nodes_median(room, n) : NAN;
    }
    free(room);
    return true;
}

static double quarters_ratio(int parts, const double *common)
{
    double first[NODES_PARTS], last[NODES_PARTS];
    size_t n = 0, m = 0;
    for (int part = 0; part < parts; part++) {
        if (isnan(common[part])) continue;
        if (part < parts / 4) first[n++] = common[part];
        if (part >= parts - parts / 4) last[m++] = common[part];
    }
    return exp(nodes_median(last, m) - nodes_median(first, n));
}

static series series_of(int parts, const double *rate, const double *common)
{
    series s = {0};
    for (int part = 0; part < parts; part++) {
        if (!(rate[part] > 0) || (common && isnan(common[part]))) continue;
        s.part[s.n] = part;
        s.y[s.n++] = log(rate[part]) - (common ? common[part] : 0);
    }
    return s;
}

static bool judge_kind(int hosts, int parts, const double *rate, int kind, nodes_drift *drift)
{
    double common[NODES_PARTS], *sigma = malloc((size_t)hosts * sizeof *sigma);
    const double *taken = hosts >= NODES_FEWEST ? common : NULL;
    bool done = sigma && common_of(hosts, parts, rate, common);
    size_t n = 0;
    for (int host = 0; done && host < hosts; host++) {
        const series s = series_of(parts, rate + (size_t)host * (size_t)parts, taken);
        const step at = find_step(&s);
        if (at.split > 0) sigma[n++] = at.sigma;
    }
    const double usual = n > 0 ? nodes_median(sigma, n) : NAN;
    free(sigma);
    if (!done) return false;
    drift->all[kind] = quarters_ratio(parts, common);
    drift->bound[kind] = n > 0 ? 1 : NAN;
    for (int host = 0; n > 0 && host < hosts; host++) {
        const series s = series_of(parts, rate + (size_t)host * (size_t)parts, taken);
        const step at = find_step(&s);
        if (at.split == 0) continue;
        const double z = at.fall / error_of(&at, s.n, at.split, usual);
        const double bound = exp(-drift->limit * error_of(&at, s.n, s.n / 2, usual));
        if (z > drift->limit && at.lasts)
            drift->fall[drift->falls++] =
                (nodes_fall){host, kind, at.steady ? 0 : s.part[at.split], at.steady, at.ratio, z};
        else drift->bound[kind] = fmin(drift->bound[kind], bound);
    }
    return true;
}

bool nodes_drift_find(int hosts, int parts, double *const rate[NODES_RATES], double limit,
                      nodes_drift *drift)
{
    *drift = (nodes_drift){.limit = limit};
    for (int kind = 0; kind < NODES_RATES; kind++) drift->bound[kind] = drift->all[kind] = NAN;
    if (parts < NODES_FEWEST_PARTS) return true;
    drift->fall = malloc((size_t)hosts * NODES_RATES * sizeof *drift->fall);
    bool done = drift->fall != NULL;
    for (int kind = 0; done && kind < NODES_RATES; kind++)
        done = judge_kind(hosts, parts, rate[kind], kind, drift);
    if (!done) nodes_drift_free(drift);
    return done;
}

void nodes_drift_free(nodes_drift *drift)
{
    free(drift->fall);
    *drift = (nodes_drift){0};
}
