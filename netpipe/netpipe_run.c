/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_run.c: rank 0 measures all sizes and writes the result; the other ranks follow it. */
#include <math.h>
#include <stdlib.h>
#include "netpipe_distances.h"

/* ---- Rank 0 --------------------------------------------------------------------------------- */

typedef struct {
    int64_t *size_bytes; /* [found.sizes] */
    netpipe_found found;
} table;

static void open_table(table *t, const netpipe_options *options)
{
    netpipe_found *found = &t->found;
    found->sizes = cm_pair_sizes(options->lower_bytes, options->upper_bytes,
                                 options->perturbation_bytes, &t->size_bytes);
    found->bytes = calloc(found->sizes + 1, sizeof *found->bytes);
    found->median_s = calloc(found->sizes * (size_t)options->sweeps + 1, sizeof *found->median_s);
    found->time_s = calloc(found->sizes + 1, sizeof *found->time_s);
    if (found->sizes == 0 || !found->bytes || !found->median_s || !found->time_s)
        cm_abort(CM_EXIT_SYSTEM, "out of memory");
    for (size_t i = 0; i < found->sizes; i++) found->bytes[i] = (double)t->size_bytes[i];
}

static void close_table(table *t)
{
    free(t->size_bytes);
    free(t->found.bytes);
    free(t->found.median_s);
    free(t->found.time_s);
}

static void find(netpipe_found *found, size_t i, const cm_summary *s)
{
    found->time_s[i] = *s;
    found->disturbed = cm_disturbed_either(found->disturbed, cm_disturbed_summary(s));
    if (i == 0 || found->bytes[i] <= CM_PAIR_SHORT_BYTES)
        found->largest_s = fmax(found->largest_s, s->largest);
}

/* Runs all sweeps over all sizes and stops at the first size with wrong data. Returns false if
   there is no memory. */
static bool measure(cm_result *result, const netpipe_options *options, cm_pair_channel *channel,
                    table *t)
{
    const cm_sampling *sampling = &options->sampling;
    netpipe_found *found = &t->found;
    int64_t sizes = (int64_t)found->sizes;
    cm_pair_point point = {.samples = CM_SAMPLES_EMPTY};
    /* Of --round-trips the slow ones matter too, so disturbed samples are not left out. */
    point.samples.of_all = options->turns;
    bool enough = cm_samples_reserve(&point.samples, sampling->rule.most);
    cm_pair_warm_up(channel, options->mode, sampling, options->lower_bytes);
    for (int64_t sweep = 0; enough && sweep < options->sweeps; sweep++) {
        point.iterations = 0;
        for (size_t i = 0; enough && i < found->sizes && channel->damage.wrong_bytes == 0; i++) {
            point.bytes = t->size_bytes[i];
            double done = (double)(sweep * sizes + (int64_t)i);
            cm_result_progress(result, done / (double)(options->sweeps * sizes),
                               "sweep %lld of %lld, %lld bytes", (long long)sweep + 1,
                               (long long)options->sweeps, (long long)point.bytes);
            enough = cm_pair_measure(channel, options->mode, sampling, &point);
            found->cost = channel->all_cost;
            if (options->overlap && enough && !channel->damage.wrong_bytes)
                enough = netpipe_measure_overlap(channel, options->mode, sampling, &point,
                                                 &found->overlapped);
            if (!enough || channel->damage.wrong_bytes) break;
            found->median_s[(size_t)sweep * found->sizes + i] = point.summary.median;
            find(found, i, &point.summary);
            cm_sample_count(&found->tally,
                            &(cm_sampled){.samples = &point.samples, .stop = point.stop}, 1);
            enough = netpipe_result_row(result, options, channel, &point, found, sweep + 1);
        }
    }
    cm_samples_free(&point.samples);
    return enough;
}

static int lead(const cm_benchmark *benchmark, cm_pair_channel *channel)
{
    const netpipe_options *options = benchmark->options;
    table t = {0};
    cm_result *result = netpipe_result_open(benchmark, channel);
    open_table(&t, options);
    bool enough = measure(result, options, channel, &t);
    cm_pair_command(channel, options->mode, CM_PAIR_QUIT, 0, 0);
    if (!enough) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    const cm_pair_distances_said said = cm_pair_distances_say(channel);
    cm_pair_write_distances(result, &said);
    int status = netpipe_result_close(result, options, &channel->damage, &t.found);
    close_table(&t);
    return status;
}

/* ---- Every rank ----------------------------------------------------------------------------- */

/* Allocates everything that a run needs. */
static bool open_channel(cm_pair_channel *channel, cm_pairs *pairs, const netpipe_options *options)
{
    int rank = cm_rank(cm_world()), half = cm_size(cm_world()) / 2;
    *channel = (cm_pair_channel){
        .group = cm_world(),
        .integrity = options->integrity,
        .peer = rank < half ? rank + half : rank - half,
        .conduct = options->pairs ? &cm_pairs_conduct : &cm_pair_control,
        .pairs = options->pairs ? pairs : NULL,
        .costs = cm_comm_has(CM_HAS_PROCESSES) && !cm_comm_has(CM_HAS_SIMULATOR),
    };
    if (options->mode->turns) {
        int64_t most = cm_pair_most_turns(options->mode, &options->sampling);
        channel->turn_s = calloc((size_t)most + 1, sizeof *channel->turn_s);
        if (!channel->turn_s) return false;
    }
    if (options->window && !cm_pair_flight_open(&channel->flight, (int)options->window))
        return false;
    if (options->pairs && !cm_pairs_open(pairs, cm_world(), rank < half)) return false;
    return cm_pair_buffers_open(&channel->buffers, &options->layout);
}

int netpipe_run(const cm_benchmark *benchmark)
{
    const netpipe_options *options = benchmark->options;
    int status = 0;
    netpipe_require_memory(options);
    if (options->distances) return netpipe_distances_run(benchmark);
    cm_run_bind(options->sampling.bind);

    cm_pair_channel channel;
    cm_pairs pairs;
    if (!open_channel(&channel, &pairs, options))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)options->upper_bytes);
    if (cm_rank(cm_world()) == CM_PAIR_LEADER) status = lead(benchmark, &channel);
    else if (options->pairs) cm_pairs_follow(&channel, options->mode);
    else cm_pair_follow(&channel, options->mode);
    cm_pair_look_close(&channel);
    cm_pair_buffers_close(&channel.buffers);
    if (options->pairs) cm_pairs_close(&pairs);
    cm_pair_flight_close(&channel.flight);
    free(channel.turn_s);
    return status;
}
