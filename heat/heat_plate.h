/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_plate.h: the problem, which rank has what of the plate, how that lies in memory, and how it
   is exchanged.

   The plate has `rows` x `columns` points with unknown temperatures. Rows 0 and rows + 1 and
   columns 0 and columns + 1 around them have given temperatures. */
#ifndef HEAT_PLATE_H
#define HEAT_PLATE_H

#include <stdbool.h>
#include <stdint.h>
#include "heat_kernels.h"
#include "run/run.h"

typedef enum {
    HEAT_JACOBI,
    HEAT_GAUSS_SEIDEL,
    HEAT_SOR,
    HEAT_CHEBYSHEV,
    HEAT_MULTIGRID
} heat_method;
enum { HEAT_METHODS = HEAT_MULTIGRID + 1 };
extern const char *const heat_method_names[]; /* NULL-terminated */

/* ---- heat_sides.c: temperatures around the plate --------------------------------------------- */

typedef enum { HEAT_NORTH, HEAT_EAST, HEAT_SOUTH, HEAT_WEST, HEAT_SIDES } heat_place;
extern const char *const heat_side_names[HEAT_SIDES];

typedef enum {
    HEAT_CONSTANT,
    HEAT_LINEAR,
    HEAT_SINE,
    HEAT_PARABOLA,
    HEAT_STEP,
    HEAT_FILE
} heat_profile;
typedef struct {
    heat_profile profile;
    double from, to; /* from: also the constant, or the height of sine and parabola */
    double *value;   /* from a file: one for each of the points */
    int64_t points;
} heat_side;

/* Reads "100", "linear:0:100", "sine:100", "parabola:100", "step:0:100" or "file:PATH". Returns 0,
   or CM_EXIT_USAGE after one line. Only launch rank 0 reads a file; heat_side_share gives it to the
   others. */
int heat_side_parse(const cm_program *program, heat_place place, const char *text, heat_side *side);
void heat_side_share(heat_side sides[HEAT_SIDES]);

/* Returns the temperature at point k of n; the corners are points 0 and n + 1. */
double heat_side_at(const heat_side *side, int64_t k, int64_t n);

/* Finds the lowest and the highest temperature of all sides. */
void heat_sides_range(const heat_side sides[HEAT_SIDES], int64_t rows, int64_t columns, double *low,
                      double *high);

/* ---- The problem ----------------------------------------------------------------------------- */

/* P x Q blocks of a plate, numbered row by row: one for each rank. P x 1: rows. */
typedef struct {
    int rows, columns;
} heat_grid;

typedef struct {
    int64_t rows, columns;
    heat_grid blocks; /* 0 x 0: rows */
    heat_precision precision;
    heat_method method;
    double omega; /* of SOR; 1: Gauss-Seidel */
    double initial;
    heat_side sides[HEAT_SIDES];
} heat_problem;

/* Properties of Jacobi's iteration on this plate: its spectral radius (cos(pi / (rows + 1)) +
   cos(pi / (columns + 1))) / 2; 1 minus the radius, without cancellation; SOR's best factor 2 / (1
   + sqrt(1 - radius^2)) (Young 1954). */
double heat_radius(int64_t rows, int64_t columns);
double heat_radius_gap(int64_t rows, int64_t columns);
double heat_best_omega(int64_t rows, int64_t columns);

/* ---- heat_blocks.c: which rank has what ------------------------------------------------------ */

/* Returns the grid of this number of ranks. The problem's blocks are those of all ranks; one rank
   alone has the whole plate. */
heat_grid heat_grid_of(const heat_problem *problem, int ranks);
/* Returns true if these ranks can have this number of blocks beside each other. Sets *grid to the
   result. */
bool heat_make_grid(const heat_problem *problem, int ranks, int columns, heat_grid *grid);

/* The part of a rank: rows first to first + rows - 1, from 1, and columns likewise. Sizes differ by
   at most one row and one column. */
typedef struct {
    int64_t first, rows, first_column, columns;
} heat_block;
heat_block heat_block_of(heat_grid grid, int64_t rows, int64_t columns, int rank);

/* Returns the most steps in a sweep: as many rows, and columns of blocks, as the smallest block
   has, because neighbours send these. */
int64_t heat_most_steps(const heat_problem *problem, heat_grid grid);

