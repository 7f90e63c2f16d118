/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_metadata.c: what a result of cm-netpipe says of how it was measured. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include "netpipe_program.h"

/* ---- Where ---------------------------------------------------------------------------------- */

static void write_hosts(cm_result *result, int ranks)
{
    const char **hosts = calloc((size_t)ranks, sizeof *hosts);
    if (!hosts) cm_abort(CM_EXIT_SYSTEM, "out of memory for the names of %d hosts", ranks);
    for (int rank = 0; rank < ranks; rank++) hosts[rank] = cm_host(cm_world(), rank);
    cm_result_meta_run(result, cm_describe, hosts, (size_t)ranks);
    free(hosts);
}

/* Two ranks have a key each, many a list in one. */
static void write_cpus(cm_result *result, int ranks, const netpipe_cpus *cpus)
{
    enum { ONE = 256 };
    char text[ONE], key[32];
    if (ranks == NETPIPE_RANKS) {
        for (int rank = 0; rank < ranks; rank++) {
            snprintf(key, sizeof key, "cpus_of_rank_%d", rank);
            cm_result_meta(result, key, "%s", netpipe_cpus_text(&cpus[rank], text, sizeof text));
        }
        return;
    }
    size_t capacity = (size_t)ranks * ONE, used = 0;
    char *list = malloc(capacity);
    if (!list) cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", ranks);
    for (int rank = 0; rank < ranks; rank++)
        used += (size_t)snprintf(list + used, capacity - used, "%s%s", rank ? " " : "",
                                 netpipe_cpus_text(&cpus[rank], text, sizeof text));
    cm_result_meta(result, "cpus_of_ranks", "%s", list);
    free(list);
}

static void write_place(cm_result *result, const netpipe_options *options,
                        netpipe_channel *channel)
{
    int ranks = cm_size(cm_world());
    write_hosts(result, ranks);
    netpipe_cpus *cpus = calloc((size_t)ranks, sizeof *cpus);
    if (!cpus) cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", ranks);
    channel->conduct->place(channel, cpus);
    write_cpus(result, ranks, cpus);
    cm_result_meta(result, "bound", "%s",
                   options->bind ? "each rank to a core (--bind)" : "as started");
    /* More ranks than cores stands in oversubscribed; this is ranks bound to fewer. */
    cm_result_meta(result, "core_shared", "%s",
                   netpipe_cores_shared(cm_world(), cpus) ? "yes" : "no");
    free(cpus);
}

/* ---- What and how --------------------------------------------------------------------------- */

static void write_mode(cm_result *result, const netpipe_options *options)
{
    const netpipe_mode *mode = options->mode;
    cm_result_meta(result, "mode", "%s", mode->name);
    cm_result_meta(result, "direction", "%s", mode->direction);
    cm_result_meta(result, "sample", "%s%s", mode->sample,
                   options->pairs ? "; of each trial the slowest pair's" : "");
    cm_result_meta(result, "throughput", "%s%s",
                   mode->directions > 1 ? "counts both directions' bytes"
                                        : "counts one direction's bytes",
                   options->pairs ? ", of all pairs together" : "");
    cm_result_meta(result, "receives", "%s", mode->early ? "posted early" : "posted when needed");
    if (options->pairs)
        cm_result_meta_number(result, "pairs", (double)(cm_size(cm_world()) / 2), "%.0f");
}

static void write_buffers(cm_result *result, const netpipe_options *options,
                          const netpipe_channel *channel)
{
    const netpipe_buffers *buffers = &channel->buffers;
    cm_result_meta(result, "buffers", "%s", netpipe_policies[options->policy]);
    cm_result_meta_number(result, "buffer_memory_bytes", (double)buffers->memory_bytes, "%.0f");
    cm_result_meta_number(result, "send_offset_bytes", (double)buffers->layout.send_offset,
                          "%.0f");
    cm_result_meta_number(result, "receive_offset_bytes", (double)buffers->layout.receive_offset,
                          "%.0f");
}

static void write_sampling(cm_result *result, const netpipe_options *options)
{
    const netpipe_sampling *sampling = &options->sampling;
    const cm_stop_rule *rule = &sampling->rule;
    cm_result_meta(result, "timing", "%s",
                   sampling->integrity
                       ? "includes filling and checking every message (--integrity)"
                       : "messages only; each size verified beforehand, untimed");
    if (sampling->iterations) {
        char key[64];
        snprintf(key, sizeof key, "%s_per_trial", options->mode->iteration);
        cm_result_meta_number(result, key, (double)sampling->iterations, "%.0f");
    } else {
        cm_result_meta_number(result, "trial_s", sampling->trial_s, "%g");
    }
    if (options->turns)
        cm_result_meta(result, "stopping_rule", "%zu round trips, or %g s a size", rule->most,
                       rule->time_limit_s);
    else
        cm_result_meta(result, "stopping_rule",
                       "half-width of the 95 %% confidence interval of the median <= %g of it "
                       "with at least %zu trials, %zu trials, or %g s a size",
                       rule->relative_half_width, rule->least, rule->most, rule->time_limit_s);
    cm_result_meta_number(result, "perturbation_bytes", (double)options->perturbation_bytes,
                          "%.0f");
    cm_result_meta_number(result, "sweeps", (double)options->sweeps, "%.0f");
    cm_result_meta_number(result, "warm_up_s", sampling->warm_up_s, "%g");
}

void netpipe_write_metadata(cm_result *result, const netpipe_options *options,
                            netpipe_channel *channel)
{
    write_place(result, options, channel);
    write_mode(result, options);
    write_buffers(result, options, channel);
    write_sampling(result, options);
}
