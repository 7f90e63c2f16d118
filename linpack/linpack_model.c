/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_model.c: chooses the grid of ranks, and the way of panels along its rows, by a model of
   the time, from the order, the number of ranks, the rate of the matrix product, and the network's
   latency and bandwidth. */
#include "linpack_program.h"

bool linpack_is_grid_chosen(const linpack_options *o)
{
    return o->algorithm == LINPACK_GRID && !o->grid_given.rows && cm_size(cm_world()) > 1;
}

static bool may_choose_broadcast(const linpack_options *o)
{
    return o->algorithm == LINPACK_GRID && o->broadcast.kind == CM_KIND_AUTO && !o->hpl_file;
}

bool linpack_is_broadcast_chosen(const linpack_options *o)
{
    return may_choose_broadcast(o) && cm_size(cm_world()) > 2
           && (!o->grid_given.rows || o->grid_given.columns > 2);
}

bool linpack_needs_network(const linpack_options *o)
{
    return linpack_is_grid_chosen(o) || linpack_is_broadcast_chosen(o)
           || (o->hpl_file && cm_size(cm_world()) > 1);
}

/* ---- The model ------------------------------------------------------------------------------- */

/* The values that several terms share; n, nb, P and Q of the formulas. */
typedef struct {
    double n, nb, panels, rows, columns;
    double latency_s, word_s; /* of a message; of each of its numbers */
    double flop_s;
    double messages; /* of a rank, when rows are exchanged once */
} shape;

static double rounds_of(double ranks) { return ceil(log2(ranks)); }

/* U's rows come from each of the other ranks, at most one rank for each row. Displaced rows are nb
   on all ranks together. */
static double messages_of(double rows, double nb)
{
    return fmin(rows - 1, nb) + fmin(rows - 1, nb / rows);
}

/* 2/3 n^3 operations less those of the panels, in equal parts. Columns are dealt out nb at a time,
   so a rank may have up to nb more than its share. All ranks of a column of the grid solve for the
   same rows of U, nb^2 operations for each of their columns. */
static double update_s(const shape *g)
{
    const double n = g->n, nb = g->nb, ranks = g->rows * g->columns;
    const double shared = 2 * n * n * n / 3 - n * n * nb / 2 + n * n * nb * (g->columns - 1) / 2;
    const double repeated = g->rows > 1 ? n * n * nb / 2 / g->columns : 0;
    return (shared / ranks + repeated) * g->flop_s;
}

/* A reduction over P ranks for each column, of two rows of the panel. A tournament has one for each
   panel, of nb times as much, and factors the rows of a rank twice. Panels run at a fifth of the
   rate of the matrix product; a simulated host has one rate. */
static double panels_s(const shape *g, bool tournament)
{
    const double PANEL_RATE = cm_comm_has(CM_HAS_SIMULATOR) ? 1 : 0.2;
    const double factors_s = g->n * g->n * g->nb / 2 / g->rows * g->flop_s / PANEL_RATE;
    const double numbers = 2 * g->nb * (tournament ? g->nb : 1);
    const double record_s = g->latency_s + numbers * g->word_s;
    const double search_s = (tournament ? g->panels : g->n) * rounds_of(g->rows) * record_s;
    return (tournament ? 2 : 1) * factors_s + search_s;
}

/* Before a panel can be factored, its own columns are exchanged and updated. */
static double lead_s(const shape *g)
{
    const double flop = g->n * g->n * g->nb / g->rows + g->n * g->nb * g->nb;
    if (g->columns == 1) return 0;
    const double exchange_s = g->panels * g->messages * g->latency_s + g->n * g->nb * g->word_s;
    return flop * g->flop_s + (g->rows > 1 ? exchange_s : 0);
}

/* Numbers of a rank's part of a panel: its rows, and the diagonal block. */
static double part_of(const shape *g) { return g->nb * (g->nb + g->n / 2 / g->rows); }

/* The way of a panel along a row of the grid. */
typedef enum {
    STAR,   /* its sender sends it to all others */
    TREE,   /* binomial */
    LONG,   /* a scatter, then a ring */
    PIECES, /* in segments from each rank to the next */
    WHOLE   /* the same in one piece */
} way;

static way way_of(const shape *g, cm_algorithm given, double bytes)
{
    const double part_bytes = part_of(g) * bytes;
    switch (given.kind) {
    case CM_KIND_LINEAR:
        return STAR;
    case CM_KIND_CHAIN:
        return (double)given.parameter >= part_bytes ? WHOLE : PIECES;
    case CM_KIND_SCATTER_ALLGATHER:
        return LONG;
    case CM_KIND_BINOMIAL:
    case CM_KIND_TREE:
        return TREE;
    default: /* As the layer and MPICH choose. */
        return g->columns >= 8 && part_bytes >= 12 << 10 ? LONG : TREE;
    }
}

/* A whole panel is sent on to the third rank beside the second one's own panel, and occupies a
   buffer until it has left: simulated, three parts a panel on a network that limits the speed.
   Pieces move beside those of the next panel. */
