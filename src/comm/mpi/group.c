/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c: groups, whose message spaces are communicators. */
#include <stdlib.h>
#include <string.h>
#include "comm/hosts.h"
#include "comm/mpi/backend_mpi.h"

static int *world_ranks_of(MPI_Comm comm, int size)
{
    int *ranks = cm_mpi_allocate((size_t)size * sizeof *ranks);
    int *world_ranks = cm_mpi_allocate((size_t)size * sizeof *world_ranks);
    for (int k = 0; k < size; k++) ranks[k] = k;
    MPI_Group members, all;
    MPI_Comm_group(comm, &members);
    MPI_Comm_group(cm_mpi.world.comm, &all);
    MPI_Group_translate_ranks(members, size, ranks, all, world_ranks);
    MPI_Group_free(&members);
    MPI_Group_free(&all);
    free(ranks);
    return world_ranks;
}

cm_group *cm_split(cm_group *group, int color, int key)
{
    if (!group) cm_mpi_refuse("cm_split", group, false, 0, 0, false);
    if (UNLIKELY(cm_mpi.schedules)) cm_mpi_complete_schedules();
    MPI_Comm comm;
    int error = MPI_Comm_split(group->comm, color < 0 ? MPI_UNDEFINED : color, key, &comm);
    if (error) cm_mpi_fail("cm_split", group, CM_ANY, error);
    if (comm == MPI_COMM_NULL) return NULL;

    cm_group *part = cm_mpi_allocate(sizeof *part), *shadow = cm_mpi_allocate(sizeof *shadow);
    memset(part, 0, sizeof *part);
    memset(shadow, 0, sizeof *shadow);
    part->comm = comm;
    MPI_Comm_rank(comm, &part->base.rank);
    MPI_Comm_size(comm, &part->base.size);
    part->world_ranks = world_ranks_of(comm, part->base.size);
    part->base.shadow = shadow;
    shadow->base.rank = part->base.rank;
    shadow->base.size = part->base.size;
    shadow->world_ranks = part->world_ranks;
    error = MPI_Comm_dup(comm, &shadow->comm);
    if (error) cm_mpi_fail("cm_split", part, CM_ANY, error);
    return part;
}

void cm_group_free(cm_group *group)
{
    if (!group) return;
    if (group == &cm_mpi.world) cm_abort(CM_EXIT_USAGE, "cm_group_free: the world cannot be freed");
    MPI_Comm_free(&group->base.shadow->comm);
    MPI_Comm_free(&group->comm);
    cm_hosts_free(group->base.hosts);
    free(group->base.shadow);
    free(group->world_ranks);
    free(group);
}
