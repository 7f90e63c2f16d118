/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_two_protocols.c: a line for short messages, another for long ones, and where they meet. */
#include "config.h"
#include "measure/least_squares.h"
#include <math.h>

static cm_latency_bandwidth as_protocol(const cm_line_solution *s, double unit)
{
    cm_estimate slope = cm_line_slope(s);
    double bandwidth = 1 / slope.value, error = slope.error * bandwidth * bandwidth;
    return (cm_latency_bandwidth){.latency_s = cm_line_intercept(s),
                                  .bandwidth_B_per_s = {bandwidth, error},
                                  .residual_deviation = sqrt(s->variance) / unit};
}

/* x = (a2 - a1) / (b1 - b2). To first order dx = d(line2(x) - line1(x)) / (b1 - b2), with the
   lines taken at the fixed point x; they come from different points, so that their variances
   there add. */
static cm_estimate crossover(const cm_line_solution *eager, const cm_line_solution *rendezvous)
{
    double slopes = eager->slope - rendezvous->slope;
    double x = (rendezvous->intercept - eager->intercept) / slopes;
    double variance = cm_line_variance_at(eager, x) + cm_line_variance_at(rendezvous, x);
    if (slopes == 0 || !isfinite(x)) return (cm_estimate){NAN, NAN};
    return (cm_estimate){x, sqrt(variance) / fabs(slopes)};
}

bool cm_fit_two_protocols(size_t n, const double *bytes, const double *time_s, cm_fit_weight weight,
                          cm_two_protocols *fit)
{
    const double *scale;
    double unit, least = INFINITY;
    size_t split = 0;
    cm_line_solution eager = {0}, rendezvous = {0};
    if (n < 6 || !cm_line_scale(n, time_s, weight, &scale, &unit)) return false;
    for (size_t k = 1; k < n; k++)
        if (!(bytes[k - 1] <= bytes[k])) return false;
    for (size_t k = 3; k + 3 <= n; k++) {
        cm_line_solution low, high;
        if (bytes[k - 1] == bytes[k] /* one size, two protocols: no */
            || !cm_least_squares_line(k, bytes, time_s, scale, unit, &low)
            || !cm_least_squares_line(n - k, bytes + k, time_s + k, scale ? scale + k : NULL, unit,
                                      &high)
            || !(low.slope > 0) || !(high.slope > 0) || !(low.sse + high.sse < least))
            continue;
        least = low.sse + high.sse;
        split = k;
        eager = low;
        rendezvous = high;
    }
    if (split == 0) return false;
    *fit = (cm_two_protocols){.eager = as_protocol(&eager, unit),
                              .rendezvous = as_protocol(&rendezvous, unit),
                              .split = split,
                              .crossover_bytes = crossover(&eager, &rendezvous)};
    return true;
}
