/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_both.c: both ranks send and receive at once: each posts a receive, starts a send and
   waits for both, in one of the modes after some computing. */
#include <math.h>
#include "netpipe_exchange.h"

/* Early: the receive of the next message is posted before this one is sent. The peer sends the
   next only when it has this, so its message always finds a receive. */
static inline void loop(netpipe_channel *channel, size_t bytes, int64_t iterations, bool checked,
                        bool early, bool computing)
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
        if (computing) netpipe_compute(&channel->load);
        netpipe_await(channel, bytes, checked);
        cm_wait(&send, NULL);
        netpipe_buffers_turn(buffers);
        if (early) channel->posted = next;
        channel->sequence += checked;
    }
}

static inline void exchange_loop(netpipe_channel *channel, size_t bytes, int64_t iterations,
                                 bool checked, bool early)
{
    loop(channel, bytes, iterations, checked, early, false);
}

static inline void overlap_loop(netpipe_channel *channel, size_t bytes, int64_t iterations,
                                bool checked, bool early)
{
    loop(channel, bytes, iterations, checked, early, true);
}

NETPIPE_KERNEL(exchange, exchange_loop, false, false)
NETPIPE_KERNEL(exchange_checked, exchange_loop, true, false)
NETPIPE_KERNEL(exchange_early, exchange_loop, false, true)
NETPIPE_KERNEL(exchange_early_checked, exchange_loop, true, true)
NETPIPE_KERNEL(overlap, overlap_loop, false, false)
NETPIPE_KERNEL(overlap_checked, overlap_loop, true, false)
NETPIPE_KERNEL(overlap_early, overlap_loop, false, true)
NETPIPE_KERNEL(overlap_early_checked, overlap_loop, true, true)

static double compute(netpipe_channel *channel, int64_t iterations)
{
    double begin_s = cm_time();
    for (int64_t i = 0; i < iterations; i++) netpipe_compute(&channel->load);
    return cm_time() - begin_s;
}

static void lead_compute(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    (void)bytes;
    double own_s = compute(channel, iterations), theirs_s;
    cm_recv(channel->group, &theirs_s, sizeof theirs_s, channel->peer, NETPIPE_TAG_DATA, NULL);
    channel->load.spent_s = fmax(own_s, theirs_s);
}

static void follow_compute(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    (void)bytes;
    double own_s = compute(channel, iterations);
    cm_send(channel->group, &own_s, sizeof own_s, channel->peer, NETPIPE_TAG_DATA);
}

#define WORDS                                                                                \
    .direction = "both at once", .iteration = "exchanges",                                   \
    .sample = "a trial: time of its exchanges / exchanges, seconds an exchange, in which a " \
              "message goes each way",                                                       \
    .constant = "exchange", .messages_per_iteration = 1, .directions = 2, .least_iterations = 1

#define IN_TIME                                                                                   \
    WORDS, .receives = 1, .lead = exchange, .follow = exchange, .lead_checked = exchange_checked, \
           .follow_checked = exchange_checked
#define EARLY                                                                                      \
    WORDS, .receives = 2, .early = true, .prepare_lead = netpipe_post_first,                       \
           .prepare_follow = netpipe_post_first, .lead = exchange_early, .follow = exchange_early, \
           .lead_checked = exchange_early_checked, .follow_checked = exchange_early_checked

const netpipe_mode netpipe_both[NETPIPE_POSTINGS] = {
    [NETPIPE_IN_TIME] = {.name = "both", IN_TIME},
    [NETPIPE_EARLY] = {.name = "both", EARLY},
};

#define COMPUTING .name = "overlap", .lead_compute = lead_compute, .follow_compute = follow_compute

const netpipe_mode netpipe_overlap[NETPIPE_POSTINGS] = {
    [NETPIPE_IN_TIME] = {IN_TIME, COMPUTING, .overlap = overlap,
                         .overlap_checked = overlap_checked},
    [NETPIPE_EARLY] = {EARLY, COMPUTING, .overlap = overlap_early,
                       .overlap_checked = overlap_early_checked},
};
