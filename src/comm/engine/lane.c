/* SPDX-License-Identifier: BSD-3-Clause */
/* lane.c: adds lanes to the engine's list and removes them, for transports. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

static bool read_lane(cm_watch *watch) { return cm_receive_lane((cm_lane *)watch); }

cm_lane *cm_lane_add(const cm_transport *by, int peer)
{
    cm_lane *lane = aligned_alloc(CM_STAGE_ALIGNMENT, sizeof *lane);
    if (!lane) cm_engine_fail(peer, "out of memory: %zu bytes for a connection", sizeof *lane);
    memset(lane, 0, offsetof(cm_lane, stage));
    lane->watch.ready = read_lane;
    lane->by = by;
    lane->peer = peer;
    lane->since_s = cm_engine_now();
    lane->next = engine.lanes;
    engine.lanes = lane;
    engine.n_lanes++;
    return lane;
}

void cm_lane_remove(cm_lane *lane)
{
    cm_lane **link = &engine.lanes;
    while (*link != lane) link = &(*link)->next;
    *link = lane->next;
    engine.n_lanes--;
    cm_share_lane_gone(lane);
    if (lane->peer >= 0) {
        cm_rail *rail = &engine.peer[lane->peer].rail[lane->rail];
        if (rail->rx == lane) rail->rx = NULL;
        if (rail->tx == lane) rail->tx = NULL;
    }
    free(lane);
}
