/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_model.c: chooses the blocks of a plate by a model of an iteration's time, from the network's
   latency and bandwidth and what a point and a column cost. */
#include <math.h>
#include <stdlib.h>
#include "heat.h"

enum { ROUNDS = 5, STRIP_POINTS = 1 << 21, STRIP_ROWS = 256 };
/* Rows are kept unless blocks take less than this part of their time: a model is not exact. */
static const double worth = 0.98;

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
    char *column;
} strip;

static void sweep(void *context)
{
    const heat_plate *plate = &((strip *)context)->plate;
    heat_cost(plate, (double)plate->mine);
    plate->kernels->sweep(heat_at(plate, 1, 1, 1), heat_at(plate, 0, 1, 1), plate->stride,
                          plate->mine, plate->columns);
}

/* A column is packed and unpacked, and computed when its neighbour has come. */
static void do_column(void *context)
{
    const strip *s = context;
    const heat_plate *plate = &s->plate;
    const heat_kernels *k = plate->kernels;
    cm_compute(0, (double)plate->mine * cm_item_s());
    k->pack(s->column, heat_at(plate, 0, 1, 1), plate->stride, plate->mine);
    k->unpack(heat_at(plate, 0, 1, 0), s->column, plate->stride, plate->mine);
    k->sweep(heat_at(plate, 1, 1, 1), heat_at(plate, 0, 1, 1), plate->stride, plate->mine, 1);
}

static void *room(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory for --blocks auto");
    return memory;
}

static void measure_strip(const heat_problem *problem, heat_model *model)
{
    const heat_kernels *kernels = heat_kernels_of(problem->precision);
    int64_t rows = STRIP_POINTS / problem->columns + 2;
    if (rows > STRIP_ROWS) rows = STRIP_ROWS;
    strip s = {.column = room((size_t)rows * kernels->bytes)};
    const heat_grid in_rows = {cm_size(cm_world()), 1};
    const heat_block block = {1, rows, 1, problem->columns};
    if (!heat_plate_open_block(kernels, cm_world(), in_rows, rows, problem->columns, &block, 1,
                               &s.plate))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for --blocks auto");
    for (int64_t r = 0; r <= rows + 1; r++)
        for (int which = 0; which < 2; which++)
            kernels->fill(heat_at(&s.plate, which, r, 0), 1, problem->columns + 2);
    model->point_s = least_s(sweep, &s) / (double)rows / (double)problem->columns;
    model->column_s = least_s(do_column, &s) / (double)rows;
    heat_plate_close(&s.plate);
    free(s.column);
}

heat_model heat_model_measure(const heat_problem *problem)
{
    heat_model model = {.network = cm_run_ring(cm_world())};
    measure_strip(problem, &model);
    return model;
}

/* ---- What it says ---------------------------------------------------------------------------- */

/* The rank with the largest block and the most neighbours computes its points, sends a message to
   each neighbour, and handles a column for each neighbour beside it. That messages travel while a
   rank computes is left out: it is the same for all grids. */
static double model_s(const heat_model *model, const heat_problem *problem, heat_grid grid)
{
    const heat_block block = heat_block_of(grid, problem->rows, problem->columns, 0);
    const double number = (double)heat_kernels_of(problem->precision)->bytes;
    const double rows = (double)block.rows, columns = (double)block.columns;
    const double above = grid.rows > 2 ? 2 : grid.rows - 1,
                 beside = grid.columns > 2 ? 2 : grid.columns - 1;
    return rows * columns * model->point_s + (above + beside) * model->network.latency_s
           + number * (above * columns + beside * rows) / model->network.bytes_per_s
           + beside * rows * model->column_s;
}

/* Returns whether these ranks can have so many blocks beside each other; *grid is what they are. */
static bool make_grid(const heat_problem *problem, int ranks, int columns, heat_grid *grid)
{
    *grid = (heat_grid){ranks / columns, columns};
    return ranks % columns == 0 && columns <= problem->columns && grid->rows <= problem->rows;
}

heat_grid heat_model_choose(const heat_model *model, const heat_problem *problem, int ranks)
{
    const heat_grid in_rows = {ranks, 1};
    heat_grid chosen = in_rows, grid;
    double best_s = worth * model_s(model, problem, in_rows);
    for (int columns = 2; columns <= ranks; columns++) {
        if (!make_grid(problem, ranks, columns, &grid)) continue;
        const double time_s = model_s(model, problem, grid);
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
    cm_result_comment(result,
                      "model: latency_us=%.4g MB_per_s=%.4g point_ns=%.4g column_point_ns=%.4g",
                      1e6 * model->network.latency_s, 1e-6 * model->network.bytes_per_s,
                      1e9 * model->point_s, 1e9 * model->column_s);
    for (int columns = ranks; columns >= 1; columns--)
        if (make_grid(problem, ranks, columns, &grid))
            cm_result_comment(result, "model: %lld x %lld blocks=%dx%d predicted_ms=%.4g",
                              (long long)problem->columns, (long long)problem->rows, grid.rows,
                              grid.columns, 1e3 * model_s(model, problem, grid));
}
