/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_result.c: metadata, a row for each victim alone and with each aggressor, and the
   verdicts. */
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

/* Columns: victim, aggressor, size_bytes, n, min_s; each quantile with its interval; interval,
   mean_s, max_s, disturbed, summarized, MB_per_s; each ratio with its interval; of the load: MB/s,
   operations, longest. */
enum { EACH = 3, COLUMNS = 5 + EACH * CONGESTION_QUANTILES + 6 + EACH * CONGESTION_QUANTILES + 3 };

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

cm_result *congestion_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                                  const congestion_place *place, bool core_shared)
{
    static const cm_result_column columns[] = {
        {"victim", "=pingpong|allreduce|bandwidth"},
        {"aggressor", "=alone|alltoall|incast|broadcast"},
        {"size_bytes", "%.0f"},
        {"n", "%.0f"},
        {"min_s", "%.4e"},
        {"p50_s", "%.4e"},
        {"low_p50_s", "%.4e"},
        {"high_p50_s", "%.4e"},
        {"p99_s", "%.4e"},
        {"low_p99_s", "%.4e"},
        {"high_p99_s", "%.4e"},
        {"p999_s", "%.4e"},
        {"low_p999_s", "%.4e"},
        {"high_p999_s", "%.4e"},
        {"interval", CM_INTERVAL_FORMAT},
        {"mean_s", "%.4e"},
        {"max_s", "%.4e"},
        {"disturbed", "%.0f"},
        {"summarized", "=all"},
        {"MB_per_s", "%.4g"},
        {"p50_ratio", "%.4g"},
        {"low_p50_ratio", "%.4g"},
        {"high_p50_ratio", "%.4g"},
        {"p99_ratio", "%.4g"},
        {"low_p99_ratio", "%.4g"},
        {"high_p99_ratio", "%.4g"},
        {"p999_ratio", "%.4g"},
        {"low_p999_ratio", "%.4g"},
        {"high_p999_ratio", "%.4g"},
        {"load_MB_per_s", "%.4g"},
        {"load_operations", "%.0f"},
        {"load_longest_s", "%.4e"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    cm_result *result = cm_run_result_open(benchmark, argc, argv, columns, COLUMNS);
    write_metadata(result, benchmark->options, place, core_shared);
    return result;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static double *put(double *to, const cm_quantity *quantile)
{
    *to++ = quantile->value;
    *to++ = quantile->low;
    *to++ = quantile->high;
    return to;
}

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
    double values[COLUMNS] = {victim, load,
                              victim == CONGESTION_BANDWIDTH ? (double)o->bandwidth_bytes
                                                             : (double)o->size_bytes,
                              (double)all.n, all.min_s};
    double *to = values + 5;
    cm_quantity of[CONGESTION_QUANTILES];
    for (int q = 0; q < CONGESTION_QUANTILES; q++) {
        of[q] = congestion_quantile(c->rounds, n, congestion_fractions[q]);
        to = put(to, &of[q]);
    }
    *to++ = of[CONGESTION_P50].kind;
    *to++ = all.sum_s / (double)all.n;
    *to++ = all.max_s;
    *to++ = (double)c->disturbed;
    *to++ = 0;
    *to++ = 1e-6 * bytes_of(o, victim) / of[CONGESTION_P50].value;
    for (int q = 0; q < CONGESTION_QUANTILES; q++) {
        cm_quantity ratio = congestion_ratio(c->rounds, alone->rounds, n, congestion_fractions[q]);
        to = put(to, &ratio);
    }
    *to++ = load == CONGESTION_ALONE ? 0 : 1e-6 * c->work.bytes / c->work.seconds;
    *to++ = (double)c->work.operations;
    *to++ = c->work.longest_s;
    cm_result_row(result, values, NULL, NULL);
    write_histogram(result, victim, load, &all);
}

/* ---- Verdicts -------------------------------------------------------------------------------- */

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
    right = cm_pair_write_check(result, &table->damage, "pingpong_alone_p50_us");
    for (int victim = 0; victim < CONGESTION_VICTIMS; victim++)
        for (int load = 0; load < CONGESTION_LOADS; load++)
            if (right && o->victim[victim] && o->load[load])
                write_metrics(result, table, victim, load);
    return cm_result_close(result);
}
