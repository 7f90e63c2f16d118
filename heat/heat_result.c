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

/* clang-format off */
static const cm_result_column columns[] = {
    {"columns", "%.0f"}, {"rows", "%.0f"}, {"ranks", "%.0f"},
    {"grid_rows", "%.0f"}, {"grid_columns", "%.0f"},
    {"method", "=jacobi|gauss-seidel|sor|chebyshev|multigrid"}, {"iterations", "%.0f"},
    {"stores", "=auto|plain|ordinary|non-temporal"}, {"steps", "%.0f"}, {"runs", "%.0f"},
    CM_SAMPLE_COLUMNS("_ms", "%.5g"),
    {"GLUP_per_s", "%.4g"}, {"MB_per_s", "%.5g"}, {"roofline_share", "%.3f"},
    {"halo_share", "%.3f"},
    {"collected", "%.0f"}, {"collect_ms", "%.5g"}, {"show_ms", "%.5g"}, {"collect_share", "%.3f"},
    {"total_ms", "%.5g"}, {"serial_ms", "%.5g"}, {"alone_ms", "%.5g"},
    {"speed_up", "%.3f"}, {"total_speed_up", "%.3f"}, {"gain_over_plain", "%.3f"},
    {"solve_s", "%.5g"}, {"sent_MB", "%.5g"},
    {"paper_1_ms", "%g"}, {"paper_2_ms", "%g"}, {"paper_speed_up", "%g"},
};
/* clang-format on */
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

cm_result *heat_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                            const heat_problem *problem, const heat_triad *triad)
{
    const heat_options *options = benchmark->options;
    double bytes = point_bytes(problem);
    cm_result *result = cm_run_result_open(benchmark, argc, argv, columns, COLUMNS);
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
    heat_printed paper = heat_paper(problem->rows, problem->columns);
    const cm_summary s = cm_sample_summary(&times->iteration_s), s_ms = in_ms(s);
    const bool is_alone = cm_size(cm_world()) == 1 && !isnan(serial_s);
    const cm_summary alone = is_alone ? s : findings->alone_s;
    const double alone_s = alone.median;
    double pictures = times->collected ? (double)times->collected : NAN;
    const double iterations = times->converged ? (double)state->iteration : 0;
    const cm_quantity all_ranks_s = cm_quantity_median(&s);
    findings->solve_s[problem->method] = cm_quantity_scale(all_ranks_s, iterations);
    double values[COLUMNS], *next = values;
    *next++ = (double)problem->columns;
    *next++ = (double)problem->rows;
    *next++ = cm_size(cm_world());
    *next++ = state->plate->grid.rows;
    *next++ = state->plate->grid.columns;
    *next++ = problem->method;
    *next++ = (double)state->iteration;
    *next++ = state->stores;
    *next++ = (double)state->steps;
    *next++ = (double)times->sampled.trials;
    next = cm_sample_values(&s_ms, next);
    *next++ = 1e-9 * points / s.median;
    *next++ = 1e-6 * bytes / s.median;
    *next++ = bytes / s.median / findings->triad.best_B_per_s;
    *next++ = times->halo_s / times->compute_s;
    *next++ = (double)times->collected;
    *next++ = 1e3 * times->collect_s / pictures;
    *next++ = 1e3 * times->show_s / pictures;
    *next++ = (times->collect_s + times->show_s) / all_s;
    *next++ = 1e3 * total_s;
    *next++ = 1e3 * serial_s;
    *next++ = 1e3 * alone_s;
    *next++ = alone_s / s.median;
    *next++ = alone_s / total_s;
    *next++ = serial_s / alone_s;
    *next++ = times->converged ? iterations * s.median : NAN;
    *next++ = 1e-6 * times->sent_bytes;
    *next++ = paper.one_ms;
    *next++ = paper.two_ms;
    *next++ = paper.speed_up;
    cm_result_row(result, values, &times->iteration_s, "s");
    cm_sample_count(&findings->tally, &times->sampled, 1);
    const cm_quantity one_rank_s = cm_quantity_median(&alone);
    findings->rate_GLUP_per_s = cm_quantity_invert(all_ranks_s, 1e-9 * points);
    findings->speed_up = cm_quantity_ratio(one_rank_s, all_ranks_s);
    findings->gain_over_plain =
        cm_quantity_ratio(cm_quantity_median(&findings->serial_s), one_rank_s);
}

/* If nothing overshoots, no two temperatures differ by more than the range. Early in a run that is
   a closer bound. */
void heat_result_end(cm_result *result, const heat_options *options, const heat_problem *problem,
                     const heat_times *times)
{
    double low, high,
        farthest = times->residual * heat_error_factor(problem->rows, problem->columns);
    heat_range(problem, &low, &high);
    if (problem->method <= HEAT_GAUSS_SEIDEL) farthest = fmin(farthest, high - low);
    if (options->tolerance > 0 && !times->converged)
        cm_result_comment(result, "the tolerance was not reached within --iterations");
    cm_result_comment(
        result,
        "%lld x %lld: residual %.3g, so that no temperature is farther than %.3g from the "
        "steady state",
        (long long)problem->columns, (long long)problem->rows, times->residual, farthest);
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

void heat_result_verdicts(cm_result *result, const heat_options *options,
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
