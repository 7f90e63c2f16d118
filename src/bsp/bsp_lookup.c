/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_lookup.c: finds the registrations of an address. A hash table has the newest slot of each
   address; from there the slots lead to the next older one of the same address. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

enum { FIRST_PLACES = 32 };

/* Returns the place of the address, or the free one where it belongs. Multiplies by 2^64 over the
   golden ratio (Knuth, The Art of Computer Programming, 6.4) and takes the upper bits. */
static bsp_place *place_of(const void *ident)
{
    const uint64_t hash = (uint64_t)(uintptr_t)ident * UINT64_C(0x9e3779b97f4a7c15);
    const size_t mask = cm_bsp.places - 1;
    size_t at = (size_t)(hash >> 32) & mask;
    while (cm_bsp.place[at].newest >= 0 && cm_bsp.place[at].ident != ident) at = (at + 1) & mask;
    return &cm_bsp.place[at];
}

static void enter(int slot)
{
    bsp_place *place = place_of(cm_bsp.area[slot].base);
    cm_bsp.area[slot].older = place->newest;
    *place = (bsp_place){.ident = cm_bsp.area[slot].base, .newest = slot};
}

void cm_bsp_lookup_build(void)
{
    if (cm_bsp.places < 2 * (size_t)cm_bsp.areas) {
        if (!cm_bsp.places) cm_bsp.places = FIRST_PLACES;
        while (cm_bsp.places < 2 * (size_t)cm_bsp.areas) cm_bsp.places *= 2;
        cm_bsp.place = cm_bsp_memory(cm_bsp.place, cm_bsp.places * sizeof *cm_bsp.place);
    }
    for (size_t at = 0; at < cm_bsp.places; at++) cm_bsp.place[at].newest = -1;
    for (int slot = 0; slot < cm_bsp.areas; slot++) enter(slot);
}

void cm_bsp_lookup_add(int slot)
{
    if (cm_bsp.places < 2 * (size_t)cm_bsp.areas) cm_bsp_lookup_build();
    else enter(slot);
}

int cm_bsp_lookup(const void *ident) { return cm_bsp.places ? place_of(ident)->newest : -1; }

void cm_bsp_lookup_free(void)
{
    free(cm_bsp.place);
    cm_bsp.place = NULL;
    cm_bsp.places = 0;
}
