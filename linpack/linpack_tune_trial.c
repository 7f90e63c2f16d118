/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tune_trial.c: predicts the time of a factorization by a few of its panels.

   A column of a factorization costs t(x) = a x^2 + b x + c, where x is the order of what is left of
   the matrix: the update, the panel and the swaps, the messages. Its integral from 0 to n is
   n/2 (t(x1) + t(x2)), exactly, at Gauss' two points x = n/2 (1 -+ 1/sqrt(3)). There the matrix of
   order x is what a factorization of order n has left by then. So some panels are timed at both.

   A column of zeros ends a factorization: it has no pivot. One that ends at the last column of
   panel 1 has factored this panel. One that ends at the last column of panel m + 1 has made m
   updates and m further panels. The difference is m turns of the algorithm as they are in its
   middle, whatever it does beside the update. With m = Q each column of the grid has factored one
   panel. */
#include "linpack_tune.h"
#include "memory/memory.h"
#include "random/random.h"

static double random_number(uint64_t *state)
{
    return (double)(cm_random_next(state) >> 11) * 0x1p-53 - 0.5;
}

static void *element(const linpack_system *s, int l, int c)
{
    const size_t at = (size_t)(l - 1) * (size_t)s->map.ld + (size_t)(c - 1);
    return (char *)s->a + at * s->solvers->bytes;
}

/* Rows are parts of one sequence: to compute each number would take longer than the panels. */
static void fill_matrix(const linpack_system *s)
{
    enum { PERIOD = 4099, STEP = 977 };
    const size_t n = PERIOD + (size_t)s->map.columns, bytes = s->solvers->bytes;
    uint64_t state = (uint64_t)cm_rank(s->map.all);
    double *number = linpack_allocate(n, sizeof *number, "random numbers");
    char *stored = linpack_allocate(n, bytes, "random numbers");
    for (size_t k = 0; k < n; k++) number[k] = random_number(&state);
    s->solvers->store(number, stored, n, 1);
    for (int l = 1; l <= s->map.rows; l++)
        memcpy(element(s, l, 1), stored + (size_t)l * STEP % PERIOD * bytes,
               (size_t)s->map.columns * bytes);
    free(number), free(stored);
}

/* Sets a column of the matrix to zeros or to random numbers. */
static void set_column(const linpack_system *s, int column, bool zero)
{
    const linpack_layout *map = &s->map;
    const int local = linpack_first_local_column(map, column);
    if (local > map->columns || linpack_global_column(map, local) != column || !map->rows) return;
    uint64_t state = (uint64_t)column;
    double *number = linpack_allocate((size_t)map->rows, sizeof *number, "a column");
    for (int l = 0; l < map->rows; l++) number[l] = zero ? 0 : random_number(&state);
    s->solvers->store(number, element(s, 1, local), (size_t)map->rows, (size_t)map->ld);
    free(number);
}

/* Returns the time until the factorization ends at a column;
   infinite if it ends elsewhere. */
static double until_column_s(linpack_system *s, int column)
{
    set_column(s, column, true);
    if (cm_size(s->map.all) > 1) cm_barrier(s->map.all, CM_AUTO);
    const double since = cm_time();
    const bool ended_there = linpack_factor(s) == column;
    double took_s = ended_there ? cm_time() - since : INFINITY;
    cm_allreduce(s->map.all, &took_s, &took_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    set_column(s, column, false);
    return took_s;
}

/* Returns the time of the panels from `first`, the last column of panel 1, to `last`. Short ones
   are repeated. The least times count: what disturbs the machine only adds to them. The first
   factorization finds everything cold. NAN: disturbances hide the difference; infinite: a
   factorization ended elsewhere. */
static double between_s(linpack_system *s, int first, int last)
{
    enum { ROUNDS = 4 };
    const double enough_s = 0.02;
    double first_s = until_column_s(s, first), last_s = INFINITY, spent_s = 0;
    for (int k = 0; k < ROUNDS && (spent_s < enough_s || last_s <= first_s); k++) {
        fill_matrix(s); /* elements grow with each factorization */
        const double short_s = until_column_s(s, first), long_s = until_column_s(s, last);
        first_s = fmin(first_s, short_s);
        last_s = fmin(last_s, long_s);
        spent_s += short_s + long_s;
    }
    if (isinf(first_s) || isinf(last_s)) return INFINITY;
    return last_s > first_s ? last_s - first_s : NAN;
}

/* Returns the time of a column of a factorization of order n when the order x is left. */
static double column_s(linpack_system *s, int n, double x)
{
    enum { TURNS_MOST = 8 };
    const int ranks = cm_size(s->options->group);
    const linpack_grid grid = linpack_grid_of_order(s->options, n, ranks);
    const int nb = linpack_panel(s->options, n, grid);
    const int turns = grid.columns < TURNS_MOST ? grid.columns : TURNS_MOST;
    const int least = (turns + 1) * nb;
    if (least > n) return NAN;
    /* x is in the middle of the panels. */
    int order = (int)fmin(n, x + turns * nb / 2.0);
    if (order < least) order = least;
    linpack_system_open(s, order);
    fill_matrix(s);
    const double panels_s = between_s(s, nb, least);
    linpack_system_close(s);
    return panels_s / (turns * nb);
}

double linpack_tune_trial(const linpack_system *system, const linpack_options *options, int order)
{
    linpack_course course = {0}; /* no progress is shown */
    linpack_system s = *system;
    const double root = 1 / sqrt(3);
    linpack_matrix matrix = *s.matrix; /* whose order changes */
    s.options = options;
    s.course = &course;
    s.matrix = &matrix;
    cm_blas_threads((int)options->threads);
    return order / 2.0
           * (column_s(&s, order, order / 2.0 * (1 + root))
              + column_s(&s, order, order / 2.0 * (1 - root)));
}
