/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_result.c: metadata, a row for each size and transfer, the fits and the verdicts. */
#include <math.h>
#include "patterns.h"

const cm_metric patterns_metrics[] = {
    {"latency_us", "us", CM_BETTER_LOW,
     "what the smallest message costs, median: by ping, its time at the slower end; by ping-pong, "
     "a whole round trip; by exchange, the time in which one goes each way"},
    {"peak_MB_per_s", "MB/s", CM_BETTER_HIGH,
     "the highest throughput that a median reached, the bytes of all its messages, 10^6 B/s"},
    {0},
};

enum { COMMON = CM_SAMPLE_COLUMN_COUNT + 6, ENDS = 2 };

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

cm_result *patterns_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                                const cm_pair_mode *mode, cm_pair_channel *channel)
{
    const patterns_options *options = benchmark->options;
    static const cm_result_column columns[] = {
        {"size_bytes", "%.0f"},     {"transfer", "=word|block"}, CM_SAMPLE_COLUMNS("_s", "%.4e"),
        {"MB_per_s", "%.4g"},       {"iterations", "%.0f"},      {"paper_time_us", "%.2f"},
        {"paper_MB_per_s", "%.3f"}, {"sender_s", "%.4e"},        {"receiver_s", "%.4e"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COMMON + ENDS, "a value a column");
    cm_result *result = cm_result_open(benchmark->program, argc, argv, benchmark->files, columns,
                                       options->pattern == PATTERNS_PING ? COMMON + ENDS : COMMON);
    if (!result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    write_metadata(result, options, mode, channel);
    return result;
}

static double MB_per_s(const patterns_row *row, double time_s)
{
    return 1e-6 * row->mode->directions * (double)row->bytes / time_s;
}

static double median_of(const cm_samples *samples)
{
    cm_summary summary;
    if (!cm_summarize(samples, &summary)) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    return summary.median;
}

void patterns_result_row(cm_result *result, const patterns_options *options,
                         const patterns_row *row, const cm_pair_point *point,
                         const cm_samples *ends)
{
    const cm_summary *s = &point->summary;
    patterns_printed paper =
        patterns_paper((patterns_pattern)options->pattern, row->transfer, row->bytes);
    double values[COMMON + ENDS] = {(double)row->bytes, row->transfer};
    double *next = cm_sample_values(s, values + 2);
    *next++ = MB_per_s(row, s->median);
    *next++ = (double)point->iterations;
    *next++ = paper.time_us;
    *next++ = paper.MB_per_s;
    *next++ = median_of(&ends[CM_PAIR_LEADER]);
    *next++ = median_of(&ends[CM_PAIR_FOLLOWER]);
    cm_result_row(result, values, &point->samples, "s");
}

/* Words have loops of their own, and so a line of their own, which nobody asks for. */
static void write_metrics(cm_result *result, const patterns_row *rows, size_t n,
                          const double *median_s)
{
    size_t words = 0;
    double peak = 0, bytes[PATTERNS_MOST_ROWS];
    for (size_t k = 0; k < n; k++) {
        bytes[k] = (double)rows[k].bytes;
        words += rows[k].transfer == PATTERNS_WORD;
        peak = fmax(peak, MB_per_s(&rows[k], median_s[k]));
    }
    if (n > words)
        cm_pair_write_fits(result, "latency", n - words, bytes + words, median_s + words);
    cm_result_verdict(result, true, "latency_us", 1e6 * median_s[0]);
    cm_result_verdict(result, true, "peak_MB_per_s", peak);
}

int patterns_result_close(cm_result *result, const cm_pair_damage *damage, const patterns_row *rows,
                          size_t n, const double *median_s)
{
    if (cm_pair_write_check(result, damage, "latency_us")) write_metrics(result, rows, n, median_s);
    return cm_result_close(result);
}
