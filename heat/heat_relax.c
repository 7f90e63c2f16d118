/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_relax.c: Gauss-Seidel and SOR: one colour after the other, in place. */
#include "heat.h"

/* Relaxes one colour in rows first to last. A point is red if row + column is even. */
static void relax(const heat_state *state, int64_t first, int64_t last, int black)
{
    const heat_plate *plate = state->plate;
    const heat_kernels *k = plate->kernels;
    heat_cost(plate, (double)(last - first + 1) / 2);
    for (int64_t r = first; r <= last; r++) {
        int odd = (int)((plate->first - 1 + r + plate->first_column + black) % 2);
        (state->stores == HEAT_PLAIN ? k->plain_relax : k->relax)(
            heat_at(plate, plate->now, r, 1), plate->stride, plate->columns, odd, state->omega);
    }
}

/* Each colour of a block after the exchange of the other. */
static void relax_block(heat_state *state)
{
    heat_halo halo;
    for (int black = 0; black < 2; black++) {
        heat_exchange_begin(state, &halo);
        heat_exchange_end(state, &halo);
        relax(state, 1, state->plate->mine, black);
    }
}

/* Black follows red one row behind, while the rows are in the cache. The edge rows' black waits for
   the neighbours' red. */
void heat_relax(heat_state *state)
{
    const heat_plate *plate = state->plate;
    int64_t last = plate->mine, step = heat_rows_at_a_time(plate);
    heat_halo halo;
    if (plate->packed) {
        relax_block(state);
        return;
    }
    heat_exchange_begin(state, &halo);
    for (int64_t row = 2; row < last; row++) {
        relax(state, row, row, 0);
        if (row > 3) relax(state, row - 1, row - 1, 1);
        if (row % step == 0) cm_progress();
    }
    heat_exchange_end(state, &halo);
    relax(state, 1, 1, 0);
    if (last > 1) relax(state, last, last, 0);

    heat_exchange_begin(state, &halo);
    if (last > 2) relax(state, 2, 2, 1);
    if (last > 3) relax(state, last - 1, last - 1, 1);
    heat_exchange_end(state, &halo);
    relax(state, 1, 1, 1);
    if (last > 1) relax(state, last, last, 1);
}
