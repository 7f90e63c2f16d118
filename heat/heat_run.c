/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_run.c: runs one plate or a series of them: the choice of stores and steps, one rank
   alone, the runs, and the verification. */
#include <math.h>
#include "heat.h"

typedef struct {
    const heat_options *options;
    cm_result *result;    /* leader */
    cm_group *alone;      /* leader; NULL elsewhere */
    heat_problem problem; /* the next plate */
    heat_findings findings;
    struct {
        heat_method method;
        heat_stores stores;
        int64_t steps;
        heat_grid blocks;
    } verified[HEAT_MOST_SERIES];
    int n_verified;
} job;

/* ---- Verification ---------------------------------------------------------------------------- */

static void verify(job *j, heat_stores stores, int64_t steps)
{
    for (int k = 0; k < j->n_verified; k++)
        if (j->verified[k].method == j->problem.method && j->verified[k].stores == stores
            && j->verified[k].steps == steps
            && j->verified[k].blocks.columns == j->problem.blocks.columns)
            return;
    bool first = j->n_verified == 0;
    heat_verdict v = heat_verify(&j->problem, j->alone, stores, steps),
                 *worst = &j->findings.verdict;
    j->verified[j->n_verified].method = j->problem.method;
    j->verified[j->n_verified].stores = stores;
    j->verified[j->n_verified].blocks = j->problem.blocks;
    j->verified[j->n_verified++].steps = steps;
    worst->error_bound = v.error_bound;
    worst->error = first ? v.error : fmax(worst->error, v.error);
    worst->order = first ? v.order : fmin(worst->order, v.order);
    worst->different += v.different;
    worst->asymmetric += v.asymmetric;
}

static void verify_range(job *j, const heat_plate *plate, double residual)
{
    heat_beyond *farthest = &j->findings.beyond,
                now = heat_verify_range(&j->problem, plate, residual);
    if (now.by - now.bound >= farthest->by - farthest->bound) *farthest = now;
}

/* ---- Plates ---------------------------------------------------------------------------------- */

/* The leader alone, with the kernel that was chosen for all ranks. */
static void measure_alone(job *j, const heat_plan *plan, const heat_state *state)
{
    heat_findings *f = &j->findings;
    f->serial_s = f->alone_s = (cm_summary){.median = NAN, .low = NAN, .high = NAN};
    if (!j->options->serial) return;
    if (j->alone
        && !heat_alone(&j->options->sampling, &j->problem, state, heat_batch(plan, state), j->alone,
                       &f->serial_s, &f->alone_s))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the plate on one rank");
    cm_barrier(cm_world(), CM_AUTO);
}

static int64_t check_every(const heat_options *options, heat_method method)
{
    if (options->check_every) return options->check_every;
    return method == HEAT_MULTIGRID ? 1 : 10;
}

static heat_plan plan_of(const job *j)
{
    const heat_options *options = j->options;
    return (heat_plan){
        .iterations = options->iterations,
        .tolerance = options->tolerance,
        .check_every = check_every(options, j->problem.method),
        .collect_every = options->collect_every,
        .picture_points = options->picture_points,
        .frames = options->frames,
        .watch_all = options->watch,
        .restart = options->restart,
        .checkpoint = options->checkpoint,
        .checkpoint_every = options->checkpoint_every,
        .progress = j->result,
    };
}

static void solve(const job *j, heat_plan plan, heat_state *state, heat_times *times)
{
    const heat_options *options = j->options;
    double low, high;
    heat_sides_range(j->problem.sides, j->problem.rows, j->problem.columns, &low, &high);
    low = fmin(low, j->problem.initial);
    high = fmax(high, j->problem.initial);
    if (options->frames && j->alone) heat_frames_open(options->frames, options->restart, low, high);
    if (options->watch && j->alone) plan.watch = heat_watch_open(low, high);
    heat_solve(&options->sampling, &plan, &j->problem, state, times);
    heat_watch_close(plan.watch);
}

