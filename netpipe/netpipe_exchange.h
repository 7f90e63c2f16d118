/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_exchange.h: what the modes' loops are made of. A mode writes each loop once; checked and
   early are constants where it is called, so that a timed loop holds nothing of the checking. */
#ifndef NETPIPE_EXCHANGE_H
#define NETPIPE_EXCHANGE_H

#include "netpipe.h"

/* Prepares a receive buffer for message number sequence, where that is to be verified. */
void netpipe_poison(const netpipe_channel *channel, unsigned char *buffer, size_t bytes,
                    uint64_t sequence);

/* Checks what has arrived in buffers.receive. */
void netpipe_check_received(netpipe_channel *channel, size_t bytes, uint64_t sequence,
                            const cm_status *status);

static inline void netpipe_fill(netpipe_channel *channel, size_t bytes, bool checked)
{
    if (checked) netpipe_pattern_fill(channel->buffers.send, bytes, channel->sequence);
}

static inline cm_request *netpipe_post(netpipe_channel *channel, unsigned char *buffer,
                                       size_t bytes, uint64_t sequence, bool checked)
{
    if (checked) netpipe_poison(channel, buffer, bytes, sequence);
    return cm_irecv(channel->group, buffer, bytes, channel->peer, NETPIPE_TAG_DATA);
}

/* Completes the receive that channel->posted is, into buffers.receive. */
static inline void netpipe_await(netpipe_channel *channel, size_t bytes, bool checked)
{
    cm_status status;
    cm_wait(&channel->posted, checked ? &status : NULL);
    if (checked) netpipe_check_received(channel, bytes, channel->sequence, &status);
}

static inline void netpipe_send(netpipe_channel *channel, size_t bytes)
{
    cm_send(channel->group, channel->buffers.send, bytes, channel->peer, NETPIPE_TAG_DATA);
}

/* A receive that nobody has posted before. */
static inline void netpipe_receive(netpipe_channel *channel, size_t bytes, bool checked)
{
    cm_status status;
    if (checked) netpipe_poison(channel, channel->buffers.receive, bytes, channel->sequence);
    cm_recv(channel->group, channel->buffers.receive, bytes, channel->peer, NETPIPE_TAG_DATA,
            checked ? &status : NULL);
    if (checked) netpipe_check_received(channel, bytes, channel->sequence, &status);
}

/* The preparation of an end that receives before it sends: the first receive is posted. */
netpipe_preparation netpipe_post_first;

/* netpipe_pingpong.c's following end, which other modes answer by too. */
netpipe_kernel netpipe_pingpong_follow, netpipe_pingpong_follow_checked;
netpipe_kernel netpipe_pingpong_follow_early, netpipe_pingpong_follow_early_checked;

/* Defines a kernel: loop with its constants. */
#define NETPIPE_KERNEL(name, loop, checked, early)                               \
    static void name(netpipe_channel *channel, size_t bytes, int64_t iterations) \
    {                                                                            \
        loop(channel, bytes, iterations, checked, early);                        \
    }

#endif
