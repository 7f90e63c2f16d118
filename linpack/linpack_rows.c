/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_rows.c: linpack_layout.f90's rows for C, and how a rank stores its own. */
#include "linpack.h"

/* Room for whole vectors, and an odd number of lines from row to row: a power of two would put
   the same column of all rows into the same cache sets. */
int linpack_ld_of(int order) { return (order + 31) / 32 * 32 + 16; }

int linpack_rows_of(int order, int block, int ranks, int rank)
{
    int blocks = order / block, rest = order % block;
    int rows = blocks / ranks * block, turn = blocks % ranks;
    return rows + (rank < turn ? block : rank == turn ? rest : 0);
}

linpack_layout linpack_layout_of(cm_group *group, int order, int block)
{
    linpack_layout map = {
        .group = group,
        .rank = cm_rank(group),
        .ranks = cm_size(group),
        .order = order,
        .block = block,
        .ld = linpack_ld_of(order),
    };
    map.rows = linpack_rows_of(order, block, map.ranks, map.rank);
    return map;
}

int linpack_owner(const linpack_layout *map, int row)
{
    return (row - 1) / map->block % map->ranks;
}

int linpack_local_row(const linpack_layout *map, int row)
{
    return (row - 1) / map->block / map->ranks * map->block + (row - 1) % map->block + 1;
}

int linpack_global_row(const linpack_layout *map, int l)
{
    return ((l - 1) / map->block * map->ranks + map->rank) * map->block + (l - 1) % map->block + 1;
}

size_t linpack_diagonal_elements(int order, int nb)
{
    return (size_t)((order + nb - 1) / nb) * (size_t)nb * (size_t)nb;
}