static void choose_blocks(job *j)
{
    const int ranks = cm_size(cm_world());
    if (!j->options->choose_blocks || ranks == 1) return;
    const bool one = j->problem.method != HEAT_JACOBI;
    const heat_model model = heat_model_measure(&j->problem, one ? 1 : j->options->steps);
    j->problem.blocks = heat_model_choose(&model, &j->problem, ranks);
    if (j->result) heat_model_tell(j->result, &model, &j->problem, ranks);
}

/* Iterations between events that end a pass; 0: none do. */
static int64_t passes_end_every(const heat_options *options)
{
    const int64_t events[] = {options->collect_every,
                              options->checkpoint ? options->checkpoint_every : 0,
                              options->tolerance > 0 ? check_every(options, HEAT_JACOBI) : 0};
    int64_t every = 0;
    for (size_t k = 0; k < sizeof events / sizeof *events; k++)
        if (events[k] > 0 && (every == 0 || events[k] < every)) every = events[k];
    return every;
}

static void measure(job *j, bool first, bool last)
{
    const heat_options *options = j->options;
    heat_plate plate;
    heat_times times;
    choose_blocks(j);
    int64_t depth = j->problem.method == HEAT_JACOBI ? heat_depth(options, &j->problem) : 1;
    if (!heat_plate_open(&j->problem, cm_world(), depth, &plate))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the plate");
    heat_state state = heat_begin(&j->problem, &plate, depth);
    const heat_between between = {passes_end_every(options), options->collect_every,
                                  options->picture_points};
    heat_choose((heat_stores)options->stores, options->steps, &between, &state);
    const heat_plan plan = plan_of(j);
    measure_alone(j, &plan, &state);
    if (first) heat_warm_up(&options->sampling, &state);
    solve(j, plan, &state, &times);
    verify_range(j, &plate, times.residual);
    j->findings.sweeps = times.converged ? state.iteration : 0;
    if (j->result) {
        heat_result_row(j->result, &j->problem, &state, &times, &j->findings);
        heat_result_end(j->result, options, &j->problem, &times);
    }
    if (options->plate && last) heat_result_plate(j->result, &plate);
    cm_samples_free(&times.iteration_s);
    heat_stores stores = state.stores;
    int64_t steps = state.steps;
    heat_end(&state);
    heat_plate_close(&plate);
    verify(j, stores, steps);
}

int heat_run(const cm_benchmark *benchmark)
{
    heat_options *options = benchmark->options;
    int rank = cm_rank(cm_world());
    int status = cm_run_require_processes(benchmark->program, "do not compute");
    if (status) return status;
    if ((status = heat_check_ranks(benchmark->program, options))) return status;
    cm_run_bind(options->sampling.bind);
    job j = {.options = options, .problem = options->problem, .findings = {.triad = {NAN, NAN, 0}}};
    heat_side_share(j.problem.sides);
    cm_bcast(cm_world(), &options->restart_iteration, sizeof options->restart_iteration,
             HEAT_LEADER, CM_AUTO);
    heat_require_memory(options);
    j.alone = cm_split(cm_world(), rank == HEAT_LEADER ? 0 : -1, rank);
    if (!options->no_stream) j.findings.triad = heat_roofline();
    if (rank == HEAT_LEADER) j.result = heat_result_open(benchmark, &j.problem, &j.findings.triad);
    for (int k = 0; k < options->n_series; k++) {
        j.problem.columns = options->series[k];
        j.problem.rows = options->rows ? options->rows : options->series[k];
        if (!(options->omega > 0))
            j.problem.omega = heat_best_omega(j.problem.rows, j.problem.columns);
        for (int m = 0; m < options->n_methods; m++) {
            j.problem.method = options->methods[m];
            measure(&j, k + m == 0, k + 1 == options->n_series && m + 1 == options->n_methods);
        }
    }
    if (j.result) {
        heat_result_metrics(j.result, options, &j.findings);
        status = cm_result_close(j.result);
    }
    cm_group_free(j.alone);
    return status;
}
