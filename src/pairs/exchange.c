/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c: the untimed parts of the modes' loops, and the parts that check every message. */
#include "exchange.h"

void cm_pair_poison(const cm_pair_channel *channel, unsigned char *buffer, size_t bytes,
                    uint64_t sequence)
{
    if (channel->verifying)
        cm_pair_pattern_poison(buffer, bytes, sequence, channel->buffers.guard_bytes);
}

void cm_pair_check_received(cm_pair_channel *channel, size_t bytes, uint64_t sequence,
                            const cm_status *status)
{
    cm_pair_damage *damage = &channel->damage;
    if (status->bytes != bytes) {
        if (damage->wrong_bytes == 0)
            *damage = (cm_pair_damage){
                .first_bytes = bytes, .first_offset = status->bytes, .first_sequence = sequence};
        damage->wrong_bytes +=
            bytes > status->bytes ? bytes - status->bytes : status->bytes - bytes;
        return;
    }
    cm_pair_pattern_check(channel->buffers.receive, bytes, sequence,
                          channel->verifying ? channel->buffers.guard_bytes : 0, damage);
}

void cm_pair_post_first(cm_pair_channel *channel, size_t bytes)
{
    channel->posted =
        cm_pair_post(channel, channel->buffers.receive, bytes, channel->sequence, true);
}

void cm_pair_acknowledge(cm_pair_channel *channel, size_t bytes, uint64_t first)
{
    if (!channel->verifying) {
        cm_pair_signal(channel);
        return;
    }
    cm_pair_pattern_fill(channel->buffers.send, bytes, first);
    cm_pair_send(channel, bytes);
}

void cm_pair_await_acknowledgement(cm_pair_channel *channel, size_t bytes, uint64_t first)
{
    if (!channel->verifying) {
        cm_pair_await_signal(channel);
        return;
    }
    cm_status status;
    cm_pair_poison(channel, channel->buffers.receive, bytes, first);
    cm_recv(channel->group, channel->buffers.receive, bytes, channel->peer, CM_PAIR_TAG_DATA,
            &status);
    cm_pair_check_received(channel, bytes, first, &status);
}
