/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_kernels.h: the kernels on the numbers of a plate, in single and double precision.

   In every kernel the mean of the four neighbours is ((north + south) + (west + east)) / 4, in this
   order. Sums of two commute, so a mirrored plate stays mirrored bit by bit, and all kernels give
   the same bits, with every instruction set (machine/sets.h). */
#ifndef HEAT_KERNELS_H
#define HEAT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { HEAT_SINGLE, HEAT_DOUBLE } heat_precision;

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

/* Pointers are to column 1 of a row; stride is the distance of rows in numbers. */
typedef struct {
    size_t bytes; /* of a number */
    double epsilon;

    void (*fill)(void *row, double value, int64_t count);
    void (*set)(void *row, int64_t j, double value);
    double (*get)(const void *row, int64_t j);
    /* Copies every thin-th number, count of them. */
    void (*pack)(void *to, const void *row, int64_t thin, int64_t count);
    /* Copies count numbers to every thin-th place. */
    void (*unpack)(void *to, const void *from, int64_t thin, int64_t count);
    /* Lowest and highest number; both are NaN if there is a NaN. */
    void (*range)(const void *from, int64_t stride, int64_t rows, int64_t columns, double *low,
                  double *high);
    /* max |mean - temperature|; INFINITY if it is NaN or infinite. */
    double (*residual)(const void *from, int64_t stride, int64_t rows, int64_t columns);

    /* Jacobi: to = mean of from. plain: the reference, a plain loop with ordinary stores. */
    void (*plain)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);
    void (*sweep)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);
    void (*sweep_past)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);

    /* Runs steps iterations of Jacobi, 2 to HEAT_WAVE_STEPS, in one pass over memory, for these
       rows and columns of to. from has rows and columns low to high. Pointers are to column 0 of
       row 0; column 1 begins a line of memory. ring: wave_bytes(). past: use stores past the
       caches. wave_columns: how many columns it computes for so many, because its windows
       overlap. */
    size_t (*wave_bytes)(void);
    int64_t (*wave_columns)(int64_t columns, int64_t steps);
    void (*wave)(void *to, const void *from, int64_t stride, const heat_span *rows,
                 const heat_span *columns, int64_t steps, void *ring, bool past);

    /* Chebyshev: to = to + factor (mean of from - to). */
    void (*chebyshev)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns,
                      double factor);
    void (*plain_chebyshev)(void *to, const void *from, int64_t stride, int64_t rows,
                            int64_t columns, double factor);

    /* Red-black: adds omega (mean - number) to every second number of a row; the first is column 1
       + odd. */
    void (*relax)(void *row, int64_t stride, int64_t columns, int odd, double omega);
    /* The same for the row and then the one above it, of which it takes the same columns. */
    void (*relax_both)(void *row, int64_t stride, int64_t columns, int odd, double omega);
    void (*plain_relax)(void *row, int64_t stride, int64_t columns, int odd, double omega);

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

    /* heat_multigrid.inc: grids with the equation sum of neighbours - 4 u + f = 0. Pointers are to
       column 0. source: NULL: f is 0. The edge's kernels are for columns j to last. */
    void (*relax_source)(void *row, const void *source, int64_t stride, int64_t columns, int odd);
    void (*relax_source_both)(void *row, const void *source, int64_t stride, int64_t columns,
                              int odd);
    void (*plain_relax_source)(void *row, const void *source, int64_t stride, int64_t columns,
                               int odd);
    void (*relax_edge)(void *row, const void *source, int64_t stride, int64_t j, int64_t step,
                       int64_t last, const heat_edge *edge);
    /* to = sum of neighbours - 4 u + f. */
    void (*defect)(void *to, const void *row, const void *source, int64_t stride, int64_t columns);
    void (*defect_edge)(void *to, const void *row, const void *source, int64_t stride, int64_t j,
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
} heat_kernels;

const heat_kernels *heat_kernels_of(heat_precision precision);

#endif
