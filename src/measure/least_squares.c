/* SPDX-License-Identifier: BSD-3-Clause */
/* least_squares.c: a weighted straight line from centred sums; a curve by Levenberg's and
   Marquardt's method. */
#include "config.h"
#include "measure/least_squares.h"
#include <float.h>
#include <math.h>

/* ---- Straight line (Draper and Smith, Applied Regression Analysis, 3rd ed. 1998, chapters 1
   and 9) ---- */

static double weight_at(const double *scale, double unit, size_t k)
{
    double ratio = scale ? unit / scale[k] : 1;
    return ratio * ratio;
}

bool cm_line_scale(size_t n, const double *y, cm_fit_weight weight, const double **scale,
                   double *unit)
{
    *scale = NULL;
    *unit = 1;
    if (weight == CM_FIT_ABSOLUTE || n == 0) return true;
    double least = fabs(y[0]);
    for (size_t k = 1; k < n; k++) least = fmin(least, fabs(y[k]));
    *scale = y;
    *unit = least;
    return least > 0;
}

bool cm_least_squares_line(size_t n, const double *x, const double *y, const double *scale,
                           double unit, cm_line_solution *solution)
{
    if (n < 3) return false;
    double weight = 0, x_mean = 0, y_mean = 0, x_most = 0;
    for (size_t k = 0; k < n; k++) {
        double w = weight_at(scale, unit, k);
        weight += w;
        x_mean += w * x[k];
        y_mean += w * y[k];
        x_most = fmax(x_most, fabs(x[k]));
    }
    x_mean /= weight;
    y_mean /= weight;
    if (!isfinite(weight) || !isfinite(x_mean) || !isfinite(y_mean) || weight <= 0) return false;

    /* The sums of w dx and w dy are 0 but for rounding; taking them into account makes the
       means, and what hangs on them, as good as twice the digits would. */
    double dx_sum = 0, dy_sum = 0;
    for (size_t k = 0; k < n; k++) {
        double w = weight_at(scale, unit, k);
        dx_sum += w * (x[k] - x_mean);
        dy_sum += w * (y[k] - y_mean);
    }
    x_mean += dx_sum / weight;
    y_mean += dy_sum / weight;

    double sxx = 0, sxy = 0, sst = 0;
    for (size_t k = 0; k < n; k++) {
        double w = weight_at(scale, unit, k), dx = x[k] - x_mean, dy = y[k] - y_mean;
        sxx += w * dx * dx;
        sxy += w * dx * dy;
        sst += w * dy * dy;
    }
    double x_noise = 8 * DBL_EPSILON * x_most; /* a spread that rounding of x alone may make */
    if (!(sxx > weight * x_noise * x_noise)) return false;
    double slope = sxy / sxx, sse = 0;
    for (size_t k = 0; k < n; k++) {
        double r = (y[k] - y_mean) - slope * (x[k] - x_mean);
        sse += weight_at(scale, unit, k) * r * r;
    }
    double intercept = y_mean - slope * x_mean;
    if (!isfinite(slope) || !isfinite(intercept) || !isfinite(sse)) return false;
    *solution = (cm_line_solution){.intercept = intercept,
                                   .slope = slope,
                                   .weight = weight,
                                   .x_mean = x_mean,
                                   .sxx = sxx,
                                   .sse = sse,
                                   .sst = sst,
                                   .variance = sse / (double)(n - 2)};
    return true;
}

/* The variance of the line's value at x. */
static double variance_at(const cm_line_solution *s, double x)
{
    double dx = x - s->x_mean;
    return s->variance * (1 / s->weight + dx * dx / s->sxx);
}

cm_estimate cm_line_intercept(const cm_line_solution *s)
{
    return (cm_estimate){s->intercept, sqrt(variance_at(s, 0))};
}

cm_estimate cm_line_slope(const cm_line_solution *s)
{
    return (cm_estimate){s->slope, sqrt(s->variance / s->sxx)};
}

/* ---- Curve (Marquardt, J. SIAM 11 (1963) 431)
   ------------------------------------------------- */
/* With columns a, b of the Jacobian scaled to length 1, J'J = [1 c; c 1]. What is needed of it,
   per point of the iteration: */
