/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_both.c: both ranks send and receive at once: each posts a receive, starts a send and
   waits for both. */
#include "netpipe_exchange.h"

/* Early: the receive of the next message is posted before this one is sent. The peer sends the
   next only when it has this, so its message always finds a receive. */
static inline void loop(netpipe_channel *channel, size_t bytes, int64_t iterations, bool checked,
                        bool early)
{
    netpipe_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        cm_request *next = NULL;
        netpipe_fill(channel, bytes, checked);
        if (!early)
            channel->posted =
                netpipe_post(channel, buffers->receive, bytes, channel->sequence, checked);
        else if (i + 1 < iterations)
            next = netpipe_post(channel, buffers->upcoming, bytes, channel->sequence + 1, checked);
        cm_request *send =
            cm_isend(channel->group, buffers->send, bytes, channel->peer, NETPIPE_TAG_DATA);
        netpipe_await(channel, bytes, checked);
        cm_wait(&send, NULL);
        netpipe_buffers_turn(buffers);
        if (early) channel->posted = next;
        channel->sequence += checked;
    }
}

NETPIPE_KERNEL(exchange, loop, false, false)
NETPIPE_KERNEL(exchange_checked, loop, true, false)
NETPIPE_KERNEL(exchange_early, loop, false, true)
NETPIPE_KERNEL(exchange_early_checked, loop, true, true)

#define WORDS \
    .name = "both", .direction = "both at once", .iteration = "exchanges", \
    .sample = "a trial: time of its exchanges / exchanges, seconds an exchange, in which a " \
              "message goes each way", \
    .constant = "exchange", .messages_per_iteration = 1, .directions = 2, .least_iterations = 1

const netpipe_mode netpipe_both[NETPIPE_POSTINGS] = {
    [NETPIPE_IN_TIME] = {
        WORDS,
        .receives = 1,
        .lead = exchange,
        .follow = exchange,
        .lead_checked = exchange_checked,
        .follow_checked = exchange_checked,
    },
    [NETPIPE_EARLY] = {
        WORDS,
        .receives = 2,
        .early = true,
        .prepare_lead = netpipe_post_first,
        .prepare_follow = netpipe_post_first,
        .lead = exchange_early,
        .follow = exchange_early,
        .lead_checked = exchange_early_checked,
        .follow_checked = exchange_early_checked,
    },
};
