/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_choose.c: what is fastest on this plate, by trying it. */
#include "heat.h"

enum { TRIALS = 3, POINTS = 1 << 24 };

/* An iteration of the fastest of some passes of so many steps over some of the rows, by all ranks at
   once into the array that is not in use; the sum over the ranks. */
static double pass_s(const heat_state *state, int64_t steps)
{
    const heat_plate *plate = state->plate;
    double best_s = 1e30, sum_s;
    int64_t rows = POINTS / plate->columns + 1;
    if (rows > plate->mine) rows = plate->mine;
    for (int trial = 0; trial < TRIALS; trial++) {
        double start_s = cm_time();
        heat_wave_pass(state, 1, rows, steps);
        double time_s = (cm_time() - start_s) / (double)steps;
        if (time_s < best_s) best_s = time_s;
    }
    cm_allreduce(plate->group, &best_s, &sum_s, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    return sum_s;
}

heat_stores heat_choose_stores(heat_state *state)
{
    /* Chebyshev reads what it overwrites, and the others work in place. */
    if (state->method != HEAT_JACOBI) return HEAT_ORDINARY;
    heat_state ordinary = *state, past = *state;
    int64_t steps = state->steps < HEAT_WAVE_STEPS ? state->steps : HEAT_WAVE_STEPS;
    ordinary.stores = HEAT_ORDINARY;
    past.stores = HEAT_PAST;
    double ordinary_s = pass_s(&ordinary, steps), past_s = pass_s(&past, steps);
    return past_s < ordinary_s ? HEAT_PAST : HEAT_ORDINARY;
}

int64_t heat_choose_steps(heat_state *state)
{
    static const int64_t tried[] = {4, 8, 12, 16, 24, 32};
    int64_t best = 1;
    double best_s = pass_s(state, 1);
    for (size_t k = 0; k < sizeof tried / sizeof *tried && tried[k] <= state->steps; k++) {
        double time_s = pass_s(state, tried[k]);
        if (time_s < best_s) {
            best_s = time_s;
            best = tried[k];
        }
    }
    return best;
}
