/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_kernels.h: the kernels on the numbers of a plate, in single and double precision.

   In every kernel the mean of the four neighbours is ((north + south) + (west + east)) / 4, in this
   order. Sums of two commute, so a mirrored plate stays mirrored bit by bit, and all kernels give
   the same bits. */
#ifndef HEAT_KERNELS_H
#define HEAT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEAT_WAVE_STEPS = 32 };
typedef struct {
    int64_t first, last, top, bottom;
} heat_wave_rows;

/* Pointers are to column 1 of a row; stride is the distance of rows in numbers. */
typedef struct {
    size_t bytes; /* of a number */
    double epsilon;

    void (*fill)(void *row, double value, int64_t count);
    void (*set)(void *row, int64_t j, double value);
    double (*get)(const void *row, int64_t j);
    /* Copies every thin-th number, count of them. */
    void (*pack)(void *to, const void *row, int64_t thin, int64_t count);
    /* Lowest and highest number; both are NaN if there is a NaN. */
    void (*range)(const void *from, int64_t stride, int64_t rows, int64_t columns, double *low,
                  double *high);
    /* max |mean - temperature|; INFINITY if it is NaN or infinite. */
    double (*residual)(const void *from, int64_t stride, int64_t rows, int64_t columns);

    /* Jacobi: to = mean of from. plain: the reference, a plain loop with ordinary stores. */
    void (*plain)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);
    void (*sweep)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);
    void (*sweep_past)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns);

    /* Runs steps iterations of Jacobi, 2 to HEAT_WAVE_STEPS, in one pass over memory, for rows
       first to last of to. from has these and steps further rows on either side, as far as they
       exist. top and bottom: rows of given temperatures, or rows beyond reach. Pointers are to
       column 0 of row 0. ring: wave_bytes(). past: use stores past the caches. */
    size_t (*wave_bytes)(void);
    void (*wave)(void *to, const void *from, int64_t stride, int64_t columns,
                 const heat_wave_rows *rows, int64_t steps, void *ring, bool past);

    /* Chebyshev: to = to + factor (mean of from - to). */
    void (*chebyshev)(void *to, const void *from, int64_t stride, int64_t rows, int64_t columns,
                      double factor);
    void (*plain_chebyshev)(void *to, const void *from, int64_t stride, int64_t rows,
                            int64_t columns, double factor);

    /* Red-black: adds omega (mean - number) to every second number of a row; the first is column 1
       + odd. */
    void (*relax)(void *row, int64_t stride, int64_t columns, int odd, double omega);
    void (*plain_relax)(void *row, int64_t stride, int64_t columns, int odd, double omega);
} heat_kernels;

extern const heat_kernels heat_kernels_single, heat_kernels_double;

#endif
