/* SPDX-License-Identifier: BSD-3-Clause */
/* region.c: the regions of this rank; see region.h. They outlive the job, because the program may
   free its memory after cm_finalize. */
#include "config.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "comm/backend.h"
#include "comm/engine/region.h"
#include "comm/engine/transport.h"

static struct {
    cm_region *first;
    int n;
} regions;

void *cm_region_open(size_t bytes)
{
    const size_t pages = bytes / CM_REGION_FRONT_BYTES + (bytes % CM_REGION_FRONT_BYTES > 0) + 1;
    if (regions.n == CM_REGIONS_MOST || pages > PTRDIFF_MAX / CM_REGION_FRONT_BYTES) return NULL;
    cm_region *region = calloc(1, sizeof *region);
    if (!region) return NULL;
    region->fd = cm_transport_make(pages * CM_REGION_FRONT_BYTES, &region->mapping);
    if (region->fd < 0) {
        free(region);
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    (void)madvise(region->mapping.memory, region->mapping.bytes, MADV_HUGEPAGE);
#endif
    if (!cm_allocate_touch(region->mapping.memory, region->mapping.bytes)) {
        close(region->fd);
        munmap(region->mapping.memory, region->mapping.bytes);
        free(region);
        return NULL;
    }
    region->next = regions.first;
    regions.first = region;
    regions.n++;
    return cm_region_data(&region->mapping);
}

cm_region *cm_region_of(const void *data, size_t bytes)
{
    for (cm_region *region = regions.first; region; region = region->next) {
        const size_t most = cm_region_bytes(&region->mapping);
        const uintptr_t offset = (uintptr_t)data - (uintptr_t)cm_region_data(&region->mapping);
        if (offset < most && bytes <= most - offset) return region;
    }
    return NULL;
}

cm_region *cm_region_at(const void *memory)
{
    cm_region *region = regions.first;
    while (region && cm_region_data(&region->mapping) != memory) region = region->next;
    return region;
}

void cm_region_close(cm_region *region)
{
    cm_region **link = &regions.first;
    while (*link != region) link = &(*link)->next;
    *link = region->next;
    regions.n--;
    close(region->fd);
    munmap(region->mapping.memory, region->mapping.bytes);
    free(region);
}
