/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_register.c: areas of memory that correspond to each other on all processes. They are in one
   array, oldest first, in the order of the pushes. The array is the same on all processes, so
   records identify an area by its index. A pop identifies it by an address. But NULL may stand for
   several areas; only the processes that have one know which of them is meant. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

void bsp_push_reg64(const void *ident, size_t size)
{
    cm_bsp_check_call("bsp_push_reg", 0);
    if (!ident && size) cm_bsp_wrong("bsp_push_reg", "NULL with %zu bytes; expected 0", size);
    if (cm_bsp.areas == cm_bsp.areas_capacity) {
        cm_bsp.areas_capacity = cm_bsp.areas_capacity ? 2 * cm_bsp.areas_capacity : 16;
        cm_bsp.area =
            cm_bsp_memory(cm_bsp.area, (size_t)cm_bsp.areas_capacity * sizeof *cm_bsp.area);
    }
    bsp_area *area = &cm_bsp.area[cm_bsp.areas];
    *area = (bsp_area){.base = ident,
                       .size = cm_bsp_memory(NULL, (size_t)cm_bsp.p * sizeof *area->size)};
    area->size[cm_bsp.pid] = size;
    area->nulls = !ident;
    cm_bsp_lookup_add(cm_bsp.areas++);
    cm_bsp.pushes++;
}

void bsp_push_reg(const void *ident, int size)
{
    if (size < 0) cm_bsp_wrong("bsp_push_reg", "an area of %d bytes; expected at least 0", size);
    bsp_push_reg64(ident, (size_t)size);
}

void bsp_pop_reg(const void *ident)
{
    cm_bsp_check_call("bsp_pop_reg", 0);
    int slot = cm_bsp_lookup(ident), waiting = 0;
    for (int k = 0; k < cm_bsp.pops && !ident; k++) waiting += cm_bsp.pop[k].slot < 0;
    for (; slot >= 0; slot = cm_bsp.area[slot].older)
        if (!cm_bsp.area[slot].popped && waiting-- == 0) break;
    if (slot < 0 && !ident) cm_bsp_wrong("bsp_pop_reg", "NULL is not registered");
    if (slot < 0) cm_bsp_wrong("bsp_pop_reg", "%p is not registered", ident);
    if (cm_bsp.pops == cm_bsp.pops_capacity) {
        cm_bsp.pops_capacity = cm_bsp.pops_capacity ? 2 * cm_bsp.pops_capacity : 16;
        cm_bsp.pop = cm_bsp_memory(cm_bsp.pop, (size_t)cm_bsp.pops_capacity * sizeof *cm_bsp.pop);
    }
    if (ident) cm_bsp.area[slot].popped = true;
    cm_bsp.pop[cm_bsp.pops++] = (bsp_pop){ident ? slot : -1, cm_bsp.pid};
}

int cm_bsp_area_find(const char *call, int pid, const void *ident, size_t offset, size_t bytes)
{
    cm_bsp_check_call(call, pid);
    int slot = cm_bsp.found;
    if (slot < 0 || cm_bsp.area[slot].base != ident) {
        const int newest = cm_bsp_lookup(ident);
        slot = newest;
        while (slot >= 0 && !cm_bsp.area[slot].active) slot = cm_bsp.area[slot].older;
        if (slot < 0)
            cm_bsp_wrong(call, "%p is %s", ident,
                         newest < 0 ? "not registered"
                                    : "registered only from the next superstep on");
        cm_bsp.found = slot;
        cm_bsp.found_ident = ident;
        cm_bsp.found_size = cm_bsp.area[slot].size;
    }
    uint64_t size = cm_bsp.area[slot].size[pid];
    if (offset > size || bytes > size - offset)
        cm_bsp_wrong(call, "bytes %zu to %zu of an area that has %llu bytes on process %d", offset,
                     offset + bytes, (unsigned long long)size, pid);
    return slot;
}

/* ---- At the end of a superstep --------------------------------------------------------------- */

