/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_result.c: metadata, a row and comments for each plate, checks and metrics. */
#include <math.h>
#include <stdio.h>
#include "heat.h"

const cm_metric heat_metrics[] = {
    {"rate_GLUP_per_s", "Points renewed", "GLUP/s", CM_BETTER_HIGH,
     "points renewed per second, on the largest plate"},
    {"speed_up", "Speed-up over one rank", "1", CM_BETTER_HIGH,
     "speed-up over one rank with the same kernel, stores, steps and precision, iterations alone"},
    {"gain_over_plain", "Kernel over plain loops", "1", CM_BETTER_HIGH,
     "how many times as fast this kernel is on one rank as plain loops"},
    {"sweeps", "Iterations to the steady state", "1", CM_BETTER_LOW,
     "iterations until every temperature is within --tolerance of the mean of its "
     "neighbours"},
    {"solve_s", "Time to the steady state", "s", CM_BETTER_LOW,
     "sweeps, or cycles, times the median time of one"},
    {"*_solve_s", "Time to the steady state: *", "s", CM_BETTER_LOW,
     "time of the iterations until --tolerance by this method of --methods"},
    {0},
};

const cm_labels heat_labels[] = {
    {"solve_s", "solve"},
    {"*_solve_s", "solve method=*"},
    {0},
};

const char *const heat_method_names[] = {"jacobi",    "gauss-seidel", "sor",
                                         "chebyshev", "multigrid",    NULL};

typedef struct {
    int64_t columns, rows, iterations, steps, runs, collected;
    int ranks;
    heat_grid grid;
    heat_method method;
    heat_stores stores;
    cm_summary time_ms;
    double GLUP_per_s, MB_per_s, roofline_share, halo_share;
    double collect_ms, show_ms, collect_share; /* of a picture; of the time */
    double total_ms, serial_ms, alone_ms, speed_up, total_speed_up, gain_over_plain;
    double solve_s, sent_MB;
    heat_printed paper;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, columns, "columns", "%.0f"),
    CM_COLUMN(table_row, rows, "rows", "%.0f"),
    CM_COLUMN(table_row, ranks, "ranks", "%.0f"),
    CM_COLUMN(table_row, grid.rows, "grid_rows", "%.0f"),
    CM_COLUMN(table_row, grid.columns, "grid_columns", "%.0f"),
    CM_COLUMN(table_row, method, "method", "=jacobi|gauss-seidel|sor|chebyshev|multigrid"),
    CM_COLUMN(table_row, iterations, "iterations", "%.0f"),
    CM_COLUMN(table_row, stores, "stores", "=auto|plain|ordinary|non-temporal"),
    CM_COLUMN(table_row, steps, "steps", "%.0f"),
    CM_COLUMN(table_row, runs, "runs", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, time_ms, "_ms", "%.5g"),
    CM_COLUMN(table_row, GLUP_per_s, "GLUP_per_s", "%.4g"),
    CM_COLUMN(table_row, MB_per_s, "MB_per_s", "%.5g"),
    CM_COLUMN(table_row, roofline_share, "roofline_share", "%.3f"),
    CM_COLUMN(table_row, halo_share, "halo_share", "%.3f"),
    CM_COLUMN(table_row, collected, "collected", "%.0f"),
    CM_COLUMN(table_row, collect_ms, "collect_ms", "%.5g"),
    CM_COLUMN(table_row, show_ms, "show_ms", "%.5g"),
    CM_COLUMN(table_row, collect_share, "collect_share", "%.3f"),
    CM_COLUMN(table_row, total_ms, "total_ms", "%.5g"),
    CM_COLUMN(table_row, serial_ms, "serial_ms", "%.5g"),
    CM_COLUMN(table_row, alone_ms, "alone_ms", "%.5g"),
    CM_COLUMN(table_row, speed_up, "speed_up", "%.3f"),
    CM_COLUMN(table_row, total_speed_up, "total_speed_up", "%.3f"),
    CM_COLUMN(table_row, gain_over_plain, "gain_over_plain", "%.3f"),
    CM_COLUMN(table_row, solve_s, "solve_s", "%.5g"),
    CM_COLUMN(table_row, sent_MB, "sent_MB", "%.5g"),
    CM_COLUMN(table_row, paper.one_ms, "paper_1_ms", "%g"),
    CM_COLUMN(table_row, paper.two_ms, "paper_2_ms", "%g"),
    CM_COLUMN(table_row, paper.speed_up, "paper_speed_up", "%g"),
};
enum { COLUMNS = sizeof columns / sizeof *columns, FIGURE_POINTS = 64 };

/* Chebyshev also reads what it replaces. A cycle of multigrid has no such number: its sweeps share
   what is in the caches, each grid as it can. */
static double point_bytes(const heat_problem *problem)
{
    if (problem->method == HEAT_MULTIGRID) return NAN;
    double number = problem->precision == HEAT_SINGLE ? sizeof(float) : sizeof(double);
    return number * (problem->method == HEAT_CHEBYSHEV ? 3 : 2);
}

