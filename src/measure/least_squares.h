/* SPDX-License-Identifier: BSD-3-Clause */
/* least_squares.h: the two solvers of the fits, for a weighted straight line and for a curve with
   one or two parameters; private to measure/. Both return false, and leave the result unchanged, if
   values are not finite or the data do not determine the parameters. */
#ifndef CM_LEAST_SQUARES_H
#define CM_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/fit.h"

/* The line y = intercept + slope x. Residuals are divided by scale[k] / unit, so that the weights
   are w[k] = (unit / scale[k])^2. */
typedef struct {
    double intercept, slope;
    double weight, x_mean, sxx; /* sum w, sum w x / sum w, sum w (x - x_mean)^2 */
    double sse, sst;            /* sums of w r^2 and of w (y - y_mean)^2 */
    double variance;            /* sse / (n - 2) */
} cm_line_solution;

/* Fits a line to n >= 3 points. If scale is NULL, all weights are 1. */
bool cm_least_squares_line(size_t n, const double *x, const double *y, const double *scale,
                           double unit, cm_line_solution *solution);

/* Return a parameter with its standard error. */
cm_estimate cm_line_intercept(const cm_line_solution *solution);
cm_estimate cm_line_slope(const cm_line_solution *solution);

/* Chooses the scale for a weighting of y. Relative weights: *scale is y and *unit the smallest |y|.
   Otherwise: *scale is NULL and *unit is 1. Returns false if relative weights are requested and
   some y is 0. */
bool cm_line_scale(size_t n, const double *y, cm_fit_weight weight, const double **scale,
                   double *unit);

/* A model. Returns its value at x for the parameters b and sets its derivatives with respect to b.
   A value that is not finite means that b is outside the model's domain. */
typedef double cm_curve(const double *b, double x, double *derivatives);

/* Minimises sum (y - f(b, x))^2 over n > m points and m = 1 or 2 parameters, starting from the
   values in b. estimate has m elements. */
bool cm_least_squares_curve(size_t n, const double *x, const double *y, size_t m, cm_curve *f,
                            const double *b, cm_estimate *estimate, double *residual_deviation);

#endif
