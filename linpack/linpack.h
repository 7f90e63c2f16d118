/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack.h: the Fortran solvers, as C sees them. linpack_*.inc describe them.

   Global rows, columns and pivots count from 1, as in Fortran; ranks from 0. */
#ifndef LINPACK_H
#define LINPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
#include "option/option.h"

/* The layout of linpack_layout.f90: block rows at a time are dealt out cyclically. Local row l of a
   begins at a + (l - 1) * ld; its element of column j is at [j - 1]. */
typedef struct {
    cm_group *group;
    int rank, ranks, order, block, rows, ld;
} linpack_layout;

/* Returns this rank's layout. ld is padded so that rows do not share cache sets. */
linpack_layout linpack_layout_of(cm_group *group, int order, int block);
int linpack_ld_of(int order);
/* linpack_layout.f90. Return the number of rows of a rank, and the global row of local row l. */
int linpack_rows_of(int order, int block, int ranks, int rank);
int linpack_global_row(const linpack_layout *map, int l);

/* spent_time of linpack_spent.f90. tell (may be NULL) is called after each panel with the number of
   eliminated columns. */
typedef struct {
    double search_s, exchange_s, broadcast_s, update_s, since;
    void (*tell)(int column, void *context);
    void *context;
} linpack_spent;

#define LINPACK_SOLVERS(name, real)                                                             \
    void linpack_##name##_classic(const linpack_layout *, real *a, real *diagonal, int *pivots, \
                                  int *failed, linpack_spent *);                                \
    void linpack_##name##_blocked(const linpack_layout *, int nb, int slices, real *a,          \
                                  real *diagonal, int *pivots, int *failed, linpack_spent *);   \
    void linpack_##name##_solve(const linpack_layout *, int nb, const real *a,                  \
                                const real *diagonal, const int *pivots, real *x);              \
    void linpack_##name##_transposed(const linpack_layout *, int nb, const real *a,             \
                                     const real *diagonal, const int *pivots, real *x);         \
    void linpack_##name##_gefa(int n, real *a, int lda, int *pivots, int *failed);              \
    void linpack_##name##_gesl(int n, const real *a, int lda, const int *pivots, real *x);
LINPACK_SOLVERS(single, float)
LINPACK_SOLVERS(double, double)

/* Returns the number of elements of diagonal: nb x nb for each panel. */
size_t linpack_diagonal_elements(int order, int nb);

/* linpack_record.c: the pivot reduction for the panels. */
cm_request *linpack_pivot_start(cm_group *group, void *record);

extern const cm_metric linpack_metrics[]; /* of the RESULT lines */

#endif
