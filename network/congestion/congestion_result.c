/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_result.c: metadata, a row for each victim alone and with each aggressor, and the
   metrics. */
#include <math.h>
#include <stdio.h>
#include "congestion.h"

#define OF_VICTIM                                                                        \
    " of the victim in the name (pingpong: half the round trip; allreduce: the slowest " \
    "victim's time; bandwidth: a window of messages each way), without a load"
#define OF_BOTH                                                                           \
    " of the victim in the name while the aggressor in the name loads the network, over " \
    "the same without a load"
const cm_metric congestion_metrics[] = {
    {"*_alone_p50_us", "*: median time, idle network", "us", CM_BETTER_LOW,
     "median time" OF_VICTIM},
    {"*_alone_p99_us", "*: 99th percentile, idle network", "us", CM_BETTER_LOW,
     "99th percentile of the times" OF_VICTIM},
    {"*_alone_p999_us", "*: 99.9th percentile, idle network", "us", CM_BETTER_LOW,
     "99.9th percentile of the times" OF_VICTIM},
    {"*_p50_ratio", "*: slow-down, median", "1", CM_BETTER_LOW, "median time" OF_BOTH},
    {"*_p99_ratio", "*: slow-down, 99th percentile", "1", CM_BETTER_LOW,
     "99th percentile of the times" OF_BOTH},
    {"*_p999_ratio", "*: slow-down, 99.9th percentile", "1", CM_BETTER_LOW,
     "99.9th percentile of the times" OF_BOTH},
    {0},
};

/* clang-format off */
#define UNDER(victim) \
    {victim "_*_p50_ratio", "slow_down operation=" victim " load=* percentile=50"}, \
    {victim "_*_p99_ratio", "slow_down operation=" victim " load=* percentile=99"}, \
    {victim "_*_p999_ratio", "slow_down operation=" victim " load=* percentile=99.9"}
/* clang-format on */
const cm_labels congestion_labels[] = {
    {"*_alone_p50_us", "time operation=* percentile=50"},
    {"*_alone_p99_us", "time operation=* percentile=99"},
    {"*_alone_p999_us", "time operation=* percentile=99.9"},
    UNDER("pingpong"),
    UNDER("allreduce"),
    UNDER("bandwidth"),
    {0},
};

static const char *const quantile_names[CONGESTION_QUANTILES] = {"p50", "p99", "p999"};

typedef struct {
    int victim, aggressor;
    int64_t size_bytes, n, disturbed;
    double min_s, mean_s, max_s;
    cm_quantity quantile_s[CONGESTION_QUANTILES], ratio[CONGESTION_QUANTILES];
    bool left_out; /* disturbed samples; never */
    double MB_per_s, load_MB_per_s;
    int64_t load_operations;
    double load_longest_s, first_ns, last_ns;
} table_row;
/* Each with its interval. */
#define OF_QUANTILE(k, name)                                               \
    CM_COLUMN(table_row, quantile_s[k].value, name "_s", "%.4e"),          \
        CM_COLUMN(table_row, quantile_s[k].low, "low_" name "_s", "%.4e"), \
        CM_COLUMN(table_row, quantile_s[k].high, "high_" name "_s", "%.4e")
