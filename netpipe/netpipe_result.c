/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_result.c: metadata, a row for each size and sweep, the fits and the metrics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "netpipe.h"

const cm_metric netpipe_metrics[] = {
    {"latency_us", "Latency", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median"},
    {"slowest_latency_us", "Latency of the slowest pair", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median, of the slowest of all pairs"},
    {"gap_us", "Time per message, one way", "us", CM_BETTER_LOW,
     "time per message of the smallest size, sent one way, back to back, median"},
    {"slowest_gap_us", "Time per message, slowest pair", "us", CM_BETTER_LOW,
     "time per message of the smallest size, sent one way, median, of the slowest of all pairs"},
    {"exchange_us", "Time of an exchange", "us", CM_BETTER_LOW,
     "time to send a message of the smallest size each way, median"},
    {"slowest_exchange_us", "Time of an exchange, slowest pair", "us", CM_BETTER_LOW,
     "time to send a message of the smallest size each way, median, of the slowest of "
     "all pairs"},
    {"largest_us", "Longest delay", "us", CM_BETTER_LOW,
     "the largest of all samples of messages up to 1 KiB: a trial's mean or, with --round-trips, a "
     "single round trip"},
    {"bandwidth_Mbit_per_s", "Bandwidth", "Mbit/s", CM_BETTER_HIGH,
     "asymptotic bandwidth: slope of the line fitted to the longest messages; left out if no line "
     "could be fitted"},
    {"both_bandwidth_Mbit_per_s", "Bandwidth, both ways", "Mbit/s", CM_BETTER_HIGH,
     "the same, bytes of both directions together"},
    {"aggregate_bandwidth_Mbit_per_s", "Bandwidth, all pairs", "Mbit/s", CM_BETTER_HIGH,
     "the same, all pairs together, in one direction"},
    {"aggregate_both_bandwidth_Mbit_per_s", "Bandwidth, all pairs both ways", "Mbit/s",
     CM_BETTER_HIGH, "the same, all pairs together, bytes of both directions"},
    {"peak_Mbit_per_s", "Peak throughput", "Mbit/s", CM_BETTER_HIGH,
     "highest throughput of a median, in one direction, over all network cards together"},
    {"both_peak_Mbit_per_s", "Peak throughput, both ways", "Mbit/s", CM_BETTER_HIGH,
     "highest throughput of a median, bytes of both directions together"},
    {"aggregate_peak_Mbit_per_s", "Peak throughput, all pairs", "Mbit/s", CM_BETTER_HIGH,
     "highest throughput of a median, all pairs together, in one direction"},
    {"aggregate_both_peak_Mbit_per_s", "Peak throughput, all pairs both ways", "Mbit/s",
     CM_BETTER_HIGH,
     "highest throughput of a median, all pairs together, bytes of both "
     "directions"},
    {"message_rate_per_s", "Message rate", "1/s", CM_BETTER_HIGH,
     "messages of the smallest size with --window in flight, all directions and pairs together"},
    {"overlap", "Communication hidden by computing", "1", CM_BETTER_HIGH,
     "part of the exchange's time that computing hides at the largest size; 1: all of it"},
    {"progress_overlap", "The same, with calls of the library", "1", CM_BETTER_HIGH,
     "part of the exchange's time that computing hides if it calls the library now and then"},
    {"distances", "Distances measured", "1", CM_BETTER_NEITHER,
     "how many of the four distances between two processors some host has"},
    {"same_core_latency_us", "Latency between threads of a core", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median, on the slowest host"},
    {"same_core_throughput_Mbit_per_s", "Throughput between threads of a core", "Mbit/s",
     CM_BETTER_HIGH, "throughput of the largest message, median, on the slowest host"},
    {"same_l3_latency_us", "Latency between cores with one L3 cache", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median, on the slowest host"},
    {"same_l3_throughput_Mbit_per_s", "Throughput between cores with one L3 cache", "Mbit/s",
     CM_BETTER_HIGH, "throughput of the largest message, median, on the slowest host"},
    {"same_socket_latency_us", "Latency between L3 caches of a socket", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median, on the slowest host"},
    {"same_socket_throughput_Mbit_per_s", "Throughput between L3 caches of a socket", "Mbit/s",
     CM_BETTER_HIGH, "throughput of the largest message, median, on the slowest host"},
    {"other_socket_latency_us", "Latency between sockets", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median, on the slowest host"},
    {"other_socket_throughput_Mbit_per_s", "Throughput between sockets", "Mbit/s", CM_BETTER_HIGH,
     "throughput of the largest message, median, on the slowest host"},
    {0},
};

const cm_labels netpipe_labels[] = {
    {"same_core_latency_us", "distance_latency distance=same-core"},
    {"same_core_throughput_Mbit_per_s", "distance_throughput distance=same-core"},
    {"same_l3_latency_us", "distance_latency distance=same-l3"},
    {"same_l3_throughput_Mbit_per_s", "distance_throughput distance=same-l3"},
    {"same_socket_latency_us", "distance_latency distance=same-socket"},
    {"same_socket_throughput_Mbit_per_s", "distance_throughput distance=same-socket"},
    {"other_socket_latency_us", "distance_latency distance=other-socket"},
    {"other_socket_throughput_Mbit_per_s", "distance_throughput distance=other-socket"},
    {"latency_us", "latency pairs=one"},
    {"slowest_latency_us", "latency pairs=slowest"},
    {"gap_us", "gap pairs=one"},
    {"slowest_gap_us", "gap pairs=slowest"},
    {"exchange_us", "exchange pairs=one"},
    {"slowest_exchange_us", "exchange pairs=slowest"},
    {"bandwidth_Mbit_per_s", "bandwidth way=one pairs=one"},
    {"both_bandwidth_Mbit_per_s", "bandwidth way=both pairs=one"},
    {"aggregate_bandwidth_Mbit_per_s", "bandwidth way=one pairs=all"},
    {"aggregate_both_bandwidth_Mbit_per_s", "bandwidth way=both pairs=all"},
    {"peak_Mbit_per_s", "peak way=one pairs=one"},
    {"both_peak_Mbit_per_s", "peak way=both pairs=one"},
    {"aggregate_peak_Mbit_per_s", "peak way=one pairs=all"},
    {"aggregate_both_peak_Mbit_per_s", "peak way=both pairs=all"},
    {"overlap", "overlap progress=no"},
    {"progress_overlap", "overlap progress=yes"},
    {0},
};

typedef struct {
    int64_t size_bytes, iterations, sweep;
    cm_summary time_s;
    double Mbit_per_s;
    double percentile_s[NETPIPE_PERCENTILES];
    cm_pairs_spread pairs;
    netpipe_overlapped overlapped;
    double first_ns, last_ns; /* distance of the pair */
    double user_us, system_us, ns_per_byte, cpu_share;
} table_row;

/* All modes have the common columns and those of the cost. Single turns add percentiles; many pairs
   add the slowest and the fastest pair; overlap adds the computing and what it hides. */
static const cm_result_column of_common[] = {
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, time_s, "_s", "%.4e"),
    CM_COLUMN(table_row, Mbit_per_s, "throughput_Mbit_per_s", "%.3f"),
};
static const cm_result_column of_distance[] = {
    CM_PAIR_DISTANCE_COLUMNS(table_row, first_ns, last_ns),
};
static const cm_result_column of_turns[] = {
    CM_COLUMN(table_row, percentile_s[0], "p90_s", "%.4e"),
    CM_COLUMN(table_row, percentile_s[1], "p95_s", "%.4e"),
    CM_COLUMN(table_row, percentile_s[2], "p99_s", "%.4e"),
    CM_COLUMN(table_row, percentile_s[3], "p99_9_s", "%.4e"),
    CM_COLUMN(table_row, percentile_s[4], "p99_99_s", "%.4e"),
};
static const cm_result_column of_pairs[] = {
    CM_COLUMN(table_row, pairs.slowest, "slowest_pair", "%.0f"),
    CM_COLUMN(table_row, pairs.slowest_s, "slowest_pair_s", "%.4e"),
    CM_COLUMN(table_row, pairs.fastest_s, "fastest_pair_s", "%.4e"),
};
#define OF_WAY(k, prefix)                                                                  \
    CM_COLUMN(table_row, overlapped.way[k].total_s, prefix "total_s", "%.4e"),             \
        CM_COLUMN(table_row, overlapped.way[k].overlap.value, prefix "overlap", "%.4f"),   \
        CM_COLUMN(table_row, overlapped.way[k].overlap.low, prefix "overlap_low", "%.4f"), \
        CM_COLUMN(table_row, overlapped.way[k].overlap.high, prefix "overlap_high", "%.4f")
static const cm_result_column of_overlap[] = {
    CM_COLUMN(table_row, overlapped.compute_s, "compute_s", "%.4e"),
    OF_WAY(NETPIPE_SILENT, ""),
    OF_WAY(NETPIPE_PROGRESS, "progress_"),
};
static const cm_result_column of_cost[] = {
    CM_COLUMN(table_row, user_us, "cpu_user_us", "%.4g"),
    CM_COLUMN(table_row, system_us, "cpu_system_us", "%.4g"),
    CM_COLUMN(table_row, ns_per_byte, "cpu_ns_per_byte", "%.4g"),
    CM_COLUMN(table_row, cpu_share, "cpu_share", "%.3f"),
};
enum {
    COMMON = sizeof of_common / sizeof *of_common,
    DISTANCE = sizeof of_distance / sizeof *of_distance,
    TURNS = sizeof of_turns / sizeof *of_turns,
    PAIRS = sizeof of_pairs / sizeof *of_pairs,
    OVERLAP = sizeof of_overlap / sizeof *of_overlap,
    COST = sizeof of_cost / sizeof *of_cost
};

/* ---- Metadata ------------------------------------------------------------------------------- */

static void write_mode(cm_result *result, const netpipe_options *options)
{
    const cm_pair_mode *mode = options->mode;
    cm_result_meta(result, "mode", "%s", mode->name);
    cm_result_meta(result, "direction", "%s", mode->direction);
    cm_result_meta(result, "throughput", "%s%s",
                   mode->directions > 1 ? "counts both directions' bytes"
                                        : "counts one direction's bytes",
                   options->pairs ? ", of all pairs together" : "");
    cm_result_meta(result, "receives", "%s", mode->early ? "posted early" : "posted when needed");
    if (options->window) {
        cm_result_meta_number(result, "window", (double)options->window, "%.0f");
        cm_result_meta(result, "window_buffers", "%s",
                       options->window_buffers == NETPIPE_SHARED
                           ? "one: all messages of a window share them, as in osu_bw"
                           : "each: every message of a window has its own, unlike in osu_bw");
    }
    if (options->overlap)
        cm_result_meta(
            result, "overlap",
            "1 - (total_s - compute_s) / time of the exchange; a trial takes "
            "the three in turn; both ranks compute as long as an exchange takes; progress_: "
            "with calls of cm_progress some 10 us apart");
    if (options->pairs)
        cm_result_meta_number(result, "pairs", (double)(cm_size(cm_world()) / 2), "%.0f");
}

static void write_cpu_time(cm_result *result, const cm_pair_channel *channel)
{
    if (channel->costs)
        cm_result_meta(result, "cpu_time",
                       "cpu_: of the sending and the receiving rank together, a message (getrusage "
                       "around trials); cpu_share: CPU time of the ranks / their time; 1: a rank "
                       "that waits spins, and uses all of its core");
}

static void write_buffers(cm_result *result, const netpipe_options *options,
                          const cm_pair_channel *channel)
{
    const cm_pair_buffers *buffers = &channel->buffers;
    cm_result_meta(result, "buffers", "%s", cm_pair_policies[options->policy]);
    cm_result_meta(result, "memory", "%s", cm_pair_memories[options->memory]);
    cm_result_meta_number(result, "buffer_memory_bytes", (double)buffers->memory_bytes, "%.0f");
    cm_result_meta_number(result, "send_offset_bytes", (double)buffers->layout.send_offset, "%.0f");
    cm_result_meta_number(result, "receive_offset_bytes", (double)buffers->layout.receive_offset,
                          "%.0f");
}

static void write_sampling(cm_result *result, const netpipe_options *options)
{
    char sample[256];
    snprintf(sample, sizeof sample, "%s%s", options->mode->sample,
             options->pairs ? "; of each trial the slowest pair's" : "");
    cm_pair_write_sampling(result, &options->sampling, options->integrity, sample);
    cm_result_meta_number(result, "perturbation_bytes", (double)options->perturbation_bytes,
                          "%.0f");
    cm_result_meta_number(result, "sweeps", (double)options->sweeps, "%.0f");
}

void netpipe_result_conditions(cm_result *result, const netpipe_options *options)
{
    write_mode(result, options);
    cm_result_meta(result, "buffers", "%s", cm_pair_policies[options->policy]);
    cm_result_meta(result, "memory", "%s", cm_pair_memories[options->memory]);
    write_sampling(result, options);
}

cm_result *netpipe_result_open(const cm_benchmark *benchmark, cm_pair_channel *channel)
{
    const netpipe_options *options = benchmark->options;
    cm_result_column columns[COMMON + 2 + TURNS + PAIRS + OVERLAP + COST + DISTANCE];
    size_t n = 0;
    for (int k = 0; k < COMMON; k++) columns[n++] = of_common[k];
    columns[n++] =
        (cm_result_column)CM_COLUMN(table_row, iterations, options->mode->iteration, "%.0f");
    columns[n++] = (cm_result_column)CM_COLUMN(table_row, sweep, "sweep", "%.0f");
    for (int k = 0; options->turns && k < TURNS; k++) columns[n++] = of_turns[k];
    for (int k = 0; options->pairs && k < PAIRS; k++) columns[n++] = of_pairs[k];
    for (int k = 0; options->overlap && k < OVERLAP; k++) columns[n++] = of_overlap[k];
    for (int k = 0; k < COST; k++) columns[n++] = of_cost[k];
    for (int k = 0; k < DISTANCE; k++) columns[n++] = of_distance[k];
    cm_result *result = cm_run_result_open(benchmark, columns, n);
    cm_pair_write_place(result, channel, options->sampling.bind);
    write_mode(result, options);
    write_cpu_time(result, channel);
    write_buffers(result, options, channel);
    write_sampling(result, options);
    return result;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* Throughput of messages of this size, all directions and all pairs together. */
static double Mbit_per_s(const netpipe_options *options, double bytes, double time_s)
{
    double pairs = options->pairs ? cm_size(cm_world()) / 2 : 1;
    return 8e-6 * pairs * options->mode->directions * bytes / time_s;
}

/* nan where no processor has worked: the dummy backend, a simulator. */
static void put_cost(const cm_pair_channel *channel, const cm_pair_cost *cost, table_row *row)
{
    double messages = channel->costs ? cost->messages : NAN;
    double cpu_s = cost->cpu.user_s + cost->cpu.system_s;
    row->user_us = 1e6 * cost->cpu.user_s / messages;
    row->system_us = 1e6 * cost->cpu.system_s / messages;
    row->ns_per_byte = 1e9 * cpu_s / messages / (double)row->size_bytes;
    row->cpu_share = channel->costs ? cpu_s / cost->lasted_s : NAN;
}

bool netpipe_result_row(cm_result *result, const netpipe_options *options,
                        const cm_pair_channel *channel, const cm_pair_point *point,
                        const netpipe_found *found, int64_t sweep)
{
    table_row row = {
        .size_bytes = point->bytes,
        .iterations = point->iterations,
        .sweep = sweep,
        .time_s = point->summary,
        .first_ns = point->first_ns,
        .last_ns = point->last_ns,
        .Mbit_per_s = Mbit_per_s(options, (double)point->bytes, point->summary.median),
        .overlapped = found->overlapped,
    };
    put_cost(channel, &found->cost, &row);
    if (options->turns && !netpipe_percentiles(&point->samples, row.percentile_s)) return false;
    if (options->pairs && !cm_pairs_compare(channel->pairs, &row.pairs)) return false;
    cm_result_row(result, &row, &point->samples, "s");
    if (options->turns) netpipe_write_histogram(result, point, sweep);
    return true;
}

/* ---- Metrics -------------------------------------------------------------------------------- */

static cm_summary summary_of(size_t n, double *values)
{
    return cm_sample_summary(&(cm_samples){.value = values, .n = n, .capacity = n});
}

static cm_quantity over_sweeps(size_t n, double *values, const netpipe_found *found)
{
    const cm_summary summary = summary_of(n, values);
    return cm_quantity_over(&summary, "sweeps", found->disturbed);
}

/* Names of the metrics for the smallest size and for the throughput. */
typedef struct {
    char smallest[64], bandwidth[64], peak[64];
} names;

static names names_of(const netpipe_options *options)
{
    names n;
    snprintf(n.smallest, sizeof n.smallest, "%s%s_us", options->pairs ? "slowest_" : "",
             options->mode->constant);
    const char *pairs = options->pairs ? "aggregate_" : "";
    const char *ways = options->mode->directions > 1 ? "both_" : "";
    snprintf(n.bandwidth, sizeof n.bandwidth, "%s%sbandwidth_Mbit_per_s", pairs, ways);
    snprintf(n.peak, sizeof n.peak, "%s%speak_Mbit_per_s", pairs, ways);
    return n;
}

/* Writes the message rate that follows from the time of the smallest message. */
static void write_rate(cm_result *result, const netpipe_options *options, cm_quantity smallest_us)
{
    const double pairs = options->pairs ? cm_size(cm_world()) / 2 : 1;
    const double at_once = 1e6 * pairs * options->mode->directions;
    cm_result_metric(result, true, "message_rate_per_s", cm_quantity_invert(smallest_us, at_once));
}

/* Writes the metrics, which are medians over the sweeps. If there are several sweeps, it also
   writes the values of each, because a network with two states has no typical mean. */
static void write_metrics(cm_result *result, const netpipe_options *options,
                          const netpipe_found *found)
{
    size_t sweeps = (size_t)options->sweeps;
    double *column = calloc(3 * sweeps, sizeof *column);
    cm_protocol_row *rows = calloc(found->sizes, sizeof *rows);
    cm_protocols fit;
    if (!column || !rows) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    names name = names_of(options);
    double *smallest_us = column + sweeps, *peak = column + 2 * sweeps;
    for (size_t sweep = 0; sweep < sweeps; sweep++) {
        const double *median_s = found->median_s + sweep * found->sizes;
        smallest_us[sweep] = 1e6 * median_s[0];
        peak[sweep] = 0;
        for (size_t i = 0; i < found->sizes; i++)
            peak[sweep] = fmax(peak[sweep], Mbit_per_s(options, found->bytes[i], median_s[i]));
        if (sweeps > 1)
            cm_result_comment(result, "sweep %zu: %s=%.4g %s=%.6g", sweep + 1, name.smallest,
                              smallest_us[sweep], name.peak, peak[sweep]);
    }
    for (size_t i = 0; i < found->sizes; i++) {
        for (size_t sweep = 0; sweep < sweeps; sweep++)
            column[sweep] = found->median_s[sweep * found->sizes + i];
        const cm_summary all = summary_of(sweeps, column);
        rows[i] = cm_pair_fit_row(found->bytes[i], sweeps > 1 ? &all : &found->time_s[i]);
    }
    const bool fits = cm_pair_write_fits(result, options->mode->constant, found->sizes, rows, &fit);
    cm_quantity of_smallest = over_sweeps(sweeps, smallest_us, found),
                of_peak = over_sweeps(sweeps, peak, found);
    if (sweeps == 1) {
        size_t best = 0;
        for (size_t i = 0; i < found->sizes; i++)
            if (Mbit_per_s(options, found->bytes[i], found->median_s[i]) == peak[0]) best = i;
        of_smallest = cm_quantity_scale(cm_quantity_median(&found->time_s[0]), 1e6);
        of_peak = cm_quantity_invert(cm_quantity_median(&found->time_s[best]),
                                     Mbit_per_s(options, found->bytes[best], 1));
    }
    cm_result_metric(result, true, name.smallest, of_smallest);
    if (options->window) write_rate(result, options, of_smallest);
    cm_result_metric(result, true, "largest_us", cm_quantity_of(1e6 * found->largest_s));
    if (fits)
        cm_pair_write_fitted(result, name.bandwidth, &cm_protocols_last(&fit)->bandwidth_B_per_s,
                             Mbit_per_s(options, 1, 1), found->sizes, found->disturbed);
    cm_result_metric(result, true, name.peak, of_peak);
    if (options->overlap) { /* of the last size */
        const netpipe_hidden *way = found->overlapped.way;
        cm_result_metric(result, true, "overlap", way[NETPIPE_SILENT].overlap);
        cm_result_metric(result, true, "progress_overlap", way[NETPIPE_PROGRESS].overlap);
    }
    free(column);
    free(rows);
}

int netpipe_result_close(cm_result *result, const netpipe_options *options,
                         const cm_pair_damage *damage, const netpipe_found *found)
{
    cm_sample_tell(result, &found->tally);
    if (cm_pair_write_check(result, damage, names_of(options).smallest))
        write_metrics(result, options, found);
    return cm_result_close(result);
}
