/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_result.c: metadata, a row for each size, and the metrics. */
#include <math.h>
#include "loggp.h"

const cm_metric loggp_metrics[] = {
    {"half_trip_us", "Half the round trip", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median"},
    {"L_us", "L: latency of the network", "us", CM_BETTER_LOW,
     "latency: half the round trip of one byte without both overheads; of messages of the first "
     "protocol, and left out if it is not above 0"},
    {"o_send_us", "o: overhead of sending", "us", CM_BETTER_LOW,
     "overhead of sending the smallest message of the fit: the processor's time in the call"},
    {"o_receive_us", "o: overhead of receiving", "us", CM_BETTER_LOW,
     "overhead of receiving the smallest message of the fit after it has arrived"},
    {"g_us", "g: gap between messages", "us", CM_BETTER_LOW,
     "the network's gap from message to message of a train, for one byte; left out if processors "
     "limit the trains"},
    {"G_ns_per_byte", "G: gap per byte", "ns/B", CM_BETTER_LOW,
     "the network's gap from byte to byte; left out if the times do not grow by more than the "
     "overheads do"},
    {"prediction_error", "Error of the model's prediction", "1", CM_BETTER_LOW,
     "difference between half the round trip and the model's, relative, median over the sizes of "
     "the first protocol"},
    {0},
};

/* ---- Metadata and rows ---------------------------------------------------------------------- */

typedef struct {
    int64_t size_bytes;
    cm_summary half_s; /* half the round trip */
    loggp_point point;
} table_row;
/* Those of CM_SUMMARY_COLUMNS, except that the median has a name of its own, and others. */
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_COLUMN(table_row, half_s.n, "n", "%.0f"),
    CM_COLUMN(table_row, half_s.min, "min_s", "%.4e"),
    CM_COLUMN(table_row, half_s.median, "half_trip_s", "%.4e"),
    CM_COLUMN(table_row, half_s.low, "low_s", "%.4e"),
    CM_COLUMN(table_row, half_s.high, "high_s", "%.4e"),
    CM_COLUMN(table_row, half_s.interval, "interval", CM_INTERVAL_FORMAT),
    CM_COLUMN(table_row, half_s.mean, "mean_s", "%.4e"),
    CM_COLUMN(table_row, half_s.deviation, "deviation_s", "%.4e"),
    CM_COLUMN(table_row, half_s.max, "max_s", "%.4e"),
    CM_SUMMARIZED_COLUMNS(table_row, half_s),
    CM_COLUMN(table_row, point.time_s[LOGGP_TRIP_S].median, "round_trip_s", "%.4e"),
    CM_COLUMN(table_row, point.time_s[LOGGP_TRAIN_S].median, "train_s", "%.4e"),
    CM_COLUMN(table_row, point.delay_s, "delay_s", "%.4e"),
    CM_COLUMN(table_row, point.gap_s, "gap_s", "%.4e"),
    CM_COLUMN(table_row, point.send_s, "send_s", "%.4e"),
    CM_COLUMN(table_row, point.receive_s, "receive_s", "%.4e"),
    CM_PAIR_DISTANCE_COLUMNS(table_row, point.first_ns, point.last_ns),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

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
        "send_s: the call, after a pause, mean of the middle half of a train's; receive_s: the "
        "call, after the message has arrived; a reading of the clock is subtracted from both");
    cm_result_meta_number(result, "clock_reading_s", clock_s, "%.3g");
}

cm_result *loggp_result_open(const cm_benchmark *benchmark, loggp_end *end, double clock_s)
{
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    write_metadata(result, benchmark->options, end, clock_s);
    return result;
}

static cm_summary half(const cm_summary *whole)
{
    cm_summary s = *whole;
    s.min /= 2, s.median /= 2, s.low /= 2, s.high /= 2, s.mean /= 2, s.deviation /= 2, s.max /= 2;
    return s;
}

