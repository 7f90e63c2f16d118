/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h: building blocks of the modes' loops. A mode defines each loop once, as an inline
   function. It is called with constants for checked and early, so that the compiler removes all
   checking from the timed loops. */
#ifndef CM_PAIRS_EXCHANGE_H
#define CM_PAIRS_EXCHANGE_H

#include "pairs/pairs.h"

/* Prepares a receive buffer for the message with this number and length, if that message will be
   verified. */
void cm_pair_poison(const cm_pair_channel *channel, unsigned char *buffer, size_t bytes,
                    uint64_t sequence);

/* Checks the message in buffers.receive. */
void cm_pair_check_received(cm_pair_channel *channel, size_t bytes, uint64_t sequence,
                            const cm_status *status);

static inline void cm_pair_fill(cm_pair_channel *channel, size_t bytes, bool checked)
{
    if (checked) cm_pair_pattern_fill(channel->buffers.send, bytes, channel->sequence);
}

static inline cm_request *cm_pair_post(cm_pair_channel *channel, unsigned char *buffer,
                                       size_t bytes, uint64_t sequence, bool checked)
{
    if (checked) cm_pair_poison(channel, buffer, bytes, sequence);
    return cm_irecv(channel->group, buffer, bytes, channel->peer, CM_PAIR_TAG_DATA);
}

/* Completes the receive channel->posted, into buffers.receive. */
static inline void cm_pair_await(cm_pair_channel *channel, size_t bytes, bool checked)
{
    cm_status status;
    cm_wait(&channel->posted, checked ? &status : NULL);
    if (checked) cm_pair_check_received(channel, bytes, channel->sequence, &status);
}

static inline void cm_pair_send(cm_pair_channel *channel, size_t bytes)
{
    cm_send(channel->group, channel->buffers.send, bytes, channel->peer, CM_PAIR_TAG_DATA);
}

/* Posts a receive and waits for its message. */
static inline void cm_pair_receive(cm_pair_channel *channel, size_t bytes, bool checked)
{
    cm_status status;
    if (checked) cm_pair_poison(channel, channel->buffers.receive, bytes, channel->sequence);
    cm_recv(channel->group, channel->buffers.receive, bytes, channel->peer, CM_PAIR_TAG_DATA,
            checked ? &status : NULL);
    if (checked) cm_pair_check_received(channel, bytes, channel->sequence, &status);
}

/* Sends, and receives, an empty message. */
static inline void cm_pair_signal(cm_pair_channel *channel) { cm_pair_send(channel, 0); }
static inline void cm_pair_await_signal(cm_pair_channel *channel)
{
    cm_recv(channel->group, NULL, 0, channel->peer, CM_PAIR_TAG_DATA, NULL);
}

/* Send, and receive, the acknowledgement of messages in one direction. It is an empty message; in
   the untimed verification it is as long as the others and has the data of message number first. */
void cm_pair_acknowledge(cm_pair_channel *channel, size_t bytes, uint64_t first);
void cm_pair_await_acknowledgement(cm_pair_channel *channel, size_t bytes, uint64_t first);

/* Posts the first receive: the preparation of an end that receives before it sends. */
cm_pair_preparation cm_pair_post_first;

/* The loops of the following end in pingpong.c, which other modes use as well. */
cm_pair_kernel cm_pair_pingpong_follow, cm_pair_pingpong_follow_checked;
cm_pair_kernel cm_pair_pingpong_follow_early, cm_pair_pingpong_follow_early_checked;

/* Defines a kernel: a loop with constant checked and early. */
#define CM_PAIR_KERNEL(name, loop, checked, early)                               \
    static void name(cm_pair_channel *channel, size_t bytes, int64_t iterations) \
    {                                                                            \
        loop(channel, bytes, iterations, checked, early);                        \
    }

#endif
