/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_lead.c: what rank 0 does: it measures all sizes, sees to the others, and writes the
   result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "netpipe_program.h"

const cm_metric netpipe_metrics[] = {
    {"latency_us", "us", CM_BETTER_LOW, "half the round trip of the smallest message, median"},
    {"slowest_latency_us", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, median, of the slowest of all pairs"},
    {"gap_us", "us", CM_BETTER_LOW,
     "time per message of the smallest size, one way, back to back, median"},
    {"slowest_gap_us", "us", CM_BETTER_LOW,
     "time per message of the smallest size, one way, median, of the slowest of all pairs"},
    {"exchange_us", "us", CM_BETTER_LOW,
     "time in which a message of the smallest size goes each way, median"},
    {"slowest_exchange_us", "us", CM_BETTER_LOW,
     "time in which a message of the smallest size goes each way, median, of the slowest of "
     "all pairs"},
    {"peak_Mbit_per_s", "Mbit/s", CM_BETTER_HIGH,
     "the highest throughput that a median reached, one direction, all cards together, 10^6 "
     "bit/s"},
    {"both_peak_Mbit_per_s", "Mbit/s", CM_BETTER_HIGH,
     "the highest throughput that a median reached, both directions' bytes together, 10^6 "
     "bit/s"},
    {"aggregate_peak_Mbit_per_s", "Mbit/s", CM_BETTER_HIGH,
     "the highest throughput of all pairs together that a median reached, one direction, 10^6 "
     "bit/s"},
    {"aggregate_both_peak_Mbit_per_s", "Mbit/s", CM_BETTER_HIGH,
     "the highest throughput of all pairs together that a median reached, both directions' "
     "bytes, 10^6 bit/s"},
    {"overlap", "1", CM_BETTER_HIGH,
     "part of the exchange's time that computing hides at the largest size, 1: all of it"},
    {"progress_overlap", "1", CM_BETTER_HIGH,
     "part of the exchange's time hidden by computing that calls the library now and then"},
    {0},
};

typedef struct {
    size_t sizes;
    int64_t *size_bytes;
    double *bytes;    /* [size] */
    double *median_s; /* [sweep * sizes + size] */
    cm_sample_tally tally;
    netpipe_overlapped overlapped; /* of the last size */
} table;

static bool table_open(table *t, const netpipe_options *options)
{
    memset(t, 0, sizeof *t);
    t->sizes = cm_pair_sizes(options->lower_bytes, options->upper_bytes,
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

/* All sweeps over all sizes; ends at the first size whose data arrive wrong. False: out of
   memory. */
static bool measure(cm_result *result, const netpipe_options *options, cm_pair_channel *channel,
                    table *t)
{
    const cm_sampling *sampling = &options->sampling;
    cm_pair_point point = {.samples = CM_SAMPLES_EMPTY};
    bool enough = cm_samples_reserve(&point.samples, sampling->rule.most);
    cm_pair_warm_up(channel, options->mode, sampling, options->lower_bytes);
    for (int64_t sweep = 0; enough && sweep < options->sweeps; sweep++) {
        point.iterations = 0;
        for (size_t i = 0; enough && i < t->sizes && channel->damage.wrong_bytes == 0; i++) {
            point.bytes = t->size_bytes[i];
            double done = (double)(sweep * (int64_t)t->sizes + (int64_t)i);
            cm_result_progress(result, done / (double)(options->sweeps * (int64_t)t->sizes),
                               "sweep %lld of %lld, %lld bytes", (long long)sweep + 1,
                               (long long)options->sweeps, (long long)point.bytes);
            enough = cm_pair_measure(channel, options->mode, sampling, &point);
            if (options->overlap && enough && !channel->damage.wrong_bytes)
                enough = netpipe_measure_overlap(channel, options->mode, sampling, &point,
                                                 &t->overlapped);
            if (!enough || channel->damage.wrong_bytes) break;
            t->median_s[(size_t)sweep * t->sizes + i] = point.summary.median;
            cm_sample_count(&t->tally, &(cm_sampled){.samples = &point.samples, .stop = point.stop},
                            1);
            enough = netpipe_table_row(result, options, channel, &point, &t->overlapped, sweep + 1);
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

/* What the metrics are called: that of the smallest size, and the throughput's. */
typedef struct {
    char smallest[64], peak[64];
} names;

static names names_of(const netpipe_options *options)
{
    names n;
    snprintf(n.smallest, sizeof n.smallest, "%s%s_us", options->pairs ? "slowest_" : "",
             options->mode->constant);
    snprintf(n.peak, sizeof n.peak, "%s%speak_Mbit_per_s", options->pairs ? "aggregate_" : "",
             options->mode->directions > 1 ? "both_" : "");
    return n;
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
    names name = names_of(options);
    double *smallest_us = column + sweeps, *peak = column + 2 * sweeps;
    for (size_t sweep = 0; sweep < sweeps; sweep++) {
        const double *median_s = t->median_s + sweep * t->sizes;
        smallest_us[sweep] = 1e6 * median_s[0];
        peak[sweep] = 0;
        for (size_t i = 0; i < t->sizes; i++)
            peak[sweep] = fmax(peak[sweep], netpipe_Mbit_per_s(options, t->bytes[i], median_s[i]));
        if (sweeps > 1)
            cm_result_comment(result, "sweep %zu: %s=%.4g %s=%.6g", sweep + 1, name.smallest,
                              smallest_us[sweep], name.peak, peak[sweep]);
    }
    for (size_t i = 0; i < t->sizes; i++) {
        for (size_t sweep = 0; sweep < sweeps; sweep++)
            column[sweep] = t->median_s[sweep * t->sizes + i];
        typical_s[i] = median_of(sweeps, column);
    }
    cm_pair_write_fits(result, options->mode->constant, t->sizes, t->bytes, typical_s);
    cm_result_verdict(result, true, name.smallest, median_of(sweeps, smallest_us));
    cm_result_verdict(result, true, name.peak, median_of(sweeps, peak));
    if (options->overlap) {
        const netpipe_hidden *way = t->overlapped.way;
        cm_result_verdict(result, true, "overlap", way[NETPIPE_SILENT].overlap);
        cm_result_verdict(result, true, "progress_overlap", way[NETPIPE_PROGRESS].overlap);
    }
    free(column);
    free(typical_s);
    return true;
}

int netpipe_lead(const cm_program *program, int argc, char **argv, const netpipe_options *options,
                 cm_pair_channel *channel)
{
    table t;
    cm_result *result = netpipe_table_open(program, argc, argv, options);
    if (!result || !table_open(&t, options)) cm_abort(CM_EXIT_SYSTEM, "out of memory");

    netpipe_write_metadata(result, options, channel);
    bool enough = measure(result, options, channel, &t);
    cm_pair_command(channel, options->mode, CM_PAIR_QUIT, 0, 0);
    if (!enough) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");

    uint64_t wrong = channel->damage.wrong_bytes;
    cm_sample_tell(result, &t.tally);
    if (wrong) cm_pair_write_damage(result, &channel->damage);
    cm_result_check(result, "wrong_bytes", (double)wrong, "==", 0);
    if (wrong) cm_result_verdict(result, false, names_of(options).smallest, NAN);
    else if (!write_metrics(result, options, &t)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    table_close(&t);
    return cm_result_close(result);
}
