/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_register.c: areas of memory that belong together on all processes.

   They stand in one array, oldest first, in the order of the pushes. This is the same on all
   processes, so a place in it names an area in records. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

/* FNV-1a over words: a digest that differs when the order does. */
static void digest(uint64_t word)
{
    cm_bsp.registrations = (cm_bsp.registrations ^ word) * 0x100000001b3u;
}

void bsp_push_reg64(const void *ident, size_t size)
{
    cm_bsp_check_call("bsp_push_reg", 0);
    if (!ident && size) cm_bsp_wrong("bsp_push_reg", "NULL with %zu bytes; 0 would be right", size);
    if (cm_bsp.areas == cm_bsp.areas_capacity) {
        cm_bsp.areas_capacity = cm_bsp.areas_capacity ? 2 * cm_bsp.areas_capacity : 16;
        cm_bsp.area = cm_bsp_memory(cm_bsp.area,
                                    (size_t)cm_bsp.areas_capacity * sizeof *cm_bsp.area);
    }
    bsp_area *area = &cm_bsp.area[cm_bsp.areas++];
    *area = (bsp_area){.base = ident, .size = cm_bsp_memory(NULL,
        (size_t)cm_bsp.p * sizeof *area->size)};
    area->size[cm_bsp.pid] = size;
    cm_bsp.pushes++;
}

void bsp_push_reg(const void *ident, int size)
{
    if (size < 0) cm_bsp_wrong("bsp_push_reg", "an area of %d bytes", size);
    bsp_push_reg64(ident, (size_t)size);
}

void bsp_pop_reg(const void *ident)
{
    cm_bsp_check_call("bsp_pop_reg", 0);
    int slot = cm_bsp.areas - 1;
    while (slot >= 0 && (cm_bsp.area[slot].base != ident || cm_bsp.area[slot].popped)) slot--;
    if (slot < 0) cm_bsp_wrong("bsp_pop_reg", "%p is not registered", ident);
    cm_bsp.area[slot].popped = true;
    cm_bsp.pops++;
    digest(1 + (uint64_t)slot);
}

int cm_bsp_area_find(const char *call, int pid, const void *ident, size_t offset, size_t bytes)
{
    cm_bsp_check_call(call, pid);
    int slot = cm_bsp.found;
    if (slot < 0 || cm_bsp.area[slot].base != ident) {
        slot = cm_bsp.areas - 1;
        while (slot >= 0 && (cm_bsp.area[slot].base != ident || !cm_bsp.area[slot].active)) slot--;
        if (slot < 0) {
            for (slot = 0; slot < cm_bsp.areas; slot++)
                if (cm_bsp.area[slot].base == ident)
                    cm_bsp_wrong(call, "%p is registered from the next superstep on only", ident);
            cm_bsp_wrong(call, "%p is not registered", ident);
        }
        cm_bsp.found = slot;
        cm_bsp.found_ident = ident;
        cm_bsp.found_size = cm_bsp.area[slot].size;
    }
    uint64_t size = cm_bsp.area[slot].size[pid];
    if (offset > size || bytes > size - offset)
        cm_bsp_wrong(call, "bytes %zu to %zu of an area that has %llu on process %d", offset,
                     offset + bytes, (unsigned long long)size, pid);
    return slot;
}

/* ---- At the end of a superstep -------------------------------------------------------------- */

void cm_bsp_areas_announce(void)
{
    for (int slot = cm_bsp.areas - cm_bsp.pushes; slot < cm_bsp.areas; slot++)
        for (int pid = 0; pid < cm_bsp.p; pid++)
            if (pid != cm_bsp.pid)
                cm_bsp_append(pid, BSP_AREA, slot, 0)->offset = cm_bsp.area[slot].size[cm_bsp.pid];
}

void cm_bsp_area_learn(int pid, int slot, uint64_t bytes) { cm_bsp.area[slot].size[pid] = bytes; }

void cm_bsp_areas_turn(void)
{
    if (!cm_bsp.pushes && !cm_bsp.pops) return;
    int kept = 0;
    for (int slot = 0; slot < cm_bsp.areas; slot++) {
        bsp_area *area = &cm_bsp.area[slot];
        area->active = true;
        if (area->popped) free(area->size);
        else cm_bsp.area[kept++] = *area;
    }
    cm_bsp.areas = kept;
    cm_bsp.pushes = cm_bsp.pops = 0;
    cm_bsp.registrations = 0;
    cm_bsp.found = -1;
}

void cm_bsp_areas_free(void)
{
    for (int slot = 0; slot < cm_bsp.areas; slot++) free(cm_bsp.area[slot].size);
    free(cm_bsp.area);
    cm_bsp.area = NULL;
    cm_bsp.areas = cm_bsp.areas_capacity = 0;
}
