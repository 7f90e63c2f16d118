/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack.h: the Fortran solvers, as C sees them. linpack_*.inc describe them.

   Global rows, columns and pivots count from 1, as in Fortran; ranks from 0. */
#ifndef LINPACK_H
#define LINPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "blas/blas.h"
#include "comm/comm.h"
#include "option/option.h"

/* The layout of linpack_layout.f90: a grid of ranks, among whose rows `block` rows at a time are
   dealt out cyclically, among whose columns `width` columns. Local row l of a begins at
   a + (l - 1) * ld; its element of local column c is at [c - 1]. With one column of the grid local
   columns are the matrix's. */
typedef struct {
    cm_group *group; /* the ranks of this rank's column of the grid; unused if that is one */
    int rank, ranks, order, block, rows, ld;
    cm_group *across; /* those of its row; unused if that is one */
    int grid_column, grid_columns, width, columns;
    cm_group *all;
    cm_group *roll;         /* linpack_roll; NULL without */
    cm_algorithm broadcast; /* of a panel, among the ranks of across */
    int tournament;         /* 1: pivots by a tournament, 0: partial pivoting */
    int right; /* the column of the grid that has the right-hand side as local column columns + 1;
                  -1: it is not factored along */
    const cm_blas_low *low; /* the product of updates in single precision; NULL: sgemm */
} linpack_layout;

/* Returns this rank's layout with all ranks in one column of the grid, so that only rows are dealt
   out. ld is padded so that rows do not share cache sets. */
linpack_layout linpack_layout_of(cm_group *group, int order, int block);
/* Returns this rank's layout on a grid with this number of columns, which must divide the number of
   ranks. width is the width of the panels. All ranks call both functions. */
linpack_layout linpack_grid_of(cm_group *group, int grid_columns, int order, int block, int width);
/* Gives the right-hand side a place beside the last columns, so that it is factored along. */
void linpack_beside(linpack_layout *map);
/* Returns the number of this rank's columns, the right-hand side included. */
int linpack_columns_of(const linpack_layout *map);
/* Makes rows of U go round the column of the grid, each rank sending to the next, instead of from
   each rank to all others. All ranks call it. */
void linpack_roll(linpack_layout *map);
void linpack_grid_free(linpack_layout *map);
int linpack_ld_of(int columns);
/* linpack_layout.f90. Return the number of rows or columns of a rank, the global row of local row
   l, the global column of local column c, and the first local column at or right of a global
   one. */
int linpack_dealt(int order, int block, int ranks, int rank);
int linpack_global_row(const linpack_layout *map, int l);
int linpack_global_column(const linpack_layout *map, int c);
int linpack_first_local_column(const linpack_layout *map, int column);

/* spent_time of linpack_spent.f90. tell (may be NULL) is called after each panel with the number of
   eliminated columns. */
typedef struct {
    double search_s, exchange_s, broadcast_s, update_s, since;
    void (*tell)(int column, void *context);
    void *context;
} linpack_spent;

#define LINPACK_SOLVERS(name, real)                                                               \
    void linpack_##name##_classic(const linpack_layout *, real *a, real *diagonal, int *pivots,   \
                                  int *failed, linpack_spent *);                                  \
    void linpack_##name##_blocked(const linpack_layout *, int nb, int look_ahead, int slices,     \
                                  real *a, real *diagonal, int *pivots, int *failed,              \
                                  linpack_spent *);                                               \
    void linpack_##name##_solve(const linpack_layout *, int nb, const real *a,                    \
                                const real *diagonal, const int *pivots, real *x);                \
    void linpack_##name##_solve_right(const linpack_layout *, int nb, const real *a,              \
                                      const real *diagonal, real *x);                             \
    void linpack_##name##_transposed(const linpack_layout *, int nb, const real *a,               \
                                     const real *diagonal, const int *pivots, real *x);           \
    double linpack_##name##_panel_time(const linpack_layout *, int nb, const real *a, real *out); \
    void linpack_##name##_gefa(int n, real *a, int lda, int *pivots, int *failed);                \
    void linpack_##name##_gesl(int n, const real *a, int lda, const int *pivots, real *x);
LINPACK_SOLVERS(single, float)
LINPACK_SOLVERS(double, double)

/* Returns the number of elements of diagonal: nb x nb for each panel. */
size_t linpack_diagonal_elements(int order, int nb);

/* linpack_record.c: the pivot reduction for the panels. */
void linpack_pivot_start(cm_group *const *group, void *record, cm_request **request);
/* Makes `right` the better one of two records. The row that the pivot displaces is in the result if
   it is in one of them. */
void linpack_pivot_choose(const void *left, void *right);

/* linpack_tournament.c: the reduction of a panel's candidates, of which play makes those of two
   records one. */
void linpack_tournament_start(cm_group *const *group, void *record, size_t bytes,
                              cm_op_function *play, cm_request **request);

/* linpack_subtract.c: C -= A B, the update of the trailing matrix. C is m x n, A is m x k, all
   stored by columns. */
void linpack_single_subtract(const cm_blas_low *low, int m, int n, int k, const float *a, int lda,
                             const float *b, int ldb, float *c, int ldc);
void linpack_double_subtract(const cm_blas_low *low, int m, int n, int k, const double *a, int lda,
                             const double *b, int ldb, double *c, int ldc);

/* linpack_allocate.c: memory of cm_allocate, for panels; ends the job if there is none. */
void *linpack_shared(size_t bytes);

extern const cm_metric linpack_metrics[]; /* of the RESULT lines */
extern const cm_labels linpack_labels[];

#endif
