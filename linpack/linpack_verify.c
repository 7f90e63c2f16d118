/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_verify.c: verifies a solution: scaled residuals with a newly generated matrix, and the
   growth of the elements. */
#include <math.h>
#include <stdlib.h>
#include "linpack_verify.h"

enum { MOST = 5 };

/* A NaN stays. */
static void raise(double *largest, double value)
{
    if (!(value <= *largest)) *largest = value;
}

/* HPL's:     |Ax - b|_inf / (u (|A|_inf |x|_inf + |b|_inf) n), u = eps / 2, the unit roundoff
   LINPACK's: |Ax - b|_inf / (n max|a_ij| |x|_inf eps) */
linpack_residual linpack_verify(const linpack_layout *map, const linpack_matrix *matrix,
                                const double *x, double epsilon)
{
    int n = map->order;
    double *row = linpack_allocate((size_t)n, sizeof *row, "a row");
    linpack_residual r = {0};
    for (int l = 1; l <= map->rows; l++) {
        int i = linpack_global_row(map, l);
        linpack_matrix_row(matrix, i, row);
        double b = linpack_matrix_right(matrix, i), size = 0, largest = 0;
        double rest = b - linpack_dot(row, x, n);
        for (int j = 0; j < n; j++) {
            double element = fabs(row[j]);
            size += element;
            largest = element > largest ? element : largest;
        }
        raise(&r.residual, fabs(rest));
        raise(&r.a_infinity, size);
        raise(&r.a_max, largest);
        raise(&r.b_max, fabs(b));
    }
    for (int j = 0; j < n; j++) raise(&r.x_max, fabs(x[j]));
    double all[MOST] = {r.residual, r.a_infinity, r.a_max, r.b_max, r.x_max};
    linpack_raise_over_ranks(map->all, all, MOST);
    r = (linpack_residual){.residual = all[0],
                           .a_infinity = all[1],
                           .a_max = all[2],
                           .b_max = all[3],
                           .x_max = all[4]};
    r.hpl = r.residual / (epsilon / 2 * (r.a_infinity * r.x_max + r.b_max) * n);
    r.linpack = r.residual / (n * r.a_max * r.x_max * epsilon);
    free(row);
    return r;
}

double linpack_growth(const linpack_layout *map, const linpack_solvers *solvers, const void *a,
                      double a_max)
{
    double largest = 0;
    for (int l = 1; l <= map->rows; l++) {
        int first = linpack_first_local_column(map, linpack_global_row(map, l));
        size_t at = (size_t)(l - 1) * (size_t)map->ld + (size_t)first - 1;
        raise(&largest, solvers->largest((const char *)a + at * solvers->bytes,
                                         (size_t)(map->columns - first + 1)));
    }
    linpack_raise_over_ranks(map->all, &largest, 1);
    return largest / a_max;
}
