/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_solve.c: runs of a plate: iterations in batches, and between them collecting, checks of the
   residual and checkpoints. */
#include <math.h>
#include "heat.h"

/* Number of batches of a run in which nothing else ends a batch. */
enum { BATCHES = 20 };

typedef struct {
    const heat_plan *plan;
    const heat_problem *problem;
    heat_state *state;
    heat_times *times;
    heat_picture picture;
    heat_batches mine; /* this rank's times in the run */
} course;

/* Returns the first multiple of `every` above `now`. */
static int64_t next_multiple(int64_t now, int64_t every)
{
    return every > 0 ? (now / every + 1) * every : INT64_MAX;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t next_event(const heat_plan *plan, int64_t now, int64_t steps)
{
    int64_t next = plan->iterations;
    next = least(next, next_multiple(now, plan->collect_every));
    if (plan->tolerance > 0) next = least(next, next_multiple(now, plan->check_every));
    if (plan->checkpoint) next = least(next, next_multiple(now, plan->checkpoint_every));
    /* A batch consists of whole passes. */
    int64_t batch = plan->iterations / BATCHES / steps * steps;
    return least(next, now + (batch > steps ? batch : steps));
}

int64_t heat_batch(const heat_plan *plan, const heat_state *state)
{
    return next_event(plan, 0, state->steps);
}

static void iterate(course *c)
{
    heat_state *state = c->state;
    int64_t from = state->iteration, next = next_event(c->plan, from, state->steps);
    double start_s = cm_time();
    heat_iterate(state, next - from);
    heat_batches_add(&c->mine, cm_time() - start_s, next - from);
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

/* The other ranks wait until the leader has shown the plate; this must not count as exchange
   time. */
static void collect(course *c)
{
    cm_group *group = c->state->plate->group;
    double start_s = cm_time();
    heat_collect(c->state->plate, &c->picture);
    cm_barrier(group, CM_AUTO);
    double middle_s = cm_time();
    show(c);
    if (c->plan->frames || c->plan->watch_all) cm_barrier(group, CM_AUTO);
    c->times->collect_s += middle_s - start_s;
    c->times->show_s += cm_time() - middle_s;
    c->times->collected++;
}

static bool is_due(const course *c, int64_t every)
{
    int64_t now = c->state->iteration;
    return every > 0 && (now % every == 0 || now == c->plan->iterations);
}

/* Handles what is due after a batch. */
static void meet(course *c)
{
    const heat_plan *plan = c->plan;
    heat_times *times = c->times;
    if (plan->tolerance > 0 && is_due(c, plan->check_every)) {
        times->residual = heat_residual(c->state);
        times->converged = times->residual <= plan->tolerance;
    }
    if (plan->collect_every > 0 && (is_due(c, plan->collect_every) || times->converged)) collect(c);
    if (plan->checkpoint && (is_due(c, plan->checkpoint_every) || times->converged)) {
        heat_check_point_write(plan->checkpoint, c->problem, c->state);
        cm_barrier(c->state->plate->group, CM_AUTO);
    }
}

/* Stores the slowest rank's value for each batch. Entries beyond the batches of the run do not
   count. */
static void reduce(course *c, double *value)
{
    heat_times *times = c->times;
    cm_group *group = c->state->plate->group;
    double slowest_s[HEAT_MOST_BATCHES];
    cm_allreduce(group, c->mine.time_s, slowest_s, c->mine.n, CM_DOUBLE, CM_MAX, CM_AUTO);
    for (size_t k = 0; k < HEAT_MOST_BATCHES; k++) {
        value[k] = INFINITY;
        if (k >= c->mine.n) continue;
        value[k] = slowest_s[k] / (double)c->mine.iterations[k];
        times->compute_s += slowest_s[k];
        times->iterations += c->mine.iterations[k];
    }
    double mine[] = {c->state->halo_s, c->state->sent_bytes}, all[2];
    cm_allreduce(group, mine, all, 2, CM_DOUBLE, CM_SUM, CM_AUTO);
    times->halo_s += all[0] / cm_size(group);
    times->sent_bytes = all[1];
}

/* The beginning is also a picture, but does not count as a timed one. */
static void begin(void *context)
{
    course *c = context;
    heat_state *state = c->state;
    heat_plate_reset(c->problem, state->plate);
    state->iteration = 0;
    state->halo_s = state->sent_bytes = 0;
    if (c->plan->restart) heat_check_point_read(c->plan->restart, c->problem, state);
    c->times->residual = NAN;
    c->times->converged = false;
    heat_batches_clear(&c->mine);
    if (c->plan->collect_every > 0 && state->iteration == 0) {
        heat_collect(state->plate, &c->picture);
        show(c);
    }
    cm_barrier(state->plate->group, CM_AUTO);
}

static double run(void *context, int64_t batches, double *value)
{
    course *c = context;
    const heat_plan *plan = c->plan;
    heat_times *times = c->times;
    (void)batches;
    double start_s = cm_time();
    while (c->state->iteration < plan->iterations && !times->converged) {
        if (plan->progress)
            cm_result_progress(plan->progress,
                               (double)c->state->iteration / (double)plan->iterations,
                               "%lld x %lld, iteration %lld", (long long)c->problem->columns,
                               (long long)c->problem->rows, (long long)c->state->iteration);
        iterate(c);
        meet(c);
    }
    reduce(c, value);
    if (!times->converged) times->residual = heat_residual(c->state);
    return cm_time() - start_s;
}

/* A trial is a run, and a sample is a batch of it. A run must reach its end whatever the rule says,
   because the user asked for its iterations; its batches show how its rate varies without a second
   run. */
void heat_solve(const cm_sampling *sampling, const heat_plan *plan, const heat_problem *problem,
                heat_state *state, heat_times *times)
{
    course c = {.plan = plan, .problem = problem, .state = state, .times = times};
    const cm_subject subject = {.each = true,
                                .least_operations = HEAT_MOST_BATCHES,
                                .most_operations = HEAT_MOST_BATCHES,
                                .prepare = begin,
                                .trial = run,
                                .context = &c};
    *times = (heat_times){.sampled.samples = &times->iteration_s};
    if (plan->collect_every > 0) heat_picture_open(state->plate, plan->picture_points, &c.picture);
    cm_sample(sampling, state->plate->group, 1, &subject, &times->sampled);
    heat_picture_close(&c.picture);
}

/* ---- Before the first run -------------------------------------------------------------------- */

static double iterate_alone(void *context, int64_t iterations, double *value)
{
    double start_s = cm_time();
    heat_iterate(context, iterations);
    double time_s = cm_time() - start_s;
    *value = time_s / (double)iterations;
    return time_s;
}

void heat_warm_up(const cm_sampling *sampling, const heat_state *state)
{
    heat_state tried = *state;
    const cm_subject subject = {.trial = iterate_alone, .context = &tried};
    cm_sample_warm_up(sampling, state->plate->group, &subject);
}
