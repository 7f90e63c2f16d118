/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_solve.c: iterations in batches, and what happens between them: collecting, looking at the
   residual, check points. */
#include <math.h>
#include "heat.h"

/* Where nothing else ends a batch, so many make up the run. */
enum { BATCHES = 20 };

typedef struct {
    const heat_plan *plan;
    const heat_problem *problem;
    heat_state *state;
    heat_picture picture;
    cm_samples batch_s, batch_n; /* of this rank */
    double collect_s, show_s;
    int64_t collected;
} course;

/* The first iteration above `now` that is a multiple of `every`. */
static int64_t next_multiple(int64_t now, int64_t every)
{
    return every > 0 ? (now / every + 1) * every : INT64_MAX;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t next_event(const course *c)
{
    const heat_plan *plan = c->plan;
    int64_t now = c->state->iteration, next = plan->iterations;
    next = least(next, next_multiple(now, plan->collect_every));
    if (plan->tolerance > 0) next = least(next, next_multiple(now, plan->check_every));
    if (plan->check_point) next = least(next, next_multiple(now, plan->check_point_every));
    /* Whole passes. */
    int64_t batch = plan->iterations / BATCHES / c->state->steps * c->state->steps;
    return least(next, now + (batch > c->state->steps ? batch : c->state->steps));
}

static void iterate(course *c)
{
    heat_state *state = c->state;
    int64_t from = state->iteration, next = next_event(c);
    double start_s = cm_time();
    heat_iterate(state, next - from);
    double time_s = cm_time() - start_s;
    if (!cm_samples_add(&c->batch_s, time_s) || !cm_samples_add(&c->batch_n, (double)(next - from)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
}

static void show(course *c)
{
    const heat_plan *plan = c->plan;
    const heat_plate *plate = c->state->plate;
    int64_t iteration = c->state->iteration;
    if (cm_rank(plate->group) != HEAT_LEADER) return;
    if (plan->frames) heat_frame_write(plan->frames, plate, &c->picture, iteration);
    if (plan->watch) heat_watch_show(plan->watch, plate, &c->picture, iteration);
}

/* The others wait until the leader has shown it, which is no time in exchanges. */
static void collect(course *c)
{
    cm_group *group = c->state->plate->group;
    double start_s = cm_time();
    heat_collect(c->state->plate, &c->picture);
    cm_barrier(group, CM_AUTO);
    double middle_s = cm_time();
    show(c);
    if (c->plan->frames || c->plan->watch_all) cm_barrier(group, CM_AUTO);
    c->collect_s += middle_s - start_s;
    c->show_s += cm_time() - middle_s;
    c->collected++;
}

static bool is_due(const course *c, int64_t every)
{
    int64_t now = c->state->iteration;
    return every > 0 && (now % every == 0 || now == c->plan->iterations);
}

static void reduce(course *c, heat_run_times *times)
{
    cm_group *group = c->state->plate->group;
    int ranks = cm_size(group);
    size_t n = c->batch_s.n;
    cm_samples slowest = CM_SAMPLES_EMPTY;
    if (!cm_samples_reserve(&slowest, n + 1) || !cm_samples_reserve(&times->iteration_s, n + 1))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    cm_allreduce(group, c->batch_s.value, slowest.value, n, CM_DOUBLE, CM_MAX, CM_AUTO);
    for (size_t k = 0; k < n; k++) {
        cm_samples_add(&times->iteration_s, slowest.value[k] / c->batch_n.value[k]);
        times->compute_s += slowest.value[k];
        times->iterations += (int64_t)c->batch_n.value[k];
    }
    cm_allreduce(group, &c->state->halo_s, &times->halo_s, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    times->halo_s /= ranks;
    times->collect_s = c->collect_s;
    times->show_s = c->show_s;
    times->collected = c->collected;
    cm_samples_free(&slowest);
}

void heat_solve(const heat_plan *plan, const heat_problem *problem, heat_state *state,
                heat_run_times *times)
{
    course c = {.plan = plan, .problem = problem, .state = state};
    *times = (heat_run_times){.residual = NAN, .first = state->iteration};
    if (plan->collect_every > 0) heat_picture_open(state->plate, plan->picture_points, &c.picture);
    /* How it begins is a picture, too, but not one of the timed ones. */
    if (plan->collect_every > 0 && state->iteration == 0) {
        heat_collect(state->plate, &c.picture);
        show(&c);
    }
    state->halo_s = 0;
    cm_barrier(state->plate->group, CM_AUTO);
    while (state->iteration < plan->iterations && !times->converged) {
        if (plan->progress)
            cm_result_progress(plan->progress, (double)state->iteration / (double)plan->iterations,
                               "%lld x %lld, iteration %lld", (long long)problem->columns,
                               (long long)problem->rows, (long long)state->iteration);
        iterate(&c);
        if (plan->tolerance > 0 && is_due(&c, plan->check_every)) {
            times->residual = heat_residual(state);
            times->converged = times->residual <= plan->tolerance;
        }
        if (plan->collect_every > 0 && (is_due(&c, plan->collect_every) || times->converged))
            collect(&c);
        if (plan->check_point && (is_due(&c, plan->check_point_every) || times->converged)) {
            heat_check_point_write(plan->check_point, problem, state);
            cm_barrier(state->plate->group, CM_AUTO);
        }
    }
    reduce(&c, times);
    if (!times->converged) times->residual = heat_residual(state);
    cm_samples_free(&c.batch_s);
    cm_samples_free(&c.batch_n);
    heat_picture_close(&c.picture);
}