void loggp_result_row(cm_result *result, int64_t bytes, const loggp_point *p,
                      const cm_samples *trips)
{
    const table_row row = {bytes, half(&p->time_s[LOGGP_TRIP_S]), *p};
    cm_result_row(result, &row, trips, "s");
}

/* ---- Metrics -------------------------------------------------------------------------------- */

/* A parameter that is not above 0 is left out; loggp_fit_write has said why. The lines that are
   fitted, of half the round trips and of the trains that the network limits, have the slope in
   common. */
static void write_parameter(cm_result *result, const loggp_lists *lists, const loggp_protocols *fit,
                            const char *name, double unit, cm_estimate estimate)
{
    size_t trains = fit->low.network, parameters = trains > 0 ? 3 : 2;
    const cm_quantity parameter =
        cm_quantity_fit(estimate, fit->split + trains, parameters, fit->split, lists->disturbed);
    if (estimate.value > 0)
        cm_result_metric(result, true, name, cm_quantity_scale(parameter, unit));
}

/* The clock's reading is subtracted from both ends as from the value. */
static void write_overhead(cm_result *result, const char *name, const cm_summary *call_s,
                           double overhead_s)
{
    const cm_quantity without_s =
        cm_quantity_shift(cm_quantity_median(call_s), overhead_s - call_s->median);
    cm_result_metric(result, true, name, cm_quantity_scale(without_s, 1e6));
}

static void write_prediction(cm_result *result, const loggp_lists *lists, const cm_summary *off)
{
    cm_result_metric(result, true, "prediction_error",
                     cm_quantity_over(off, "sizes", lists->disturbed));
}

static void write_metrics(cm_result *result, const loggp_lists *lists, const cm_summary *trip_s)
{
    loggp_protocols f;
    cm_result_metric(result, true, "half_trip_us",
                     cm_quantity_scale(cm_quantity_median(trip_s), 1e6 / 2));
    if (!loggp_fit(lists, &f)) {
        cm_result_comment(result, "fit: none, %zu sizes do not determine the parameters", lists->n);
        return;
    }
    cm_result_comment(result, "fit: half the round trip of s bytes = L + o_send + o_receive + (s - "
                              "1) G; time from message to message of a train = max(o_send, "
                              "o_receive, g + (s - 1) G); overheads as measured; _error: standard "
                              "error");
    loggp_fit_write(result, "loggp", lists, 0, f.split, &f.low);
    const cm_summary off = loggp_fit_predict(result, lists, 0, f.split, &f.low);
    if (f.split < lists->n) {
        cm_result_comment(result,
                          "fit: from %.0f bytes on the times follow another protocol, which has "
                          "parameters of its own; the RESULT lines are those of shorter messages",
                          lists->bytes[f.split]);
        loggp_fit_write(result, "loggp_long", lists, f.split, lists->n, &f.high);
        loggp_fit_predict(result, lists, f.split, lists->n, &f.high);
    }
    write_parameter(result, lists, &f, "L_us", 1e6, f.low.L_s);
    write_overhead(result, "o_send_us", &lists->call_s[LOGGP_SEND_S], lists->send_s[0]);
    write_overhead(result, "o_receive_us", &lists->call_s[LOGGP_RECEIVE_S], lists->receive_s[0]);
    write_parameter(result, lists, &f, "g_us", 1e6, f.low.g_s);
    write_parameter(result, lists, &f, "G_ns_per_byte", 1e9, f.low.G_s_per_byte);
    write_prediction(result, lists, &off);
}

int loggp_result_close(cm_result *result, const cm_pair_damage *damage,
                       const cm_sample_tally *tally, const loggp_lists *lists,
                       const cm_summary *trip_s)
{
    if (!damage->wrong_bytes) cm_sample_tell(result, tally);
    if (cm_pair_write_check(result, damage, "half_trip_us")) write_metrics(result, lists, trip_s);
    return cm_result_close(result);
}
