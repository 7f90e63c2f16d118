/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_result.c: metadata, a row for each size, the lines of short and of long messages, and
   the metrics. */
#include <math.h>
#include <stdlib.h>
#include "bisection.h"

const cm_metric bisection_metrics[] = {
    {"latency_us", "Latency, all pairs at once", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, average over the pairs, median"},
    {"bandwidth_MB_per_s", "Bandwidth of a pair, all at once", "MB/s", CM_BETTER_HIGH,
     "bandwidth of a pair, average over the pairs: slope of the line fitted to the longest "
     "messages; times the number of pairs it is the bandwidth across the bisection"},
    {"crossover_bytes", "Size where the protocols meet", "B", CM_BETTER_NEITHER,
     "size at which the lines of the two protocols meet; left out if its interval is not among the "
     "sizes measured"},
    {"effective_MB_per_s", "Effective bisection bandwidth", "MB/s", CM_BETTER_HIGH,
     "effective bisection bandwidth: throughput of a pair, average over the pairs and over random "
     "pairings"},
    {"effective_median_MB_per_s", "Median pairing", "MB/s", CM_BETTER_HIGH,
     "median over the random pairings of the pairs' average throughput"},
    {"effective_least_MB_per_s", "Slowest pairing", "MB/s", CM_BETTER_HIGH,
     "least over the random pairings of the pairs' average throughput"},
    {"effective_greatest_MB_per_s", "Fastest pairing", "MB/s", CM_BETTER_HIGH,
     "greatest over the random pairings of the pairs' average throughput"},
    {0},
};

const cm_labels bisection_labels[] = {
    {"effective_MB_per_s", "effective pairing=mean"},
    {"effective_*_MB_per_s", "effective pairing=*"},
    {0},
};

typedef struct {
    int64_t size_bytes, round_trips, pairing;
    cm_summary time_s;
    double MB_per_s, aggregate_MB_per_s;
    cm_pairs_spread pairs;
    double spread, first_ns, last_ns;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, time_s, "_s", "%.4e"),
    CM_COLUMN(table_row, MB_per_s, "MB_per_s", "%.4g"),
    CM_COLUMN(table_row, aggregate_MB_per_s, "aggregate_MB_per_s", "%.4g"),
    CM_COLUMN(table_row, round_trips, "round_trips", "%.0f"),
    CM_COLUMN(table_row, pairs.slowest, "slowest_pair", "%.0f"),
    CM_COLUMN(table_row, pairs.slowest_s, "slowest_pair_s", "%.4e"),
    CM_COLUMN(table_row, pairs.fastest_s, "fastest_pair_s", "%.4e"),
    CM_COLUMN(table_row, spread, "spread", "%.4g"),
    CM_COLUMN(table_row, pairing, "pairing", "%.0f"),
    CM_PAIR_DISTANCE_COLUMNS(table_row, first_ns, last_ns),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void write_metadata(cm_result *result, const bisection_options *options,
                           cm_pair_channel *channel)
{
    const cm_pair_job *job = &options->job;
    int pairs = channel->pairs->ranks / 2;
    cm_pair_write_place(result, channel, job->sampling.bind);
    cm_result_meta_number(result, "pairs", pairs, "%.0f");
    if (options->random) {
        cm_result_meta(result, "pairing", "drawn, %lld times", (long long)options->pairings);
        cm_result_meta_number(result, "seed", (double)options->seed, "%.0f");
    } else
        cm_result_meta(result, "pairing", "ranks 0 to %d with ranks %d to %d", pairs - 1, pairs,
                       2 * pairs - 1);
    cm_pair_write_sampling(
        result, &job->sampling, job->integrity,
        "a trial: time of its round trips / (2 * round_trips), averaged over the pairs");
    cm_result_meta(result, "throughput",
                   options->random ? "MB_per_s: average of the pairs' own; aggregate_MB_per_s: of "
                                     "all pairs together"
                                   : "MB_per_s: of a pair; aggregate_MB_per_s: of all pairs "
                                     "together");
    if (!options->random)
        cm_result_meta_number(result, "split_bytes", (double)options->split_bytes, "%.0f");
}

cm_result *bisection_result_open(const cm_benchmark *benchmark, cm_pair_channel *channel)
{
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    write_metadata(result, benchmark->options, channel);
    return result;
}

void bisection_result_row(cm_result *result, const cm_pairs *pairs, const cm_pair_point *point,
                          int64_t pairing, double MB_per_s)
{
    table_row row = {.size_bytes = point->bytes,
                     .round_trips = point->iterations,
                     .pairing = pairing,
                     .time_s = point->summary,
                     .first_ns = point->first_ns,
                     .last_ns = point->last_ns,
                     .MB_per_s = MB_per_s,
                     .aggregate_MB_per_s = pairs->ranks / 2 * MB_per_s};
    if (!cm_pairs_compare(pairs, &row.pairs)) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    row.spread = row.pairs.slowest_s / row.pairs.fastest_s;
    cm_result_row(result, &row, &point->samples, "s");
}

/* The bandwidth if no line determines it. */
static void write_largest(cm_result *result, double bytes, const cm_summary *time_s)
{
    cm_result_comment(result, "bandwidth: that of %.0f bytes; the sizes determine no line", bytes);
    cm_result_metric(result, true, "bandwidth_MB_per_s",
                     cm_quantity_invert(cm_quantity_median(time_s), 1e-6 * bytes));
}

static void write_metrics(cm_result *result, const bisection_options *options, size_t n,
                          const double *bytes, const cm_summary *time_s)
{
    size_t shorts = 0;
    cm_disturbed disturbed = CM_DISTURBED_NO;
    cm_protocols fit;
    cm_protocol_row *rows = calloc(n, sizeof *rows);
    if (!rows) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu sizes", n);
    for (size_t k = 0; k < n; k++) {
        rows[k] = cm_pair_fit_row(bytes[k], &time_s[k]);
        shorts += bytes[k] <= (double)options->split_bytes;
        disturbed = cm_disturbed_either(disturbed, cm_disturbed_summary(&time_s[k]));
    }
    if (shorts > 0) cm_pair_write_line(result, "short", "latency", shorts, rows);
    if (shorts < n) cm_pair_write_line(result, "long", "latency", n - shorts, rows + shorts);
    const bool fits = cm_pair_write_fits(result, "latency", n, rows, &fit);
    cm_result_metric(result, true, "latency_us",
                     cm_quantity_scale(cm_quantity_median(&time_s[0]), 1e6));
    if (!fits
        || !cm_pair_write_fitted(result, "bandwidth_MB_per_s",
                                 &cm_protocols_last(&fit)->bandwidth_B_per_s, 1e-6, n, disturbed))
        write_largest(result, bytes[n - 1], &time_s[n - 1]);
    /* One protocol has no crossover, which is not a failure. */
    if (fits && fit.change && !isnan(fit.crossover_bytes.value))
        cm_pair_write_fitted(result, "crossover_bytes", &fit.crossover_bytes, 1, n, disturbed);
    else cm_result_comment(result, "no crossover: there is none among the sizes measured");
    free(rows);
}

int bisection_result_close(cm_result *result, const bisection_options *options,
                           const cm_pair_damage *damage, size_t n, const double *bytes,
                           const cm_summary *time_s)
{
    if (cm_pair_write_check(result, damage, "latency_us"))
        write_metrics(result, options, n, bytes, time_s);
    return cm_result_close(result);
}
