/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_random.c: effective bisection bandwidth (Hoefler, Schneider, Lumsdaine 2008): all ranks
   are paired at random, all pairs exchange messages at once, and this is repeated. */
#include <stdlib.h>
#include "bisection.h"
#include "random/random.h"

/* Every rank calls it. Returns rank 0's number of the next pairing, 0 for the end. Two ranks that
   stand beside each other in a random order are a pair; the lower one leads. */
static int64_t agree(cm_pair_channel *channel, const bisection_options *options, int64_t pairing)
{
    int rank = cm_rank(channel->group), ranks = cm_size(channel->group);
    cm_bcast(channel->group, &pairing, sizeof pairing, CM_PAIR_LEADER, CM_AUTO);
    if (pairing == 0) return 0;
    size_t *order = calloc((size_t)ranks, sizeof *order);
    if (!order) cm_abort(CM_EXIT_SYSTEM, "out of memory for the order of %d ranks", ranks);
    cm_random_shuffle((uint64_t)options->seed, (uint64_t)pairing, (size_t)ranks, order);
    for (int k = 0; k < ranks; k++)
        if ((int)order[k] == rank) channel->peer = (int)order[k ^ 1];
    free(order);
    channel->pairs->leads = channel->peer > rank;
    cm_pair_look_anew(channel);
    return pairing;
}

/* The average over the pairs of the throughput of each. */
static double average_MB_per_s(const cm_pairs *pairs, int64_t bytes)
{
    double sum = 0;
    int n = 0;
    for (int rank = 0; rank < pairs->ranks; rank++) {
        if (pairs->kept[rank].n == 0) continue;
        sum += 1e-6 * (double)bytes / cm_sample_summary(&pairs->kept[rank]).median;
        n++;
    }
    return sum / n;
}

static int lead(const cm_benchmark *benchmark, cm_pair_channel *channel, const cm_pair_mode *mode)
{
    const bisection_options *options = benchmark->options;
    const cm_sampling *sampling = &options->job.sampling;
    cm_pair_point point = {.bytes = options->upper_bytes, .samples = CM_SAMPLES_EMPTY};
    cm_samples MB_per_s = CM_SAMPLES_EMPTY;
    cm_result *result = NULL;
    cm_disturbed disturbed = CM_DISTURBED_NO;
    for (int64_t k = 1; k <= options->pairings; k++) {
        agree(channel, options, k);
        if (!result) {
            result = bisection_result_open(benchmark, channel);
            cm_pair_warm_up(channel, mode, sampling, point.bytes);
        }
        cm_result_progress(result, (double)(k - 1) / (double)options->pairings, "pairing %lld",
                           (long long)k);
        bool enough = cm_pair_measure(channel, mode, sampling, &point), right = false;
        if (enough && channel->damage.wrong_bytes == 0) {
            double average = average_MB_per_s(channel->pairs, point.bytes);
            bisection_result_row(result, channel->pairs, &point, k, average);
            disturbed = cm_disturbed_either(disturbed, cm_disturbed_summary(&point.summary));
            enough = right = cm_samples_add(&MB_per_s, average);
        }
        if (!enough) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
        cm_pair_command(channel, mode, CM_PAIR_QUIT, 0, 0);
        if (!right) break;
    }
    agree(channel, options, 0);
    const cm_pair_distances_said said = cm_pair_distances_say(channel);
    cm_pair_write_distances(result, &said);
    int status = bisection_random_close(result, &channel->damage, &MB_per_s, disturbed);
    cm_samples_free(&point.samples);
    cm_samples_free(&MB_per_s);
    return status;
}

int bisection_random_run(const cm_benchmark *benchmark, cm_pair_channel *channel,
                         const cm_pair_mode *mode)
{
    if (cm_rank(cm_world()) == CM_PAIR_LEADER) return lead(benchmark, channel, mode);
    while (agree(channel, benchmark->options, 0) != 0) cm_pairs_follow(channel, mode);
    return 0;
}
