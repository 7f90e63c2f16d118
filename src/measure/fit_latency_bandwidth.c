/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_latency_bandwidth.c: t = latency + bytes / bandwidth (Hockney, Parallel Computing 20
   (1994) 389). */
#include "config.h"
#include "measure/least_squares.h"

bool cm_fit_latency_bandwidth(size_t n, const double *bytes, const double *time_s,
                              cm_fit_weight weight, cm_latency_bandwidth *fit)
{
    cm_line line;
    if (!cm_fit_line(n, bytes, time_s, weight, &line) || !(line.slope.value > 0)) return false;
    double bandwidth = 1 / line.slope.value;
    /* first order: d(1/slope) = d slope / slope^2 */
    *fit = (cm_latency_bandwidth){
        .latency_s = line.intercept,
        .bandwidth_B_per_s = {bandwidth, line.slope.error * bandwidth * bandwidth},
        .residual_deviation = line.residual_deviation};
    return true;
}
