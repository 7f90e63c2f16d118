/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: sends consecutive messages in one direction, and one message in the other direction.
   The latter is the acknowledgement after the last message or, if rank 1 sends, the signal to
   begin. In both cases rank 0 measures the time of the messages plus one latency. */
#include "exchange.h"

/* The minimum for a stream, in which messages follow each other. */
enum { LEAST_MESSAGES = 4 };

static inline void send_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                             bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_fill(channel, bytes, checked);
        cm_pair_send(channel, bytes);
        cm_pair_buffers_turn(&channel->buffers);
        channel->sequence += checked;
    }
}

/* early: one more receive is posted than the one that is being waited for. cm_pair_post_first posts
   the first. */
static inline void receive_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                bool checked, bool early)
{
    cm_pair_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        cm_request *next = NULL;
        if (early && i + 1 < iterations)
            next = cm_pair_post(channel, buffers->upcoming, bytes, channel->sequence + 1, checked);
        if (early) cm_pair_await(channel, bytes, checked);
        else cm_pair_receive(channel, bytes, checked);
        cm_pair_buffers_turn(buffers);
        if (early) channel->posted = next;
        channel->sequence += checked;
    }
}

/* ---- From rank 0 to rank 1 ------------------------------------------------------------------- */

static void lead(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    send_loop(channel, bytes, iterations, false);
    cm_pair_await_signal(channel);
}

static void lead_checked(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    uint64_t first = channel->sequence;
    send_loop(channel, bytes, iterations, true);
    cm_pair_await_acknowledgement(channel, bytes, first);
}

static inline void follow_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                               bool checked, bool early)
{
    uint64_t first = channel->sequence;
    receive_loop(channel, bytes, iterations, checked, early);
    if (checked) cm_pair_acknowledge(channel, bytes, first);
    else cm_pair_signal(channel);
}

CM_PAIR_KERNEL(follow, follow_loop, false, false)
CM_PAIR_KERNEL(follow_checked, follow_loop, true, false)
CM_PAIR_KERNEL(follow_early, follow_loop, false, true)
CM_PAIR_KERNEL(follow_early_checked, follow_loop, true, true)

/* ---- From rank 1 to rank 0 ------------------------------------------------------------------- */

static inline void lead_reverse_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                     bool checked, bool early)
{
    cm_pair_signal(channel);
    receive_loop(channel, bytes, iterations, checked, early);
}

CM_PAIR_KERNEL(lead_reverse, lead_reverse_loop, false, false)
CM_PAIR_KERNEL(lead_reverse_checked, lead_reverse_loop, true, false)
CM_PAIR_KERNEL(lead_reverse_early, lead_reverse_loop, false, true)
CM_PAIR_KERNEL(lead_reverse_early_checked, lead_reverse_loop, true, true)

static void follow_reverse(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    cm_pair_await_signal(channel);
    send_loop(channel, bytes, iterations, false);
}

static void follow_reverse_checked(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    cm_pair_await_signal(channel);
    send_loop(channel, bytes, iterations, true);
}

#define WORDS                                                                                  \
    .name = "stream", .iteration = "messages", .constant = "gap", .messages_per_iteration = 1, \
    .directions = 1, .least_iterations = LEAST_MESSAGES
#define SAMPLE(end) "a trial: time of its messages and " end " / messages, seconds per message"
#define FORWARD WORDS, .direction = "0 to 1", .sample = SAMPLE("the acknowledgement")
#define REVERSE WORDS, .direction = "1 to 0", .sample = SAMPLE("the word to begin")

const cm_pair_mode cm_pair_stream[CM_PAIR_POSTINGS] = {
    [CM_PAIR_IN_TIME] =
        {
            FORWARD,
            .receives = 1,
            .lead = lead,
            .follow = follow,
            .lead_checked = lead_checked,
            .follow_checked = follow_checked,
        },
    [CM_PAIR_EARLY] =
        {
            FORWARD,
            .receives = 2,
            .early = true,
            .prepare_follow = cm_pair_post_first,
            .lead = lead,
            .follow = follow_early,
            .lead_checked = lead_checked,
            .follow_checked = follow_early_checked,
        },
};

const cm_pair_mode cm_pair_stream_reverse[CM_PAIR_POSTINGS] = {
    [CM_PAIR_IN_TIME] =
        {
            REVERSE,
            .receives = 1,
            .lead = lead_reverse,
            .follow = follow_reverse,
            .lead_checked = lead_reverse_checked,
            .follow_checked = follow_reverse_checked,
        },
    [CM_PAIR_EARLY] =
        {
            REVERSE,
            .receives = 2,
            .early = true,
            .prepare_lead = cm_pair_post_first,
            .lead = lead_reverse_early,
            .follow = follow_reverse,
            .lead_checked = lead_reverse_early_checked,
            .follow_checked = follow_reverse_checked,
        },
};
