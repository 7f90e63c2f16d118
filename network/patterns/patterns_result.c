/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_result.c: metadata, a row for each size and transfer, the fits and the metrics. */
#include <math.h>
#include "patterns.h"

const cm_metric patterns_metrics[] = {
    {"latency_us", "Cost of the smallest message", "us", CM_BETTER_LOW,
     "cost of the smallest message, median: with ping, its time at the slower end; with ping-pong, "
     "the whole round trip; with exchange, the time to send one each way"},
    {"largest_us", "Longest delay", "us", CM_BETTER_LOW,
     "the largest of all trials of messages up to 1 KiB, the mean time of a message in that trial"},
    {"bandwidth_MB_per_s", "Bandwidth", "MB/s", CM_BETTER_HIGH,
     "bytes a second that a longer block has more, all bytes of an iteration, by the line of the "
     "longest blocks; left out if no line has one"},
    {"peak_MB_per_s", "Peak throughput", "MB/s", CM_BETTER_HIGH,
     "highest throughput of a median, all bytes of an iteration"},
    {0},
};

typedef struct {
    int64_t size_bytes, iterations;
    patterns_transfer transfer;
    cm_summary time_s;
    double MB_per_s;
    patterns_printed paper;
    double first_ns, last_ns, sender_s, receiver_s;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_COLUMN(table_row, transfer, "transfer", "=word|block"),
    CM_SUMMARY_COLUMNS(table_row, time_s, "_s", "%.4e"),
    CM_COLUMN(table_row, MB_per_s, "MB_per_s", "%.4g"),
    CM_COLUMN(table_row, iterations, "iterations", "%.0f"),
    CM_COLUMN(table_row, paper.time_us, "paper_time_us", "%.2f"),
    CM_COLUMN(table_row, paper.MB_per_s, "paper_MB_per_s", "%.3f"),
    CM_PAIR_DISTANCE_COLUMNS(table_row, first_ns, last_ns),
    /* only for ping */
    CM_COLUMN(table_row, sender_s, "sender_s", "%.4e"),
    CM_COLUMN(table_row, receiver_s, "receiver_s", "%.4e"),
};
enum { COLUMNS = sizeof columns / sizeof *columns, ENDS = 2 };

static void write_metadata(cm_result *result, const patterns_options *options,
                           const cm_pair_mode *mode, cm_pair_channel *channel)
{
    cm_pair_write_place(result, channel, options->job.sampling.bind);
    cm_result_meta(result, "pattern", "%s", mode->name);
    cm_result_meta(result, "direction", "%s", mode->direction);
    cm_result_meta(result, "throughput", "%s",
                   mode->directions > 1
                       ? "2 * size / time of an iteration, as the paper counts it: both messages"
                       : "size / time of an iteration, as the paper counts it");
    cm_result_meta(result, "transfers",
                   "word: its size compiled into the loop; block: of any size");
    if (options->pattern == PATTERNS_EXCHANGE) {
        cm_result_meta_number(result, "both_send_bytes", (double)options->both_send_bytes, "%.0f");
        cm_result_meta(result, "order",
                       "both send, then both receive, as in the paper, up to %lld bytes; above, "
                       "where that would hang, both start a send, receive, and wait for it",
                       (long long)options->both_send_bytes);
    }
    cm_pair_write_sampling(result, &options->job.sampling, options->job.integrity, mode->sample);
}

cm_result *patterns_result_open(const cm_benchmark *benchmark, const cm_pair_mode *mode,
                                cm_pair_channel *channel)
{
    const patterns_options *options = benchmark->options;
    cm_result *result = cm_run_result_open(
        benchmark, columns, options->pattern == PATTERNS_PING ? COLUMNS : COLUMNS - ENDS);
    write_metadata(result, options, mode, channel);
    return result;
}

static double MB_per_s(const patterns_row *row, double time_s)
{
    return 1e-6 * row->mode->directions * (double)row->bytes / time_s;
}

static double median_of(const cm_samples *samples) { return cm_sample_summary(samples).median; }

void patterns_result_row(cm_result *result, const patterns_options *options,
                         const patterns_row *row, const cm_pair_point *point,
                         const cm_samples *ends)
{
    const table_row shown = {
        .size_bytes = row->bytes,
        .iterations = point->iterations,
        .transfer = row->transfer,
        .time_s = point->summary,
        .first_ns = point->first_ns,
        .last_ns = point->last_ns,
        .MB_per_s = MB_per_s(row, point->summary.median),
        .paper = patterns_paper((patterns_pattern)options->pattern, row->transfer, row->bytes),
        .sender_s = median_of(&ends[CM_PAIR_LEADER]),
        .receiver_s = median_of(&ends[CM_PAIR_FOLLOWER]),
    };
    cm_result_row(result, &shown, &point->samples, "s");
}

/* Words have loops of their own and would need a fit of their own; only blocks are fitted. */
static void write_metrics(cm_result *result, const patterns_row *rows, size_t n,
                          const cm_summary *s)
{
    size_t words = 0, fastest = 0;
    double largest_s = 0;
    cm_disturbed disturbed = CM_DISTURBED_NO;
    cm_protocol_row blocks[PATTERNS_MOST_ROWS];
    cm_protocols fit;
    for (size_t k = 0; k < n; k++) {
        blocks[k] = cm_pair_fit_row((double)rows[k].bytes, &s[k]);
        words += rows[k].transfer == PATTERNS_WORD;
        disturbed = cm_disturbed_either(disturbed, cm_disturbed_summary(&s[k]));
        if (MB_per_s(&rows[k], s[k].median) > MB_per_s(&rows[fastest], s[fastest].median))
            fastest = k;
        if (k == 0 || rows[k].bytes <= CM_PAIR_SHORT_BYTES)
            largest_s = fmax(largest_s, s[k].largest);
    }
    const bool fits =
        n > words && cm_pair_write_fits(result, "latency", n - words, blocks + words, &fit);
    cm_result_metric(result, true, "latency_us", cm_quantity_scale(cm_quantity_median(&s[0]), 1e6));
    cm_result_metric(result, true, "largest_us", cm_quantity_of(1e6 * largest_s));
    if (fits)
        cm_pair_write_fitted(result, "bandwidth_MB_per_s",
                             &cm_protocols_last(&fit)->bandwidth_B_per_s,
                             1e-6 * rows[words].mode->directions, n - words, disturbed);
    cm_result_metric(
        result, true, "peak_MB_per_s",
        cm_quantity_invert(cm_quantity_median(&s[fastest]), MB_per_s(&rows[fastest], 1)));
}

int patterns_result_close(cm_result *result, const cm_pair_damage *damage, const patterns_row *rows,
                          size_t n, const cm_summary *s)
{
    if (cm_pair_write_check(result, damage, "latency_us")) write_metrics(result, rows, n, s);
    return cm_result_close(result);
}