static void write_problem(cm_result *result, const heat_options *options,
                          const heat_problem *problem)
{
    static const char *const methods[] = {"Jacobi", "Gauss-Seidel, red-black", "SOR, red-black",
                                          "Chebyshev's semi-iteration for Jacobi",
                                          "multigrid, V cycles"};
    if (options->methods_text) cm_result_meta(result, "method", "%s", options->methods_text);
    else cm_result_meta(result, "method", "%s", methods[problem->method]);
    cm_result_meta(result, "precision", "%s",
                   problem->precision == HEAT_SINGLE ? "single" : "double");
    if (problem->method == HEAT_SOR && !options->series_text)
        cm_result_meta_number(result, "omega", problem->omega, "%.8g");
    for (int s = 0; s < HEAT_SIDES; s++)
        cm_result_meta(result, "side", "%s %s", heat_side_names[s], options->side_text[s]);
    cm_result_meta_number(result, "initial", problem->initial, "%g");
    cm_result_meta(result, "stores", "plain: plain loops; ordinary; non-temporal: past the caches");
    if (options->blocks_text) cm_result_meta(result, "blocks", "%s", options->blocks_text);
    cm_result_meta_number(result, "collect_every", (double)options->collect_every, "%.0f");
    if (options->tolerance > 0)
        cm_result_meta_number(result, "tolerance", options->tolerance, "%g");
    if (options->restart)
        cm_result_meta_number(result, "restart_iteration", (double)options->restart_iteration,
                              "%.0f");
}

cm_result *heat_result_open(const cm_benchmark *benchmark, const heat_problem *problem,
                            const heat_triad *triad)
{
    const heat_options *options = benchmark->options;
    double bytes = point_bytes(problem);
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    cm_run_meta(result);
    cm_run_meta_bound(result, options->sampling.bind);
    write_problem(result, options, problem);
    cm_sample_meta(result, &options->sampling,
                   "a batch of a run's iterations, between collections, checks and checkpoints, "
                   "on the slowest rank; time of an iteration");
    if (!isnan(bytes)) cm_result_meta_number(result, "point_bytes", bytes, "%.0f");
    if (!options->no_stream) {
        cm_result_meta_number(result, "triad_MB_per_s", 1e-6 * triad->best_B_per_s, "%.0f");
        cm_result_meta_number(result, "triad_median_MB_per_s", 1e-6 * triad->median_B_per_s,
                              "%.0f");
        cm_result_meta_number(result, "triad_passes", (double)triad->passes, "%.0f");
        if (!isnan(bytes))
            cm_result_meta_number(result, "roofline_GLUP_per_s", 1e-9 * triad->best_B_per_s / bytes,
                                  "%.4g");
    }
    return result;
}

/* Samples are in seconds; columns are in milliseconds, as in the paper. */
static cm_summary in_ms(cm_summary s)
{
    double *const times[] = {&s.min, &s.median, &s.low, &s.high, &s.mean, &s.deviation, &s.max};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) *times[k] *= 1e3;
    return s;
}

void heat_result_row(cm_result *result, const heat_problem *problem, const heat_state *state,
                     const heat_times *times, heat_findings *findings)
{
    double points = (double)problem->rows * (double)problem->columns,
           bytes = points * point_bytes(problem),
           all_s = times->compute_s + times->collect_s + times->show_s;
    /* One rank has the plate in place: nothing to collect, but as much to show. */
    double total_s = (times->compute_s + times->collect_s) / (double)times->iterations,
           serial_s = findings->serial_s.median;
    const cm_summary s = cm_sample_summary(&times->iteration_s);
    const bool is_alone = cm_size(cm_world()) == 1 && !isnan(serial_s);
    const cm_summary alone = is_alone ? s : findings->alone_s;
    const double alone_s = alone.median;
    double pictures = times->collected ? (double)times->collected : NAN;
    const double iterations = times->converged ? (double)state->iteration : 0;
    const cm_quantity all_ranks_s = cm_quantity_median(&s);
    findings->solve_s[problem->method] = cm_quantity_scale(all_ranks_s, iterations);
    const table_row row = {
        .columns = problem->columns,
        .rows = problem->rows,
        .iterations = state->iteration,
        .steps = state->steps,
        .runs = times->sampled.trials,
        .collected = times->collected,
        .ranks = cm_size(cm_world()),
        .grid = state->plate->grid,
        .method = problem->method,
        .stores = state->stores,
        .time_ms = in_ms(s),
        .GLUP_per_s = 1e-9 * points / s.median,
        .MB_per_s = 1e-6 * bytes / s.median,
        .roofline_share = bytes / s.median / findings->triad.best_B_per_s,
        .halo_share = times->halo_s / times->compute_s,
        .collect_ms = 1e3 * times->collect_s / pictures,
        .show_ms = 1e3 * times->show_s / pictures,
        .collect_share = (times->collect_s + times->show_s) / all_s,
        .total_ms = 1e3 * total_s,
        .serial_ms = 1e3 * serial_s,
        .alone_ms = 1e3 * alone_s,
        .speed_up = alone_s / s.median,
        .total_speed_up = alone_s / total_s,
        .gain_over_plain = serial_s / alone_s,
        .solve_s = times->converged ? iterations * s.median : NAN,
        .sent_MB = 1e-6 * times->sent_bytes,
        .paper = heat_paper(problem->rows, problem->columns),
    };
    cm_result_row(result, &row, &times->iteration_s, "s");
    cm_sample_count(&findings->tally, &times->sampled, 1);
    const cm_quantity one_rank_s = cm_quantity_median(&alone);
    findings->rate_GLUP_per_s = cm_quantity_invert(all_ranks_s, 1e-9 * points);
    findings->speed_up = cm_quantity_ratio(one_rank_s, all_ranks_s);
    findings->gain_over_plain =
        cm_quantity_ratio(cm_quantity_median(&findings->serial_s), one_rank_s);
}

