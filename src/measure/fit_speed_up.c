/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_speed_up.c: Amdahl's law and the universal scalability law, fitted to the speed-ups
   themselves. */
#include "config.h"
#include "measure/least_squares.h"
#include <math.h>

/* The laws become linear when turned over (1/S, p/S), but that would weigh small speed-ups
   most; the linear fit only says where to start. */

static bool speed_ups_valid(size_t n, const double *p, const double *speed_up)
{
    for (size_t k = 0; k < n; k++)
        if (!(p[k] >= 1 && speed_up[k] > 0) || isinf(p[k]) || isinf(speed_up[k])) return false;
    return true;
}

/* S = 1 / (f + (1 - f)/p) (Amdahl, AFIPS 1967); dS/df = -(1 - 1/p) S^2. */
static double amdahl(const double *b, double p, double *derivatives)
{
    double denominator = b[0] + (1 - b[0]) / p;
    if (!(denominator > 0)) return NAN;
    double s = 1 / denominator;
    derivatives[0] = -(1 - 1 / p) * s * s;
    return s;
}

bool cm_fit_amdahl(size_t n, const double *p, const double *speed_up, cm_amdahl *fit)
{
    if (n < 2 || !speed_ups_valid(n, p, speed_up)) return false;
    double aa = 0, ab = 0; /* 1/S - 1/p = f (1 - 1/p) */
    for (size_t k = 0; k < n; k++) {
        double a = 1 - 1 / p[k];
        aa += a * a;
        ab += a * (1 / speed_up[k] - 1 / p[k]);
    }
    if (!(aa > 0)) return false;
    double start = ab / aa, perfect = 0;
    cm_amdahl result;
    if (!cm_least_squares_curve(n, p, speed_up, 1, amdahl, &start, &result.serial_fraction,
                                &result.residual_deviation)
        && !cm_least_squares_curve(n, p, speed_up, 1, amdahl, &perfect, &result.serial_fraction,
                                   &result.residual_deviation))
        return false;
    *fit = result;
    return true;
}

/* S = p / D, D = 1 + sigma (p - 1) + kappa p (p - 1) (Gunther, Guerrilla Capacity Planning,
   2007, chapter 4); dS/dsigma = -p (p - 1) / D^2, dS/dkappa = -p^2 (p - 1) / D^2. */
static double usl(const double *b, double p, double *derivatives)
{
    double denominator = 1 + b[0] * (p - 1) + b[1] * p * (p - 1);
    if (!(denominator > 0)) return NAN;
    derivatives[0] = -p * (p - 1) / (denominator * denominator);
    derivatives[1] = p * derivatives[0];
    return p / denominator;
}

bool cm_fit_usl(size_t n, const double *p, const double *speed_up, cm_usl *fit)
{
    if (n < 3 || !speed_ups_valid(n, p, speed_up)) return false;
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0; /* p/S - 1 = sigma a + kappa b */
    for (size_t k = 0; k < n; k++) {
        double a = p[k] - 1, b = p[k] * a, y = p[k] / speed_up[k] - 1;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ay += a * y;
        by += b * y;
    }
    double determinant = aa * bb - ab * ab;
    double start[2] = {(bb * ay - ab * by) / determinant, (aa * by - ab * ay) / determinant};
    double perfect[2] = {0, 0}, deviation;
    cm_estimate estimate[2];
    /* A start outside the domain, or none because the determinant vanished, fails at once. */
    if (!cm_least_squares_curve(n, p, speed_up, 2, usl, start, estimate, &deviation)
        && !cm_least_squares_curve(n, p, speed_up, 2, usl, perfect, estimate, &deviation))
        return false;
    *fit = (cm_usl){.sigma = estimate[0], .kappa = estimate[1], .residual_deviation = deviation};
    return true;
}
