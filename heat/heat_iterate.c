/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_iterate.c: iterations of each method over a rank's rows or block; Jacobi's and Chebyshev's,
   overlapped with the exchanges. */
#include <math.h>
#include "heat.h"
#include "memory/memory.h"

/* 2 sin^2(x / 2) is 1 - cos(x). */
double heat_radius_gap(int64_t rows, int64_t columns)
{
    double pi = acos(-1), r = sin(pi / 2 / (double)(rows + 1)),
           c = sin(pi / 2 / (double)(columns + 1));
    return r * r + c * c;
}

double heat_radius(int64_t rows, int64_t columns) { return 1 - heat_radius_gap(rows, columns); }

double heat_best_omega(int64_t rows, int64_t columns)
{
    double gap = heat_radius_gap(rows, columns);
    return 2 / (1 + sqrt(gap * (2 - gap)));
}

double heat_error_factor(int64_t rows, int64_t columns)
{
    double m = (double)(rows < columns ? rows : columns) + 1;
    return m * m / 2;
}

heat_state heat_begin(const heat_problem *problem, heat_plate *plate, int64_t steps)
{
    void *ring = steps > 1 ? cm_memory_open(plate->kernels->wave_bytes) : NULL;
    if (steps > 1 && !ring) cm_abort(CM_EXIT_SYSTEM, "out of memory for --steps-per-sweep");
    return (heat_state){
        .plate = plate,
        .ring = ring,
        .method = problem->method,
        .stores = HEAT_ORDINARY,
        .steps = steps,
        .omega = problem->method == HEAT_SOR ? problem->omega : 1,
        .radius = heat_radius(problem->rows, problem->columns),
        .levels = problem->method == HEAT_MULTIGRID ? heat_levels_open(plate) : NULL,
    };
}

void heat_end(heat_state *state)
{
    heat_levels_close(state->levels);
    state->levels = NULL;
    cm_memory_free(state->ring);
    state->ring = NULL;
}

/* ---- Jacobi and Chebyshev: from one array to the other --------------------------------------- */

static void sweep_part(const heat_state *state, int64_t first, int64_t rows, int64_t column,
                       int64_t columns)
{
    const heat_plate *plate = state->plate;
    const heat_kernels *k = plate->kernels;
    void *to = heat_at(plate, 1 - plate->now, first, column);
    const void *from = heat_at(plate, plate->now, first, column);
    if (rows <= 0 || columns <= 0) return;
    heat_cost(plate, (double)rows * (double)columns / (double)plate->columns);
    if (state->method == HEAT_CHEBYSHEV)
        k->chebyshev(to, from, plate->stride, rows, columns, state->factor, state->stores);
    else k->sweep(to, from, plate->stride, rows, columns, state->stores);
}

static void sweep(const heat_state *state, int64_t first, int64_t rows)
{
    sweep_part(state, first, rows, 1, state->plate->columns);
}

/* Rows whose neighbours above and below are there, before the columns beside are. Jacobi computes
   the columns at the edge too, so that stores past the caches begin a line; sweep_edges repeats
   them. Chebyshev needs what it would overwrite. */
static void sweep_inner(const heat_state *state, int64_t first, int64_t rows)
{
    const heat_plate *plate = state->plate;
    int64_t left = 0, right = 0;
    if (state->method == HEAT_CHEBYSHEV) {
        left = plate->left >= 0;
        right = plate->right >= 0;
    }
    sweep_part(state, first, rows, 1 + left, plate->columns - left - right);
}

static void sweep_edges(const heat_state *state, int64_t first, int64_t rows)
{
    const heat_plate *plate = state->plate;
    bool is_single = plate->columns == 1 && plate->left >= 0;
    if (plate->left >= 0) sweep_part(state, first, rows, 1, 1);
    if (plate->right >= 0 && !is_single) sweep_part(state, first, rows, plate->columns, 1);
}

/* The factors of the semi-iteration (Varga 1962, section 5.1): 1, 1 / (1 - r^2 / 2), 1 / (1 - r^2 f
   / 4), ... */
static double next_factor(const heat_state *state)
{
    double squared = state->radius * state->radius;
    if (state->iteration == 0) return 1;
    if (state->iteration == 1) return 1 / (1 - squared / 2);
    return 1 / (1 - squared * state->factor / 4);
}

