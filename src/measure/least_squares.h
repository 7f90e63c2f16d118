/* SPDX-License-Identifier: BSD-3-Clause */
/* least_squares.h: the two solvers behind the fits, a weighted straight line and a curve with
   one or two parameters; private to measure/. Both return false, and leave the result as it
   was, when values are not finite or the data do not determine the parameters. */
#ifndef CM_LEAST_SQUARES_H
#define CM_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/fit.h"

/* y = intercept + slope x; residuals are divided by scale[k] / unit, so that weights are
   w[k] = (unit / scale[k])^2. */
typedef struct {
    double intercept, slope;
    double weight, x_mean, sxx; /* sum w, sum w x / sum w, sum w (x - x_mean)^2 */
    double sse, sst;            /* sums of w r^2 and of w (y - y_mean)^2 */
    double variance;            /* sse / (n - 2) */
} cm_line_solution;

/* n >= 3. scale NULL: all weights 1. */
bool cm_least_squares_line(size_t n, const double *x, const double *y, const double *scale,
                           double unit, cm_line_solution *solution);

cm_estimate cm_line_intercept(const cm_line_solution *solution);
cm_estimate cm_line_slope(const cm_line_solution *solution);

/* Variance of the line's value at x. */
double cm_line_variance_at(const cm_line_solution *solution, double x);

/* Which scale a weighting of y means: *scale is y or NULL, *unit the smallest |y| or 1. False
   when relative weights are asked for and some y is 0. */
bool cm_line_scale(size_t n, const double *y, cm_fit_weight weight, const double **scale,
                   double *unit);

/* A model: its value at x and its derivatives by the parameters b; a value that is not finite
   says that b is outside the model's domain. */
typedef double cm_curve(const double *b, double x, double *derivatives);

/* Minimises sum (y - f(b, x))^2 over m = 1 or 2 parameters, n > m, from the values in b.
   estimate: m. */
bool cm_least_squares_curve(size_t n, const double *x, const double *y, size_t m, cm_curve *f,
                            const double *b, cm_estimate *estimate, double *residual_deviation);

#endif
