/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_pingpong.c: the ping-pong: rank 0 sends, rank 1 sends as much back. */
#include "netpipe_exchange.h"

/* Both directions of one round trip carry the same sequence number and so the same data. */
static inline void lead_loop(netpipe_channel *channel, size_t bytes, int64_t iterations,
                             bool checked, bool early)
{
    netpipe_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        netpipe_fill(channel, bytes, checked);
        if (early)
            channel->posted =
                netpipe_post(channel, buffers->receive, bytes, channel->sequence, checked);
        netpipe_send(channel, bytes);
        if (early) netpipe_await(channel, bytes, checked);
        else netpipe_receive(channel, bytes, checked);
        netpipe_buffers_turn(buffers);
        channel->sequence += checked;
    }
}

/* Early: the first receive was posted by netpipe_post_first, each next one goes before the
   answer. */
static inline void follow_loop(netpipe_channel *channel, size_t bytes, int64_t iterations,
                               bool checked, bool early)
{
    netpipe_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        if (early) netpipe_await(channel, bytes, checked);
        else netpipe_receive(channel, bytes, checked);
        netpipe_buffers_turn(buffers);
        if (early && i + 1 < iterations)
            channel->posted =
                netpipe_post(channel, buffers->receive, bytes, channel->sequence + 1, checked);
        netpipe_fill(channel, bytes, checked);
        netpipe_send(channel, bytes);
        channel->sequence += checked;
    }
}

NETPIPE_KERNEL(lead, lead_loop, false, false)
NETPIPE_KERNEL(lead_checked, lead_loop, true, false)
NETPIPE_KERNEL(lead_early, lead_loop, false, true)
NETPIPE_KERNEL(lead_early_checked, lead_loop, true, true)

void netpipe_pingpong_follow(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    follow_loop(channel, bytes, iterations, false, false);
}

void netpipe_pingpong_follow_checked(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    follow_loop(channel, bytes, iterations, true, false);
}

void netpipe_pingpong_follow_early(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    follow_loop(channel, bytes, iterations, false, true);
}

void netpipe_pingpong_follow_early_checked(netpipe_channel *channel, size_t bytes,
                                           int64_t iterations)
{
    follow_loop(channel, bytes, iterations, true, true);
}

#define WORDS                                                                                   \
    .name = "ping-pong", .direction = "0 to 1 and back", .iteration = "round_trips",            \
    .sample = "a trial: time of its round trips / (2 * round_trips), seconds a message",        \
    .constant = "latency", .messages_per_iteration = 2, .directions = 1, .least_iterations = 1, \
    .receives = 1

const netpipe_mode netpipe_pingpong[NETPIPE_POSTINGS] = {
    [NETPIPE_IN_TIME] =
        {
            WORDS,
            .lead = lead,
            .follow = netpipe_pingpong_follow,
            .lead_checked = lead_checked,
            .follow_checked = netpipe_pingpong_follow_checked,
        },
    [NETPIPE_EARLY] =
        {
            WORDS,
            .early = true,
            .prepare_follow = netpipe_post_first,
            .lead = lead_early,
            .follow = netpipe_pingpong_follow_early,
            .lead_checked = lead_early_checked,
            .follow_checked = netpipe_pingpong_follow_early_checked,
        },
};
