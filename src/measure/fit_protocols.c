/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_protocols.c: a line for all messages, or one for short and one for long messages, and where
   they meet. */
#include "config.h"
#include "measure/protocols.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The rows in use. A row's standard deviation is scale = hypot(relative, misfit) * about_s, where
   relative is what its interval and its neighbours show, and misfit what the lines cannot
   follow. */
typedef struct {
    size_t n;
    double *x, *y, *scale, *rounding, *relative, *about_s, *room; /* [n], room [3 n] */
    double misfit;
    const cm_protocol_row **row;
    size_t *from; /* [n]: which of the caller's rows */
} data;

static const double outlier_level = 1e-5;

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Takes the rows in use, with their noise. */
static void take(data *d, size_t n, const cm_protocol_row *rows)
{
    d->n = 0;
    for (size_t k = 0; k < n; k++) {
        if (rows[k].use != CM_ROW_USED) continue;
        d->from[d->n] = k;
        d->row[d->n] = &rows[k];
        d->x[d->n] = rows[k].bytes;
        d->y[d->n] = d->about_s[d->n] = rows[k].time_s;
        d->n++;
    }
    d->misfit = 0;
    if (d->n > 0) cm_row_noise(d->n, d->row, d->room, d->relative);
}

static bool open_data(data *d, size_t n, cm_protocol_row *rows)
{
    enum { ARRAYS = 9 };
    if (n < 3 || n > SIZE_MAX / (ARRAYS * sizeof *d->x)) return false;
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(rows[k].bytes) || (k > 0 && rows[k - 1].bytes > rows[k].bytes)) return false;
        rows[k].use = rows[k].time_s > 0 && isfinite(rows[k].time_s) ? CM_ROW_USED : CM_ROW_NO_TIME;
    }
    *d = (data){.x = malloc(ARRAYS * n * sizeof *d->x),
                .row = malloc(n * sizeof *d->row),
                .from = malloc(n * sizeof *d->from)};
    d->y = d->x + n;
    d->scale = d->y + n;
    d->rounding = d->scale + n;
    d->relative = d->rounding + n;
    d->about_s = d->relative + n;
    d->room = d->about_s + n;
    if (!d->x || !d->row || !d->from) return false;
    take(d, n, rows);
    return true;
}

static void close_data(data *d)
{
    free(d->x);
    free(d->row);
    free(d->from);
}

static cm_points points_of(data *d)
{
    for (size_t k = 0; k < d->n; k++) {
        d->scale[k] = hypot(d->relative[k], d->misfit) * d->about_s[k];
        d->rounding[k] = CM_ROW_ROUNDING * d->about_s[k];
    }
    return (cm_points){.n = d->n,
                       .fewest = 3,
                       .x = d->x,
                       .y = d->y,
                       .scale = d->scale,
                       .rounding = d->rounding,
                       .rising = true};
}

/* ---- Search ---------------------------------------------------------------------------------- */

static double model_s(const cm_broken_line *b, size_t k, double x)
{
    const cm_line_solution *line = b->split == 0 ? &b->one : k < b->split ? &b->low : &b->high;
    return line->intercept + line->slope * x;
}

/* Noise is a fraction of the time that the model says, because a fraction of the measured one would
   give rows that are too low by chance more weight. The misfit is what makes the mean square of the
   residuals 1 (Paule and Mandel, J. Res. NBS 87 (1982) 377), but never below 0. */
static void adjust(data *d, const cm_broken_line *b)
{
    const double freedom = (double)d->n - (b->split == 0 ? 2 : 4);
    double low = 0, high = 0;
    for (size_t k = 0; k < d->n; k++) {
        double said_s = model_s(b, k, d->x[k]);
        if (said_s > 0) d->about_s[k] = said_s;
        high = fmax(high, fabs(d->y[k] - said_s) / d->about_s[k]);
    }
    high *= sqrt((double)d->n / fmax(freedom, 1));
    for (int step = 0; step < 40; step++) {
        double sum = 0, middle = (low + high) / 2;
        for (size_t k = 0; k < d->n; k++) {
            double r = (d->y[k] - model_s(b, k, d->x[k])) / d->about_s[k];
            sum += r * r / (d->relative[k] * d->relative[k] + middle * middle);
        }
        if (sum > freedom) low = middle;
        else high = middle;
    }
    d->misfit = low;
}

typedef bool search(const cm_points *points, double *room, cm_broken_line *found);

static bool settle(data *d, search *look, cm_broken_line *b)
{
    enum { ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        cm_points p = points_of(d);
        if (!look(&p, d->room, b)) return false;
        if (round + 1 < ROUNDS) adjust(d, b);
    }
    return true;
}

/* Leaves out rows as long as one is too far away, at most a quarter of them. */
static bool describe(data *d, size_t n, cm_protocol_row *rows, bool may_break, cm_broken_line *b)
{
    for (size_t left_out = 0;; left_out++) {
        if (!settle(d, may_break ? cm_broken_line_search : cm_broken_line_one, b)) return false;
        const double chance = b->chance;
        if (chance > CM_BREAK_LEVEL && b->far_chance > outlier_level) {
            if (!settle(d, cm_broken_line_one, b)) return false;
            b->chance = chance;
        }
        if (b->far_chance > outlier_level || 4 * (left_out + 1) > d->n) return true;
        rows[d->from[b->far]].use = CM_ROW_OUTLIER;
        take(d, n, rows);
    }
}

