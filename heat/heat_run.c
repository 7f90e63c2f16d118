/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_run.c: one plate or a series of them, and the result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "heat.h"

const cm_metric heat_metrics[] = {
    {"rate_GLUP_per_s", "GLUP/s", CM_BETTER_HIGH, "points renewed a second, 10^9, largest plate"},
    {"speed_up", "1", CM_BETTER_HIGH, "over the plain program on one rank, iterations alone"},
    {"sweeps", "1", CM_BETTER_LOW,
     "iterations until no temperature is farther than --tolerance from the mean of its "
     "neighbours"},
    {0},
};

enum { COLUMNS = 26, FIGURE_POINTS = 64 };
static const double serial_limit_s = 3;

typedef struct {
    const heat_options *options;
    cm_result *result;    /* leader */
    cm_group *alone;      /* leader; NULL elsewhere */
    heat_problem problem; /* the plate that is next */
    double triad_B_per_s;
    double serial_s;             /* an iteration of the plain program; NAN: not measured */
    double beyond, beyond_bound; /* how far temperatures are outside the known range; may be */
    heat_verdict verdict;        /* worst of all plates */
    struct {
        heat_stores stores;
        int64_t steps;
    } verified[HEAT_MOST_SERIES];
    int n_verified;
    double rate_GLUP_per_s, speed_up; /* of the last plate */
    int64_t sweeps;                   /* to the tolerance; 0: not reached */
} run;

/* ---- The result ------------------------------------------------------------------------------ */

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
{
    static const cm_result_column columns[COLUMNS] = {
        {"columns", "%.0f"},
        {"rows", "%.0f"},
        {"ranks", "%.0f"},
        {"iterations", "%.0f"},
        {"stores", "%.0f"},
        {"steps", "%.0f"},
        {"n", "%.0f"},
        {"min_ms", "%.5g"},
        {"median_ms", "%.5g"},
        {"low_ms", "%.5g"},
        {"high_ms", "%.5g"},
        {"GLUP_per_s", "%.4g"},
        {"MB_per_s", "%.5g"},
        {"roofline_share", "%.3f"},
        {"halo_share", "%.3f"},
        {"collected", "%.0f"},
        {"collect_ms", "%.5g"},
        {"show_ms", "%.5g"},
        {"collect_share", "%.3f"},
        {"total_ms", "%.5g"},
        {"serial_ms", "%.5g"},
        {"speed_up", "%.3f"},
        {"total_speed_up", "%.3f"},
        {"paper_1_ms", "%g"},
        {"paper_2_ms", "%g"},
        {"paper_speed_up", "%g"},
    };
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
}

/* Chebyshev reads what it replaces besides. */
static double point_bytes(const run *r)
{
    double number = r->problem.precision == HEAT_SINGLE ? sizeof(float) : sizeof(double);
    return number * (r->problem.method == HEAT_CHEBYSHEV ? 3 : 2);
}

static void write_metadata(const run *r)
{
    static const char *const methods[] = {"Jacobi", "Gauss-Seidel, red-black", "SOR, red-black",
                                          "Chebyshev's semi-iteration for Jacobi"};
    const heat_options *options = r->options;
    cm_run_meta(r->result);
    cm_run_meta_bound(r->result, options->bind);
    cm_result_meta(r->result, "method", "%s", methods[r->problem.method]);
    cm_result_meta(r->result, "precision", "%s",
                   r->problem.precision == HEAT_SINGLE ? "single" : "double");
    if (r->problem.method == HEAT_SOR && !options->series_text)
        cm_result_meta_number(r->result, "omega", r->problem.omega, "%.8g");
    for (int s = 0; s < HEAT_SIDES; s++)
        cm_result_meta(r->result, "side", "%s %s", heat_side_names[s], options->side_text[s]);
    cm_result_meta_number(r->result, "initial", r->problem.initial, "%g");
    cm_result_meta(r->result, "sample",
                   "a batch of iterations between collections, checks and check points, on the "
                   "slowest rank; time of an iteration");
    cm_result_meta(r->result, "stores", "1: plain loops; 2: ordinary; 3: past the caches");
    cm_result_meta_number(r->result, "collect_every", (double)options->collect_every, "%.0f");
    if (options->tolerance > 0)
        cm_result_meta_number(r->result, "tolerance", options->tolerance, "%g");
    if (options->restart)
        cm_result_meta_number(r->result, "restart_iteration", (double)options->restart_iteration,
                              "%.0f");
    cm_result_meta_number(r->result, "point_bytes", point_bytes(r), "%.0f");
    if (!options->no_stream) {
        cm_result_meta_number(r->result, "triad_MB_per_s", 1e-6 * r->triad_B_per_s, "%.0f");
        cm_result_meta_number(r->result, "roofline_GLUP_per_s",
                              1e-9 * r->triad_B_per_s / point_bytes(r), "%.4g");
    }
}

