/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c: fits models to the rows and writes the parameters into the result. */
#include <math.h>
#include <stdio.h>
#include "write.h"

static const double us_per_s = 1e6, MB_per_B = 1e-6;

cm_protocol_row cm_pair_fit_row(double bytes, const cm_summary *time_s)
{
    return (cm_protocol_row){.bytes = bytes,
                             .time_s = time_s->median,
                             .low_s = time_s->low,
                             .high_s = time_s->high,
                             .n = time_s->counted};
}

/* ---- Comments -------------------------------------------------------------------------------- */

/* Text such as "latency_us=104 latency_us_error=0.2 latency_us_low=103.6 latency_us_high=104.4". */
typedef struct {
    char text[512];
} words;

static words parameter(const char *prefix, const char *name, const cm_bounded *of, double factor)
{
    words w;
    snprintf(w.text, sizeof w.text, "%s%s=%.6g %s%s_error=%.3g %s%s_low=%.6g %s%s_high=%.6g",
             prefix, name, of->value * factor, prefix, name, of->error * factor, prefix, name,
             of->low * factor, prefix, name, of->high * factor);
    return w;
}

/* Writes one line of a model. A constant below 0 is left out. */
static void write_line(cm_result *result, const char *model, const char *prefix,
                       const char *constant, const cm_protocol *line)
{
    char name[64];
    snprintf(name, sizeof name, "%s_us", constant);
    const words first = parameter(prefix, name, &line->latency_s, us_per_s);
    const words bandwidth =
        parameter(prefix, "bandwidth_MB_per_s", &line->bandwidth_B_per_s, MB_per_B);
    const bool meant = line->latency_s.value >= 0;
    cm_result_comment(result, "fit: model=%s %s%s%s %sfirst_bytes=%.0f %slast_bytes=%.0f", model,
                      meant ? first.text : "", meant ? " " : "", bandwidth.text, prefix,
                      line->first_bytes, prefix, line->last_bytes);
    if (!meant)
        cm_result_comment(result,
                          "fit: %s: %s%s is left out: the line comes out at %.3g us for 0 bytes",
                          model, prefix, name, line->latency_s.value * us_per_s);
}

static void write_left_out(cm_result *result, size_t n, const cm_protocol_row *rows)
{
    for (size_t k = 0; k < n; k++)
        if (rows[k].use != CM_ROW_USED)
            cm_result_comment(result, "fit: the row of %.0f bytes, %.4g us, is left out: %s",
                              rows[k].bytes, rows[k].time_s * us_per_s,
                              rows[k].use == CM_ROW_OUTLIER
                                  ? "it is far from the line of the others"
                                  : "a time is above 0");
}

static void write_none(cm_result *result, const char *model, const char *constant, size_t n)
{
    cm_result_comment(result, "fit: %snone, %zu sizes do not determine %s and bandwidth", model, n,
                      constant);
}

static void write_crossover(cm_result *result, const cm_bounded *crossover, double first_bytes,
                            double last_bytes)
{
    if (isnan(crossover->value)) {
        cm_result_comment(result,
                          "fit: two_lines: the crossover is left out: its interval is not within "
                          "the sizes measured, %.0f to %.0f bytes",
                          first_bytes, last_bytes);
        return;
    }
    const words w = parameter("", "crossover_bytes", crossover, 1);
    cm_result_comment(result, "fit: model=two_lines %s", w.text);
}

/* ---- Fits ------------------------------------------------------------------------------------ */

void cm_pair_write_line(cm_result *result, const char *model, const char *constant, size_t n,
                        cm_protocol_row *rows)
{
    cm_protocol line;
    if (cm_fit_protocol(n, rows, &line)) {
        write_left_out(result, n, rows);
        write_line(result, model, "", constant, &line);
        return;
    }
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s: ", model);
    write_none(result, prefix, constant, n);
}

bool cm_pair_write_fits(cm_result *result, const char *constant, size_t n, cm_protocol_row *rows,
                        cm_protocols *fit)
{
    const bool fits = cm_fit_protocols(n, rows, fit);
    write_left_out(result, n, rows);
    if (!fits) {
        write_none(result, "", constant, n);
        return false;
    }
    cm_result_comment(result,
                      "fit: time = %s + bytes / bandwidth, least squares, weighted by the noise of "
                      "the rows; _error: standard error; _low, _high: 95%% interval",
                      constant);
    write_line(result, "one_line", "", constant, &fit->one);
    if (!fit->change) return true;
    write_line(result, "two_lines", "eager_", constant, &fit->eager);
    write_line(result, "two_lines", "rendezvous_", constant, &fit->rendezvous);
    cm_result_comment(result, "fit: model=two_lines split_bytes=%.0f", fit->split_bytes);
    write_crossover(result, &fit->crossover_bytes, rows[0].bytes, rows[n - 1].bytes);
    cm_result_comment(result,
                      "fit: two lines, not one: one protocol would look so with a probability of "
                      "at most %.2g, all sizes searched",
                      fit->chance);
    return true;
}

bool cm_pair_write_fitted(cm_result *result, const char *metric, const cm_bounded *value,
                          double factor, size_t sizes, cm_disturbed disturbed)
{
    const cm_quantity fitted = cm_quantity_bounded(value, sizes, disturbed);
    if (!cm_quantity_has_interval(&fitted)) return false;
    cm_result_metric(result, true, metric, cm_quantity_scale(fitted, factor));
    return true;
}