#define OF_RATIO(k, name)                                                 \
    CM_COLUMN(table_row, ratio[k].value, name "_ratio", "%.4g"),          \
        CM_COLUMN(table_row, ratio[k].low, "low_" name "_ratio", "%.4g"), \
        CM_COLUMN(table_row, ratio[k].high, "high_" name "_ratio", "%.4g")
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, victim, "victim", "=pingpong|allreduce|bandwidth"),
    CM_COLUMN(table_row, aggressor, "aggressor", "=alone|alltoall|incast|broadcast"),
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_COLUMN(table_row, n, "n", "%.0f"),
    CM_COLUMN(table_row, min_s, "min_s", "%.4e"),
    OF_QUANTILE(CONGESTION_P50, "p50"),
    OF_QUANTILE(CONGESTION_P99, "p99"),
    OF_QUANTILE(CONGESTION_P999, "p999"),
    CM_COLUMN(table_row, quantile_s[CONGESTION_P50].kind, "interval", CM_INTERVAL_FORMAT),
    CM_COLUMN(table_row, mean_s, "mean_s", "%.4e"),
    CM_COLUMN(table_row, max_s, "max_s", "%.4e"),
    CM_COLUMN(table_row, disturbed, "disturbed", "%.0f"),
    CM_COLUMN(table_row, left_out, "summarized", "=all"),
    CM_COLUMN(table_row, MB_per_s, "MB_per_s", "%.4g"),
    OF_RATIO(CONGESTION_P50, "p50"),
    OF_RATIO(CONGESTION_P99, "p99"),
    OF_RATIO(CONGESTION_P999, "p999"),
    CM_COLUMN(table_row, load_MB_per_s, "load_MB_per_s", "%.4g"),
    CM_COLUMN(table_row, load_operations, "load_operations", "%.0f"),
    CM_COLUMN(table_row, load_longest_s, "load_longest_s", "%.4e"),
    CM_PAIR_DISTANCE_COLUMNS(table_row, first_ns, last_ns),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- Metadata -------------------------------------------------------------------------------- */

static void write_metadata(cm_result *result, const congestion_options *o,
                           const congestion_place *place, bool core_shared)
{
    cm_run_meta(result);
    cm_result_meta_number(result, "victims", place->victims, "%.0f");
    cm_result_meta_number(result, "aggressors", place->aggressors, "%.0f");
    cm_result_meta(result, "placement", "%s", congestion_placements[o->placement]);
    if (o->placement == CONGESTION_RANDOM)
        cm_result_meta_number(result, "seed", (double)o->seed, "%.0f");
    cm_result_meta(result, "whole_hosts", "%s", o->whole_hosts ? "yes" : "no");
    cm_result_meta(result, "sample",
                   "an operation: pingpong, half the round trip of a pair; allreduce, the slowest "
                   "victim's time; bandwidth, the time of a window of messages each way of a pair");
    cm_result_meta(
        result, "interval",
        "low_ and high_ of a quantile or ratio: 95 %% by leaving out one round after the "
        "other; with fewer than %d rounds the range of these",
        CM_INTERVAL_LEAST);
    cm_result_meta_number(result, "rounds", (double)o->rounds, "%.0f");
    cm_result_meta_number(result, "time_limit_s", o->sampling.rule.time_limit_s, "%.6g");
    cm_result_meta_number(result, "batch_s", o->sampling.trial_s, "%.6g");
    cm_result_meta_number(result, "warm_up_s", o->sampling.warm_up_s, "%.6g");
    cm_result_meta_number(result, "load_size_bytes", (double)o->load_bytes, "%.0f");
    cm_result_meta_number(result, "window", (double)o->window, "%.0f");
    cm_result_meta(result, "verified",
                   "an operation before each batch of the victims, and one of the aggressors "
                   "before and after each load; untimed, every byte");
    cm_run_meta_bound(result, o->sampling.bind);
    cm_result_meta(result, "core_shared", "%s", core_shared ? "yes" : "no");
}

