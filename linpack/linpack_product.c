/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_product.c: the matrix, in double, times a vector. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blas/symbols.h"
#include "linpack_system.h"

/* Returns this rank's columns of a local row: the stored ones, or newly generated ones in row. */
static const double *local_row(const linpack_system *s, int l, double *row)
{
    const linpack_layout *map = &s->map;
    if (s->refined.kept) return s->refined.kept + (size_t)(l - 1) * (size_t)map->ld;
    for (int c = 1; c <= map->columns; c += map->width)
        linpack_matrix_part(s->matrix, linpack_global_row(map, l),
                            linpack_global_column(map, c) - 1, linpack_part_width(map, c),
                            row + c - 1);
    return row;
}

static double sum_of(const double *a, int n)
{
    double sum[8] = {0};
    int j = 0;
    for (; j + 8 <= n; j += 8)
        for (int k = 0; k < 8; k++) sum[k] += fabs(a[j + k]);
    for (; j < n; j++) sum[0] += fabs(a[j]);
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* Stores what this rank's columns give of its rows; of sums, too, if it is not NULL. */
static void multiply(const linpack_system *s, const double *x, double *y, double *sums)
{
    const linpack_layout *map = &s->map;
    if (s->refined.kept && !sums) {
        const double one = 1, zero = 0;
        const int step = 1;
        if (map->rows > 0 && map->columns > 0)
            dgemv_("T", &map->columns, &map->rows, &one, s->refined.kept, &map->ld, x, &step, &zero,
                   y, &step, 1);
        return;
    }
    double *row = linpack_allocate((size_t)map->columns, sizeof *row, "a row");
    for (int l = 1; l <= map->rows; l++) {
        const double *a = local_row(s, l, row);
        y[l - 1] = linpack_dot(a, x, map->columns);
        if (sums) sums[l - 1] = sum_of(a, map->columns);
    }
    free(row);
}

/* Adds up what the columns of the grid have of each row. own: of this rank's rows. */
static void to_parts(const linpack_system *s, const double *own, double *whole, double *part)
{
    memset(whole, 0, (size_t)s->map.order * sizeof *whole);
    for (int l = 1; l <= s->map.rows; l++) whole[linpack_global_row(&s->map, l) - 1] = own[l - 1];
    linpack_parts_sum(&s->refined.gmres.parts, whole, part);
}

void linpack_product(const linpack_system *s, const double *x, double *part, double *sums)
{
    const linpack_layout *map = &s->map;
    const size_t rows = (size_t)map->rows;
    double *own = linpack_allocate(2 * rows, sizeof *own, "a product");
    double *mine = linpack_allocate((size_t)map->columns, sizeof *mine, "a vector");
    double *whole = linpack_allocate((size_t)map->order, sizeof *whole, "a product");
    for (int c = 1; c <= map->columns; c++) mine[c - 1] = x[linpack_global_column(map, c) - 1];
    multiply(s, mine, own, sums ? own + rows : NULL);
    cm_compute(2.0 * map->rows * map->columns, 0);
    to_parts(s, own, whole, part);
    if (sums) to_parts(s, own + rows, whole, sums);
    free(own), free(mine), free(whole);
}
