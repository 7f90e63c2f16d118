/* SPDX-License-Identifier: BSD-3-Clause */
/* allocate.c: memory of the program that ranks of a host can share; see area.h. */
#include "config.h"
#include <stdlib.h>
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

void *cm_allocate(size_t bytes)
{
    const bool useful = engine.any_in_memory && bytes >= CM_SHARE_LEAST_BYTES;
    void *memory = useful ? cm_area_open(bytes) : NULL;
    return memory ? memory : cm_allocate_ordinary(bytes);
}

static void take_back(int peer, const cm_area *area)
{
    uint32_t number;
    cm_lane *lane = cm_share_lane(peer);
    if (!lane || !cm_lane_revoke(lane, area, &number)) return;
    const cm_wire_header header = {.kind = CM_WIRE_FORGET, .context = number};
    cm_send_header(peer, 0, &header);
}

void cm_free(void *memory)
{
    cm_area *area = cm_area_at(memory);
    if (!area) {
        free(memory);
        return;
    }
    if (engine.open && area->busy)
        cm_abort(CM_EXIT_USAGE, "cm_free: a send from this memory is not complete");
    for (int peer = 0; engine.open && peer < engine.size; peer++) take_back(peer, area);
    cm_area_close(area);
}