static double broadcast_s(const shape *g, way way)
{
    const double part_s = part_of(g) * g->word_s, rounds = rounds_of(g->columns);
    const double others = g->columns - 1, latency_s = g->latency_s;
    if (others == 0) return 0;
    switch (way) {
    case STAR:
        return g->panels * (latency_s + others * part_s);
    case TREE:
        return g->panels * rounds * (latency_s + part_s);
    case LONG:
        return g->panels * ((rounds + others) * latency_s + 2 * part_s);
    case PIECES:
        return g->panels * (latency_s + part_s) + (others - 1) * latency_s;
    default:
        return g->panels * (latency_s + fmin(others, 3) * part_s)
               + (others - 1) * (latency_s + part_s);
    }
}

/* For each slice of the update a rank sends and receives. It gets the nb rows of U that it has not,
   and its share of as many displaced rows. Slices have 64 columns or more; with look-ahead, the
   columns of the next panel are one of their own. */
static double exchange_s(const shape *g, int slices, bool ahead)
{
    const double WIDTH = 64;
    if (g->rows == 1) return 0;
    const double parts = fmax(1, fmin(slices, g->n / 2 / g->columns / WIDTH));
    const double lead = g->columns > 1 ? 1 / g->columns : ahead;
    const double numbers =
        g->n * g->n / 2 / g->columns * (1 + 1 / g->rows) * (g->rows - 1) / g->rows;
    return g->panels * (parts + lead) * g->messages * g->latency_s + numbers * g->word_s;
}

/* Back substitution: a reduction over all ranks for each panel, of a value for each of its rows.
   The right-hand side is factored along with the matrix. */
static double solve_s(const shape *g)
{
    const double reduction_s = g->latency_s + g->nb * g->word_s;
    return g->panels * rounds_of(g->rows * g->columns) * reduction_s;
}

/* A message through memory takes less than a microsecond. */
static bool is_memory(const shape *g)
{
    return g->latency_s < 1e-6 && !cm_comm_has(CM_HAS_SIMULATOR);
}

/* A scatter and a ring, and pieces, have a large number of rounds. Most of them wait until their
   sender has updated all its columns. */
static bool waits_for_sender(const shape *g, way way)
{
    return way == LONG || (way == PIECES && g->columns > 2);
}

static shape shape_of(const linpack_options *o, int order, linpack_grid grid, double bytes)
{
    const double n = order, nb = linpack_panel(o, order, grid);
    return (shape){.n = n,
                   .nb = nb,
                   .panels = ceil(n / nb),
                   .rows = grid.rows,
                   .columns = grid.columns,
                   .latency_s = o->network.latency_s,
                   .word_s = bytes / o->network.bytes_per_s,
                   .flop_s = 1 / o->rank_flop_per_s,
                   .messages = messages_of(grid.rows, nb)};
}

static double bytes_of(const linpack_options *o)
{
    return (double)linpack_solvers_of(o->refine ? LINPACK_SINGLE : o->precision)->bytes;
}

/* The panels are a chain: none begins before the last one ends. With Q > 1 a rank has a panel only
   every Q turns, and updates beside the other panels. If these wait until the sender has updated
   all its columns, panels and updates take turns. A panel that nobody passes on travels beside the
   update. Other messages of panels and of rows are hidden behind neither: they go on only where the
   program looks for them, and share the network. */
static double model_s(const linpack_options *o, int order, linpack_grid grid,
                      cm_algorithm broadcast)
{
    const double bytes = bytes_of(o);
    const shape g = shape_of(o, order, grid, bytes);
    const int nb = (int)g.nb, slices = linpack_slices(o, order, grid, nb);
    const bool ahead = linpack_look_ahead(o, order, grid, nb) > 0;
    const way way = way_of(&g, broadcast, bytes);
    const double panel_s = panels_s(&g, o->pivoting == LINPACK_TOURNAMENT && grid.rows > 1);
    const double update = update_s(&g), beside_s = update + panel_s / g.columns;
    const double chain_s = panel_s + lead_s(&g), sent_s = broadcast_s(&g, way);
    const double least_s = waits_for_sender(&g, way) ? update + chain_s + sent_s
                           : grid.columns == 2       ? fmax(beside_s, chain_s + sent_s)
                                                     : fmax(beside_s, chain_s) + sent_s;
    return least_s + exchange_s(&g, slices, ahead) + solve_s(&g);
}

/* Simulated, one of the two is the fastest of all ways on each grid: pieces with Gigabit Ethernet,
   whole panels on the fat tree. */
cm_algorithm linpack_ring(const linpack_options *o, int order, linpack_grid grid)
{
    const cm_algorithm pieces = CM_CHAIN(0), whole = CM_CHAIN(1 << 30);
    return model_s(o, order, grid, pieces) < model_s(o, order, grid, whole) ? pieces : whole;
}

cm_algorithm linpack_broadcast(const linpack_options *o, int order, linpack_grid grid)
{
    const shape g = shape_of(o, order, grid, bytes_of(o));
    if (!may_choose_broadcast(o) || grid.columns <= 2 || is_memory(&g)) return o->broadcast;
    return linpack_ring(o, order, grid);
}

double linpack_model_s(const linpack_options *o, int order, linpack_grid grid)
{
    return model_s(o, order, grid, linpack_broadcast(o, order, grid));
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
