/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong.c: the ping-pong. Rank 0 sends a message, and rank 1 sends one of the same size back. */
#include "exchange.h"

/* Both directions of a round trip carry the same sequence number and therefore the same data. */
static inline void lead_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                             bool checked, bool early)
{
    cm_pair_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_fill(channel, bytes, checked);
        if (early)
            channel->posted =
                cm_pair_post(channel, buffers->receive, bytes, channel->sequence, checked);
        cm_pair_send(channel, bytes);
        if (early) cm_pair_await(channel, bytes, checked);
        else cm_pair_receive(channel, bytes, checked);
        cm_pair_buffers_turn(buffers);
        channel->sequence += checked;
    }
}

/* early: cm_pair_post_first has posted the first receive. Each further receive is posted before the
   answer is sent. */
static inline void follow_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                               bool checked, bool early)
{
    cm_pair_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        if (early) cm_pair_await(channel, bytes, checked);
        else cm_pair_receive(channel, bytes, checked);
        cm_pair_buffers_turn(buffers);
        if (early && i + 1 < iterations)
            channel->posted =
                cm_pair_post(channel, buffers->receive, bytes, channel->sequence + 1, checked);
        cm_pair_fill(channel, bytes, checked);
        cm_pair_send(channel, bytes);
        channel->sequence += checked;
    }
}

CM_PAIR_KERNEL(lead, lead_loop, false, false)
CM_PAIR_KERNEL(lead_checked, lead_loop, true, false)
CM_PAIR_KERNEL(lead_early, lead_loop, false, true)
CM_PAIR_KERNEL(lead_early_checked, lead_loop, true, true)

void cm_pair_pingpong_follow(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    follow_loop(channel, bytes, iterations, false, false);
}

void cm_pair_pingpong_follow_checked(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    follow_loop(channel, bytes, iterations, true, false);
}

void cm_pair_pingpong_follow_early(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    follow_loop(channel, bytes, iterations, false, true);
}

void cm_pair_pingpong_follow_early_checked(cm_pair_channel *channel, size_t bytes,
                                           int64_t iterations)
{
    follow_loop(channel, bytes, iterations, true, true);
}

#define WORDS                                                                                   \
    .name = "ping-pong", .direction = "0 to 1 and back", .iteration = "round_trips",            \
    .sample = "a trial: time of its round trips / (2 * round_trips), seconds per message",      \
    .constant = "latency", .messages_per_iteration = 2, .directions = 1, .least_iterations = 1, \
    .receives = 1

const cm_pair_mode cm_pair_pingpong[CM_PAIR_POSTINGS] = {
    [CM_PAIR_IN_TIME] =
        {
            WORDS,
            .lead = lead,
            .follow = cm_pair_pingpong_follow,
            .lead_checked = lead_checked,
            .follow_checked = cm_pair_pingpong_follow_checked,
        },
    [CM_PAIR_EARLY] =
        {
            WORDS,
            .early = true,
            .prepare_follow = cm_pair_post_first,
            .lead = lead_early,
            .follow = cm_pair_pingpong_follow_early,
            .lead_checked = lead_early_checked,
            .follow_checked = cm_pair_pingpong_follow_early_checked,
        },
};