static void announce(int pid, bsp_kind kind, int slot, bool null, uint64_t offset)
{
    bsp_record *record = cm_bsp_append(pid, kind, slot, 0);
    record->bytes = null;
    record->offset = offset;
}

void cm_bsp_areas_announce(void)
{
    for (int pid = 0; pid < cm_bsp.p; pid++) {
        if (pid == cm_bsp.pid) continue;
        for (int slot = cm_bsp.areas - cm_bsp.pushes; slot < cm_bsp.areas; slot++) {
            const bsp_area *area = &cm_bsp.area[slot];
            announce(pid, BSP_AREA, slot, !area->base, area->size[cm_bsp.pid]);
        }
        for (int k = 0; k < cm_bsp.pops; k++) {
            bool null = cm_bsp.pop[k].slot < 0;
            announce(pid, BSP_POP, null ? 0 : cm_bsp.pop[k].slot, null, (uint64_t)k);
        }
    }
}

void cm_bsp_area_learn(int pid, int slot, uint64_t bytes, bool null)
{
    cm_bsp.area[slot].size[pid] = bytes;
    cm_bsp.area[slot].nulls += null;
}

_Noreturn static void not_together(int pid, int other)
{
    cm_bsp_let_speak(pid, other);
    cm_bsp_wrong("bsp_sync",
                 "processes %d and %d call bsp_pop_reg for areas that do not correspond "
                 "together",
                 pid < other ? pid : other, pid < other ? other : pid);
}

void cm_bsp_pop_learn(int pid, int which, int slot)
{
    bsp_pop *pop = &cm_bsp.pop[which];
    if (pop->slot < 0) *pop = (bsp_pop){slot, pid};
    else if (pop->slot != slot) not_together(pop->pid, pid);
}

/* Completes pops of NULL: finds the area, which is the one that other processes identified or, if
   all popped NULL, the newest one that is NULL on all. */
static void settle_pops(void)
{
    for (int k = 0; k < cm_bsp.pops; k++) {
        bsp_pop *pop = &cm_bsp.pop[k];
        if (pop->pid == cm_bsp.pid && pop->slot >= 0) continue;
        if (pop->slot < 0) {
            int slot = cm_bsp.areas - 1;
            while (slot >= 0 && (cm_bsp.area[slot].nulls < cm_bsp.p || cm_bsp.area[slot].popped))
                slot--;
            if (slot < 0) {
                cm_bsp_let_speak(0, 0);
                cm_bsp_wrong("bsp_sync", "all processes call bsp_pop_reg for NULL, but there is no "
                                         "area that all registered as NULL");
            }
            pop->slot = slot;
        }
        bsp_area *area = &cm_bsp.area[pop->slot];
        /* Only this process can notice this mistake. */
        if (area->base || area->popped)
            cm_bsp_wrong("bsp_sync",
                         "process %d calls bsp_pop_reg for NULL, but process %d for an "
                         "area that process %d did not register as NULL",
                         cm_bsp.pid, pop->pid, cm_bsp.pid);
        area->popped = true;
    }
}

void cm_bsp_areas_turn(void)
{
    if (!cm_bsp.pushes && !cm_bsp.pops) return;
    settle_pops();
    int kept = 0;
    for (int slot = 0; slot < cm_bsp.areas; slot++) {
        bsp_area *area = &cm_bsp.area[slot];
        area->active = true;
        if (area->popped) free(area->size);
        else cm_bsp.area[kept++] = *area;
    }
    cm_bsp.areas = kept;
    cm_bsp_lookup_build();
    cm_bsp.pushes = cm_bsp.pops = 0;
    cm_bsp.found = -1;
}

void cm_bsp_areas_free(void)
{
    for (int slot = 0; slot < cm_bsp.areas; slot++) free(cm_bsp.area[slot].size);
    free(cm_bsp.area);
    free(cm_bsp.pop);
    cm_bsp_lookup_free();
    cm_bsp.area = NULL;
    cm_bsp.pop = NULL;
    cm_bsp.areas = cm_bsp.areas_capacity = cm_bsp.pops_capacity = 0;
}
