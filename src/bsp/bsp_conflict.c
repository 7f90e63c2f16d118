/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_conflict.c: CM_BSP_CHECK: detects overlapping writes in one superstep. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

void cm_bsp_conflict_note(int writer, const void *to, size_t bytes)
{
    if (!bytes) return;
    if (cm_bsp.writes == cm_bsp.writes_capacity) {
        cm_bsp.writes_capacity = cm_bsp.writes_capacity ? 2 * cm_bsp.writes_capacity : 256;
        cm_bsp.write = cm_bsp_memory(cm_bsp.write, cm_bsp.writes_capacity * sizeof *cm_bsp.write);
    }
    const unsigned char *from = to;
    cm_bsp.write[cm_bsp.writes++] = (bsp_write){from, from + bytes, writer};
}

static int by_address(const void *left, const void *right)
{
    const bsp_write *a = left, *b = right;
    return a->from < b->from ? -1 : a->from > b->from;
}

/* Returns the newest area that contains the address, for messages: its number from 0 and the
   offset. */
static int area_of(const unsigned char *at, size_t *offset)
{
    for (int slot = cm_bsp.areas - 1; slot >= 0; slot--) {
        const bsp_area *area = &cm_bsp.area[slot];
        if (!area->active || at < area->base || at >= area->base + area->size[cm_bsp.pid]) continue;
        *offset = (size_t)(at - area->base);
        return slot;
    }
    return -1;
}

void cm_bsp_conflict_check(void)
{
    if (!cm_bsp.writes) return;
    qsort(cm_bsp.write, cm_bsp.writes, sizeof *cm_bsp.write, by_address);
    for (size_t k = 1; k < cm_bsp.writes; k++) {
        const bsp_write *a = &cm_bsp.write[k - 1], *b = &cm_bsp.write[k];
        if (b->from >= a->to) continue;
        size_t offset = 0;
        int slot = area_of(b->from, &offset);
        if (slot < 0)
            cm_bsp_wrong("bsp_sync", "writes of processes %d and %d overlap at %p", a->writer,
                         b->writer, (const void *)b->from);
        cm_bsp_wrong("bsp_sync",
                     "writes of processes %d and %d overlap at byte %zu of registration %d",
                     a->writer, b->writer, offset, slot);
    }
    cm_bsp.writes = 0;
}