cm_result *congestion_result_open(const cm_benchmark *benchmark, const congestion_place *place,
                                  bool core_shared, const cm_pair_distances_said *distances)
{
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    write_metadata(result, benchmark->options, place, core_shared);
    cm_pair_write_first_distances(result, distances);
    return result;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Bytes that cross the network one way in an operation of a victim. */
static double bytes_of(const congestion_options *o, int victim)
{
    return victim == CONGESTION_BANDWIDTH ? (double)(o->window * o->bandwidth_bytes)
                                          : (double)o->size_bytes;
}

static void write_histogram(cm_result *result, int victim, int load, const cm_histogram *all)
{
    char text[CM_HISTOGRAM_TEXT_BYTES];
    cm_histogram_text(all, text, sizeof text);
    cm_result_comment(result, "histogram: %s, %s: %s", congestion_victim_names[victim],
                      congestion_load_names[load], text);
}

static void write_row(cm_result *result, const congestion_options *o, const congestion_table *table,
                      int victim, int load)
{
    const congestion_case *c = &table->cases[victim][load];
    const congestion_case *alone = &table->cases[victim][CONGESTION_ALONE];
    size_t n = (size_t)table->rounds;
    cm_histogram all = {0};
    for (size_t k = 0; k < n; k++) cm_histogram_merge(&all, &c->rounds[k]);
    table_row row = {
        .victim = victim,
        .aggressor = load,
        .size_bytes = victim == CONGESTION_BANDWIDTH ? o->bandwidth_bytes : o->size_bytes,
        .n = all.n,
        .disturbed = c->disturbed,
        .min_s = all.min_s,
        .mean_s = all.sum_s / (double)all.n,
        .max_s = all.max_s,
        .load_MB_per_s = load == CONGESTION_ALONE ? 0 : 1e-6 * c->work.bytes / c->work.seconds,
        .load_operations = c->work.operations,
        .load_longest_s = c->work.longest_s,
        .first_ns = c->first_ns,
        .last_ns = c->last_ns,
    };
    for (int q = 0; q < CONGESTION_QUANTILES; q++) {
        const double fraction = congestion_fractions[q];
        row.quantile_s[q] = congestion_quantile(c->rounds, n, fraction);
        row.ratio[q] = congestion_ratio(c->rounds, alone->rounds, n, fraction);
    }
    row.MB_per_s = 1e-6 * bytes_of(o, victim) / row.quantile_s[CONGESTION_P50].value;
    cm_result_row(result, &row, NULL, NULL);
    write_histogram(result, victim, load, &all);
}

/* ---- Metrics --------------------------------------------------------------------------------- */

static void write_metrics(cm_result *result, const congestion_table *table, int victim, int load)
{
    const congestion_case *now = &table->cases[victim][load];
    const congestion_case *alone = &table->cases[victim][CONGESTION_ALONE];
    const size_t n = (size_t)table->rounds;
    const bool ratio = load != CONGESTION_ALONE;
    for (int k = 0; k < CONGESTION_QUANTILES; k++) {
        double fraction = congestion_fractions[k];
        cm_quantity q = ratio ? congestion_ratio(now->rounds, alone->rounds, n, fraction)
                              : congestion_quantile(now->rounds, n, fraction);
        char name[64];
        snprintf(name, sizeof name, "%s_%s_%s_%s", congestion_victim_names[victim],
                 congestion_load_names[load], quantile_names[k], ratio ? "ratio" : "us");
        if (now->disturbed + alone->disturbed > 0) q.disturbed = CM_DISTURBED_YES;
        if (isnan(q.value))
            cm_result_comment(result, "%s is left out: too few samples for that percentile", name);
        else cm_result_metric(result, true, name, cm_quantity_scale(q, ratio ? 1 : 1e6));
    }
}

int congestion_result_close(cm_result *result, const congestion_options *o,
                            const congestion_table *table)
{
    bool right = table->damage.wrong_bytes == 0;
    for (int victim = 0; victim < CONGESTION_VICTIMS; victim++)
        for (int load = 0; load < CONGESTION_LOADS; load++)
            if (right && o->victim[victim] && o->load[load])
                write_row(result, o, table, victim, load);
    cm_pair_write_distances(result, &table->distances);
    right = cm_pair_write_check(result, &table->damage, "pingpong_alone_p50_us");
    for (int victim = 0; victim < CONGESTION_VICTIMS; victim++)
        for (int load = 0; load < CONGESTION_LOADS; load++)
            if (right && o->victim[victim] && o->load[load])
                write_metrics(result, table, victim, load);
    return cm_result_close(result);
}
