/* SPDX-License-Identifier: BSD-3-Clause */
/* obey.c: what either end of a pair does for an operation. */
#include "pairs/pairs.h"

/* Returns NULL if the operation exchanges no messages. */
static cm_pair_kernel *kernel_of(const cm_pair_mode *mode, cm_pair_operation operation, bool leads)
{
    switch (operation) {
    case CM_PAIR_TRIAL:
        return leads ? mode->lead : mode->follow;
    case CM_PAIR_VERIFY:
    case CM_PAIR_CHECKED:
        return leads ? mode->lead_checked : mode->follow_checked;
    case CM_PAIR_COMPUTE:
        return leads ? mode->lead_compute : mode->follow_compute;
    case CM_PAIR_OVERLAP:
        return mode->overlap;
    case CM_PAIR_OVERLAP_VERIFY:
        return mode->overlap_checked;
    default:
        return NULL;
    }
}

void cm_pair_prepare(cm_pair_channel *channel, const cm_pair_mode *mode,
                     cm_pair_operation operation, int64_t bytes, bool leads)
{
    cm_pair_preparation *prepare = leads ? mode->prepare_lead : mode->prepare_follow;
    channel->verifying = operation == CM_PAIR_VERIFY || operation == CM_PAIR_OVERLAP_VERIFY;
    if (prepare && operation != CM_PAIR_COMPUTE && kernel_of(mode, operation, leads))
        prepare(channel, (size_t)bytes);
}

void cm_pair_obey(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_operation operation,
                  int64_t bytes, int64_t iterations, bool leads)
{
    cm_pair_kernel *kernel = kernel_of(mode, operation, leads);
    if (operation == CM_PAIR_SIZE) cm_pair_buffers_size(&channel->buffers, (size_t)bytes);
    if (operation == CM_PAIR_LOAD)
        channel->load = (cm_pair_load){.units = iterations, .progress = bytes > 0};
    if (!kernel) return;
    if (channel->watch) cm_sample_watch_begin(channel->watch, cm_time());
    kernel(channel, (size_t)bytes, iterations);
    if (channel->watch)
        channel->disturbed = cm_sample_watch_end(channel->watch, cm_time(),
                                                 cm_sample_watch_look_is_due(channel->watch));
}
