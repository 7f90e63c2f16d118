/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c: groups of the native backends: a context number that all members agree on, and the
   members' world ranks. A group uses two contexts, its own and its shadow's. Numbers are never
   reused. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/computer.h"
#include "comm/engine/cards.h"
#include "comm/engine/engine.h"
#include "comm/hosts.h"

cm_group *cm_engine_group_new(uint32_t context, int rank, int size, int *world)
{
    cm_group *group = cm_engine_allocate(sizeof *group, "a group");
    cm_group *shadow = cm_engine_allocate(sizeof *shadow, "a group");
    *group = (cm_group){
        .base = {.rank = rank, .size = size, .shadow = shadow}, .context = context, .world = world};
    *shadow = *group;
    shadow->base.shadow = NULL;
    shadow->context = context + 1;
    return group;
}

cm_group *cm_world(void) { return engine.world; }
const char *cm_host(const cm_group *group, int rank)
{
    if (rank < 0 || rank >= group->base.size)
        cm_abort(CM_EXIT_USAGE, "cm_host: rank %d is not in the group of %d", rank,
                 group->base.size);
    cm_cards_need(group->world[rank]);
    return engine.peer[group->world[rank]].host;
}

uint64_t cm_computer_of(const cm_group *group, int rank)
{
    cm_cards_need(group->world[rank]);
    return engine.peer[group->world[rank]].computer;
}

typedef struct {
    int color, key, rank;
    uint32_t next_context;
} member;

static int by_key(const void *left, const void *right)
{
    const member *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->rank - b->rank;
}

cm_group *cm_split(cm_group *group, int color, int key)
{
    int size = group->base.size, n = 0;
    member mine = {color, key, group->base.rank, engine.next_context};
    member *all = cm_engine_allocate((size_t)size * sizeof *all, "splitting a group");
    cm_allgather(group, &mine, sizeof mine, all, CM_AUTO);
    uint32_t context = 0;
    for (int i = 0; i < size; i++)
        if (all[i].next_context > context) context = all[i].next_context;
    if (context > UINT32_MAX - 2) cm_engine_fail(-1, "no context number is left for another group");
    engine.next_context = context + 2;
    for (int i = 0; i < size; i++)
        if (all[i].color == color) all[n++] = all[i];
    cm_group *part = NULL;
    if (color >= 0) {
        int *world = cm_engine_allocate((size_t)n * sizeof *world, "a group");
        int rank = 0;
        qsort(all, (size_t)n, sizeof *all, by_key);
        for (int i = 0; i < n; i++) {
            world[i] = group->world[all[i].rank];
            if (all[i].rank == group->base.rank) rank = i;
        }
        part = cm_engine_group_new(context, rank, n, world);
    }
    free(all);
    return part;
}

void cm_group_free(cm_group *group)
{
    if (!group) return;
    if (group == engine.world) cm_abort(CM_EXIT_USAGE, "cm_group_free: the world cannot be freed");
    cm_hosts_free(group->base.hosts);
    free(group->world);
    free(group->base.shadow);
    free(group);
}
