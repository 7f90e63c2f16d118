/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_choose.c: which stores and how many steps a pass are fastest on this plate, by trials.

   A trial is the iteration itself, heat_iterate with its exchanges and its swaps of the two arrays.
   Nothing simpler will do on a plate that the caches hold: a sweep past the caches evicts what it
   writes, and it is the next sweep, the one that reads these temperatures, that waits for memory.
   Sweeps that all read one array and write the other would charge nobody for that wait, or charge
   it to the ordinary sweep that comes after. */
#include <math.h>
#include "heat.h"

enum {
    PLACES = 3,
    POINTS = 1 << 24, /* more than caches hold, in two arrays */
    BATCHES = 5,
    MOST_ITERATIONS = 1 << 12, /* should the clock stand still */
    MOST_WAYS = 16
};
/* A batch takes at least short_s, many times the clock's resolution. One that computes for less
   than long_s is repeated, since it may be that the core was taken away for most of it. */
static const double short_s = 5e-4, long_s = 1e-3;
/* A way whose long trials take so many times as long as the fastest ones is not tried any more. */
static const double hopeless = 1.25;

typedef struct {
    heat_stores stores;
    int64_t steps;
} way;
typedef struct {
    int64_t iterations;
    int batches;
} effort;
typedef struct {
    double compute_s, halo_s;
} cost; /* of an iteration */

/* In the fastest of some batches. The pass before them brings the caches into the state in which
   this way leaves them; a batch has an even number of passes, as many in either direction between
   the arrays. */
static cost trial(heat_state *tried, way w, effort e)
{
    int64_t pair = 2 * w.steps, iterations = (e.iterations + pair - 1) / pair * pair;
    cost best = {INFINITY, INFINITY};
    tried->stores = w.stores;
    tried->steps = w.steps;
    heat_iterate(tried, w.steps);
    for (int batch = 0; batch < e.batches; batch++) {
        tried->halo_s = 0;
        double start_s = cm_time();
        heat_iterate(tried, iterations);
        double compute_s = cm_time() - start_s - tried->halo_s;
        best.compute_s = fmin(best.compute_s, compute_s / (double)iterations);
        best.halo_s = fmin(best.halo_s, tried->halo_s / (double)iterations);
    }
    return best;
}

/* How long batches are, and how many. The slowest rank decides: all need the same iterations. */
static effort effort_for(heat_state *tried, way w)
{
    effort e = {.iterations = 2 * w.steps, .batches = 1};
    for (;; e.iterations *= 2) {
        cost c = trial(tried, w, e);
        double compute_s = c.compute_s * (double)e.iterations,
               halo_s = c.halo_s * (double)e.iterations;
        double mine_s[] = {compute_s, compute_s + halo_s}, slowest_s[2];
        cm_allreduce(tried->plate->group, mine_s, slowest_s, 2, CM_DOUBLE, CM_MAX, CM_AUTO);
        if (slowest_s[1] < short_s && e.iterations < MOST_ITERATIONS) continue;
        e.batches = slowest_s[0] < long_s ? BATCHES : 1;
        return e;
    }
}

/* What each of n ways costs all ranks, from what it costs this one: the computing of the slowest
   rank and the exchanges of the one that waits least for others. All ranks get the same numbers,
   since a maximum does not depend on the order. Ways of as many steps exchange the same rows, so
   that they share the least time of these: how long a rank waits for one that does not run at the
   moment says nothing about stores. */
static void over_ranks(cm_group *group, const way *ways, size_t n, const cost *mine, double *all_s)
{
    double of_mine[2 * MOST_WAYS], of_all[2 * MOST_WAYS];
    for (size_t k = 0; k < n; k++) {
        of_mine[k] = mine[k].compute_s;
        of_mine[n + k] = -mine[k].halo_s;
    }
    cm_allreduce(group, of_mine, of_all, 2 * n, CM_DOUBLE, CM_MAX, CM_AUTO);
    for (size_t k = 0; k < n; k++) {
        double halo_s = INFINITY;
        for (size_t other = 0; other < n; other++)
            if (ways[other].steps == ways[k].steps) halo_s = fmin(halo_s, -of_all[n + other]);
        all_s[k] = of_all[k] + halo_s;
    }
}

static cost sum(cost a, cost b) { return (cost){a.compute_s + b.compute_s, a.halo_s + b.halo_s}; }

static cost least(cost a, cost b)
{
    return (cost){fmin(a.compute_s, b.compute_s), fmin(a.halo_s, b.halo_s)};
}

/* Which of n ways is the fastest: by the sum of the trials at some places of a large plate, since
   memory is not everywhere equally fast (it depends on how the pages of both arrays lie to each
   other), or by the fastest of as many trials of all of a small one. The ways take turns, so that
   what disturbs a machine for a while disturbs all of them. */
static size_t fastest(const heat_state *state, const way *ways, size_t n)
{
    const heat_plate *plate = state->plate;
    int64_t rows = POINTS / plate->columns + HEAT_WAVE_STEPS;
    if (rows > plate->mine) rows = plate->mine;
    heat_plate part = *plate;
    heat_state tried = *state;
    tried.plate = &part;
    cost mine[MOST_WAYS];
    double all_s[MOST_WAYS];
    effort e = {0};
    size_t best = 0;
    for (int place = 0; place < PLACES; place++) {
        int now = part.now;
        part = heat_plate_part(plate, 1 + (plate->mine - rows) * place / (PLACES - 1), rows);
        part.now = now;
        if (place == 0) e = effort_for(&tried, ways[0]);
        for (size_t k = 0; k < n; k++) {
            if (place > 0 && isinf(mine[k].compute_s)) continue;
            cost c = trial(&tried, ways[k], e);
            mine[k] = place == 0 ? c : rows < plate->mine ? sum(mine[k], c) : least(mine[k], c);
        }
        over_ranks(plate->group, ways, n, mine, all_s);
        for (size_t k = 0; k < n; k++)
            if (all_s[k] < all_s[best]) best = k;
        for (size_t k = 0; k < n; k++)
            if (e.batches == 1 && all_s[k] > hopeless * all_s[best])
                mine[k] = (cost){INFINITY, INFINITY};
    }
    return best;
}

/* Both at once: what stores gain depends on the steps. More steps than a pass over memory takes are
   several such passes, so that HEAT_WAVE_STEPS stand for them. */
void heat_choose(heat_stores stores, int64_t steps, heat_state *state)
{
    static const int64_t many[] = {1, 3, 6, 9, 12, 15, 18, 24};
    const int64_t given[] = {steps < HEAT_WAVE_STEPS ? steps : HEAT_WAVE_STEPS};
    const int64_t *tried = steps == 0 ? many : given;
    size_t n_tried = steps == 0 ? sizeof many / sizeof *many : 1, n = 0;
    _Static_assert(2 * sizeof many / sizeof *many <= MOST_WAYS, "a time for each");
    way ways[MOST_WAYS];
    /* Chebyshev reads what it overwrites, and the others work in place. */
    if (stores == HEAT_AUTO && state->method != HEAT_JACOBI) stores = HEAT_ORDINARY;
    for (size_t k = 0; k < n_tried; k++) {
        if (tried[k] > state->steps) continue;
        if (stores != HEAT_AUTO) ways[n++] = (way){stores, tried[k]};
        else {
            ways[n++] = (way){HEAT_ORDINARY, tried[k]};
            ways[n++] = (way){HEAT_PAST, tried[k]};
        }
    }
    way chosen = ways[n > 1 ? fastest(state, ways, n) : 0];
    state->stores = chosen.stores;
    state->steps = steps == 0 ? chosen.steps : steps;
}
