/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tune_trial.c: predictions of linpack_tune_trial.c against the time of a factorization
   that is known: the factorization and the clock are the test's own. */
#include "../linpack/linpack_tune.h"
#include "contract.h"
#include "memory/memory.h"
#include "random/random.h"

static double clock_s;
static struct {
    double a, b, c;
    int calls, largest; /* largest: order */
} cost;

static double known_time(void) { return clock_s; }

static bool is_zero(const linpack_system *s, int c)
{
    for (int l = 1; l <= s->map.rows; l++) {
        const size_t at = (size_t)(l - 1) * (size_t)s->map.ld + (size_t)(c - 1);
        if (s->solvers->largest((char *)s->a + at * s->solvers->bytes, 1) > 0) return false;
    }
    return s->map.rows > 0;
}

/* Time of a factorization by panels that ends at a column: b x + c for each column of a panel, with
   x the order at its beginning; a x^2 for each in its update, of the order x behind it. */
static double until_s(int order, int nb, int end)
{
    double s = 0;
    for (int begin = 1; begin <= order; begin += nb) {
        const double x = order - begin + 1, rest = fmax(x - nb, 0);
        const int width = nb < (int)x ? nb : (int)x;
        const int done = end - begin < width ? end - begin : width;
        s += done * (cost.b * x + cost.c);
        if (done < width) return s;
        s += cost.a * rest * rest * width;
    }
    return s;
}

/* Ends at the first column that has only zeros. */
static int known_factor(linpack_system *s)
{
    int32_t end = s->map.order + 1;
    for (int c = s->map.columns; c >= 1; c--)
        if (is_zero(s, c)) end = linpack_global_column(&s->map, c);
    cm_allreduce(s->map.all, &end, &end, 1, CM_INT32, CM_MIN, CM_AUTO);
    clock_s += until_s(s->map.order, s->nb, end);
    cost.calls++;
    if (s->map.order > cost.largest) cost.largest = s->map.order;
    return end <= s->map.order ? end : 0;
}

#define cm_time known_time
#define linpack_factor known_factor
#include "../linpack/linpack_tune_trial.c"
#undef linpack_factor
#undef cm_time

static void check(int n, int panel, linpack_grid grid, double a, double b, double c)
{
    linpack_options options = {.order = n,
                               .block = 1,
                               .panel = panel,
                               .threads = 1,
                               .precision = LINPACK_DOUBLE,
                               .grid_given = grid,
                               .group = cm_world()};
    linpack_matrix matrix = {.order = n};
    linpack_system system = {
        .options = &options, .solvers = linpack_solvers_of(LINPACK_DOUBLE), .matrix = &matrix};
    point("%dx%d, n = %d, panels of %d, %g x^2 + %g x + %g", grid.rows, grid.columns, n, panel, a,
          b, c);
    cost.a = a, cost.b = b, cost.c = c, cost.calls = cost.largest = 0;
    const double got = linpack_tune_trial(&system, &options, n);
    const double want = until_s(n, panel, n + 1);
    /* A panel's columns are taken to be of the order half a panel later. */
    EXPECT(fabs(got / want - 1) < 0.03, "%.5g, not %.5g", got, want);
    EXPECT(cost.calls > 0 && cost.largest <= n, "%d calls, order %d", cost.calls, cost.largest);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    const int ranks = cm_size(cm_world());
    for (int columns = 1; columns <= ranks; columns++) {
        if (ranks % columns != 0) continue;
        const linpack_grid grid = {ranks / columns, columns};
        check(300, 4, grid, 1e-6, 0, 0);
        check(300, 4, grid, 0, 1e-6, 0);
        check(300, 4, grid, 0, 0, 1e-3);
        check(200, 8, grid, 1e-7, 1e-6, 1e-3);
    }
    point("an order of less than two panels");
    /* Two panels, of which one is no turn. */
    linpack_options options = {
        .block = 1, .panel = 40, .threads = 1, .group = cm_world(), .grid_given = {ranks, 1}};
    linpack_matrix matrix = {.order = 79};
    linpack_system system = {
        .options = &options, .solvers = linpack_solvers_of(LINPACK_SINGLE), .matrix = &matrix};
    EXPECT(isnan(linpack_tune_trial(&system, &options, 79)), "it has a time");
    return contract_done();
}