/* Returns by how much rounding can change a residual: the sums of a mean by an epsilon of the
   temperatures, the sides by half of one. */
static double rounding_of(const heat_problem *problem)
{
    double low, high;
    heat_sides_range(problem->sides, problem->rows, problem->columns, &low, &high);
    const double hottest = fmax(fmax(fabs(low), fabs(high)), fabs(problem->initial));
    return 1.5 * heat_number_epsilon(problem->precision) * hottest;
}

/* If nothing overshoots, no two temperatures differ by more than the range. Early in a run that is
   a closer bound. */
void heat_result_end(cm_result *result, const heat_options *options, const heat_problem *problem,
                     const heat_times *times)
{
    double low, high, rounding = rounding_of(problem),
                      farthest = (times->residual + rounding)
                                 * heat_error_factor(problem->rows, problem->columns);
    heat_range(problem, &low, &high);
    if (problem->method <= HEAT_GAUSS_SEIDEL) farthest = fmin(farthest, high - low);
    if (options->tolerance > 0 && !times->converged)
        cm_result_comment(result, "the tolerance was not reached within --iterations");
    cm_result_comment(
        result,
        "%lld x %lld: residual %.3g, so that no temperature is farther than %.3g from "
        "the steady state; rounding may hide a residual of %.2g",
        (long long)problem->columns, (long long)problem->rows, times->residual, farthest, rounding);
}

void heat_result_plate(cm_result *result, const heat_plate *plate)
{
    heat_picture picture;
    heat_picture_open(plate, FIGURE_POINTS, &picture);
    heat_collect(plate, &picture);
    for (int64_t i = 0; result && i < picture.rows; i++) {
        char line[FIGURE_POINTS * 16] = "";
        size_t used = 0;
        for (int64_t j = 0; j < picture.columns; j++)
            used += (size_t)snprintf(line + used, sizeof line - used, " %.4g",
                                     heat_picture_at(plate, &picture, i, j));
        cm_result_comment(result, "plate:%s", line);
    }
    heat_picture_close(&picture);
}

static void write_solved(cm_result *result, const heat_options *options,
                         const heat_findings *findings)
{
    if (!options->methods_text) {
        if (findings->sweeps == 0) return;
        cm_result_metric(result, true, "sweeps", cm_quantity_of((double)findings->sweeps));
        cm_result_metric(result, true, "solve_s", findings->solve_s[options->method]);
        return;
    }
    for (int m = 0; m < HEAT_METHODS; m++) {
        char name[32];
        if (findings->solve_s[m].value == 0) continue;
        snprintf(name, sizeof name, "%s_solve_s", heat_method_names[m]);
        for (char *at = name; *at; at++)
            if (*at == '-') *at = '_';
        cm_result_metric(result, true, name, findings->solve_s[m]);
    }
}

void heat_result_metrics(cm_result *result, const heat_options *options,
                         const heat_findings *findings)
{
    const heat_verdict *verdict = &findings->verdict;
    cm_sample_tell(result, &findings->tally);
    cm_result_check(result, "analytic_error", verdict->error, "<=", verdict->error_bound);
    cm_result_check(result, "order", verdict->order, ">=", 1.8);
    cm_result_check(result, "different_from_plain", verdict->different, "==", 0);
    cm_result_check(result, "asymmetric", verdict->asymmetric, "==", 0);
    cm_result_check(result, "beyond_range", findings->beyond.by, "<=", findings->beyond.bound);
    cm_result_metric(result, true, "rate_GLUP_per_s", findings->rate_GLUP_per_s);
    if (options->serial) {
        cm_result_metric(result, true, "speed_up", findings->speed_up);
        cm_result_metric(result, true, "gain_over_plain", findings->gain_over_plain);
    }
    write_solved(result, options, findings);
}
