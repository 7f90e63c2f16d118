/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_result.c: metadata, a row for each size, the lines of short and long messages, the
   verdicts. */
#include <math.h>
#include "bisection.h"

const cm_metric bisection_metrics[] = {
    {"latency_us", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, average over the pairs, median"},
    {"bandwidth_MB_per_s", "MB/s", CM_BETTER_HIGH, "the highest throughput of a pair, 10^6 B/s"},
    {"crossover_bytes", "B", CM_BETTER_NEITHER, "where the lines of short and long messages meet"},
    {0},
};

enum { COLUMNS = CM_SAMPLE_COLUMN_COUNT + 8 };

static void write_metadata(cm_result *result, const bisection_options *options,
                           cm_pair_channel *channel)
{
    const cm_pair_job *job = &options->job;
    int pairs = channel->pairs->ranks / 2;
    cm_pair_write_place(result, channel, job->sampling.bind);
    cm_result_meta_number(result, "pairs", pairs, "%.0f");
    cm_result_meta(result, "pairing", "ranks 0 to %d with ranks %d to %d", pairs - 1, pairs,
                   2 * pairs - 1);
    cm_pair_write_sampling(
        result, &job->sampling, job->integrity,
        "a trial: time of its round trips / (2 * round_trips), averaged over the pairs");
    cm_result_meta(result, "throughput", "of a pair in that time, and of all pairs together");
    cm_result_meta_number(result, "split_bytes", (double)options->split_bytes, "%.0f");
}

cm_result *bisection_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                                 cm_pair_channel *channel)
{
    static const cm_result_column columns[] = {
        {"size_bytes", "%.0f"},         CM_SAMPLE_COLUMNS("_s", "%.4e"), {"MB_per_s", "%.4g"},
        {"aggregate_MB_per_s", "%.4g"}, {"round_trips", "%.0f"},         {"slowest_pair", "%.0f"},
        {"slowest_pair_s", "%.4e"},     {"fastest_pair_s", "%.4e"},      {"spread", "%.4g"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    cm_result *result =
        cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
    if (!result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    write_metadata(result, benchmark->options, channel);
    return result;
}

void bisection_result_row(cm_result *result, const cm_pairs *pairs, const cm_pair_point *point)
{
    const cm_summary *s = &point->summary;
    cm_pairs_spread spread;
    if (!cm_pairs_compare(pairs, &spread)) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    double MB_per_s = 1e-6 * (double)point->bytes / s->median;
    double values[COLUMNS] = {(double)point->bytes}, *next = cm_sample_values(s, values + 1);
    *next++ = MB_per_s;
    *next++ = pairs->ranks / 2 * MB_per_s;
    *next++ = (double)point->iterations;
    *next++ = spread.slowest;
    *next++ = spread.slowest_s;
    *next++ = spread.fastest_s;
    *next++ = spread.slowest_s / spread.fastest_s;
    cm_result_row(result, values, &point->samples, "s");
}

static void write_metrics(cm_result *result, const bisection_options *options, size_t n,
                          const double *bytes, const double *median_s)
{
    size_t shorts = 0;
    double peak = 0;
    for (size_t k = 0; k < n; k++) {
        shorts += bytes[k] <= (double)options->split_bytes;
        peak = fmax(peak, 1e-6 * bytes[k] / median_s[k]);
    }
    if (shorts > 0) cm_pair_write_line(result, "short", "latency", shorts, bytes, median_s);
    if (shorts < n)
        cm_pair_write_line(result, "long", "latency", n - shorts, bytes + shorts,
                           median_s + shorts);
    double crossover = cm_pair_write_fits(result, "latency", n, bytes, median_s);
    cm_result_verdict(result, true, "latency_us", 1e6 * median_s[0]);
    cm_result_verdict(result, true, "bandwidth_MB_per_s", peak);
    /* One protocol has none, and that is no failure. */
    if (!isnan(crossover)) cm_result_verdict(result, true, "crossover_bytes", crossover);
    else cm_result_comment(result, "no crossover: two lines do not describe the data better");
}

int bisection_result_close(cm_result *result, const bisection_options *options,
                           const cm_pair_damage *damage, size_t n, const double *bytes,
                           const double *median_s)
{
    if (cm_pair_write_check(result, damage, "latency_us"))
        write_metrics(result, options, n, bytes, median_s);
    return cm_result_close(result);
}