/* Teams of consecutive ranks, of about as many each, for plates of their own; a team's blocks are
   `columns` beside each other. */
typedef struct {
    int teams, columns;
} heat_teams;
/* Returns as few teams as there can be if a team's blocks, of `points` points each, have at most
   `most` together. A row of a team has three blocks or more if the grid has, so that one of them
   has neighbours on both sides; it may have more than `most` points. */
heat_teams heat_teams_of(heat_grid grid, int64_t points, int64_t most);

/* Copies rows of `bytes` bytes between two places. to_apart and from_apart are the distances of
   rows, in bytes. */
void heat_copy_rows(void *to, size_t to_apart, const void *from, size_t from_apart, size_t bytes,
                    int64_t rows);

/* ---- heat_plate.c: the rows or the block of this rank ---------------------------------------- */

typedef struct {
    const heat_kernels *kernels;
    cm_group *group;               /* these ranks share the plate, in their order */
    heat_grid grid;                /* of these ranks */
    int64_t rows, whole_columns;   /* of the whole plate */
    int64_t first, mine;           /* this rank's rows: first (from 1) to first + mine - 1 */
    int64_t first_column, columns; /* this rank's columns likewise */
    int64_t depth;                 /* number of neighbours' rows kept on either side */
    int64_t beside;                /* columns likewise: as many, or 1 if the ranks have rows */
    int64_t stride;                /* from row to row, in numbers */
    int above, below, left, right; /* neighbours' ranks, or -1 */
    void *memory[2];
    char *origin[2]; /* row 0 (local), column 0; rows 1 to mine are this rank's */
    int now;         /* index of the array with the current temperatures */
    /* Columns that are sent and received, as messages. NULL: there are no neighbours beside. */
    void *packed;
} heat_plate;

size_t heat_plate_bytes(const heat_problem *problem, int ranks, int64_t depth);

/* Sets all points to the initial temperature, and the sides. Returns false if there is no
   memory. */
bool heat_plate_open(const heat_problem *problem, cm_group *group, int64_t depth,
                     heat_plate *plate);
/* The same for a given block, without temperatures: its memory is undefined. */
bool heat_plate_open_block(const heat_kernels *kernels, cm_group *group, heat_grid grid,
                           int64_t rows, int64_t columns, const heat_block *block, int64_t depth,
                           heat_plate *plate);
/* Returns memory for a further array laid out like those of the plate, for cm_memory_free, or NULL;
   *origin is column 0 of row 0. */
void *heat_plate_array(const heat_plate *plate, void **origin);
void heat_plate_reset(const heat_problem *problem, heat_plate *plate);
void heat_plate_close(heat_plate *plate);

/* Returns local rows first to first + rows - 1 as a plate of their own, in the same memory, with
   the rows beside them as its edges. They must be at least as many as are exchanged at once. The
   parts of all ranks make up one plate, even if they are not adjacent in the whole one. Do not
   close a part. */
heat_plate heat_plate_part(const heat_plate *plate, int64_t first, int64_t rows);

void *heat_at(const heat_plate *plate, int which, int64_t row, int64_t column);

/* ---- heat_halo.c: the neighbours' rows and columns ------------------------------------------- */

typedef struct {
    cm_request *request[8];
    size_t sent_bytes;
    const heat_plate *beside; /* plate with neighbours beside it, or NULL */
} heat_halo;

/* Begin and end the exchange of a row of current temperatures with the neighbours above and below,
   and of a column with those beside. */
void heat_halo_begin(const heat_plate *plate, heat_halo *halo);
void heat_halo_end(heat_halo *halo);

/* Exchanges `deep` rows and columns, and the corners between them. Returns the bytes that this rank
   has sent. */
size_t heat_halo_exchange(const heat_plate *plate, int64_t deep);

/* The same for halos at any addresses. The four parts are: received from the rank above, sent to
   it, sent to the rank below, received from it. */
typedef struct {
    void *at;
    size_t bytes;
} heat_halo_part;
void heat_halo_begin_parts(const heat_plate *plate, const heat_halo_part part[4], heat_halo *halo);

/* heat_columns.c: what these do for columns. */
void heat_columns_begin(const heat_plate *plate, int64_t deep, heat_halo *halo);
void heat_columns_end(const heat_plate *plate, int64_t deep);

#endif