typedef struct {
    double sse;         /* sum r^2 */
    double length[2];   /* of the unscaled columns */
    double gradient[2]; /* scaled column times residual */
    double cosine;      /* c */
    double sine2;       /* 1 - c^2, computed without that subtraction */
} tangent;

static bool evaluate(size_t n, const double *x, const double *y, size_t m, cm_curve *f,
                     const double *b, tangent *s)
{
    double d[2] = {0, 0};
    *s = (tangent){.sine2 = 1};
    double aa = 0, bb = 0, ab = 0, ar = 0, br = 0;
    for (size_t k = 0; k < n; k++) {
        double r = y[k] - f(b, x[k], d);
        s->sse += r * r;
        aa += d[0] * d[0];
        ar += d[0] * r;
        bb += d[1] * d[1];
        ab += d[0] * d[1];
        br += d[1] * r;
    }
    if (!isfinite(s->sse) || !isfinite(aa) || !isfinite(bb)) return false;
    s->length[0] = sqrt(aa);
    s->length[1] = sqrt(bb);
    if (!(aa > 0)) return false;
    s->gradient[0] = ar / s->length[0];
    if (m == 1) return true;
    if (!(bb > 0)) return false;
    s->gradient[1] = br / s->length[1];
    s->cosine = ab / (s->length[0] * s->length[1]);
    double rest = 0; /* of b after taking away its part along a */
    for (size_t k = 0; k < n; k++) {
        f(b, x[k], d);
        double part = d[1] - ab / aa * d[0];
        rest += part * part;
    }
    s->sine2 = rest / bb;
    return s->sine2 > 1e-12;
}

/* Length of the residual's projection on the tangent plane: 0 at the solution (Bates and Watts,
   Technometrics 23 (1981) 179). */
static double projection(const tangent *s)
{
    double u = s->gradient[0], v = s->gradient[1];
    return sqrt(fmax(0, (u * u - 2 * s->cosine * u * v + v * v) / s->sine2));
}

/* Near the minimum the sum of squares is flat, and rounding decides which of two sums is smaller.
   The projection is steep there and shows which is better. */
static bool is_better(const tangent *there, const tangent *here)
{
    return there->sse < here->sse
           || (there->sse <= here->sse * (1 + 1e-9) && projection(there) < projection(here));
}

static void step(const tangent *s, size_t m, double damping, const double *b, double *next)
{
    double d = 1 + damping, u = s->gradient[0], v = s->gradient[1], c = s->cosine;
    if (m == 1) {
        next[0] = b[0] + u / d / s->length[0];
        return;
    }
    double determinant = damping * (2 + damping) + s->sine2; /* d^2 - c^2 */
    next[0] = b[0] + (d * u - c * v) / determinant / s->length[0];
    next[1] = b[1] + (d * v - c * u) / determinant / s->length[1];
}

bool cm_least_squares_curve(size_t n, const double *x, const double *y, size_t m, cm_curve *f,
                            const double *b, cm_estimate *estimate, double *residual_deviation)
{
    if (m < 1 || m > 2 || n <= m) return false;
    double at[2] = {b[0], m == 2 ? b[1] : 0}, size = 0, damping = 1e-3;
    for (size_t k = 0; k < n; k++) size += y[k] * y[k];
    size = sqrt(size);
    tangent here;
    if (!isfinite(size) || !evaluate(n, x, y, m, f, at, &here)) return false;
    for (int i = 0; i < 500 && projection(&here) > 1e-14 * size && damping < 1e12; i++) {
        double next[2] = {0, 0};
        tangent there;
        step(&here, m, damping, at, next);
        if (evaluate(n, x, y, m, f, next, &there) && is_better(&there, &here)) {
            at[0] = next[0];
            at[1] = next[1];
            here = there;
            damping = damping < 1e-12 ? 0 : damping / 10;
        } else {
            damping = damping == 0 ? 1e-3 : damping * 10;
        }
    }
    if (!(projection(&here) <= 1e-9 * size)) return false;

    double variance = here.sse / (double)(n - m); /* covariance: variance (J'J)^-1 */
    for (size_t j = 0; j < m; j++)
        estimate[j] = (cm_estimate){at[j], sqrt(variance / here.sine2) / here.length[j]};
    *residual_deviation = sqrt(variance);
    return true;
}
