/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.c: the ping-pong with each round trip timed separately, to obtain the distribution of the
   times. */
#include "exchange.h"

/* One reading of the clock ends a turn and begins the next one, so each turn contains one
   reading. */
static inline void lead_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                             bool checked, bool early)
{
    cm_pair_buffers *buffers = &channel->buffers;
    double before_s = cm_time();
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
        double now_s = cm_time();
        channel->turn_s[i] = now_s - before_s;
        before_s = now_s;
    }
}

CM_PAIR_KERNEL(lead, lead_loop, false, false)
CM_PAIR_KERNEL(lead_checked, lead_loop, true, false)
CM_PAIR_KERNEL(lead_early, lead_loop, false, true)
CM_PAIR_KERNEL(lead_early_checked, lead_loop, true, true)

#define WORDS                                                                                   \
    .name = "turns", .direction = "0 to 1 and back", .iteration = "round_trips",                \
    .sample = "a round trip timed separately: its time / 2, seconds per message; includes "     \
              "one reading of the clock; the first of each trial is warm-up",                   \
    .constant = "latency", .messages_per_iteration = 2, .directions = 1, .least_iterations = 1, \
    .receives = 1, .turns = true

const cm_pair_mode cm_pair_turns[CM_PAIR_POSTINGS] = {
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
