/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_rows.c: the storage of a rank's rows. */
#include "linpack.h"

/* Room for whole vectors, and an odd number of lines from row to row: with a power of two the same
   column of all rows would share cache sets. */
int linpack_ld_of(int order) { return (order + 31) / 32 * 32 + 16; }

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

size_t linpack_diagonal_elements(int order, int nb)
{
    return (size_t)((order + nb - 1) / nb) * (size_t)nb * (size_t)nb;
}
