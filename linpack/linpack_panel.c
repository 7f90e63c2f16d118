/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_panel.c: the width of a panel, look-ahead, slices of an update. */
#include <math.h>
#include "linpack_choose.h"
#include "linpack_solvers.h"

/* The cost of a panel grows with its width, and each of n / nb panels has a further cost of n^2.
   The sum is least at nb ~ sqrt(n). The factor was the best for n = 1000 to 8000 on one and two
   ranks; with several columns, others wait for a panel. A panel that is larger than the cache is
   read from memory for every column. */
int linpack_panel(const linpack_options *options, int order, linpack_grid grid)
{
    enum { STEP = 32, MOST = 256 };
    if (options->algorithm == LINPACK_CLASSIC) return 1;
    int panel = (int)options->panel;
    if (!panel) {
        size_t bytes =
            linpack_solvers_of(options->refine ? LINPACK_SINGLE : options->precision)->bytes;
        double column_bytes = (double)bytes * order / grid.rows;
        double best = (grid.columns > 1 ? 1.2 : 2) * sqrt(order);
        if (options->cache_bytes > 0)
            best = fmin(best, (double)options->cache_bytes / column_bytes);
        panel = (int)(best / STEP + 0.5) * STEP;
        panel = panel < STEP ? STEP : panel > MOST ? MOST : panel;
    }
    return panel < order ? panel : order;
}

/* Returns true for an order that messages between hosts are likely to slow down. */
static bool has_slow_messages(const linpack_options *options, int order, int panel)
{
    return options->several_hosts && order > 4 * panel;
}

/* With one column, all ranks factor a panel together. If ranks are on several hosts, the panel's
   reductions then go on during the update. */
int linpack_look_ahead(const linpack_options *options, int order, linpack_grid grid, int panel)
{
    if (grid.rows * grid.columns == 1 || options->algorithm == LINPACK_CLASSIC) return 0;
    const int others = (order - 1) / panel; /* panels after the first one */
    int64_t depth = options->look_ahead;
    if (depth < 0) depth = grid.columns > 1 || has_slow_messages(options, order, panel);
    return depth < others ? (int)depth : others;
}

/* Each slice makes the product slower, because the BLAS packs the whole panel for it. With one
   column rows of U travel beside the update only from slice to slice; with several, beside the
   columns of the next panel. */
int linpack_slices(const linpack_options *options, int order, linpack_grid grid, int panel)
{
    if (options->algorithm == LINPACK_CLASSIC) return 1;
    if (options->slices > 0) return (int)options->slices;
    const bool panels_go_on =
        grid.columns == 1 && linpack_look_ahead(options, order, grid, panel) > 0;
    return panels_go_on ? LINPACK_SLICES : 1;
}