static void exchange_and_sweep(heat_state *state)
{
    heat_plate *plate = state->plate;
    int64_t last = plate->mine, step = heat_rows_at_a_time(plate);
    heat_halo halo;
    if (state->method == HEAT_CHEBYSHEV) state->factor = next_factor(state);
    heat_exchange_begin(state, plate, &halo);
    for (int64_t row = 2; row < last; row += step) {
        sweep_inner(state, row, row + step < last ? step : last - row);
        if (row + step < last) cm_progress();
    }
    heat_exchange_end(state, &halo);
    sweep(state, 1, 1);
    if (last > 1) sweep(state, last, 1);
    sweep_edges(state, 2, last - 2);
    plate->now = 1 - plate->now;
}

/* ---- Jacobi, several iterations a pass over memory ------------------------------------------- */

/* Rows or columns of a pass, with `more` of the neighbours on either side where there are some. */
static heat_span span_of(int64_t count, int before, int after, int64_t more, int64_t steps)
{
    heat_span span = {.first = before < 0 ? 1 : 1 - more, .last = after < 0 ? count : count + more};
    span.low = before < 0 ? 0 : span.first - steps;
    span.high = after < 0 ? count + 1 : span.last + steps;
    return span;
}

/* Returns how many of the neighbours' points the first of these steps compute, in points of the
   plate: of those beside an edge one row or column fewer with each step. */
static double share_again(const heat_plate *plate, int64_t steps)
{
    const int above = (plate->above >= 0) + (plate->below >= 0),
              beside = (plate->left >= 0) + (plate->right >= 0);
    return (double)(steps - 1) / 2
           * (above / (double)plate->mine + beside / (double)plate->columns);
}

/* Runs `steps` iterations, at most HEAT_WAVE_STEPS, from the current array to the other. */
static void wave_pass(const heat_state *state, int64_t more, int64_t steps)
{
    const heat_plate *plate = state->plate;
    const heat_span rows = span_of(plate->mine, plate->above, plate->below, more, steps),
                    columns = span_of(plate->columns, plate->left, plate->right, more, steps);
    const int64_t count = rows.last - rows.first + 1;
    if (steps == 1) sweep(state, rows.first, count);
    else {
        heat_cost(plate, (double)steps * (double)count * (1 + share_again(plate, steps)));
        plate->kernels->wave(heat_at(plate, 1 - plate->now, 0, 0), heat_at(plate, plate->now, 0, 0),
                             plate->stride, &rows, &columns, steps, state->ring,
                             state->stores == HEAT_PAST);
    }
}

/* Exchanges as many rows, and columns of blocks, as there are steps, once. Many steps take several
   passes, over fewer and fewer of the neighbours' points; a single step is the last. */
static void exchange_and_pass(heat_state *state, int64_t steps)
{
    heat_plate *plate = state->plate;
    double start_s = cm_time();
    state->sent_bytes += (double)heat_halo_exchange(plate, steps);
    state->halo_s += cm_time() - start_s;
    for (int64_t left = steps; left > 0;) {
        int64_t some = left < HEAT_WAVE_STEPS ? left : HEAT_WAVE_STEPS;
        left -= some;
        wave_pass(state, left, some);
        plate->now = 1 - plate->now;
    }
}

/* ---- Any method ------------------------------------------------------------------------------ */

void heat_iterate(heat_state *state, int64_t iterations)
{
    if (state->steps > 1) {
        for (int64_t k = 0; k < iterations; k += state->steps)
            exchange_and_pass(state, iterations - k < state->steps ? iterations - k : state->steps);
        state->iteration += iterations;
        return;
    }
    if (heat_split_pays(state, iterations)) {
        heat_split_relax(state, iterations);
        state->iteration += iterations;
        return;
    }
    for (int64_t k = 0; k < iterations; k++, state->iteration++) switch (state->method) {
        case HEAT_JACOBI:
        case HEAT_CHEBYSHEV:
            exchange_and_sweep(state);
            break;
        case HEAT_GAUSS_SEIDEL:
        case HEAT_SOR:
            heat_relax(state);
            break;
        case HEAT_MULTIGRID:
            heat_cycle(state);
        }
}

double heat_residual(const heat_state *state)
{
    const heat_plate *plate = state->plate;
    heat_halo halo;
    heat_halo_begin(plate, &halo);
    heat_halo_end(&halo);
    double mine = plate->kernels->residual(heat_at(plate, plate->now, 1, 1), plate->stride,
                                           plate->mine, plate->columns),
           most;
    cm_allreduce(plate->group, &mine, &most, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    return most;
}
