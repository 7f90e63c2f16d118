/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_solvers.c: the solvers of both precisions behind one type. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "linpack_solvers.h"

/* LINPACK's operations, 2 n^3 / 3 + 2 n^2, the second for the two triangles. */
static double flop_of_factor(double n) { return 2 * n * n * n / 3; }
static double flop_of_solve(double n) { return 2 * n * n; }

#define SOLVERS(name, real)                                                                       \
    static void name##_classic(const linpack_layout *map, void *a, void *diagonal, int *pivots,   \
                               int *failed, linpack_spent *spent)                                 \
    {                                                                                             \
        linpack_##name##_classic(map, a, diagonal, pivots, failed, spent);                        \
    }                                                                                             \
    static void name##_blocked(const linpack_layout *map, int nb, int depth, int slices, void *a, \
                               void *diagonal, int *pivots, int *failed, linpack_spent *spent)    \
    {                                                                                             \
        linpack_##name##_blocked(map, nb, depth, slices, a, diagonal, pivots, failed, spent);     \
    }                                                                                             \
    static void name##_solve(const linpack_layout *map, int nb, const void *a,                    \
                             const void *diagonal, const int *pivots, bool transposed, double *x) \
    {                                                                                             \
        real *own = linpack_allocate((size_t)map->order, sizeof *own, "the solution");            \
        for (int i = 0; i < map->order; i++) own[i] = (real)x[i];                                 \
        if (transposed) linpack_##name##_transposed(map, nb, a, diagonal, pivots, own);           \
        else linpack_##name##_solve(map, nb, a, diagonal, pivots, own);                           \
        for (int i = 0; i < map->order; i++) x[i] = own[i];                                       \
        cm_compute(flop_of_solve(map->order) / (map->ranks * map->grid_columns), 0);              \
        free(own);                                                                                \
    }                                                                                             \
    static void name##_solve_right(const linpack_layout *map, int nb, const void *a,              \
                                   const void *diagonal, double *x)                               \
    {                                                                                             \
        real *own = linpack_allocate((size_t)map->order, sizeof *own, "the solution");            \
        linpack_##name##_solve_right(map, nb, a, diagonal, own);                                  \
        for (int i = 0; i < map->order; i++) x[i] = own[i];                                       \
        cm_compute(flop_of_solve(map->order) / 2 / (map->ranks * map->grid_columns), 0);          \
        free(own);                                                                                \
    }                                                                                             \
    static void name##_serial(int n, void *a, int lda, int *pivots, int *failed, double *x)       \
    {                                                                                             \
        real *own = linpack_allocate((size_t)n, sizeof *own, "the solution");                     \
        for (int i = 0; i < n; i++) own[i] = (real)x[i];                                          \
        linpack_##name##_gefa(n, a, lda, pivots, failed);                                         \
        if (!*failed) linpack_##name##_gesl(n, a, lda, pivots, own);                              \
        cm_compute(flop_of_factor(n) + flop_of_solve(n), 0);                                      \
        for (int i = 0; i < n; i++) x[i] = own[i];                                                \
        free(own);                                                                                \
    }                                                                                             \
    static double name##_panel_s(const linpack_layout *map, const void *a, void *out)             \
    {                                                                                             \
        return linpack_##name##_panel_time(map, map->columns, a, out);                            \
    }                                                                                             \
    static void name##_store(const double *from, void *to, size_t n, size_t stride)               \
    {                                                                                             \
        real *out = to;                                                                           \
        for (size_t i = 0; i < n; i++) out[i * stride] = (real)from[i];                           \
    }                                                                                             \
    static double name##_largest(const void *from, size_t n)                                      \
    {                                                                                             \
        const real *in = from;                                                                    \
        double largest = 0;                                                                       \
        for (size_t i = 0; i < n; i++)                                                            \
            if (!(fabs((double)in[i]) <= largest)) largest = fabs((double)in[i]);                 \
        return largest;                                                                           \
    }
SOLVERS(single, float)
SOLVERS(double, double)

static const linpack_solvers solvers[] = {
    [LINPACK_SINGLE] = {sizeof(float), FLT_EPSILON, single_classic, single_blocked, single_solve,
                        single_solve_right, single_serial, single_panel_s, single_store,
                        single_largest},
    [LINPACK_DOUBLE] = {sizeof(double), DBL_EPSILON, double_classic, double_blocked, double_solve,
                        double_solve_right, double_serial, double_panel_s, double_store,
                        double_largest},
};

const linpack_solvers *linpack_solvers_of(int precision) { return &solvers[precision]; }
