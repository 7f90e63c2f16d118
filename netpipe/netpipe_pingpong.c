/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_pingpong.c: the timed loops of the ping-pong, and beside them the same exchange with
   every byte checked. */
#include "netpipe.h"

static void lead(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    netpipe_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        cm_send(channel->group, buffers->send, bytes, channel->peer, NETPIPE_TAG_DATA);
        cm_recv(channel->group, buffers->receive, bytes, channel->peer, NETPIPE_TAG_DATA, NULL);
        netpipe_buffers_turn(buffers);
    }
}

static void follow(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    netpipe_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++) {
        cm_recv(channel->group, buffers->receive, bytes, channel->peer, NETPIPE_TAG_DATA, NULL);
        netpipe_buffers_turn(buffers);
        cm_send(channel->group, buffers->send, bytes, channel->peer, NETPIPE_TAG_DATA);
    }
}

static void receive_checked(netpipe_channel *channel, size_t bytes)
{
    cm_status status;
    cm_recv(channel->group, channel->buffers.receive, bytes, channel->peer, NETPIPE_TAG_DATA,
            &status);
    if (status.bytes != bytes) {
        netpipe_damage *damage = &channel->damage;
        if (damage->wrong_bytes == 0) {
            *damage = (netpipe_damage){.first_bytes = bytes, .first_offset = status.bytes,
                                       .first_sequence = channel->sequence};
        }
        damage->wrong_bytes += bytes > status.bytes ? bytes - status.bytes : status.bytes - bytes;
        return;
    }
    netpipe_pattern_check(channel->buffers.receive, bytes, channel->sequence,
                          channel->verifying ? channel->buffers.guard_bytes : 0, &channel->damage);
}

static void poison(netpipe_channel *channel, size_t bytes)
{
    if (channel->verifying)
        netpipe_pattern_poison(channel->buffers.receive, bytes, channel->sequence,
                               channel->buffers.guard_bytes);
}

/* Both directions of one round trip carry the same sequence number and so the same data. */
static void lead_checked(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    netpipe_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++, channel->sequence++) {
        poison(channel, bytes);
        netpipe_pattern_fill(buffers->send, bytes, channel->sequence);
        cm_send(channel->group, buffers->send, bytes, channel->peer, NETPIPE_TAG_DATA);
        receive_checked(channel, bytes);
        netpipe_buffers_turn(buffers);
    }
}

static void follow_checked(netpipe_channel *channel, size_t bytes, int64_t iterations)
{
    netpipe_buffers *buffers = &channel->buffers;
    for (int64_t i = 0; i < iterations; i++, channel->sequence++) {
        poison(channel, bytes);
        receive_checked(channel, bytes);
        netpipe_buffers_turn(buffers);
        netpipe_pattern_fill(buffers->send, bytes, channel->sequence);
        cm_send(channel->group, buffers->send, bytes, channel->peer, NETPIPE_TAG_DATA);
    }
}

const netpipe_mode netpipe_pingpong = {
    .name = "ping-pong",
    .sample = "a trial: time of its round trips / (2 * round_trips), seconds a message",
    .messages_per_iteration = 2,
    .lead = lead,
    .follow = follow,
    .lead_checked = lead_checked,
    .follow_checked = follow_checked,
};
