/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_levels.c: the grids of multigrid, their equations at the edge, and who has which rows.

   Point k of the next grid is point 2 k of this one, so any number of points can be halved. If it
   is even, the last point stays where it is, and the side is half as far from it as other points
   are from each other: a gap of 1/2, then 1/4 ... If it is odd, the gap is (1 + gap) / 2. The
   equations are those of finite volumes on such a grid; only the last row and column differ. */
#include <stdlib.h>
#include <string.h>
#include "heat_multigrid.h"
#include "memory/memory.h"

/* A grid with fewer points a rank goes to fewer ranks: an exchange takes as long as some thousand
   points. */
enum { LEAST_POINTS = 1 << 13 };

static double next_gap(int64_t points, double gap) { return points % 2 ? (1 + gap) / 2 : gap / 2; }

static void require(const void *memory)
{
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory for the grids of multigrid");
}

/* Array 0 and f begin at 0. So do edges that nothing else sets. */
static void open_grid(heat_level *level, const heat_plate *like, cm_group *group, int64_t rows,
                      int64_t columns, int64_t first, int64_t mine)
{
    heat_plate *plate = &level->own;
    if (!heat_plate_open_rows(like->kernels, group, rows, columns, first, mine, 1, plate))
        require(NULL);
    level->plate = plate;
    level->memory = heat_plate_array(plate, &level->source);
    require(level->memory);
    size_t bytes = (size_t)((mine + 2) * plate->stride) * plate->kernels->bytes;
    for (int which = 0; which < 2; which++) memset(plate->origin[which], 0, bytes);
    memset(level->source, 0, bytes);
}

static bool too_small(const heat_plate *plate)
{
    int64_t least;
    if (cm_size(plate->group) == 1) return false;
    cm_allreduce(plate->group, &plate->mine, &least, 1, CM_INT64, CM_MIN, CM_AUTO);
    return least < 2 || least * plate->columns < LEAST_POINTS;
}

static void coarsen(const heat_level *fine, heat_level *coarse)
{
    const heat_plate *plate = fine->plate;
    int64_t first = (plate->first + 1) / 2, last = (plate->first + plate->mine - 1) / 2;
    coarse->row_gap = next_gap(plate->rows, fine->row_gap);
    coarse->column_gap = next_gap(plate->columns, fine->column_gap);
    open_grid(coarse, plate, plate->group, plate->rows / 2, plate->columns / 2, first,
              last - first + 1);
}

/* Returns true if this rank goes on, with the rows of its followers. */
static bool merge(heat_level *many, heat_level *few)
{
    const heat_plate *plate = many->plate;
    int rank = cm_rank(plate->group), ranks = cm_size(plate->group);
    int leader = rank / HEAT_MERGE * HEAT_MERGE;
    cm_group *group = cm_split(plate->group, rank == leader ? 0 : -1, rank);
    if (rank != leader) {
        cm_send(plate->group, &plate->mine, sizeof plate->mine, leader, 0);
        return false;
    }
    int64_t all = many->of_rank[0] = plate->mine;
    for (int k = 1; k < HEAT_MERGE && leader + k < ranks; k++) {
        cm_recv(plate->group, &many->of_rank[k], sizeof many->of_rank[k], leader + k, 0, NULL);
        all += many->of_rank[k];
    }
    few->row_gap = many->row_gap;
    few->column_gap = many->column_gap;
    open_grid(few, plate, group, plate->rows, plate->columns, plate->first, all);
    return true;
}

heat_levels *heat_levels_open(heat_plate *plate)
{
    heat_levels *levels = calloc(1, sizeof *levels);
    require(levels);
    levels->level[0] = (heat_level){.plate = plate, .row_gap = 1, .column_gap = 1};
    for (levels->n = 1;; levels->n++) {
        heat_level *level = &levels->level[levels->n - 1];
        bool first = levels->n == 1;
        if (!first && too_small(level->plate)) {
            level->next = HEAT_FEWER;
            if (!merge(level, level + 1)) break;
        } else if (level->plate->rows < 2 || level->plate->columns < 2) break;
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
        if (levels->level[k - 1].next == HEAT_FEWER) cm_group_free(level->own.group);
        cm_memory_free(level->memory);
        heat_plate_close(&level->own);
    }
    free(levels);
}

/* Three arrays instead of two, of a quarter of the points, and of a quarter of these ... On a rank
   that others send their rows, four times as many of few points. */
size_t heat_levels_bytes(size_t plate_bytes)
{
    return plate_bytes / 2 + (size_t)3 * HEAT_MERGE * LEAST_POINTS * sizeof(double);
}
