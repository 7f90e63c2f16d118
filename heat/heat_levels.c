/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_levels.c: the grids of multigrid, their equations at the edge, and who has which points.

   Point k of the next grid is point 2 k of this one, so any number of points can be halved. If it
   is even, the last point stays where it is, and the side is half as far from it as other points
   are from each other: a gap of 1/2, then 1/4 ... If it is odd, the gap is (1 + gap) / 2. The
   equations are those of finite volumes on such a grid; only the last row and column differ. */
#include <stdlib.h>
#include <string.h>
#include "heat_multigrid.h"
#include "memory/memory.h"

static double next_gap(int64_t points, double gap) { return points % 2 ? (1 + gap) / 2 : gap / 2; }

/* A block with a single row or column may have none on the next grid. */
static bool too_small(const heat_plate *plate)
{
    const heat_grid grid = plate->grid;
    int64_t mine[] = {plate->mine, plate->columns}, least[2];
    if (cm_size(plate->group) == 1) return false;
    cm_allreduce(plate->group, mine, least, 2, CM_INT64, CM_MIN, CM_AUTO);
    return (grid.rows > 1 && least[0] < 2) || (grid.columns > 1 && least[1] < 2)
           || least[0] * least[1] < HEAT_LEAST_POINTS;
}

/* Sets the points of the next grid among points first to last of a row or column. */
static void halve(int64_t first, int64_t count, int64_t *coarse_first, int64_t *coarse_count)
{
    *coarse_first = (first + 1) / 2;
    *coarse_count = (first + count - 1) / 2 - *coarse_first + 1;
}

static void coarsen(const heat_level *fine, heat_level *coarse)
{
    const heat_plate *plate = fine->plate;
    heat_block block;
    halve(plate->first, plate->mine, &block.first, &block.rows);
    halve(plate->first_column, plate->columns, &block.first_column, &block.columns);
    coarse->row_gap = next_gap(plate->rows, fine->row_gap);
    coarse->column_gap = next_gap(plate->whole_columns, fine->column_gap);
    heat_level_open(coarse, plate, plate->group, plate->grid, plate->rows / 2,
                    plate->whole_columns / 2, &block);
}

heat_levels *heat_levels_open(heat_plate *plate)
{
    heat_levels *levels = calloc(1, sizeof *levels);
    heat_level_require(levels);
    levels->level[0] = (heat_level){.plate = plate, .row_gap = 1, .column_gap = 1};
    for (levels->n = 1;; levels->n++) {
        heat_level *level = &levels->level[levels->n - 1];
        bool first = levels->n == 1;
        if (!first && too_small(level->plate)) {
            level->next = HEAT_FEWER;
            if (!heat_fewer_open(level, level + 1)) break;
        } else if (level->plate->rows < 2 || level->plate->whole_columns < 2) break;
        else {
            level->next = HEAT_COARSEN;
            coarsen(level, level + 1);
        }
    }
    return levels;
}

void heat_levels_close(heat_levels *levels)
{
    if (!levels) return;
    for (int k = levels->n - 1; k > 0; k--) {
        heat_level *level = &levels->level[k];
        heat_fewer_close(level);
        if (levels->level[k - 1].next == HEAT_FEWER) cm_group_free(level->own.group);
        cm_memory_free(level->memory);
        heat_plate_close(&level->own);
    }
    free(levels);
}

/* Three arrays instead of two, of a quarter of the points, and of a quarter of these ... On a rank
   that others send their points, four times as many of few points. */
size_t heat_levels_bytes(size_t plate_bytes)
{
    return plate_bytes / 2 + (size_t)3 * HEAT_MERGE * HEAT_LEAST_POINTS * sizeof(double);
}
