/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_multigrid.h: the grids of multigrid. */
#ifndef HEAT_MULTIGRID_H
#define HEAT_MULTIGRID_H

#include "heat.h"

/* Two ways lead to the next level: every second row and column of this one, on the same ranks; or
   the same grid on fewer ranks, each with the blocks of up to HEAT_MERGE neighbours of this
   level. */
enum { HEAT_MERGE = 4, HEAT_MOST_LEVELS = 64 };
/* A grid with fewer points a rank goes to fewer ranks: an exchange takes as long as some thousand
   points. */
enum { HEAT_LEAST_POINTS = 1 << 13 };
typedef enum { HEAT_COARSEST, HEAT_COARSEN, HEAT_FEWER } heat_next;

/* A grid on the ranks of its group. Array 0 has the temperatures or their correction, array 1 the
   defects. */
typedef struct {
    heat_plate *plate; /* of the first level; own of the others */
    heat_plate own;
    void *memory, *source; /* f, laid out like the plate, from column 0 of row 0; NULL: it is 0 */
    double row_gap,
        column_gap; /* of the last row and column from the side, in distances of points */
    heat_next next;
    /* HEAT_FEWER: */
    int ranks, rank[HEAT_MERGE];  /* whose blocks go together; the first goes on with them */
    heat_block block[HEAT_MERGE]; /* of these, on the first */
    void *message;
} heat_level;

/* The levels that this rank takes part in; the last is HEAT_COARSEST, or HEAT_FEWER if another rank
   goes on with its points. */
typedef struct heat_levels {
    int n;
    heat_level level[HEAT_MOST_LEVELS];
} heat_levels;

/* Opens a level's plate, with array 0 and f at 0. */
void heat_level_open(heat_level *level, const heat_plate *like, cm_group *group, heat_grid grid,
                     int64_t rows, int64_t columns, const heat_block *block);
/* Ends the job if there is no memory. */
void heat_level_require(const void *memory);

/* ---- heat_fewer.c: the same grid on fewer ranks ---------------------------------------------- */

/* Opens the level `few` on a rank that gets the blocks of its neighbours, and returns true; returns
   false on the others. Collective. */
bool heat_fewer_open(heat_level *many, heat_level *few);
void heat_fewer_close(heat_level *many);
/* Brings f to fewer ranks; brings the correction back, with the points around each block. Return
   the bytes that this rank has sent. Neighbours' points of the correction must be known. */
size_t heat_fewer_gather(const heat_level *many, const heat_level *few);
size_t heat_fewer_scatter(const heat_level *many, const heat_level *few);

#endif
