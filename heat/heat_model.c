/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_model.c: chooses the blocks of a plate by a model of an iteration's time, from the network's
   latency and bandwidth and what a point and a column cost. */
#include <math.h>
#include "heat_multigrid.h"
#include "memory/memory.h"

enum { ROUNDS = 5, STRIP_POINTS = 1 << 21, STRIP_ROWS = 256 };
/* Rows are kept unless blocks take less than this part of their time: a model is not exact. */
static const double worth = 0.98;

/* Windows of several steps overlap. */
static int64_t columns_computed(const heat_kernels *kernels, int64_t columns, int64_t steps)
{
    return steps > 1 ? kernels->wave_columns(columns, steps) : columns;
}

/* ---- What it knows --------------------------------------------------------------------------- */

typedef void task(void *context);

/* Returns the least time of some rounds on the slowest rank. The first does not count. */
static double least_s(task *work, void *context)
{
    double mine_s = INFINITY, all_s;
    for (int k = 0; k <= ROUNDS; k++) {
        double start_s = cm_time();
        work(context);
        if (k > 0) mine_s = fmin(mine_s, cm_time() - start_s);
    }
    cm_allreduce(cm_world(), &mine_s, &all_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    return all_s;
}

/* Some rows of the plate, which lie in memory as they do there. */
typedef struct {
    heat_plate plate;
    int64_t steps;
    void *column, *ring;
} strip;

static void sweep(void *context)
{
    const strip *s = context;
    const heat_plate *plate = &s->plate;
    const heat_span rows = {1, plate->mine, 0, plate->mine + 1},
                    columns = {1, plate->columns, 0, plate->columns + 1};
    heat_cost(plate, (double)(s->steps * plate->mine));
    if (s->steps > 1)
        plate->kernels->wave(heat_at(plate, 1, 0, 0), heat_at(plate, 0, 0, 0), plate->stride, &rows,
                             &columns, s->steps, s->ring, false);
    else
        plate->kernels->sweep(heat_at(plate, 1, 1, 1), heat_at(plate, 0, 1, 1), plate->stride,
                              plate->mine, plate->columns, HEAT_ORDINARY);
}

/* Columns are packed and unpacked, as many as there are steps. One is computed again when its
   neighbour has come. */
static void do_columns(void *context)
{
    const strip *s = context;
    const heat_plate *plate = &s->plate;
    const heat_kernels *k = plate->kernels;
    const size_t apart = (size_t)plate->stride * k->bytes, bytes = (size_t)s->steps * k->bytes;
    void *here = heat_at(plate, 0, 1, 1);
    cm_compute(0, (double)plate->mine * cm_item_s());
    heat_copy_rows(s->column, bytes, here, apart, bytes, plate->mine);
    heat_copy_rows(here, apart, s->column, bytes, bytes, plate->mine);
    if (s->steps == 1)
        k->sweep(heat_at(plate, 1, 1, 1), here, plate->stride, plate->mine, 1, HEAT_ORDINARY);
}

static void *room(size_t bytes)
{
    void *memory = cm_memory_open(bytes);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory for --blocks auto");
    return memory;
}

static void measure_way(strip *s, int64_t steps, heat_model *model)
{
    const heat_plate *plate = &s->plate;
    const int at = model->n++;
    s->steps = steps;
    double points = (double)(steps * plate->mine)
                    * (double)columns_computed(plate->kernels, plate->columns, steps);
    model->way[at].steps = steps;
    model->way[at].point_s = least_s(sweep, s) / points;
    model->way[at].column_s = least_s(do_columns, s) / (double)(steps * plate->mine);
}

static void measure_strip(const heat_problem *problem, int64_t steps, heat_model *model)
{
    static const int64_t many[HEAT_MODEL_WAYS] = {1, 3, 6, 12, 24};
    const heat_kernels *kernels = heat_kernels_of(problem->precision);
    int64_t rows = STRIP_POINTS / problem->columns + 2;
    if (rows > STRIP_ROWS) rows = STRIP_ROWS;
    strip s = {.column = room((size_t)(rows * HEAT_WAVE_STEPS) * kernels->bytes),
               .ring = room(kernels->wave_bytes)};
    const heat_grid in_rows = {cm_size(cm_world()), 1};
    const heat_block block = {1, rows, 1, problem->columns};
    if (!heat_plate_open_block(kernels, cm_world(), in_rows, rows, problem->columns, &block, 1,
                               &s.plate))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for --blocks auto");
    for (int64_t r = 0; r <= rows + 1; r++)
        for (int which = 0; which < 2; which++)
            heat_fill(kernels->precision, heat_at(&s.plate, which, r, 0), 1, problem->columns + 2);
    if (steps > 0) measure_way(&s, steps < HEAT_WAVE_STEPS ? steps : HEAT_WAVE_STEPS, model);
    for (int k = 0; k < HEAT_MODEL_WAYS && steps == 0; k++)
        if (many[k] <= problem->columns) measure_way(&s, many[k], model);
    heat_plate_close(&s.plate);
    cm_memory_free(s.ring);
    cm_memory_free(s.column);
}

heat_model heat_model_measure(const heat_problem *problem, int64_t steps)
{
    heat_model model = {.network = cm_run_ring(cm_world())};
    measure_strip(problem, steps, &model);
    return model;
}

/* ---- What it says ---------------------------------------------------------------------------- */

/* The rank with the largest block and the most neighbours computes its points, and those of its
   neighbours that further steps need; sends a message to each neighbour; and handles a column for
   each neighbour beside it. That messages travel while a rank computes is left out: it is the same
   for all grids. sweeps, exchanges: of an iteration. */
static double block_s(const heat_model *model, const heat_problem *problem, heat_grid grid,
                      const heat_block *block, int way, double sweeps, double exchanges)
{
    const heat_kernels *kernels = heat_kernels_of(problem->precision);
    const int64_t steps = model->way[way].steps;
    const double rows = (double)block->rows, columns = (double)block->columns, n = (double)steps,
                 above = grid.rows > 2 ? 2 : grid.rows - 1,
                 beside = grid.columns > 2 ? 2 : grid.columns - 1,
                 points = (rows + above * (n - 1) / 2)
                          * (double)columns_computed(kernels, block->columns, steps),
                 numbers = above * (columns + (n > 1 ? beside * n : 0)) + beside * rows;
    return sweeps * points * model->way[way].point_s
           + exchanges
                 * ((above + beside) * model->network.latency_s / n
                    + (double)kernels->bytes * numbers / model->network.bytes_per_s
                    + beside * rows * model->way[way].column_s);
}

/* A level of a V cycle has three sweeps, defects and both ways to the next level, and exchanges
   before each colour, the defects, the restriction and the interpolation. A cycle takes as long as
   ten sweeps, three quarters of them on the first level. Levels that fewer ranks have are left
   out. */
static double cycle_s(const heat_model *model, const heat_problem *problem, heat_grid grid)
{
    enum { EXCHANGES = 8 };
    const double sweeps = 7.5;
    heat_block block = heat_block_of(grid, problem->rows, problem->columns, 0);
    double sum_s = 0;
    do {
        sum_s += block_s(model, problem, grid, &block, 0, sweeps, EXCHANGES);
        block.rows /= 2;
        block.columns /= 2;
    } while (block.rows * block.columns >= HEAT_LEAST_POINTS);
    return sum_s;
}

/* Returns the time of the best way of this grid; *way is that. */
static double model_s(const heat_model *model, const heat_problem *problem, heat_grid grid,
                      int *way)
{
    const heat_block block = heat_block_of(grid, problem->rows, problem->columns, 0);
    const bool red_black = problem->method == HEAT_GAUSS_SEIDEL || problem->method == HEAT_SOR;
    const int64_t most = heat_most_steps(problem, grid);
    double best_s = INFINITY;
    *way = 0;
    if (problem->method == HEAT_MULTIGRID) return cycle_s(model, problem, grid);
    for (int k = 0; k < model->n; k++) {
        if (model->way[k].steps > most) continue;
        const double time_s = block_s(model, problem, grid, &block, k, 1, red_black ? 2 : 1);
        if (time_s >= best_s) continue;
        best_s = time_s;
        *way = k;
    }
    return best_s;
}

heat_grid heat_model_choose(const heat_model *model, const heat_problem *problem, int ranks)
{
    heat_grid chosen = {ranks, 1}, grid;
    int way;
    double best_s = INFINITY;
    if (heat_make_grid(problem, ranks, 1, &grid))
        best_s = worth * model_s(model, problem, grid, &way);
    for (int columns = 2; columns <= ranks; columns++) {
        if (!heat_make_grid(problem, ranks, columns, &grid)) continue;
        const double time_s = model_s(model, problem, grid, &way);
        if (time_s >= best_s) continue;
        best_s = time_s;
        chosen = grid;
    }
    return chosen;
}

void heat_model_tell(cm_result *result, const heat_model *model, const heat_problem *problem,
                     int ranks)
{
    heat_grid grid;
    int way;
    cm_result_comment(result, "model: latency_us=%.4g MB_per_s=%.4g",
                      1e6 * model->network.latency_s, 1e-6 * model->network.bytes_per_s);
    for (int k = 0; k < model->n; k++)
        cm_result_comment(result, "model: steps=%lld point_ns=%.4g column_point_ns=%.4g",
                          (long long)model->way[k].steps, 1e9 * model->way[k].point_s,
                          1e9 * model->way[k].column_s);
    for (int columns = ranks; columns >= 1; columns--) {
        if (!heat_make_grid(problem, ranks, columns, &grid)) continue;
        const double time_s = model_s(model, problem, grid, &way);
        if (isinf(time_s)) continue;
        cm_result_comment(result, "model: %lld x %lld blocks=%dx%d steps=%lld predicted_ms=%.4g",
                          (long long)problem->columns, (long long)problem->rows, grid.rows,
                          grid.columns, (long long)model->way[way].steps, 1e3 * time_s);
    }
}
