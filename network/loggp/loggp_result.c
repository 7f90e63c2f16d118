/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_result.c: metadata, a row for each size, the parameters and what they predict, the
   verdicts. */
#include <math.h>
#include "loggp.h"

const cm_metric loggp_metrics[] = {
    {"half_trip_us", "us", CM_BETTER_LOW, "half the round trip of the smallest message, median"},
    {"L_us", "us", CM_BETTER_LOW,
     "latency: what is left of it when both overheads are taken off; not told where that is "
     "not above 0"},
    {"o_send_us", "us", CM_BETTER_LOW,
     "overhead of sending, in which the processor can do nothing else"},
    {"o_receive_us", "us", CM_BETTER_LOW, "overhead of receiving a message that is there"},
    {"g_us", "us", CM_BETTER_LOW, "gap from message to message of a train"},
    {"G_ns_per_byte", "ns/B", CM_BETTER_LOW, "gap from byte to byte"},
    {"prediction_error", "1", CM_BETTER_LOW,
     "how far half the round trip is from what the parameters predict, median over the sizes"},
    {0},
};

enum { COLUMNS = CM_SAMPLE_COLUMN_COUNT + 8 };

/* ---- Metadata and rows ---------------------------------------------------------------------- */

static void write_metadata(cm_result *result, const loggp_options *options, loggp_end *end,
                           double clock_s)
{
    const cm_sampling *sampling = &options->sampling;
    cm_pair_write_place(result, &end->channel, sampling->bind);
    cm_result_meta_number(result, "train_messages", (double)options->train, "%.0f");
    cm_pair_write_sampling(result, sampling, false,
                           "a train of messages with one answer, PRTT(n, d, s)");
    cm_result_meta(
        result, "overheads",
        "send_s: (delayed train - round trip) / (n - 1) - delay; receive_s: the call, the "
        "message being there; both without a reading of the clock");
    cm_result_meta_number(result, "clock_reading_s", clock_s, "%.3g");
}

