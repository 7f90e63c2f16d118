/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_trial.c: a trial of an order: all ranks factor and solve the system once. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "linpack_choose.h"
#include "linpack_system.h"
#include "memory/memory.h"

/* ---- The sampler's --------------------------------------------------------------------------- */

static void prepare(void *context)
{
    linpack_system *s = context;
    if (s->options->refine) {
        linpack_refine_prepare(s);
        return;
    }
    linpack_store_rows(s, s->options->precision, s->a);
    linpack_right_hand_side(s->matrix, s->x);
}

static double trial(void *context, int64_t operations, double *value)
{
    (void)operations; /* one */
    linpack_system *s = context;
    if (cm_size(s->map.all) > 1) cm_barrier(s->map.all, CM_AUTO);
    double start_s = cm_time();
    if (s->options->refine) linpack_refine_round(s);
    s->failed = linpack_factor(s);
    double factored_s = cm_time();
    if (!s->failed) linpack_solve(s);
    double solved_s = cm_time();
    if (s->options->refine) linpack_refine(s);
    if (s->failed) return -1;
    double end_s = cm_time();
    value[LINPACK_TOTAL] = end_s - start_s;
    value[LINPACK_FACTOR] = factored_s - start_s;
    value[LINPACK_SOLVE] = solved_s - factored_s;
    if (s->options->refine) value[LINPACK_REFINE] = end_s - solved_s;
    return value[LINPACK_TOTAL];
}

linpack_residual linpack_worse(linpack_residual a, linpack_residual b)
{
    return isnan(a.hpl) || a.hpl > b.hpl ? a : b;
}

/* A wrong answer does not end the run; the checks report it. */
static bool verify(void *context)
{
    linpack_system *s = context;
    double epsilon = s->options->refine ? DBL_EPSILON : s->solvers->epsilon;
    s->worst = linpack_worse(s->worst, linpack_verify(&s->by_rows, s->matrix, s->x, epsilon));
    s->course->flop_before += linpack_operations(s->map.order);
    return true;
}

cm_subject linpack_trial(linpack_system *system)
{
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .series = system->options->refine ? LINPACK_TIMES : LINPACK_REFINE,
                        .most_operations = 1,
                        .prepare = prepare,
                        .trial = trial,
                        .verify = verify,
                        .context = system};
}

/* ---- The system ------------------------------------------------------------------------------ */

static void show_progress(int column, void *context)
{
    const linpack_system *s = context;
    const linpack_course *c = s->course;
    double now_s = cm_time();
    if (!c->result || now_s - c->run_began_s < 0.5) return;
    double after = c->flop_all - c->flop_before - linpack_operations(s->map.order);
    linpack_progress p =
        linpack_progress_of(s->map.order, column, now_s - c->began_s, c->flop_before, after);
    cm_result_progress(c->result, p.done, "order %d, column %d, %.0f s left", s->map.order, column,
                       p.left_s);
}

void linpack_system_open(linpack_system *s, int order)
{
    cm_group *group = s->options->group;
    const int ranks = cm_size(group), block = (int)s->options->block;
    const bool keeps = s->options->refine && linpack_refine_keeps(s->options, order);
    const linpack_grid grid = linpack_grid_of_order(s->options, order, ranks);
    s->nb = linpack_panel(s->options, order, grid);
    s->look_ahead = linpack_look_ahead(s->options, order, grid, s->nb);
    s->slices = linpack_slices(s->options, order, grid, s->nb);
    s->by_rows = linpack_layout_of(group, order, block);
    s->map = s->by_rows;
    if (grid.columns > 1) s->map = linpack_grid_of(group, grid.columns, order, block, s->nb);
    s->map.broadcast = linpack_broadcast(s->options, order, grid);
    s->map.low = linpack_low_of(s->options);
    s->map.tournament = s->options->pivoting == LINPACK_TOURNAMENT;
    if (s->options->exchange == LINPACK_ROLL) linpack_roll(&s->map);
    if (s->options->algorithm != LINPACK_CLASSIC) linpack_beside(&s->map);
    s->matrix->order = order;
    s->a = cm_run_array((size_t)s->map.ld * (size_t)(s->map.rows + 1) * s->solvers->bytes);
    s->diagonal = linpack_allocate(linpack_diagonal_elements(order, s->nb),
                                   s->options->refine ? sizeof(double) : s->solvers->bytes,
                                   "diagonal blocks");
    s->pivots = linpack_allocate((size_t)order, sizeof *s->pivots, "pivots");
    s->x = linpack_allocate((size_t)order, sizeof *s->x, "the solution");
    s->failed = s->iterations = 0;
    s->worst = (linpack_residual){.hpl = -1};
    if (s->options->refine) linpack_refine_open(s, keeps);
    linpack_system_forget(s);
}

void linpack_system_forget(linpack_system *s)
{
    s->spent = (linpack_spent){.tell = show_progress, .context = s};
}

void linpack_system_close(linpack_system *s)
{
    if (s->options->refine) linpack_refine_close(s);
    linpack_grid_free(&s->map);
    cm_memory_free(s->a), free(s->diagonal), free(s->pivots), free(s->x);
}
