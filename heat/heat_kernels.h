/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_kernels.h: what is done with the numbers of a plate, in single and in double precision.

   The mean of the four neighbours is ((north + south) + (west + east)) / 4, in this order, in
   every kernel: sums of two commute, so that a mirrored plate stays mirrored bit by bit, and all
   kernels give the same bits. */
#ifndef HEAT_KERNELS_H
#define HEAT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEAT_WAVE_STEPS = 32 };
typedef struct {
    int64_t first, last, top, bottom;
} heat_wave_rows;

/* Pointers lead to column 1 of a row; stride counts numbers from row to row. */
typedef struct {
    size_t bytes; /* of a number */
    double epsilon;

    void (*fill)(void *row, double value, int64_t count);
    void (*set)(void *row, int64_t j, double value);
    double (*get)(const void *row, int64_t j);
    /* Every thin-th number, count of them. */
    void (*pack)(void *to, const void *row, int64_t thin, int64_t count);
    /* Lowest and highest; NaN makes both NaN. */
    void (*range)(const void *from, int64_t stride, int64_t rows, int64_t columns, double *low,
                  double *high);
    /* max |mean - temperature|; NaN or infinite: INFINITY. */
    double (*residual)(const void *from, int64_t stride, int64_t rows, int64_t columns);

    /* Jacobi: to = mean of from. plain: the reference, a plain loop with ordinary stores. */
    void (*plain)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);
    void (*sweep)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);
    void (*sweep_past)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);

    /* steps iterations of Jacobi, 2 to HEAT_WAVE_STEPS, in one pass over memory: rows first to
       last of to. from has them and steps rows more on either side, as far as there are such. top
       and bottom: rows whose temperatures are given, or what is farther than those. Pointers lead
       to column 0 of row 0; ring: wave_bytes(). past: stores past the caches. */
    size_t (*wave_bytes)(void);
    void (*wave)(void *to, const void *from, int64_t stride, int64_t columns,
                 const heat_wave_rows *rows, int64_t steps, void *ring, bool past);

    /* Chebyshev: to = to + factor (mean of from - to). */
    void (*chebyshev)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns,
                      double factor);
    void (*plain_chebyshev)(void *to, const void *from, int64_t stride, int64_t rows,
                            int64_t columns, double factor);

    /* Red-black: every second number of a row, the first of them column 1 + odd, += omega (mean -
       it). */
    void (*relax)(void *row, int64_t stride, int64_t columns, int odd, double omega);
    void (*plain_relax)(void *row, int64_t stride, int64_t columns, int odd, double omega);
} heat_kernels;

extern const heat_kernels heat_kernels_single, heat_kernels_double;

#endif
