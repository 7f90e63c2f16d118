/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_blocks.c: blocks to or from a rank, for what gathers and scatters by one way through a
   tree. */
#include "comm/collective.h"

void cm_blocks_send(cm_schedule *s, char *data, size_t bytes, int peer)
{
    cm_schedule_send(s, data, bytes, peer);
}

void cm_blocks_recv(cm_schedule *s, char *data, size_t bytes, int peer)
{
    cm_schedule_recv(s, data, bytes, peer);
}
