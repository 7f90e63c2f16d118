/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_choose.c: what is fastest on this plate, by trying it. */
#include "heat.h"

enum { TRIALS = 2, PLACES = 3, POINTS = 1 << 24, MOST_WAYS = 8 };

typedef struct {
    heat_stores stores;
    int64_t steps;
} way;

/* Which of n ways, at most MOST_WAYS, is the fastest: by the time of an iteration in the fastest of
   some passes over some rows, by all ranks at once, into the array that is not in use; summed over
   places and ranks. Places, since memory is not everywhere equally fast: it depends on how the
   pages of both arrays lie to each other. The ways take turns, so that what disturbs a machine for
   a while disturbs all of them. */
static size_t fastest(const heat_state *state, const way *ways, size_t n)
{
    const heat_plate *plate = state->plate;
    double mine_s[MOST_WAYS] = {0}, sum_s[MOST_WAYS];
    int64_t rows = POINTS / plate->columns + 1;
    if (rows > plate->mine) rows = plate->mine;
    for (int place = 0; place < PLACES; place++) {
        int64_t first = 1 + (plate->mine - rows) * place / (PLACES - 1);
        double best_s[MOST_WAYS];
        for (int trial = 0; trial < TRIALS; trial++)
            for (size_t k = 0; k < n; k++) {
                heat_state tried = *state;
                tried.stores = ways[k].stores;
                double start_s = cm_time();
                heat_wave_pass(&tried, first, first + rows - 1, ways[k].steps);
                double time_s = (cm_time() - start_s) / (double)ways[k].steps;
                if (trial == 0 || time_s < best_s[k]) best_s[k] = time_s;
            }
        for (size_t k = 0; k < n; k++) mine_s[k] += best_s[k];
    }
    cm_allreduce(plate->group, mine_s, sum_s, n, CM_DOUBLE, CM_SUM, CM_AUTO);
    size_t best = 0;
    for (size_t k = 1; k < n; k++)
        if (sum_s[k] < sum_s[best]) best = k;
    return best;
}

heat_stores heat_choose_stores(heat_state *state)
{
    /* Chebyshev reads what it overwrites, and the others work in place. */
    if (state->method != HEAT_JACOBI) return HEAT_ORDINARY;
    int64_t steps = state->steps < HEAT_WAVE_STEPS ? state->steps : HEAT_WAVE_STEPS;
    const way ways[] = {{HEAT_PAST, steps}, {HEAT_ORDINARY, steps}};
    return ways[fastest(state, ways, 2)].stores;
}

int64_t heat_choose_steps(heat_state *state)
{
    static const int64_t tried[] = {1, 3, 6, 9, 12, 15, 18, 24};
    _Static_assert(sizeof tried / sizeof *tried <= MOST_WAYS, "a time for each");
    way ways[MOST_WAYS];
    size_t n = 0;
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
        if (tried[k] == 1 || tried[k] <= state->steps) ways[n++] = (way){state->stores, tried[k]};
    return ways[fastest(state, ways, n)].steps;
}
