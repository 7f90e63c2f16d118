/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_fit.c: the parameters of one protocol or of two, and what they predict. */
#include <math.h>
#include "loggp.h"

/* ---- One protocol or two -------------------------------------------------------------------- */

static bool fit_sizes(const loggp_lists *l, size_t first, size_t last, cm_loggp *fit)
{
    return cm_fit_loggp(last - first, l->bytes + first, l->send_s + first, l->receive_s + first,
                        l->gap_s + first, l->trip_s + first, fit);
}

/* Another protocol has other parameters: above the eager limit a sender waits for its receiver
   (LogGPS: Ino, Fujimoto, Hagihara, PPoPP 2001). */
bool loggp_fit(const loggp_lists *l, loggp_protocols *fit)
{
    fit->split = cm_loggp_split(l->n, l->bytes, l->send_s, l->receive_s, l->gap_s, l->trip_s);
    return fit_sizes(l, 0, fit->split, &fit->low)
           && (fit->split == l->n || fit_sizes(l, fit->split, l->n, &fit->high));
}

/* ---- What the result says of it ------------------------------------------------------------- */

/* "fit: model=loggp L_us=4.99 L_us_error=0.02", or why it is left out. */
static void write_parameter(cm_result *result, const char *model, const char *name,
                            const char *unit, double units, cm_estimate estimate, const char *why)
{
    static const double errors = 2;
    double value = units * estimate.value, error = units * estimate.error;
    if (!(value > 0)) {
        cm_result_comment(result, "%s: %s is left out: it comes out at %.3g %s; %s", model, name,
                          value, unit, why);
        return;
    }
    cm_result_comment(result, "fit: model=%s %s=%.6g %s_error=%.3g", model, name, value, name,
                      error);
    if (value < errors * error)
        cm_result_comment(result, "%s: %s is less than %g of its standard errors above 0", model,
                          name, errors);
}

void loggp_fit_write(cm_result *result, const char *model, const loggp_lists *lists, size_t first,
                     size_t last, const cm_loggp *fit)
{
    cm_result_comment(result, "fit: model=%s first_bytes=%.0f last_bytes=%.0f", model,
                      lists->bytes[first], lists->bytes[last - 1]);
    write_parameter(result, model, "L_us", "us", 1e6, fit->L_s,
                    "half the round trip is shorter than both overheads, because the processors "
                    "carry the message or wait for it");
    if (fit->network > 0) {
        cm_result_comment(result, "%s: the network limits the trains at %zu of %zu sizes", model,
                          fit->network, last - first);
        write_parameter(result, model, "g_us", "us", 1e6, fit->g_s,
                        "the trains of the shortest messages do not show it");
    } else {
        cm_result_comment(result,
                          "%s: g_us is left out: sending or receiving limits the trains at all %zu "
                          "sizes; the network is at least as fast",
                          model, last - first);
    }
    write_parameter(result, model, "G_ns_per_byte", "ns/B", 1e9, fit->G_s_per_byte,
                    "the times do not grow by more than the overheads do");
}

/* ---- Prediction ----------------------------------------------------------------------------- */

cm_summary loggp_fit_predict(cm_result *result, const loggp_lists *lists, size_t first, size_t last,
                             const cm_loggp *fit)
{
    cm_samples trips = CM_SAMPLES_EMPTY, gaps = CM_SAMPLES_EMPTY;
    double worst_bytes = 0, worst = 0;
    for (size_t k = first; k < last; k++) {
        double bytes = lists->bytes[k], send_s = lists->send_s[k], receive_s = lists->receive_s[k];
        double trip =
            2 * cm_loggp_half_trip_s(fit, bytes, send_s, receive_s) / lists->trip_s[k] - 1;
        double gap = cm_loggp_gap_s(fit, bytes, send_s, receive_s) / lists->gap_s[k] - 1;
        if (!cm_samples_add(&trips, fabs(trip)) || !cm_samples_add(&gaps, fabs(gap)))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for sizes and samples");
        if (fabs(trip) >= fabs(worst)) worst = trip, worst_bytes = bytes;
    }
    cm_summary off = cm_sample_summary(&trips);
    double gap = cm_sample_summary(&gaps).median;
    cm_samples_free(&trips);
    cm_samples_free(&gaps);
    cm_result_comment(result,
                      "predicted half round trip of %.0f to %.0f bytes: off by %.3g %% in the "
                      "median of the sizes, at worst by %+.3g %%, at %.0f bytes; trains: by %.3g "
                      "%% in the median",
                      lists->bytes[first], lists->bytes[last - 1], 100 * off.median, 100 * worst,
                      worst_bytes, 100 * gap);
    return off;
}
