/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_relax.c: Gauss-Seidel and SOR: one colour after the other, in place. */
#include "heat.h"

/* ---- The order of rows ----------------------------------------------------------------------- */

/* Each colour of a block after the exchange of the other. */
static void relax_block(heat_state *state, const heat_plate *plate, bool known,
                        heat_relax_row *relax, void *context)
{
    heat_halo halo;
    for (int black = 0; black < 2; black++) {
        if (black || !known) {
            heat_exchange_begin(state, plate, &halo);
            heat_exchange_end(state, &halo);
        }
        heat_cost(plate, (double)plate->mine / 2);
        for (int64_t row = 1; row <= plate->mine; row++) relax(context, row, black, false);
    }
}

/* Black follows red one row behind, while the rows are in the cache. The edge rows' black waits for
   the neighbours' red. */
void heat_relax_rows(heat_state *state, const heat_plate *plate, bool known, heat_relax_row *relax,
                     void *context)
{
    const int64_t last = plate->mine, step = heat_rows_at_a_time(plate);
    heat_halo halo;
    if (plate->packed || last < 1) {
        relax_block(state, plate, known, relax, context);
        return;
    }
    if (!known) heat_exchange_begin(state, plate, &halo);
    for (int64_t row = 2; row < last; row++) {
        relax(context, row, 0, row > 3);
        heat_cost(plate, row > 3 ? 1 : 0.5);
        if (row % step == 0) cm_progress();
    }
    if (!known) heat_exchange_end(state, &halo);
    relax(context, 1, 0, false);
    if (last > 1) relax(context, last, 0, false);

    heat_exchange_begin(state, plate, &halo);
    if (last > 2) relax(context, 2, 1, false);
    if (last > 3) relax(context, last - 1, 1, false);
    heat_exchange_end(state, &halo);
    relax(context, 1, 1, false);
    if (last > 1) relax(context, last, 1, false);
    heat_cost(plate, last > 3 ? 3 : (double)last);
}

/* ---- Sweeps of a plate ----------------------------------------------------------------------- */

/* A point is red if row + column is even. Red in this row and black in the one above are in the
   same columns. */
static void relax_row(void *context, int64_t row, int black, bool both)
{
    const heat_state *state = context;
    const heat_plate *plate = state->plate;
    const int odd = (int)((plate->first - 1 + row + plate->first_column + black) % 2);
    plate->kernels->relax(heat_at(plate, plate->now, row, 1), NULL, plate->stride, plate->columns,
                          odd, state->omega, state->stores, both);
}

void heat_relax(heat_state *state)
{
    heat_relax_rows(state, state->plate, false, relax_row, state);
}
