/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_condition.c: estimates the condition number in the 1-norm from the factors, by Hager's
   ascent over unit vectors and Higham's alternating vector (ACM TOMS 14, 1988, algorithm 4.1). The
   estimate is a lower bound that is seldom below a third of the true value. */
#include <math.h>
#include <stdlib.h>
#include "linpack_verify.h"

static double sum_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(x[i]);
    return sum;
}

static double norm_1(const linpack_layout *map, const linpack_matrix *matrix)
{
    const linpack_layout rows = linpack_layout_of(map->all, map->order, map->block);
    size_t n = (size_t)map->order;
    double *row = linpack_allocate(n, sizeof *row, "a row"), largest = 0;
    double *sums = linpack_allocate(n, sizeof *sums, "sums of columns");
    for (int l = 1; l <= rows.rows; l++) {
        linpack_matrix_row(matrix, linpack_global_row(&rows, l), row);
        for (size_t j = 0; j < n; j++) sums[j] += fabs(row[j]);
    }
    cm_allreduce(map->all, sums, sums, n, CM_DOUBLE, CM_SUM, CM_AUTO);
    for (size_t j = 0; j < n; j++) largest = fmax(largest, sums[j]);
    free(row), free(sums);
    return largest;
}

double linpack_condition(const linpack_layout *map, const linpack_matrix *matrix,
                         const linpack_solvers *solvers, int nb, const void *a,
                         const void *diagonal, const int *pivots)
{
    enum { STEPS = 5 };
    int n = map->order, at = -1;
    double *x = linpack_allocate((size_t)n, sizeof *x, "the condition"), estimate = 0;
    for (int i = 0; i < n; i++) x[i] = 1.0 / n;
    for (int step = 0; step < STEPS; step++) {
        solvers->solve(map, nb, a, diagonal, pivots, false, x);
        double size = sum_of(x, n);
        if (step > 0 && size <= estimate) break;
        estimate = size;
        for (int i = 0; i < n; i++) x[i] = x[i] >= 0 ? 1 : -1;
        solvers->solve(map, nb, a, diagonal, pivots, true, x);
        int largest = 0;
        for (int i = 1; i < n; i++)
            if (fabs(x[i]) > fabs(x[largest])) largest = i;
        if (largest == at) break;
        at = largest;
        for (int i = 0; i < n; i++) x[i] = i == at;
    }
    for (int i = 0; i < n; i++) x[i] = (i % 2 ? -1 : 1) * (1 + (n > 1 ? (double)i / (n - 1) : 0));
    solvers->solve(map, nb, a, diagonal, pivots, false, x);
    estimate = fmax(estimate, 2 * sum_of(x, n) / (3.0 * n));
    free(x);
    return estimate * norm_1(map, matrix);
}
