/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_metadata.c: what a result of cm-netpipe says of how it was measured. */
#include <stdio.h>
#include "netpipe_program.h"

/* ---- What and how --------------------------------------------------------------------------- */

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
    if (options->overlap)
        cm_result_meta(
            result, "overlap",
            "1 - (total_s - compute_s) / time of the exchange; a trial takes "
            "the three in turn; both ranks compute as long as an exchange takes; progress_: "
            "with calls of cm_progress some 10 us apart");
    if (options->pairs)
        cm_result_meta_number(result, "pairs", (double)(cm_size(cm_world()) / 2), "%.0f");
}

static void write_buffers(cm_result *result, const netpipe_options *options,
                          const cm_pair_channel *channel)
{
    const cm_pair_buffers *buffers = &channel->buffers;
    cm_result_meta(result, "buffers", "%s", cm_pair_policies[options->policy]);
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

void netpipe_write_metadata(cm_result *result, const netpipe_options *options,
                            cm_pair_channel *channel)
{
    cm_pair_write_place(result, channel, options->sampling.bind);
    write_mode(result, options);
    write_buffers(result, options, channel);
    write_sampling(result, options);
}