cm_result *loggp_result_open(const cm_benchmark *benchmark, int argc, char **argv, loggp_end *end,
                             double clock_s)
{
    /* As CM_SAMPLE_COLUMNS, the median by its own name. */
    static const cm_result_column columns[] = {
        {"size_bytes", "%.0f"},
        {"n", "%.0f"},
        {"min_s", "%.4e"},
        {"half_trip_s", "%.4e"},
        {"low_s", "%.4e"},
        {"high_s", "%.4e"},
        {"interval", CM_INTERVAL_FORMAT},
        {"mean_s", "%.4e"},
        {"deviation_s", "%.4e"},
        {"round_trip_s", "%.4e"},
        {"train_s", "%.4e"},
        {"delayed_s", "%.4e"},
        {"delay_s", "%.4e"},
        {"gap_s", "%.4e"},
        {"send_s", "%.4e"},
        {"receive_s", "%.4e"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    cm_result *result =
        cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
    if (!result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    write_metadata(result, benchmark->options, end, clock_s);
    return result;
}

static cm_summary half(const cm_summary *whole)
{
    cm_summary s = *whole;
    s.min /= 2, s.median /= 2, s.low /= 2, s.high /= 2, s.mean /= 2, s.deviation /= 2;
    return s;
}

void loggp_result_row(cm_result *result, const loggp_options *options, int64_t bytes,
                      const loggp_point *p, const cm_samples *trips)
{
    const cm_summary *trip = &p->time_s[LOGGP_TRIP_S];
    double delayed_s =
        p->time_s[LOGGP_DELAYED_S].median + p->delay_s * (double)(options->train - 1);
    const cm_summary half_trip = half(trip);
    double values[COLUMNS] = {(double)bytes}, *next = cm_sample_values(&half_trip, values + 1);
    *next++ = trip->median;
    *next++ = p->time_s[LOGGP_TRAIN_S].median;
    *next++ = delayed_s;
    *next++ = p->delay_s;
    *next++ = p->gap_s;
    *next++ = p->send_s;
    *next++ = p->receive_s;
    cm_result_row(result, values, trips, "s");
}

/* ---- Parameters and prediction -------------------------------------------------------------- */

typedef struct {
    cm_loggp common;
    cm_line send, receive;
} parameters;

static bool fit(const loggp_lists *lists, parameters *f)
{
    return cm_fit_loggp(lists->n, lists->bytes, lists->overhead_s, lists->gap_s, lists->trip_s,
                        &f->common)
           && cm_fit_line(lists->n, lists->following, lists->send_s, CM_FIT_RELATIVE, &f->send)
           && cm_fit_line(lists->n, lists->following, lists->receive_s, CM_FIT_RELATIVE,
                          &f->receive);
}

/* Half the round trip of bytes by the model, whose overheads are those of a byte. What they grow by
   with the size is not added: it is spent while bytes are under way. */
static double predicted_s(const parameters *f, double bytes)
{
    return f->common.L_s.value + f->send.intercept.value + f->receive.intercept.value
           + (bytes - 1) * f->common.G_s_per_byte.value;
}

static void write_fit(cm_result *result, const parameters *f)
{
    static const double errors = 2;
    const cm_loggp *c = &f->common;
    cm_result_comment(result,
                      "fit: half the round trip of s bytes = L + o_send + "
                      "o_receive + (s - 1) G, messages of a train g + (s - 1) G apart; _error: "
                      "standard error");
    cm_result_comment(result,
                      "fit: model=loggp L_us=%.6g L_us_error=%.3g g_us=%.6g "
                      "g_us_error=%.3g G_ns_per_byte=%.6g G_ns_per_byte_error=%.3g",
                      1e6 * c->L_s.value, 1e6 * c->L_s.error, 1e6 * c->g_s.value,
                      1e6 * c->g_s.error, 1e9 * c->G_s_per_byte.value, 1e9 * c->G_s_per_byte.error);
    const cm_line *lines[] = {&f->send, &f->receive};
    const char *const names[] = {"send", "receive"};
    for (int k = 0; k < 2; k++)
        cm_result_comment(result,
                          "fit: model=loggp o_%s_us=%.6g o_%s_us_error=%.3g "
                          "o_%s_ns_per_byte=%.6g o_%s_ns_per_byte_error=%.3g",
                          names[k], 1e6 * lines[k]->intercept.value, names[k],
                          1e6 * lines[k]->intercept.error, names[k], 1e9 * lines[k]->slope.value,
                          names[k], 1e9 * lines[k]->slope.error);
    if (c->L_s.value <= 0)
        cm_result_comment(result, "the processors work while the message is under way, or "
                                  "somebody else had them: half the round trip is less than both "
                                  "overheads");
    else if (c->L_s.value < errors * c->L_s.error)
        cm_result_comment(result, "L is less than %g of its standard errors from 0", errors);
}

/* A train is as dense as the network or the processor lets it be. */
static void write_bound(cm_result *result, const loggp_lists *lists)
{
    static const double much = 1.1;
    size_t bound = 0;
    for (size_t k = 0; k < lists->n; k++) bound += lists->gap_s[k] < much * lists->send_s[k];
    if (2 * bound > lists->n)
        cm_result_comment(result,
                          "g and G are the sending processor's: at %zu of %zu sizes a "
                          "train's messages are no more than %.0f %% further apart than sending "
                          "takes; those of the network are at most as large",
                          bound, lists->n, 100 * (much - 1));
}

/* Returns the median over the sizes of |predicted / measured - 1|. */
static double write_prediction(cm_result *result, const loggp_lists *lists, const parameters *f)
{
    cm_samples errors = CM_SAMPLES_EMPTY;
    cm_summary s;
    double worst_bytes = 0, worst = 0;
    for (size_t k = 0; k < lists->n; k++) {
        double error = predicted_s(f, lists->bytes[k]) / (lists->trip_s[k] / 2) - 1;
        if (!cm_samples_add(&errors, fabs(error)))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for sizes and samples");
        if (fabs(error) >= fabs(worst)) worst = error, worst_bytes = lists->bytes[k];
    }
    if (!cm_summarize(&errors, &s)) cm_abort(CM_EXIT_SYSTEM, "out of memory for sizes and samples");
    cm_samples_free(&errors);
    cm_result_comment(result,
                      "predicted half round trip: off by %.3g %% in the median of the "
                      "sizes, at worst by %+.3g %%, at %.0f bytes",
                      100 * s.median, 100 * worst, worst_bytes);
    return s.median;
}

/* No time is 0 or below. */
static void tell(cm_result *result, const char *name, double value)
{
    if (value > 0) cm_result_verdict(result, true, name, value);
    else cm_result_comment(result, "%s is not told, for it is not above 0", name);
}

static void write_metrics(cm_result *result, const loggp_lists *lists, double half_trip_s)
{
    parameters f;
    cm_result_verdict(result, true, "half_trip_us", 1e6 * half_trip_s);
    if (!fit(lists, &f)) {
        cm_result_comment(result, "fit: none, %zu sizes do not determine the parameters", lists->n);
        return;
    }
    write_fit(result, &f);
    write_bound(result, lists);
    double error = write_prediction(result, lists, &f);
    tell(result, "L_us", 1e6 * f.common.L_s.value);
    tell(result, "o_send_us", 1e6 * f.send.intercept.value);
    tell(result, "o_receive_us", 1e6 * f.receive.intercept.value);
    tell(result, "g_us", 1e6 * f.common.g_s.value);
    tell(result, "G_ns_per_byte", 1e9 * f.common.G_s_per_byte.value);
    cm_result_verdict(result, true, "prediction_error", error);
}

int loggp_result_close(cm_result *result, const cm_pair_damage *damage,
                       const cm_sample_tally *tally, const loggp_lists *lists, double half_trip_s)
{
    if (!damage->wrong_bytes) cm_sample_tell(result, tally);
    if (cm_pair_write_check(result, damage, "half_trip_us"))
        write_metrics(result, lists, half_trip_s);
    return cm_result_close(result);
}
