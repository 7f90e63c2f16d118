/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.c: collective operations that read or write the memory of other ranks of the host: a
   region of cm_allocate that both have mapped, or any memory, by the kernel (copy.h). */
#include "config.h"
#include <errno.h>
#include "comm/block_copy.h"
#include "comm/engine/copy.h"
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* A place in memory that is not a region; others are a region's number plus one. */
static const uint64_t IN_PROCESS = UINT64_MAX;

bool cm_backend_direct(void)
{
    return cm_transport_has(CM_HAS_SHARED) && engine.environment.copy != CM_COPY_RING;
}

size_t cm_backend_direct_bytes(cm_group *group, int rank)
{
    return engine.peer[group->world[rank]].in_memory ? CM_SHARE_LEAST_BYTES : SIZE_MAX;
}

/* In a job that goes on after failures no rank writes into memory of another one (share.h). */
void cm_backend_offer(cm_group *group, int rank, const void *data, size_t bytes, bool written,
                      cm_backend_place *place)
{
    const int peer = group->world[rank];
    cm_lane *lane = cm_share_lane(peer);
    uint32_t number;
    *place = (cm_backend_place){0, 0};
    if (!lane || (written && engine.goes_on)) return;
    cm_region *region = cm_region_of(data, bytes);
    if (region && cm_lane_give(lane, region, &number)) {
        const char *begin = cm_region_data(&region->mapping);
        *place = (cm_backend_place){(uint64_t)number + 1, (uint64_t)((const char *)data - begin)};
    } else if (cm_copy_open(peer)) {
        *place = (cm_backend_place){IN_PROCESS, (uintptr_t)data};
    }
}

static bool move_in_region(cm_lane *lane, uint64_t number, uint64_t begin, void *data, size_t bytes,
                           bool out)
{
    if (number > UINT32_MAX) return false;
    const cm_mapping *region = cm_lane_region(lane, (uint32_t)number);
    if (!region) return false;
    const size_t most = cm_region_bytes(region);
    if (begin > most || bytes > most - begin) return false;
    char *there = cm_region_data(region) + begin;
    cm_block_copy(out ? there : data, out ? data : there, bytes);
    return true;
}

bool cm_backend_move(cm_group *group, int rank, const cm_backend_place *place, size_t offset,
                     void *data, size_t bytes, bool out)
{
    const int peer = group->world[rank];
    cm_lane *lane = engine.peer[peer].rail[0].rx;
    uint64_t begin;
    if (!place->memory || !lane || !cm_lane_shares(lane)) return false;
    if (__builtin_add_overflow(place->address, offset, &begin)) return false;
    if (place->memory != IN_PROCESS)
        return move_in_region(lane, place->memory - 1, begin, data, bytes, out);
    const pid_t process = cm_lane_process(lane);
    if (process <= 0 || !cm_copy_possible(peer) || begin > UINTPTR_MAX - bytes) return false;
    if (cm_copy_bytes(process, begin, data, bytes, out)) return true;
    /* Without its process the peer is lost, which this rank notices in the messages that follow. */
    if (errno != ESRCH) cm_copy_refuse(peer, errno);
    return false;
}
