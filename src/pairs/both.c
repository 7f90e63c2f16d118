/* SPDX-License-Identifier: BSD-3-Clause */
/* both.c: both ranks send and receive at the same time. Each posts a receive, starts a send and
   waits for both. One of the modes computes in between. */
#include <math.h>
#include "exchange.h"

/* early: posts the receive of the next message before it sends this one. The peer sends its next
   message only after it has received this one, so that message always finds a posted receive. */
static inline void loop(cm_pair_channel *channel, size_t bytes, int64_t iterations, bool checked,
                        bool early, bool computing)
{
    cm_pair_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        cm_request *next = NULL;
        cm_pair_fill(channel, bytes, checked);
        if (!early)
            channel->posted =
                cm_pair_post(channel, buffers->receive, bytes, channel->sequence, checked);
        else if (i + 1 < iterations)
            next = cm_pair_post(channel, buffers->upcoming, bytes, channel->sequence + 1, checked);
        cm_request *send =
            cm_isend(channel->group, buffers->send, bytes, channel->peer, CM_PAIR_TAG_DATA);
        if (computing) cm_pair_compute(&channel->load);
        cm_pair_await(channel, bytes, checked);
        cm_wait(&send, NULL);
        cm_pair_buffers_turn(buffers);
        if (early) channel->posted = next;
        channel->sequence += checked;
    }
}

static inline void exchange_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                 bool checked, bool early)
{
    loop(channel, bytes, iterations, checked, early, false);
}

static inline void overlap_loop(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                bool checked, bool early)
{
    loop(channel, bytes, iterations, checked, early, true);
}

CM_PAIR_KERNEL(exchange, exchange_loop, false, false)
CM_PAIR_KERNEL(exchange_checked, exchange_loop, true, false)
CM_PAIR_KERNEL(exchange_early, exchange_loop, false, true)
CM_PAIR_KERNEL(exchange_early_checked, exchange_loop, true, true)
CM_PAIR_KERNEL(overlap, overlap_loop, false, false)
CM_PAIR_KERNEL(overlap_checked, overlap_loop, true, false)
CM_PAIR_KERNEL(overlap_early, overlap_loop, false, true)
CM_PAIR_KERNEL(overlap_early_checked, overlap_loop, true, true)

static double compute(cm_pair_channel *channel, int64_t iterations)
{
    double begin_s = cm_time();
    for (int64_t i = 0; i < iterations; i++) cm_pair_compute(&channel->load);
    return cm_time() - begin_s;
}

static void lead_compute(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    (void)bytes;
    double own_s = compute(channel, iterations), theirs_s;
    cm_recv(channel->group, &theirs_s, sizeof theirs_s, channel->peer, CM_PAIR_TAG_DATA, NULL);
    channel->load.spent_s = fmax(own_s, theirs_s);
}

static void follow_compute(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    (void)bytes;
    double own_s = compute(channel, iterations);
    cm_send(channel->group, &own_s, sizeof own_s, channel->peer, CM_PAIR_TAG_DATA);
}

#define WORDS                                                                                 \
    .direction = "both at once", .iteration = "exchanges",                                    \
    .sample =                                                                                 \
        "a trial: time of its exchanges / exchanges, seconds per exchange; in an exchange a " \
        "message goes each way",                                                              \
    .constant = "exchange", .messages_per_iteration = 1, .directions = 2, .least_iterations = 1

#define IN_TIME                                                                                   \
    WORDS, .receives = 1, .lead = exchange, .follow = exchange, .lead_checked = exchange_checked, \
           .follow_checked = exchange_checked
#define EARLY                                                                                      \
    WORDS, .receives = 2, .early = true, .prepare_lead = cm_pair_post_first,                       \
           .prepare_follow = cm_pair_post_first, .lead = exchange_early, .follow = exchange_early, \
           .lead_checked = exchange_early_checked, .follow_checked = exchange_early_checked

const cm_pair_mode cm_pair_both[CM_PAIR_POSTINGS] = {
    [CM_PAIR_IN_TIME] = {.name = "both", IN_TIME},
    [CM_PAIR_EARLY] = {.name = "both", EARLY},
};

#define COMPUTING .name = "overlap", .lead_compute = lead_compute, .follow_compute = follow_compute

const cm_pair_mode cm_pair_overlap[CM_PAIR_POSTINGS] = {
    [CM_PAIR_IN_TIME] = {IN_TIME, COMPUTING, .overlap = overlap,
                         .overlap_checked = overlap_checked},
    [CM_PAIR_EARLY] = {EARLY, COMPUTING, .overlap = overlap_early,
                       .overlap_checked = overlap_early_checked},
};
