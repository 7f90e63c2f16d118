/* SPDX-License-Identifier: BSD-3-Clause */
/* coalesce.c: short sends that are held back so that all those to one peer leave in one write
   (cm_coalesce). They are copied one after the other, in wire format, into one element of the
   peer's queue. */
#include "config.h"
#include <string.h>
#include "comm/engine/engine.h"

/* The peers stay in engine.unsent. The next progress step removes them, and may find one of them
   lost. */
void cm_coalesce_release(void)
{
    engine.coalesced = false;
    for (int i = 0; i < engine.n_unsent; i++)
        if (engine.peer[engine.unsent[i]].state == CM_PEER_HERE) cm_send_flush(engine.unsent[i]);
}

bool cm_coalesce(bool on)
{
    engine.doing = "cm_coalesce";
    if (engine.coalesced) cm_coalesce_release();
    engine.coalesces = on;
    return true;
}

/* Returns the element of the queue that can take this many more bytes. */
static cm_outgoing *element(int rank, size_t bytes)
{
    cm_rail *rail = &engine.peer[rank].rail[0];
    cm_outgoing *last = rail->last;
    if (last && last->grows && last->bytes + bytes <= CM_COALESCE_BYTES) return last;
    if (last && last->grows) cm_send_flush(rank);
    cm_outgoing *item = cm_send_enqueue(rank, rail, "", 0);
    item->owned = cm_engine_allocate(CM_COALESCE_BYTES, "messages held back to leave together");
    item->data = item->owned;
    item->grows = true;
    return item;
}

cm_request *cm_coalesce_start(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    int rank = group->world[dest];
    cm_peer *peer = &engine.peer[rank];
    cm_wire_header header = {.kind = CM_WIRE_EAGER,
                             .context = group->context,
                             .source = group->base.rank,
                             .tag = tag,
                             .bytes = bytes};
    size_t cost = bytes + CM_ENVELOPE_BYTES;
    bool may = bytes <= CM_COALESCE_BYTES - sizeof header && bytes <= engine.eager_most
               && cost <= peer->credit && peer->rail[0].tx && peer->state == CM_PEER_HERE
               && !cm_context_collective(group->context);
    if (!may) return NULL;
    cm_request *send = cm_request_take(CM_REQUEST_EAGER);
    send->peer = rank;
    send->complete = true;
    peer->credit -= cost;
    cm_outgoing *item = element(rank, sizeof header + bytes);
    memcpy(item->owned + item->bytes, &header, sizeof header);
    if (bytes) memcpy(item->owned + item->bytes + sizeof header, data, bytes);
    item->bytes += sizeof header + bytes;
    engine.copied_bytes += sizeof header + bytes;
    engine.coalesced = true;
    return send;
}