/* ---- Parameters ------------------------------------------------------------------------------ */

/* A line with the covariance of intercept and slope: v(x) = v00 + 2 v01 x + v11 x^2. */
typedef struct {
    size_t first, n;
    double a, b, v00, v01, v11;
} line_fit;

/* The larger of two variances of a line's height and slope: that of weights which are right but for
   a factor, and that which the residuals show whatever the weights (HC3 and HC4: MacKinnon and
   White, J. Econometrics 29 (1985) 305; Cribari-Neto, Comput. Stat. Data Anal. 45 (2004) 215). The
   former is too small if the noise of few rows is wrong, the latter by chance. */
static line_fit line_of(const data *d, size_t first, size_t n, const cm_line_solution *s)
{
    static const double power = 1.25; /* HC3 has 1, HC4 up to 2 */
    double heights = 0, both = 0, slopes = 0, middle = s->x_mean;
    for (size_t k = first; k < first + n; k++) {
        double w = 1 / (d->scale[k] * d->scale[k]), dx = d->x[k] - middle;
        double r = d->y[k] - s->intercept - s->slope * d->x[k];
        double rest = 1 - w * (1 / s->weight + dx * dx / s->sxx);
        double u = w * r / pow(fmax(rest, 1e-3), power);
        heights += u * u;
        both += u * u * dx;
        slopes += u * u * dx * dx;
    }
    double height = fmax(s->variance, heights / s->weight) / s->weight;
    double slope = fmax(s->variance, slopes / s->sxx) / s->sxx;
    both /= s->weight * s->sxx;
    return (line_fit){.first = first,
                      .n = n,
                      .a = s->intercept,
                      .b = s->slope,
                      .v00 = height - 2 * middle * both + middle * middle * slope,
                      .v01 = both - middle * slope,
                      .v11 = slope};
}

static cm_bounded bounded(double value, double variance, double t)
{
    double error = sqrt(variance);
    return (cm_bounded){value, error, value - t * error, value + t * error};
}

static cm_protocol as_protocol(const data *d, const line_fit *l)
{
    double t = cm_student_95(l->n - 2);
    cm_bounded b = bounded(l->b, l->v11, t);
    return (cm_protocol){.latency_s = bounded(l->a, l->v00, t),
                         .bandwidth_B_per_s = {1 / b.value, b.error / (b.value * b.value),
                                               1 / b.high, b.low > 0 ? 1 / b.low : INFINITY},
                         .first_bytes = d->x[l->first],
                         .last_bytes = d->x[l->first + l->n - 1],
                         .rows = l->n};
}

/* The lines come from different rows, so that the variance of their difference is the sum of both.
   The interval is where |a + b x| <= t sqrt(v(x)), with the differences a and b of intercepts and
   slopes (Fieller, J. Royal Stat. Soc. B 16 (1954) 175). */
static cm_bounded crossover(const data *d, const line_fit *e, const line_fit *r)
{
    const cm_bounded none = {NAN, NAN, NAN, NAN};
    double t = cm_student_95((e->n < r->n ? e->n : r->n) - 2);
    double a = e->a - r->a, b = e->b - r->b, x = -a / b;
    double v00 = e->v00 + r->v00, v01 = e->v01 + r->v01, v11 = e->v11 + r->v11;
    double A = b * b - t * t * v11, B = a * b - t * t * v01, C = a * a - t * t * v00;
    double root = sqrt(fmax(0, B * B - A * C));
    /* Rounding must not move the ends past x. */
    double low = fmin((-B - root) / A, x), high = fmax((-B + root) / A, x);
    if (!(A > 0) || !(low >= d->x[0] && high <= d->x[d->n - 1])) return none;
    return (cm_bounded){x, sqrt(v00 + 2 * v01 * x + v11 * x * x) / fabs(b), low, high};
}

static void two_lines(data *d, cm_broken_line *b, cm_protocols *fit)
{
    const cm_points p = points_of(d);
    size_t last_low, first_high;
    fit->split_bytes = d->x[b->split];
    fit->change = true;
    cm_broken_line_part(&p, b, &last_low, &first_high);
    const line_fit e = line_of(d, 0, last_low, &b->low);
    const line_fit r = line_of(d, first_high, d->n - first_high, &b->high);
    fit->eager = as_protocol(d, &e);
    fit->rendezvous = as_protocol(d, &r);
    fit->crossover_bytes = crossover(d, &e, &r);
}

static bool fit_rows(size_t n, cm_protocol_row *rows, bool may_break, cm_protocols *fit)
{
    data d = {0};
    cm_broken_line b;
    bool fits = open_data(&d, n, rows) && describe(&d, n, rows, may_break, &b) && b.one.slope > 0;
    if (fits) {
        const line_fit one = line_of(&d, 0, d.n, &b.one);
        *fit = (cm_protocols){.one = as_protocol(&d, &one),
                              .crossover_bytes = {NAN, NAN, NAN, NAN},
                              .chance = b.chance};
        if (b.split > 0) two_lines(&d, &b, fit);
    }
    close_data(&d);
    return fits;
}

bool cm_fit_protocols(size_t n, cm_protocol_row *rows, cm_protocols *fit)
{
    return fit_rows(n, rows, true, fit);
}

bool cm_fit_protocol(size_t n, cm_protocol_row *rows, cm_protocol *fit)
{
    cm_protocols all;
    if (!fit_rows(n, rows, false, &all)) return false;
    *fit = all.one;
    return true;
}
