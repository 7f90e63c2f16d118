/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_kernels.h: the kernels on rows of numbers, in single and double precision.

   In every kernel the mean of the four neighbours is ((north + south) + (west + east)) / 4, in this
   order. Sums of two commute, so a mirrored plate stays mirrored bit by bit, and all kernels give
   the same bits, with every instruction set (machine/sets.h). */
#ifndef HEAT_KERNELS_H
#define HEAT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "heat_numbers.h"

/* How a sweep stores: by plain loops, which are the reference; by our kernels; by these past the
   caches. HEAT_AUTO is for options. */
typedef enum { HEAT_AUTO, HEAT_PLAIN, HEAT_ORDINARY, HEAT_PAST } heat_stores;

enum { HEAT_WAVE_STEPS = 32 };
/* Rows or columns of a pass: first to last are computed. low and high are beyond them: given
   temperatures, or as far as the steps reach. */
typedef struct {
    int64_t first, last, low, high;
} heat_span;

/* The geometry at a point beside a side that is `gap` away, in distances of points. The flux to the
   south is 1 / gap as large for the same difference of temperatures, and the width of its cell is
   (1 + gap) / 2. All are 1 at a regular point. */
typedef struct {
    double south, east, height, width;
} heat_edge;

/* heat_multigrid.inc: grids with the equation sum of neighbours - 4 u + f = 0. Pointers are to
   column 0 of a row; stride is the distance of rows in numbers. */
typedef struct {
    /* Relaxes every step-th column from j to last at an edge. */
    void (*relax_edge)(void *row, const void *source, int64_t stride, int64_t j, int64_t step,
                       int64_t last, const heat_edge *edge);
    /* to = sum of neighbours - 4 u + f in columns j to last. source: f; NULL: it is 0. edge: NULL:
       none is near. */
    void (*defect)(void *to, const void *row, const void *source, int64_t stride, int64_t j,
                   int64_t last, const heat_edge *edge);
    /* A coarse row of f from three fine rows of defects, the middle one given. south, east: weights
       after the last row and column; 0.5: an ordinary row, or an ordinary last column. */
    void (*restrict_row)(void *to, const void *row, int64_t stride, int64_t columns, double south,
                         double east);
    /* Add the interpolated correction to a fine row of `columns`: weight times a coarse row, or the
       mean of two. last: the weight of the last coarse column in an odd last column. */
    void (*prolong_on)(void *to, const void *from, int64_t columns, double weight, double last);
    void (*prolong_between)(void *to, const void *from, int64_t stride, int64_t columns,
                            double last);
} heat_grid_kernels;

/* Pointers are to column 1 of a row. */
typedef struct {
    heat_precision precision;
    size_t bytes; /* of a number */

    /* max |mean - temperature|; INFINITY if it is NaN or infinite. */
    double (*residual)(const void *from, int64_t stride, int64_t rows, int64_t columns);

    /* Jacobi: to = mean of from. */
    void (*sweep)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns,
                  heat_stores stores);

    /* Runs steps iterations of Jacobi, 2 to HEAT_WAVE_STEPS, in one pass over memory, for these
       rows and columns of to. from has rows and columns low to high. Pointers are to column 0 of
       row 0; column 1 begins a line of memory. ring: wave_bytes. past: use stores past the caches.
       wave_columns: how many columns it computes for so many, because its windows overlap. */
    size_t wave_bytes;
    int64_t (*wave_columns)(int64_t columns, int64_t steps);
    void (*wave)(void *to, const void *from, int64_t stride, const heat_span *rows,
                 const heat_span *columns, int64_t steps, void *ring, bool past);

    /* Chebyshev: to = to + factor (mean of from - to). */
    void (*chebyshev)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns,
                      double factor, heat_stores stores);

    /* Red-black: adds omega (mean - number) to every second number of a row; the first is column 1
       + odd. source: a quarter of it is added to the mean; NULL: none. both: does the same to the
       row above afterwards, of which it takes the same columns. */
    void (*relax)(void *row, const void *source, int64_t stride, int64_t columns, int odd,
                  double omega, heat_stores stores, bool both);

    /* The same for rows that are split (heat_split.inc). split_row copies `count` numbers, the
       first, third, ... to even and the others to odd; join_row is its reverse. relax_half relaxes
       `count` numbers of a half; other: the western neighbour of the first, which the others' and
       then the last eastern neighbour follow. relax_halves relaxes the same numbers of the row
       above too, each after the one below it. */
    void (*split_row)(void *even, void *odd, const void *row, int64_t count);
    void (*join_row)(void *row, const void *even, const void *odd, int64_t count);
    void (*relax_half)(void *half, const void *other, int64_t stride, int64_t count, double omega);
    void (*relax_halves)(void *half, const void *other, int64_t stride, int64_t count,
                         double omega);

    const heat_grid_kernels *grid;
} heat_kernels;

const heat_kernels *heat_kernels_of(heat_precision precision);

#endif
