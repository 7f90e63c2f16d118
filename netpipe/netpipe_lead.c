/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_lead.c: what rank 0 does: it measures all sizes, sees to rank 1, and writes the
   result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "netpipe.h"

const char *const netpipe_policies[] = {"reused", "alternating", "cold", NULL};

static const cm_result_column columns[] = {
    {"size_bytes", "%.0f"},  {"n", "%.0f"},           {"min_s", "%.4e"},
    {"median_s", "%.4e"},    {"ci_low_s", "%.4e"},    {"ci_high_s", "%.4e"},
    {"throughput_Mbit_per_s", "%.3f"}, {"round_trips", "%.0f"}, {"sweep", "%.0f"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static double Mbit_per_s(double bytes, double time_s) { return 8e-6 * bytes / time_s; }

typedef struct {
    size_t sizes;
    int64_t *size_bytes;
    double *bytes;                      /* [size] */
    double *median_s;                   /* [sweep * sizes + size] */
    size_t stopped[CM_STOP_TIME + 1];   /* sizes that each reason ended */
    size_t trials;
} table;

static bool table_open(table *t, const netpipe_options *options)
{
    memset(t, 0, sizeof *t);
    t->sizes = netpipe_sizes(options->lower_bytes, options->upper_bytes,
                             options->perturbation_bytes, &t->size_bytes);
    t->bytes = calloc(t->sizes + 1, sizeof *t->bytes);
    t->median_s = calloc(t->sizes * (size_t)options->sweeps + 1, sizeof *t->median_s);
    if (t->sizes == 0 || !t->bytes || !t->median_s) return false;
    for (size_t i = 0; i < t->sizes; i++) t->bytes[i] = (double)t->size_bytes[i];
    return true;
}

static void table_close(table *t)
{
    free(t->size_bytes);
    free(t->bytes);
    free(t->median_s);
}

static void write_metadata(cm_result *result, const netpipe_options *options,
                           const netpipe_mode *mode, netpipe_channel *channel)
{
    const char *hosts[NETPIPE_RANKS];
    for (int rank = 0; rank < NETPIPE_RANKS; rank++) hosts[rank] = cm_host(cm_world(), rank);
    cm_result_meta_run(result, cm_describe, hosts, NETPIPE_RANKS);

    netpipe_cpus own = netpipe_own_cpus(), other = netpipe_follower_cpus(channel);
    char text[256];
    cm_result_meta(result, "cpus_of_rank_0", "%s", netpipe_cpus_text(&own, text, sizeof text));
    cm_result_meta(result, "cpus_of_rank_1", "%s", netpipe_cpus_text(&other, text, sizeof text));
    cm_result_meta(result, "bound", "%s",
                   options->bind ? "each rank to a core (--bind)" : "as started");
    /* More ranks than cores stands in oversubscribed; this is two ranks bound to one. */
    bool together = netpipe_ranks_on_host(cm_world(), 0) == NETPIPE_RANKS;
    cm_result_meta(result, "core_shared", "%s",
                   together && netpipe_share_one(&own, &other) ? "yes" : "no");

    cm_result_meta(result, "mode", "%s", mode->name);
    cm_result_meta(result, "sample", "%s", mode->sample);
    cm_result_meta(result, "buffers", "%s", netpipe_policies[options->policy]);
    cm_result_meta_number(result, "buffer_memory_bytes", (double)channel->buffers.memory_bytes,
                          "%.0f");
    cm_result_meta(result, "timing", "%s",
                   options->integrity ? "includes filling and checking every message (--integrity)"
                                      : "messages only; each size verified beforehand, untimed");
    if (options->round_trips)
        cm_result_meta_number(result, "round_trips_per_trial", (double)options->round_trips,
                              "%.0f");
    else
        cm_result_meta_number(result, "trial_s", options->trial_s, "%g");
    cm_result_meta(result, "stopping_rule",
                   "half-width of the 95 %% confidence interval of the median <= %g of it with at "
                   "least %zu trials, %zu trials, or %g s a size",
                   options->rule.relative_half_width, options->rule.least, options->rule.most,
                   options->rule.time_limit_s);
    cm_result_meta_number(result, "perturbation_bytes", (double)options->perturbation_bytes,
                          "%.0f");
    cm_result_meta_number(result, "sweeps", (double)options->sweeps, "%.0f");
    cm_result_meta_number(result, "warm_up_s", options->warm_up_s, "%g");
}

static void write_row(cm_result *result, const netpipe_point *point, int64_t sweep)
{
    const cm_summary *s = &point->summary;
    double values[COLUMNS] = {(double)point->bytes, (double)s->n, s->min, s->median, s->ci_low,
                              s->ci_high, Mbit_per_s((double)point->bytes, s->median),
                              (double)point->round_trips, (double)sweep};
    cm_result_row(result, values, &point->samples, "s");
}

/* All sweeps over all sizes; ends at the first size whose data arrive wrong. False: out of
   memory. */
static bool measure(cm_result *result, const netpipe_options *options, const netpipe_mode *mode,
                    netpipe_channel *channel, table *t)
{
    netpipe_point point = {.samples = CM_SAMPLES_EMPTY};
    bool enough = cm_samples_reserve(&point.samples, options->rule.most);
    netpipe_warm_up(channel, mode, options);
    for (int64_t sweep = 0; enough && sweep < options->sweeps; sweep++) {
        point.round_trips = 1;
        for (size_t i = 0; enough && i < t->sizes && channel->damage.wrong_bytes == 0; i++) {
            point.bytes = t->size_bytes[i];
            double done = (double)(sweep * (int64_t)t->sizes + (int64_t)i);
            cm_result_progress(result, done / (double)(options->sweeps * (int64_t)t->sizes),
                               "sweep %lld of %lld, %lld bytes", (long long)sweep + 1,
                               (long long)options->sweeps, (long long)point.bytes);
            enough = netpipe_measure(channel, mode, options, &point);
            if (!enough || channel->damage.wrong_bytes) break;
            t->median_s[(size_t)sweep * t->sizes + i] = point.summary.median;
            t->stopped[point.stop]++;
            t->trials += point.samples.n;
            write_row(result, &point, sweep + 1);
        }
    }
    cm_samples_free(&point.samples);
    return enough;
}

static double median_of(size_t n, double *values)
{
    cm_samples samples = {.value = values, .n = n, .capacity = n};
    cm_summary summary;
    return cm_summarize(&samples, &summary) ? summary.median : NAN;
}

/* The metrics: medians over the sweeps; each sweep by itself where there are several, because a
   network with two states has no typical mean. False: out of memory. */
static bool write_metrics(cm_result *result, const netpipe_options *options, table *t)
{
    size_t sweeps = (size_t)options->sweeps;
    double *column = calloc(3 * sweeps, sizeof *column);
    double *typical_s = calloc(t->sizes, sizeof *typical_s);
    if (!column || !typical_s) {
        free(column);
        free(typical_s);
        return false;
    }
    double *latency_us = column + sweeps, *peak = column + 2 * sweeps;
    for (size_t sweep = 0; sweep < sweeps; sweep++) {
        const double *median_s = t->median_s + sweep * t->sizes;
        latency_us[sweep] = 1e6 * median_s[0];
        peak[sweep] = 0;
        for (size_t i = 0; i < t->sizes; i++)
            peak[sweep] = fmax(peak[sweep], Mbit_per_s(t->bytes[i], median_s[i]));
        if (sweeps > 1)
            cm_result_comment(result, "sweep %zu: latency_us=%.4g peak_Mbit_per_s=%.6g", sweep + 1,
                              latency_us[sweep], peak[sweep]);
    }
    for (size_t i = 0; i < t->sizes; i++) {
        for (size_t sweep = 0; sweep < sweeps; sweep++)
            column[sweep] = t->median_s[sweep * t->sizes + i];
        typical_s[i] = median_of(sweeps, column);
    }
    netpipe_write_fits(result, t->sizes, t->bytes, typical_s);
    cm_result_verdict(result, true, "latency_us", median_of(sweeps, latency_us), "us");
    cm_result_verdict(result, true, "peak_Mbit_per_s", median_of(sweeps, peak), "Mbit/s");
    free(column);
    free(typical_s);
    return true;
}

static void write_damage(cm_result *result, const netpipe_damage *damage)
{
    cm_result_comment(result,
                      "wrong data: message %llu of size %llu bytes, first wrong byte at offset "
                      "%llu: expected 0x%02x, got 0x%02x; stopped there",
                      (unsigned long long)damage->first_sequence,
                      (unsigned long long)damage->first_bytes,
                      (unsigned long long)damage->first_offset, damage->expected, damage->got);
}

int netpipe_lead(const cm_program *program, int argc, char **argv, const netpipe_options *options,
                const netpipe_mode *mode, netpipe_channel *channel)
{
    table t;
    cm_result *result = cm_result_open(program, argc, argv, &options->files, columns, COLUMNS);
    if (!result || !table_open(&t, options)) cm_abort(CM_EXIT_SYSTEM, "out of memory");

    write_metadata(result, options, mode, channel);
    bool enough = measure(result, options, mode, channel, &t);
    netpipe_command(channel, mode, NETPIPE_QUIT, 0, 0);
    if (!enough) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");

    uint64_t wrong = channel->damage.wrong_bytes;
    cm_result_comment(result,
                      "stopped: precision %zu, count %zu, time %zu sizes; %zu trials in all",
                      t.stopped[CM_STOP_PRECISION], t.stopped[CM_STOP_COUNT],
                      t.stopped[CM_STOP_TIME], t.trials);
    if (wrong) write_damage(result, &channel->damage);
    cm_result_check(result, "wrong_bytes", (double)wrong, "==", 0);
    if (wrong) cm_result_verdict(result, false, "latency_us", NAN, "us");
    else if (!write_metrics(result, options, &t)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    table_close(&t);
    return cm_result_close(result);
}
