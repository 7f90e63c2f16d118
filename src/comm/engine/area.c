/* SPDX-License-Identifier: BSD-3-Clause */
/* area.c: the areas of this rank; see area.h. They outlive the job, because the program may free
   its memory after cm_finalize. */
#include "config.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "comm/backend.h"
#include "comm/engine/area.h"
#include "comm/engine/transport.h"

static struct {
    cm_area *first;
    int n;
} areas;

void *cm_area_open(size_t bytes)
{
    const size_t pages = bytes / CM_AREA_FRONT_BYTES + (bytes % CM_AREA_FRONT_BYTES > 0) + 1;
    if (areas.n == CM_AREAS_MOST || pages > PTRDIFF_MAX / CM_AREA_FRONT_BYTES) return NULL;
    cm_area *area = calloc(1, sizeof *area);
    if (!area) return NULL;
    area->fd = cm_transport_make(pages * CM_AREA_FRONT_BYTES, &area->mapping);
    if (area->fd < 0) {
        free(area);
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    (void)madvise(area->mapping.memory, area->mapping.bytes, MADV_HUGEPAGE);
#endif
    if (!cm_allocate_touch(area->mapping.memory, area->mapping.bytes)) {
        close(area->fd);
        munmap(area->mapping.memory, area->mapping.bytes);
        free(area);
        return NULL;
    }
    area->next = areas.first;
    areas.first = area;
    areas.n++;
    return cm_area_data(&area->mapping);
}

cm_area *cm_area_of(const void *data, size_t bytes)
{
    for (cm_area *area = areas.first; area; area = area->next) {
        const size_t most = cm_area_bytes(&area->mapping);
        const uintptr_t offset = (uintptr_t)data - (uintptr_t)cm_area_data(&area->mapping);
        if (offset < most && bytes <= most - offset) return area;
    }
    return NULL;
}

cm_area *cm_area_at(const void *memory)
{
    cm_area *area = areas.first;
    while (area && cm_area_data(&area->mapping) != memory) area = area->next;
    return area;
}

void cm_area_close(cm_area *area)
{
    cm_area **link = &areas.first;
    while (*link != area) link = &(*link)->next;
    *link = area->next;
    areas.n--;
    close(area->fd);
    munmap(area->mapping.memory, area->mapping.bytes);
    free(area);
}
