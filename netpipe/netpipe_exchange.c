/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_exchange.c: what the modes' loops do outside the timing, and when every message is
   checked. */
#include "netpipe_exchange.h"

void netpipe_poison(const netpipe_channel *channel, unsigned char *buffer, size_t bytes,
                    uint64_t sequence)
{
    if (channel->verifying)
        netpipe_pattern_poison(buffer, bytes, sequence, channel->buffers.guard_bytes);
}

void netpipe_check_received(netpipe_channel *channel, size_t bytes, uint64_t sequence,
                            const cm_status *status)
{
    netpipe_damage *damage = &channel->damage;
    if (status->bytes != bytes) {
        if (damage->wrong_bytes == 0)
            *damage = (netpipe_damage){
                .first_bytes = bytes, .first_offset = status->bytes, .first_sequence = sequence};
        damage->wrong_bytes +=
            bytes > status->bytes ? bytes - status->bytes : status->bytes - bytes;
        return;
    }
    netpipe_pattern_check(channel->buffers.receive, bytes, sequence,
                          channel->verifying ? channel->buffers.guard_bytes : 0, damage);
}

void netpipe_post_first(netpipe_channel *channel, size_t bytes)
{
    channel->posted =
        netpipe_post(channel, channel->buffers.receive, bytes, channel->sequence, true);
}
