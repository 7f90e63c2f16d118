/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c: fits models to the medians. */
#include <math.h>
#include <stdio.h>
#include "write.h"

static const double us_per_s = 1e6, MB_per_B = 1e-6;

/* Returns the sum of squared relative residuals of points [first, last). */
static double squares(const cm_latency_bandwidth *fit, size_t first, size_t last,
                      const double *bytes, const double *time_s)
{
    double sum = 0;
    for (size_t i = first; i < last; i++) {
        double model_s = fit->latency_s.value + bytes[i] / fit->bandwidth_B_per_s.value;
        double residual = (time_s[i] - model_s) / time_s[i];
        sum += residual * residual;
    }
    return sum;
}

/* Returns Schwarz's criterion of a least-squares fit with k parameters, up to a constant; a lower
   value is a better description of the data. Residuals below a millionth of the values are rounding
   errors and are ignored. */
static double schwarz(double sum, size_t n, int k)
{
    double rounding = 1e-12 * (double)n;
    return (double)n * log(fmax(sum, rounding) / (double)n) + k * log((double)n);
}

static bool sensible(const cm_latency_bandwidth *fit)
{
    return isfinite(fit->latency_s.value) && isfinite(fit->bandwidth_B_per_s.value)
           && fit->bandwidth_B_per_s.value > 0;
}

/* Writes "eager_latency_us=104 eager_latency_us_error=...", without a constant below 0. */
static void write_parameters(cm_result *result, const char *model, const char *prefix,
                             const char *constant, const cm_latency_bandwidth *fit,
                             double first_bytes, double last_bytes)
{
    char constant_text[128] = "";
    bool meant = fit->latency_s.value >= 0;
    if (meant)
        snprintf(constant_text, sizeof constant_text, "%s%s_us=%.6g %s%s_us_error=%.3g ", prefix,
                 constant, fit->latency_s.value * us_per_s, prefix, constant,
                 fit->latency_s.error * us_per_s);
    cm_result_comment(result,
                      "fit: model=%s %s%sbandwidth_MB_per_s=%.6g %sbandwidth_MB_per_s_error=%.3g "
                      "%sfirst_bytes=%.0f %slast_bytes=%.0f",
                      model, constant_text, prefix, fit->bandwidth_B_per_s.value * MB_per_B, prefix,
                      fit->bandwidth_B_per_s.error * MB_per_B, prefix, first_bytes, prefix,
                      last_bytes);
    if (!meant)
        cm_result_comment(result,
                          "fit: %s: %s%s_us is left out: the line comes out at %.3g us for 0 bytes",
                          model, prefix, constant, fit->latency_s.value * us_per_s);
}

static const cm_pair_crossover no_crossover = {.bytes = {NAN, NAN}};

/* Returns false if it is not among the sizes that were measured. */
static bool write_crossover(cm_result *result, cm_estimate crossover, double first_bytes,
                            double last_bytes)
{
    if (crossover.value >= first_bytes && crossover.value <= last_bytes) {
        cm_result_comment(result,
                          "fit: model=two_lines crossover_bytes=%.6g crossover_bytes_error=%.3g",
                          crossover.value, crossover.error);
        return true;
    }
    cm_result_comment(result,
                      "fit: two_lines: the crossover is left out: the lines do not meet among the "
                      "sizes measured, %.0f to %.0f bytes",
                      first_bytes, last_bytes);
    return false;
}

static void write_none(cm_result *result, const char *model, const char *constant, size_t n)
{
    cm_result_comment(result, "fit: %snone, %zu sizes do not determine %s and bandwidth", model, n,
                      constant);
}

void cm_pair_write_line(cm_result *result, const char *model, const char *constant, size_t n,
                        const double *bytes, const double *median_s)
{
    cm_latency_bandwidth fit;
    if (!cm_fit_latency_bandwidth(n, bytes, median_s, CM_FIT_RELATIVE, &fit) || !sensible(&fit)) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "%s: ", model);
        write_none(result, prefix, constant, n);
        return;
    }
    write_parameters(result, model, "", constant, &fit, bytes[0], bytes[n - 1]);
}

cm_pair_crossover cm_pair_write_fits(cm_result *result, const char *constant, size_t n,
                                     const double *bytes, const double *median_s)
{
    enum { ONE_LINE_PARAMETERS = 2, TWO_LINES_PARAMETERS = 5 }; /* the split is one parameter */
    cm_latency_bandwidth one;
    if (!cm_fit_latency_bandwidth(n, bytes, median_s, CM_FIT_RELATIVE, &one) || !sensible(&one)) {
        write_none(result, "", constant, n);
        return no_crossover;
    }
    cm_result_comment(result,
                      "fit: time = %s + bytes / bandwidth, least squares of relative "
                      "residuals; _error: standard error",
                      constant);
    write_parameters(result, "one_line", "", constant, &one, bytes[0], bytes[n - 1]);

    cm_two_protocols two;
    if (!cm_fit_two_protocols(n, bytes, median_s, CM_FIT_RELATIVE, &two) || !sensible(&two.eager)
        || !sensible(&two.rendezvous))
        return no_crossover;
    double one_criterion = schwarz(squares(&one, 0, n, bytes, median_s), n, ONE_LINE_PARAMETERS);
    double two_criterion = schwarz(squares(&two.eager, 0, two.split, bytes, median_s)
                                       + squares(&two.rendezvous, two.split, n, bytes, median_s),
                                   n, TWO_LINES_PARAMETERS);
    if (!(two_criterion < one_criterion)) return no_crossover;
    write_parameters(result, "two_lines", "eager_", constant, &two.eager, bytes[0],
                     bytes[two.split - 1]);
    write_parameters(result, "two_lines", "rendezvous_", constant, &two.rendezvous,
                     bytes[two.split], bytes[n - 1]);
    cm_result_comment(result, "fit: model=two_lines split_bytes=%.0f", bytes[two.split]);
    bool among = write_crossover(result, two.crossover_bytes, bytes[0], bytes[n - 1]);
    cm_result_comment(result,
                      "fit: two lines describe the data better (Schwarz's criterion %.1f, "
                      "one line %.1f)",
                      two_criterion, one_criterion);
    if (!among) return no_crossover;
    return (cm_pair_crossover){.bytes = two.crossover_bytes,
                               .values = two.split < n - two.split ? two.split : n - two.split};
}
