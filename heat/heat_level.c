/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_level.c: one of the grids of multigrid. */
#include <string.h>
#include "heat_multigrid.h"

void heat_level_require(const void *memory)
{
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory for the grids of multigrid");
}

/* Edges that nothing else sets begin at 0, too. */
void heat_level_open(heat_level *level, const heat_plate *like, cm_group *group, heat_grid grid,
                     int64_t rows, int64_t columns, const heat_block *block)
{
    heat_plate *plate = &level->own;
    if (!heat_plate_open_block(like->kernels, group, grid, rows, columns, block, 1, plate))
        heat_level_require(NULL);
    level->plate = plate;
    level->memory = heat_plate_array(plate, &level->source);
    heat_level_require(level->memory);
    size_t bytes = (size_t)((plate->mine + 2) * plate->stride) * plate->kernels->bytes;
    for (int which = 0; which < 2; which++) memset(plate->origin[which], 0, bytes);
    memset(level->source, 0, bytes);
}
