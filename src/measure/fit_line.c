/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_line.c: y = intercept + slope x. */
#include "config.h"
#include "measure/least_squares.h"
#include <math.h>

bool cm_fit_line(size_t n, const double *x, const double *y, cm_fit_weight weight, cm_line *line)
{
    const double *scale;
    double unit;
    cm_line_solution s;
    if (!cm_line_scale(n, y, weight, &scale, &unit)
        || !cm_least_squares_line(n, x, y, scale, unit, &s))
        return false;
    *line = (cm_line){.intercept = cm_line_intercept(&s),
                      .slope = cm_line_slope(&s),
                      .residual_deviation = sqrt(s.variance) / unit,
                      .r_squared = s.sst > 0 ? 1 - s.sse / s.sst : 0};
    return true;
}
