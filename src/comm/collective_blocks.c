/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_blocks.c: moves blocks to or from a rank, for algorithms that gather and scatter along
   the same tree. */
#include "comm/collective.h"

void cm_blocks_send(cm_schedule *s, char *data, size_t bytes, int peer)
{
    cm_schedule_send(s, data, bytes, peer);
}

void cm_blocks_recv(cm_schedule *s, char *data, size_t bytes, int peer)
{
    cm_schedule_recv(s, data, bytes, peer);
}
