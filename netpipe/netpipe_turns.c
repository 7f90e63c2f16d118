/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_turns.c: the ping-pong with every round trip timed by itself, for the distribution of
   their times. */
#include "netpipe_exchange.h"

/* One reading of the clock ends a turn and begins the next, so each contains one reading. */
static inline void lead_loop(netpipe_channel *channel, size_t bytes, int64_t iterations,
                             bool checked, bool early)
{
    netpipe_buffers *buffers = &channel->buffers;
    double before_s = cm_time();
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
        double now_s = cm_time();
        channel->turn_s[i] = now_s - before_s;
        before_s = now_s;
    }
}

NETPIPE_KERNEL(lead, lead_loop, false, false)
NETPIPE_KERNEL(lead_checked, lead_loop, true, false)
NETPIPE_KERNEL(lead_early, lead_loop, false, true)
NETPIPE_KERNEL(lead_early_checked, lead_loop, true, true)

#define WORDS                                                                                   \
    .name = "turns", .direction = "0 to 1 and back", .iteration = "round_trips",                \
    .sample = "a round trip timed by itself: its time / 2, seconds a message; it includes "     \
              "reading the clock once; the first of each trial is warm-up",                     \
    .constant = "latency", .messages_per_iteration = 2, .directions = 1, .least_iterations = 1, \
    .receives = 1, .turns = true

const netpipe_mode netpipe_turns[NETPIPE_POSTINGS] = {
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
