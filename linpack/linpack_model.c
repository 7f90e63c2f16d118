/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_model.c: chooses the grid of ranks by a model of the time, from the order, the number of
   ranks, the rate of the matrix product, and the network's latency and bandwidth. */
#include "linpack_program.h"

bool linpack_is_grid_chosen(const linpack_options *o)
{
    return o->algorithm == LINPACK_GRID && !o->grid_given.rows && cm_size(cm_world()) > 1;
}

/* ---- The model ------------------------------------------------------------------------------- */

static double rounds_of(int ranks) { return ceil(log2(ranks)); }

/* The update of a rank is 2/3 n^3 / (P Q) operations. Columns are dealt out nb at a time, so it may
   have up to nb columns more than its share. The panels are a chain: none begins before the last
   one ends. Each of their columns needs a reduction over P ranks. With Q > 1 a rank has a panel
   only every Q turns, and updates beside the other panels. A panel goes along the rows of the grid,
   U's rows along its columns. A tournament has one reduction a panel, with a longer record, and
   factors the rows of a rank twice. Panels run at a quarter of the rate of the matrix product. */
double linpack_model_s(const linpack_options *o, int order, linpack_grid grid)
{
    const double PANEL_RATE = 0.25;
    const double n = order, rows = grid.rows, columns = grid.columns;
    const double nb = linpack_panel(o, order, grid.rows), panels = ceil(n / nb);
    const double bytes =
        (double)linpack_solvers_of(o->refine ? LINPACK_SINGLE : o->precision)->bytes;
    const double latency_s = o->network.latency_s, byte_s = 1 / o->network.bytes_per_s;
    const double flop_s = 1 / o->rank_flop_per_s;

    const double update_s =
        (2 * n * n * n / 3 + n * n * nb * (columns - 1) / 2) / (rows * columns) * flop_s;
    const bool tournament = o->pivoting == LINPACK_TOURNAMENT && grid.rows > 1;
    const double record_s = latency_s + 2 * nb * bytes * byte_s * (tournament ? nb : 1);
    const double search_s = (tournament ? panels : n) * rounds_of(grid.rows) * record_s;
    const double factors_s = n * n * nb / 2 / rows * flop_s / PANEL_RATE;
    const double chain_s = (tournament ? 2 : 1) * factors_s + search_s;
    double exchange_s = 0, broadcast_s = 0;
    if (grid.rows > 1)
        exchange_s =
            panels * (rows - 1) * latency_s + n * n / columns * (rows - 1) / rows * bytes * byte_s;
    if (grid.columns > 1) broadcast_s = panels * latency_s + n * n / 2 / rows * bytes * byte_s;
    const double solve_s = 4 * panels * rounds_of(grid.rows * grid.columns) * latency_s;
    return fmax(update_s + chain_s / columns, chain_s) + exchange_s + broadcast_s + solve_s;
}

linpack_grid linpack_grid_of_order(const linpack_options *o, int order, int ranks)
{
    if (o->algorithm != LINPACK_GRID) return (linpack_grid){ranks, 1};
    if (o->grid_given.rows) return o->grid_given;
    linpack_grid best = {ranks, 1};
    double best_s = INFINITY;
    for (int rows = 1; rows <= ranks; rows++) {
        const linpack_grid grid = {rows, ranks / rows};
        if (grid.rows * grid.columns != ranks) continue;
        const double model_s = linpack_model_s(o, order, grid);
        if (model_s >= best_s) continue;
        best = grid;
        best_s = model_s;
    }
    return best;
}
