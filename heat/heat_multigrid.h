/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_multigrid.h: the grids of multigrid. */
#ifndef HEAT_MULTIGRID_H
#define HEAT_MULTIGRID_H

#include "heat.h"

/* Two ways lead to the next level: every second row and column of this one, on the same ranks; or
   the same grid on fewer ranks, each with the rows of HEAT_MERGE of this level's. */
enum { HEAT_MERGE = 4, HEAT_MOST_LEVELS = 64 };
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
    int64_t of_rank[HEAT_MERGE]; /* rows of the ranks whose rows go here; HEAT_FEWER, on a leader */
} heat_level;

/* The levels that this rank takes part in; the last is HEAT_COARSEST, or HEAT_FEWER if another rank
   goes on with its rows. */
typedef struct heat_levels {
    int n;
    heat_level level[HEAT_MOST_LEVELS];
} heat_levels;

#endif
