/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h: the parts of the modes' loops. A mode defines each loop once. checked and early are
   constants where the loop is called, so that a timed loop contains none of the checking. */
#ifndef CM_PAIRS_EXCHANGE_H
#define CM_PAIRS_EXCHANGE_H

#include "pairs/pairs.h"

/* Prepares a receive buffer for message number sequence of the given length, if that message is to
   be verified. */
void cm_pair_poison(const cm_pair_channel *channel, unsigned char *buffer, size_t bytes,
                    uint64_t sequence);

/* Checks the message that has arrived in buffers.receive. */
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

/* Receives a message for which no receive has been posted. */
static inline void cm_pair_receive(cm_pair_channel *channel, size_t bytes, bool checked)
{
    cm_status status;
    if (checked) cm_pair_poison(channel, channel->buffers.receive, bytes, channel->sequence);
    cm_recv(channel->group, channel->buffers.receive, bytes, channel->peer, CM_PAIR_TAG_DATA,
            checked ? &status : NULL);
    if (checked) cm_pair_check_received(channel, bytes, channel->sequence, &status);
}

/* An empty message. */
static inline void cm_pair_signal(cm_pair_channel *channel) { cm_pair_send(channel, 0); }
static inline void cm_pair_await_signal(cm_pair_channel *channel)
{
    cm_recv(channel->group, NULL, 0, channel->peer, CM_PAIR_TAG_DATA, NULL);
}

/* What the receiver of messages one way answers: an empty message; in the untimed verification a
   message that is as long as the others and contains the data of number first. */
void cm_pair_acknowledge(cm_pair_channel *channel, size_t bytes, uint64_t first);
void cm_pair_await_acknowledgement(cm_pair_channel *channel, size_t bytes, uint64_t first);

/* The preparation of an end that receives before it sends: posts the first receive. */
cm_pair_preparation cm_pair_post_first;

/* The following end of pingpong.c, which other modes use for their answers, too. */
cm_pair_kernel cm_pair_pingpong_follow, cm_pair_pingpong_follow_checked;
cm_pair_kernel cm_pair_pingpong_follow_early, cm_pair_pingpong_follow_early_checked;

/* Defines a kernel: the loop with its constants. */
#define CM_PAIR_KERNEL(name, loop, checked, early)                               \
    static void name(cm_pair_channel *channel, size_t bytes, int64_t iterations) \
    {                                                                            \
        loop(channel, bytes, iterations, checked, early);                        \
    }

#endif