static void write_row(run *r, const heat_state *state, const heat_run_times *times)
{
    const heat_problem *problem = &r->problem;
    double points = (double)problem->rows * (double)problem->columns,
           bytes = points * point_bytes(r);
    double n = (double)times->iterations,
           all_s = times->compute_s + times->collect_s + times->show_s;
    /* The plain program has its plate where it is: nothing to collect, but as much to show. */
    double total_s = (times->compute_s + times->collect_s) / n;
    heat_printed paper = heat_paper(problem->rows, problem->columns);
    cm_summary s;
    if (!cm_summarize(&times->iteration_s, &s)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    double pictures = times->collected ? (double)times->collected : NAN;
    const double values[COLUMNS] = {
        (double)problem->columns,
        (double)problem->rows,
        cm_size(cm_world()),
        (double)times->first + n,
        state->stores,
        (double)state->steps,
        (double)s.n,
        1e3 * s.min,
        1e3 * s.median,
        1e3 * s.low,
        1e3 * s.high,
        1e-9 * points / s.median,
        1e-6 * bytes / s.median,
        bytes / s.median / r->triad_B_per_s,
        times->halo_s / times->compute_s,
        (double)times->collected,
        1e3 * times->collect_s / pictures,
        1e3 * times->show_s / pictures,
        (times->collect_s + times->show_s) / all_s,
        1e3 * total_s,
        1e3 * r->serial_s,
        r->serial_s / s.median,
        r->serial_s / total_s,
        paper.one_ms,
        paper.two_ms,
        paper.speed_up,
    };
    cm_result_row(r->result, values, &times->iteration_s, "s");
    r->rate_GLUP_per_s = 1e-9 * points / s.median;
    r->speed_up = r->serial_s / s.median;
}

/* Rows of the plate, thinned, as comments that the figure reads. */
static void write_plate(const run *r, const heat_plate *plate)
{
    heat_picture picture;
    heat_picture_open(plate, FIGURE_POINTS, &picture);
    heat_collect(plate, &picture);
    for (int64_t i = 0; r->result && i < picture.rows; i++) {
        char line[FIGURE_POINTS * 16] = "";
        size_t used = 0;
        for (int64_t j = 0; j < picture.columns; j++)
            used += (size_t)snprintf(line + used, sizeof line - used, " %.4g",
                                     heat_picture_at(plate, &picture, i, j));
        cm_result_comment(r->result, "plate:%s", line);
    }
    heat_picture_close(&picture);
}

static void write_verdicts(run *r)
{
    const heat_options *options = r->options;
    cm_result_check(r->result, "analytic_error", r->verdict.error, "<=", r->verdict.error_bound);
    cm_result_check(r->result, "order", r->verdict.order, ">=", 1.8);
    cm_result_check(r->result, "different_from_plain", r->verdict.different, "==", 0);
    cm_result_check(r->result, "asymmetric", r->verdict.asymmetric, "==", 0);
    cm_result_check(r->result, "beyond_range", r->beyond, "<=", r->beyond_bound);
    cm_result_verdict(r->result, true, "rate_GLUP_per_s", r->rate_GLUP_per_s);
    if (options->serial) cm_result_verdict(r->result, true, "speed_up", r->speed_up);
    if (r->sweeps > 0) cm_result_verdict(r->result, true, "sweeps", (double)r->sweeps);
}

/* ---- Verification ---------------------------------------------------------------------------- */

static void verify(run *r, heat_stores stores, int64_t steps)
{
    for (int k = 0; k < r->n_verified; k++)
        if (r->verified[k].stores == stores && r->verified[k].steps == steps) return;
    bool first = r->verdict.error_bound == 0;
    heat_verdict v = heat_verify(&r->problem, r->alone, stores, steps);
    r->verified[r->n_verified].stores = stores;
    r->verified[r->n_verified++].steps = steps;
    r->verdict.error_bound = v.error_bound;
    r->verdict.error = first ? v.error : fmax(r->verdict.error, v.error);
    r->verdict.order = first ? v.order : fmin(r->verdict.order, v.order);
    r->verdict.different += v.different;
    r->verdict.asymmetric += v.asymmetric;
}

static void range_of(const heat_problem *problem, double *low, double *high)
{
    heat_sides_range(problem->sides, problem->rows, problem->columns, low, high);
    if (problem->method > HEAT_GAUSS_SEIDEL) return;
    *low = fmin(*low, problem->initial);
    *high = fmax(*high, problem->initial);
}

/* The discrete maximum principle: no temperature outside those of the sides and of the beginning.
   A mean keeps that to the last bit; Gauss-Seidel's correction rounds; SOR and Chebyshev overshoot
   on their way, but are no farther from the steady state than the residual tells. */
static void check_range(run *r, const heat_plate *plate, double residual)
{
    const heat_problem *problem = &r->problem;
    const heat_kernels *k = plate->kernels;
    double low, high, mine[2], all[2], known[2], number;
    range_of(problem, &low, &high);
    k->range(heat_at(plate, plate->now, 1, 1), plate->stride, plate->mine, plate->columns, &mine[0],
             &mine[1]);
    bool strange = isnan(mine[0]);
    mine[0] = strange ? INFINITY : -mine[0];
    mine[1] = strange ? INFINITY : mine[1];
    cm_allreduce(plate->group, mine, all, 2, CM_DOUBLE, CM_MAX, CM_AUTO);
    k->set(&number, 0, low);
    known[0] = k->get(&number, 0);
    k->set(&number, 0, high);
    known[1] = k->get(&number, 0);
    double rounding = 8 * k->epsilon * fmax(fabs(low), fabs(high));
    double bound = problem->method == HEAT_JACOBI ? 0
                   : problem->method == HEAT_GAUSS_SEIDEL
                       ? rounding
                       : (residual + rounding) * heat_error_factor(problem->rows, problem->columns);
    double beyond = fmax(0, fmax(known[0] + all[0], all[1] - known[1]));
    if (beyond - bound >= r->beyond - r->beyond_bound) {
        r->beyond = beyond;
        r->beyond_bound = bound;
    }
}

/* ---- Plates ---------------------------------------------------------------------------------- */

static void measure_serial(run *r)
{
    r->serial_s = NAN;
    if (r->options->serial && r->alone) {
        r->serial_s = heat_serial_s(&r->problem, r->alone, r->options->iterations, serial_limit_s);
        if (isnan(r->serial_s)) cm_abort(CM_EXIT_SYSTEM, "out of memory for the plain program");
    }
    cm_barrier(cm_world(), CM_AUTO);
}

/* Where nothing overshoots, no two temperatures differ by more than the range: early on it tells
   more. */
static void say_end(const run *r, const heat_run_times *times)
{
    const heat_problem *problem = &r->problem;
    double low, high,
        farthest = times->residual * heat_error_factor(problem->rows, problem->columns);
    range_of(problem, &low, &high);
    if (problem->method <= HEAT_GAUSS_SEIDEL) farthest = fmin(farthest, high - low);
    if (r->options->tolerance > 0 && !times->converged)
        cm_result_comment(r->result, "the tolerance was not reached within --iterations");
    cm_result_comment(
        r->result,
        "%lld x %lld: residual %.3g, so that no temperature is farther than %.3g from the "
        "steady state",
        (long long)problem->columns, (long long)problem->rows, times->residual, farthest);
}

/* The neighbours' rows that are kept: one for each step that is or may be taken. */
static int64_t depth_of(const heat_options *options, const heat_problem *problem)
{
    int64_t block = problem->rows / cm_size(cm_world());
    if (options->steps) return options->steps;
    return block < HEAT_WAVE_STEPS ? block : HEAT_WAVE_STEPS;
}

static void measure(run *r, bool last)
{
    const heat_options *options = r->options;
    heat_plate plate;
    heat_run_times times;
    measure_serial(r);
    int64_t depth = depth_of(options, &r->problem);
    if (!heat_plate_open(&r->problem, cm_world(), depth, &plate))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the plate");
    heat_state state = heat_begin(&r->problem, &plate, depth);
    heat_choose((heat_stores)options->stores, options->steps, &state);
    heat_plate_reset(&r->problem, &plate);
    if (options->restart) heat_check_point_read(options->restart, &r->problem, &state);

    double low, high;
    heat_sides_range(r->problem.sides, r->problem.rows, r->problem.columns, &low, &high);
    low = fmin(low, r->problem.initial);
    high = fmax(high, r->problem.initial);
    if (options->frames && r->alone) heat_frames_open(options->frames, options->restart, low, high);
    heat_plan plan = {
        .iterations = options->iterations,
        .tolerance = options->tolerance,
        .check_every = options->check_every,
        .collect_every = options->collect_every,
        .picture_points = options->picture_points,
        .frames = options->frames,
        .watch = options->watch && r->alone ? heat_watch_open(low, high) : NULL,
        .watch_all = options->watch,
        .check_point = options->check_point,
        .check_point_every = options->check_point_every,
        .progress = r->result,
    };
    heat_solve(&plan, &r->problem, &state, &times);
    heat_watch_close(plan.watch);
    check_range(r, &plate, times.residual);
    r->sweeps = times.converged ? state.iteration : 0;
    if (r->result) {
        write_row(r, &state, &times);
        say_end(r, &times);
    }
    if (options->plate && last) write_plate(r, &plate);
    cm_samples_free(&times.iteration_s);
    heat_stores stores = state.stores;
    int64_t steps = state.steps;
    heat_end(&state);
    heat_plate_close(&plate);
    verify(r, stores, steps);
}

/* What the leader has besides its rows is counted for all ranks of its host together. */
static void require_memory(const run *r)
{
    const heat_options *options = r->options;
    int ranks = cm_size(cm_world()), together = cm_run_ranks_on_host(cm_world(), HEAT_LEADER);
    heat_problem largest = r->problem;
    for (int k = 0; k < options->n_series; k++)
        if (options->series[k] > largest.columns)
            largest.rows = largest.columns = options->series[k];
    size_t plate = heat_plate_bytes(&largest, ranks, depth_of(options, &largest)),
           whole = heat_plate_bytes(&largest, 1, 1), leader = 0;
    if (options->serial) leader = whole;
    if (options->collect_every > 0)
        leader += 2 * heat_picture_bytes(&largest, options->picture_points);
    size_t bytes = plate + leader / (size_t)together,
           stream = options->no_stream ? 0 : heat_roofline_bytes();
    const char *name = options->series_text ? "--series" : "--size";
    cm_run_require_memory(bytes > stream ? bytes : stream, name, "%s %lld", name,
                          (long long)largest.columns);
}

static int check_ranks(const cm_benchmark *benchmark, const run *r)
{
    const heat_options *options = r->options;
    int64_t least = r->problem.rows;
    for (int k = 0; k < options->n_series; k++)
        if (!options->rows && options->series[k] < least) least = options->series[k];
    int64_t block = least / cm_size(cm_world());
    if (block >= 1 && block >= options->steps) return 0;
    if (cm_rank(cm_world()) != HEAT_LEADER) return CM_EXIT_USAGE;
    if (block >= 1)
        return cm_option_error(
            benchmark->program,
            "--steps-per-sweep %lld: the smallest block of %lld rows on %d ranks has "
            "%lld; at most that will do",
            (long long)options->steps, (long long)least, cm_size(cm_world()), (long long)block);
    return cm_option_error(benchmark->program,
                           "%lld rows for %d ranks: at most one rank a row; a larger %s or fewer "
                           "ranks will do",
                           (long long)least, cm_size(cm_world()),
                           options->rows          ? "--rows"
                           : options->series_text ? "--series"
                                                  : "--size");
}

int heat_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    heat_options *options = benchmark->options;
    int rank = cm_rank(cm_world());
    int status = cm_run_require_processes(benchmark->program, "do not compute");
    if (status) return status;
    run r = {
        .options = options, .problem = options->problem, .triad_B_per_s = NAN, .speed_up = NAN};
    if ((status = check_ranks(benchmark, &r))) return status;
    if (options->bind) cm_run_bind();
    heat_side_share(r.problem.sides);
    cm_bcast(cm_world(), &options->restart_iteration, sizeof options->restart_iteration,
             HEAT_LEADER, CM_AUTO);
    require_memory(&r);
    r.alone = cm_split(cm_world(), rank == HEAT_LEADER ? 0 : -1, rank);
    if (!options->no_stream) r.triad_B_per_s = heat_roofline_B_per_s();
    if (rank == HEAT_LEADER) {
        r.result = open_result(benchmark, argc, argv);
        if (!r.result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
        write_metadata(&r);
    }
    for (int k = 0; k < options->n_series; k++) {
        r.problem.columns = options->series[k];
        r.problem.rows = options->rows ? options->rows : options->series[k];
        if (!(options->omega > 0))
            r.problem.omega = heat_best_omega(r.problem.rows, r.problem.columns);
        measure(&r, k + 1 == options->n_series);
    }
    if (r.result) {
        write_verdicts(&r);
        status = cm_result_close(r.result);
    }
    cm_group_free(r.alone);
    return status;
}
