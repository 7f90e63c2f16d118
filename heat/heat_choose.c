/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_choose.c: what is fastest on this plate, by trying it. */
#include "heat.h"

enum { TRIALS = 3 };

/* The fastest of some sweeps by all ranks at once into the array that is not in use; the sum over the ranks. */
static double trial_s(heat_state *state, heat_stores stores)
{
    const heat_plate *plate = state->plate;
    const heat_kernels *k = plate->kernels;
    double best_s = 1e30, sum_s;
    for (int trial = 0; trial < TRIALS; trial++) {
        double start_s = cm_time();
        (stores == HEAT_PAST ? k->sweep_past : k->sweep)(heat_at(plate, 1 - plate->now, 1, 1),
                                                         heat_at(plate, plate->now, 1, 1), plate->stride,
                                                         plate->mine, plate->columns);
        double time_s = cm_time() - start_s;
        if (time_s < best_s) best_s = time_s;
    }
    cm_allreduce(plate->group, &best_s, &sum_s, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    return sum_s;
}

heat_stores heat_choose_stores(heat_state *state)
{
    /* Chebyshev reads what it overwrites, and the others work in place. */
    if (state->method != HEAT_JACOBI) return HEAT_ORDINARY;
    double ordinary_s = trial_s(state, HEAT_ORDINARY), past_s = trial_s(state, HEAT_PAST);
    return past_s < ordinary_s ? HEAT_PAST : HEAT_ORDINARY;
}
