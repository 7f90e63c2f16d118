/* SPDX-License-Identifier: BSD-3-Clause */
/* allocate.c: memory of the program that ranks of a host can share; see region.h. */
#include "config.h"
#include <stdlib.h>
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

void *cm_allocate(size_t bytes)
{
    const bool useful = engine.any_in_memory && bytes >= CM_SHARE_LEAST_BYTES;
    void *memory = useful ? cm_region_open(bytes) : NULL;
    return memory ? memory : cm_allocate_ordinary(bytes);
}

static void take_back(int peer, const cm_region *region)
{
    uint32_t number;
    cm_lane *lane = cm_share_lane(peer);
    if (!lane || !cm_lane_revoke(lane, region, &number)) return;
    const cm_wire_header header = {.kind = CM_WIRE_FORGET, .context = number};
    cm_send_header(peer, 0, &header);
}

void cm_free(void *memory)
{
    cm_region *region = cm_region_at(memory);
    if (!region) {
        free(memory);
        return;
    }
    if (engine.open && region->busy)
        cm_abort(CM_EXIT_USAGE, "cm_free: a send from this memory is not complete");
    for (int peer = 0; engine.open && peer < engine.size; peer++) take_back(peer, region);
    cm_region_close(region);
}
