/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_system.c: the matrix of an order, its factors and its solution. */
#include <stdlib.h>
#include "linpack_system.h"

/* ---- The matrix ------------------------------------------------------------------------------ */

int linpack_part_width(const linpack_layout *map, int c)
{
    return map->columns - c < map->width ? map->columns - c + 1 : map->width;
}

void linpack_store_rows(const linpack_system *s, int precision, void *a)
{
    const linpack_layout *map = &s->map;
    const linpack_solvers *solvers = linpack_solvers_of(precision);
    double *part = linpack_allocate((size_t)map->width, sizeof *part, "part of a row");
    for (int l = 1; l <= map->rows; l++)
        for (int c = 1; c <= map->columns; c += map->width) {
            const int n = linpack_part_width(map, c);
            const size_t at = (size_t)(l - 1) * (size_t)map->ld + (size_t)(c - 1);
            linpack_matrix_part(s->matrix, linpack_global_row(map, l),
                                linpack_global_column(map, c) - 1, n, part);
            solvers->store(part, (char *)a + at * solvers->bytes, (size_t)n, 1);
        }
    free(part);
    if (linpack_columns_of(map) == map->columns) return;
    for (int l = 1; l <= map->rows; l++) {
        const double b = linpack_matrix_right(s->matrix, linpack_global_row(map, l));
        const size_t at = (size_t)(l - 1) * (size_t)map->ld + (size_t)map->columns;
        solvers->store(&b, (char *)a + at * solvers->bytes, 1, 1);
    }
}

void linpack_right_hand_side(const linpack_matrix *matrix, double *b)
{
    for (int i = 1; i <= matrix->order; i++) b[i - 1] = linpack_matrix_right(matrix, i);
}

/* ---- Factor, solve --------------------------------------------------------------------------- */

int linpack_factor(linpack_system *s)
{
    int failed = 0;
    s->course->began_s = cm_time();
    if (s->options->algorithm == LINPACK_CLASSIC)
        s->solvers->classic(&s->map, s->a, s->diagonal, s->pivots, &failed, &s->spent);
    else
        s->solvers->blocked(&s->map, s->nb, s->look_ahead, s->slices, s->a, s->diagonal, s->pivots,
                            &failed, &s->spent);
    return failed;
}

void linpack_substitute(const linpack_system *s, double *x)
{
    s->solvers->solve(&s->map, s->nb, s->a, s->diagonal, s->pivots, false, x);
}

void linpack_solve(linpack_system *s)
{
    if (s->map.right < 0) linpack_substitute(s, s->x);
    else s->solvers->solve_right(&s->map, s->nb, s->a, s->diagonal, s->x);
}
