/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_model.c: chooses the grid of ranks, and the way of panels along its rows, by a model of
   the time (linpack_turns.c). */
#include <math.h>
#include "linpack_choose.h"
#include "linpack_solvers.h"

static bool is_grid_chosen(const linpack_options *o)
{
    return o->algorithm == LINPACK_GRID && !o->grid_given.rows && cm_size(cm_world()) > 1;
}

static bool may_choose_broadcast(const linpack_options *o)
{
    return o->algorithm == LINPACK_GRID && o->broadcast.kind == CM_KIND_AUTO && !o->hpl_file;
}

static bool is_broadcast_chosen(const linpack_options *o)
{
    return may_choose_broadcast(o) && cm_size(cm_world()) > 2
           && (!o->grid_given.rows || o->grid_given.columns > 2);
}

bool linpack_is_predicted(const linpack_options *o)
{
    return is_grid_chosen(o) || is_broadcast_chosen(o);
}

bool linpack_needs_costs(const linpack_options *o)
{
    return linpack_is_predicted(o) || (o->hpl_file && cm_size(cm_world()) > 1);
}

/* ---- Its costs ------------------------------------------------------------------------------- */

static int precision_of(const linpack_options *o)
{
    return o->refine ? LINPACK_SINGLE : o->precision;
}

void linpack_measure_costs(linpack_options *o, double flop_per_s)
{
    enum { LARGE = 20000 }; /* an order that --fit may find: panels have their greatest width */
    const int ranks = cm_size(cm_world());
    int order = o->fit ? LARGE : 1;
    for (int k = 0; k < o->n_orders; k++)
        if (o->orders[k] > order) order = o->orders[k];
    const linpack_grid row = {1, ranks}, column = {ranks, 1};
    const linpack_cost_sizes sizes = {
        .order = order,
        .width = {linpack_panel(o, order, row), linpack_panel(o, order, column)},
        .precision = precision_of(o),
        .low = linpack_low_of(o),
        .flop_per_s = flop_per_s};
    o->costs = linpack_costs_measure(cm_world(), &sizes);
}

/* ---- The way of panels ----------------------------------------------------------------------- */

/* A message through memory takes less than a microsecond. */
static bool is_memory(const linpack_options *o)
{
    return o->costs.usual.latency_s < 1e-6 && !cm_comm_has(CM_HAS_SIMULATOR);
}

static linpack_way way_of(const linpack_shape *g, cm_algorithm given)
{
    const double part_bytes = (double)g->bytes * g->nb * (g->nb + g->n / 2.0 / g->rows);
    switch (given.kind) {
    case CM_KIND_LINEAR:
        return LINPACK_STAR;
    case CM_KIND_CHAIN:
        return (double)given.parameter >= part_bytes ? LINPACK_WHOLE : LINPACK_PIECES;
    case CM_KIND_SCATTER_ALLGATHER:
        return LINPACK_LONG;
    case CM_KIND_BINOMIAL:
    case CM_KIND_TREE:
        return LINPACK_TREE;
    default: /* As the layer and MPICH choose. */
        return g->columns >= 8 && part_bytes >= 12 << 10 ? LINPACK_LONG : LINPACK_TREE;
    }
}

static linpack_shape shape_of(const linpack_options *o, int order, linpack_grid grid,
                              cm_algorithm broadcast)
{
    const int nb = linpack_panel(o, order, grid);
    linpack_shape g = {.n = order,
                       .nb = nb,
                       .rows = grid.rows,
                       .columns = grid.columns,
                       .slices = linpack_slices(o, order, grid, nb),
                       .depth = linpack_look_ahead(o, order, grid, nb),
                       .bytes = linpack_solvers_of(precision_of(o))->bytes,
                       .tournament = o->pivoting == LINPACK_TOURNAMENT,
                       .copies = !o->several_hosts && !cm_comm_has(CM_HAS_SIMULATOR)};
    g.way = way_of(&g, broadcast);
    return g;
}

static double model_s(const linpack_options *o, int order, linpack_grid grid,
                      cm_algorithm broadcast, const linpack_costs *costs)
{
    const linpack_shape g = shape_of(o, order, grid, broadcast);
    return linpack_turns_s(&g, costs);
}

/* Simulated, one of the two is the fastest of all ways on each grid: pieces with Gigabit Ethernet,
   whole panels on the fat tree. */
cm_algorithm linpack_ring(const linpack_options *o, int order, linpack_grid grid)
{
    const cm_algorithm pieces = CM_CHAIN(0), whole = CM_CHAIN(1 << 30);
    const linpack_costs *costs = &o->costs.usual;
    return model_s(o, order, grid, pieces, costs) < model_s(o, order, grid, whole, costs) ? pieces
                                                                                          : whole;
}

cm_algorithm linpack_broadcast(const linpack_options *o, int order, linpack_grid grid)
{
    if (!may_choose_broadcast(o) || grid.columns <= 2 || is_memory(o)) return o->broadcast;
    return linpack_ring(o, order, grid);
}

/* ---- The grid -------------------------------------------------------------------------------- */

cm_quantity linpack_predict(const linpack_options *o, int order, linpack_grid grid)
{
    const cm_algorithm broadcast = linpack_broadcast(o, order, grid);
    cm_quantity q = cm_quantity_of(model_s(o, order, grid, broadcast, &o->costs.usual));
    const double least_s = model_s(o, order, grid, broadcast, &o->costs.least);
    const double most_s = model_s(o, order, grid, broadcast, &o->costs.most);
    q.low = fmin(q.value, least_s), q.high = fmax(q.value, most_s);
    q.kind = CM_INTERVAL_95, q.over = "rounds", q.n = o->costs.rounds;
    return q;
}

double linpack_model_s(const linpack_options *o, int order, linpack_grid grid)
{
    return model_s(o, order, grid, linpack_broadcast(o, order, grid), &o->costs.usual);
}

/* Returns true if grid a is faster than grid b at both ends of the costs' intervals, and by more
   than the model is wrong for the one and not for the other. */
static bool is_faster(const linpack_options *o, int order, linpack_grid a, linpack_grid b)
{
    const double wrong = 0.02;
    const cm_algorithm way_a = linpack_broadcast(o, order, a),
                       way_b = linpack_broadcast(o, order, b);
    const linpack_costs *ends[] = {&o->costs.usual, &o->costs.least, &o->costs.most};
    for (int k = 0; k < 3; k++)
        if (model_s(o, order, a, way_a, ends[k]) * (1 + wrong)
            >= model_s(o, order, b, way_b, ends[k]))
            return false;
    return true;
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
    for (int rows = 1; rows < best.rows; rows++) {
        const linpack_grid grid = {rows, ranks / rows};
        if (grid.rows * grid.columns == ranks && !is_faster(o, order, best, grid)) return grid;
    }
    return best;
}
