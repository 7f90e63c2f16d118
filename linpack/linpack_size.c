/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_size.c: the memory of an order, and the largest order that fits. */
#include <math.h>
#include "linpack_choose.h"
#include "linpack_matrix.h"
#include "linpack_refine.h"
#include "linpack_solvers.h"
#include "machine/machine.h"

/* Counts a rank's rows; a copy of the panel; U's rows twice (as received and as used) and packed;
   the diagonal blocks; vectors; on rank 0 the plain program's matrix. */
size_t linpack_bytes(const linpack_options *options, int order, int ranks, int rank)
{
    const linpack_solvers *solvers =
        linpack_solvers_of(options->refine ? LINPACK_SINGLE : options->precision);
    const linpack_grid grid = linpack_grid_of_order(options, order, ranks);
    size_t n = (size_t)order, nb = (size_t)linpack_panel(options, order, grid);
    const int width = grid.columns > 1 ? (int)nb : order;
    size_t ld = (size_t)linpack_ld_of(linpack_dealt(order, width, grid.columns, rank / grid.rows));
    size_t rows = (size_t)linpack_dealt(order, (int)options->block, grid.rows, rank % grid.rows);
    size_t elements = (rows + 64) * nb + linpack_diagonal_elements(order, (int)nb) + nb * nb;
    const size_t ahead = (size_t)linpack_look_ahead(options, order, grid, (int)nb);
    if (grid.columns > 1) elements += (ahead + 1) * ((rows + 64) * nb + nb * nb);
    if (options->algorithm != LINPACK_CLASSIC) elements += (ranks > 1 ? 3 : 1) * (ld + 64) * nb;
    /* A copy of the panel; the record, what the layer has of it twice, and what it meets. */
    if (options->pivoting == LINPACK_TOURNAMENT) elements += (rows + 64) * nb + 12 * nb * nb;
    if (options->serial && rank == 0) elements += n * n;
    size_t bytes = (ld * rows + elements) * solvers->bytes;
    if (linpack_low_of(options)) bytes += (ld + rows) * nb * sizeof(uint16_t);
    /* Refining may go on in double. */
    if (options->refine) {
        bytes += elements * sizeof(double) + linpack_gmres_bytes(order, ranks);
        if (options->refine_matrix == LINPACK_MATRIX_KEEP) bytes += ld * rows * sizeof(double);
    }
    return bytes + 16 * n * sizeof(double) + linpack_market_bytes(options->entries);
}

/* Returns the bytes that are this rank's share of this part of its host's free memory, among the
   ranks of the group. */
static double memory_share(const cm_group *group, double part)
{
    const int here = cm_run_ranks_on_computer(group, cm_rank(group));
    return part * (double)cm_machine_memory_share_bytes(here, NULL);
}

const char *linpack_memory_of(const cm_group *group)
{
    bool limited;
    cm_machine_memory_share_bytes(cm_run_ranks_on_computer(group, cm_rank(group)), &limited);
    return limited ? "the limit of a process (ulimit -v)" : "the free memory of a host";
}

bool linpack_fits(const linpack_options *o, int order, double part)
{
    cm_barrier(o->group, CM_AUTO); /* all ranks have freed the matrix before */
    const size_t bytes = linpack_bytes(o, order, cm_size(o->group), cm_rank(o->group));
    int32_t good = (double)bytes <= memory_share(o->group, part);
    cm_allreduce(o->group, &good, &good, 1, CM_INT32, CM_MIN, CM_AUTO);
    return good;
}

/* Returns the largest order of at most `most` that takes on a given grid at most this share of each
   rank. */
static int32_t order_on(linpack_grid grid, const linpack_options *options, int most, double share)
{
    const int ranks = cm_size(cm_world()), rank = cm_rank(cm_world());
    linpack_options on_grid = *options;
    int32_t low = 1, high = most;
    on_grid.grid_given = grid;
    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if ((double)linpack_bytes(&on_grid, middle, ranks, rank) <= share) low = middle;
        else high = middle - 1;
    }
    cm_allreduce(cm_world(), &low, &low, 1, CM_INT32, CM_MIN, CM_AUTO);
    return low;
}

/* Each rank of a host asks for its share. The host with the least memory decides. The model of all
   grids takes seconds for thousands of ranks. So the grid is chosen for about the order, which is
   that of a square grid, and for what then fits, but not for each order of the bisection. */
int linpack_fit(const linpack_options *options, double part)
{
    const int ranks = cm_size(cm_world());
    const double share = memory_share(cm_world(), part);
    int rows = (int)sqrt(ranks), most = LINPACK_ORDER_MOST;
    while (ranks % rows) rows--;
    int order = order_on((linpack_grid){rows, ranks / rows}, options, most, share);
    for (;;) {
        const linpack_grid grid = linpack_grid_of_order(options, order, ranks);
        const int fits = order_on(grid, options, most, share);
        if (fits == order) return order;
        order = most = fits;
    }
}
