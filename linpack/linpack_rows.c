/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_rows.c: the storage of a rank's rows, and the grid of ranks. */
#include "linpack.h"

/* Room for whole vectors, and an odd number of lines from row to row: with a power of two the same
   column of all rows would share cache sets. */
int linpack_ld_of(int columns) { return (columns + 31) / 32 * 32 + 16; }

linpack_layout linpack_layout_of(cm_group *group, int order, int block)
{
    return linpack_grid_of(group, 1, order, block, order);
}

/* Neighbouring ranks, which often share a host, are in the same column of the grid: they exchange
   a message for each column of the matrix. */
linpack_layout linpack_grid_of(cm_group *group, int grid_columns, int order, int block, int width)
{
    const int rank = cm_rank(group), rows = cm_size(group) / grid_columns;
    linpack_layout map = {
        .group = group,
        .rank = rank % rows,
        .ranks = rows,
        .order = order,
        .block = block,
        .across = group,
        .grid_column = rank / rows,
        .grid_columns = grid_columns,
        .width = width,
        .all = group,
        .right = -1,
    };
    if (rows > 1 && grid_columns > 1) {
        map.group = cm_split(group, map.grid_column, rank);
        map.across = cm_split(group, map.rank, rank);
    }
    map.rows = linpack_dealt(order, block, rows, map.rank);
    map.columns = linpack_dealt(order, width, grid_columns, map.grid_column);
    map.ld = linpack_ld_of(map.columns);
    return map;
}

/* The ranks that factor the last panel need no other panel's message for it. */
void linpack_beside(linpack_layout *map)
{
    map->right = (map->order - 1) / map->width % map->grid_columns;
}

int linpack_columns_of(const linpack_layout *map)
{
    return map->columns + (map->right == map->grid_column);
}

/* A group of its own: with look-ahead, ranks start the panel's reductions earlier or later. */
void linpack_roll(linpack_layout *map)
{
    if (map->ranks > 1) map->roll = cm_split(map->all, map->grid_column, map->rank);
}

void linpack_grid_free(linpack_layout *map)
{
    cm_group_free(map->roll);
    map->roll = NULL;
    if (map->group != map->all) cm_group_free(map->group);
    if (map->across != map->all) cm_group_free(map->across);
    map->group = map->across = map->all;
}

size_t linpack_diagonal_elements(int order, int nb)
{
    return (size_t)((order + nb - 1) / nb) * (size_t)nb * (size_t)nb;
}
