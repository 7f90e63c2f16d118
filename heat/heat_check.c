/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_check.c: checks options together before anything is started, then that all ranks have enough
   rows and all hosts enough memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "heat.h"

enum { ITERATIONS = 1000, CYCLES = 100, ITERATIONS_TO_TOLERANCE = 1000000000 };
enum { USUAL_SIZE = 1024, USUAL_EVERY = 1000, USUAL_POINTS = 1024 };

static int parse_series(const cm_program *program, heat_options *options)
{
    options->n_series = (int)cm_option_integers(options->series_text, 1, HEAT_MOST_SIZE,
                                                options->series, HEAT_MOST_SERIES);
    if (options->n_series > 0) return 0;
    return cm_option_error(program,
                           "--series %s: expected 1 to %d sizes from 1 to %d, separated by commas",
                           options->series_text, HEAT_MOST_SERIES, HEAT_MOST_SIZE);
}

typedef struct {
    const char *name;
    bool is_there;
} given;

/* The first option of the list that was given, or NULL; the list ends with no name. */
static const char *first_given(const given *option)
{
    while (option->name && !option->is_there) option++;
    return option->name;
}

/* Refuses with a series what belongs to one plate. */
static int check_series(const cm_program *program, const heat_options *options)
{
    const given single[] = {
        {"size", options->size > 0},
        {"rows", options->rows > 0},
        {"frames", options->frames != NULL},
        {"watch", options->watch},
        {"checkpoint", options->checkpoint != NULL},
        {"restart", options->restart != NULL},
        {NULL, true},
    };
    const char *name = first_given(single);
    if (name)
        return cm_option_error(program, "--series and --%s: that is for one plate; give --size",
                               name);
    for (int s = 0; s < HEAT_SIDES; s++)
        if (strncmp(options->side_text[s], "file:", 5) == 0)
            return cm_option_error(program,
                                   "--series and --%s %s: that needs one plate; give --size",
                                   heat_side_names[s], options->side_text[s]);
    return 0;
}

/* A second run would overwrite the files of the first one, or show the same pictures again. */
static int check_runs(const cm_program *program, const heat_options *options)
{
    const given single[] = {
        {"frames", options->frames != NULL},
        {"watch", options->watch},
        {"checkpoint", options->checkpoint != NULL},
        {NULL, true},
    };
    const char *name = options->sampling.runs > 1 ? first_given(single) : NULL;
    if (name)
        return cm_option_error(program, "--repeat %lld and --%s: that needs a single run",
                               (long long)options->sampling.runs, name);
    return 0;
}

static int check_sides(const cm_program *program, heat_options *options)
{
    for (int s = 0; s < HEAT_SIDES; s++) {
        heat_side *side = &options->problem.sides[s];
        int status = heat_side_parse(program, (heat_place)s, options->side_text[s], side);
        if (status) return status;
        bool along_rows = s == HEAT_NORTH || s == HEAT_SOUTH;
        int64_t n = along_rows ? options->problem.columns : options->problem.rows;
        if (side->profile == HEAT_FILE && cm_launch_rank() == 0 && side->points != n)
            return cm_option_error(
                program, "--%s %s holds %lld temperatures; the side has %lld points",
                heat_side_names[s], options->side_text[s], (long long)side->points, (long long)n);
    }
    return 0;
}

static int check_steps(const cm_program *program, heat_options *options)
{
    const char *text = options->steps_text;
    bool one =
        options->series_text || options->method != HEAT_JACOBI || options->stores == HEAT_PLAIN;
    options->steps = one ? 1 : 0;
    if (!text) return 0;
    char *end;
    long long steps = strtoll(text, &end, 10);
    bool is_auto = strcmp(text, "auto") == 0;
    if (!is_auto && (end == text || *end || steps < 1 || steps > HEAT_MOST_SIZE))
        return cm_option_error(program,
                               "--steps-per-sweep %s: expected a number from 1 to %d, or auto",
                               text, HEAT_MOST_SIZE);
    options->steps = is_auto ? 0 : steps;
    if (options->steps != 1 && options->method != HEAT_JACOBI)
        return cm_option_error(program, "--steps-per-sweep %s requires --method jacobi", text);
    if (options->steps != 1 && options->stores == HEAT_PLAIN)
        return cm_option_error(
            program, "--steps-per-sweep %s and --stores plain: a plain sweep is one step", text);
    return 0;
}

/* Methods are compared by what one plate takes to the same tolerance. */
static int check_methods(const cm_program *program, heat_options *options)
{
    const char *text = options->methods_text;
    if (!text) {
        options->methods[options->n_methods++] = (heat_method)options->method;
        return 0;
    }
    bool all = strcmp(text, "all") == 0;
    for (const char *at = text; at && !all; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        int m = 0;
        while (m < HEAT_METHODS
               && (strlen(heat_method_names[m]) != length
                   || strncmp(heat_method_names[m], at, length) != 0))
            m++;
        if (m == HEAT_METHODS || options->n_methods == HEAT_METHODS)
            return cm_option_error(
                program,
                "--methods %s: expected all, or up to %d of jacobi, "
                "gauss-seidel, sor, chebyshev and multigrid, separated by commas",
                text, HEAT_METHODS);
        options->methods[options->n_methods++] = (heat_method)m;
    }
    for (int m = 0; all && m < HEAT_METHODS; m++)
        options->methods[options->n_methods++] = (heat_method)m;
    if (options->tolerance == 0)
        return cm_option_error(program, "--methods %s requires --tolerance", text);
    return 0;
}

/* Refuses options that apply to a single method if there are several methods. */
static int check_alone(const cm_program *program, const heat_options *options)
{
    const given single[] = {
        {"method", options->method != HEAT_JACOBI},
        {"series", options->series_text != NULL},
        {"steps-per-sweep", options->steps_text != NULL},
        {"frames", options->frames != NULL},
        {"watch", options->watch},
        {"checkpoint", options->checkpoint != NULL},
        {"restart", options->restart != NULL},
        {NULL, true},
    };
    const char *name = options->methods_text ? first_given(single) : NULL;
    if (name) return cm_option_error(program, "--methods and --%s: give one of them", name);
    return 0;
}

/* A residual below the resolution of the numbers is never reached. */
static int check_tolerance(const cm_program *program, const heat_options *options)
{
    double low, high, epsilon = heat_number_epsilon(options->problem.precision);
    if (options->tolerance == 0 || cm_launch_rank() != 0) return 0;
    heat_sides_range(options->problem.sides, options->problem.rows, options->problem.columns, &low,
                     &high);
    double hottest = fmax(fmax(fabs(low), fabs(high)), fabs(options->problem.initial));
    if (options->tolerance >= 4 * epsilon * hottest) return 0;
    return cm_option_error(program,
                           "--tolerance %g: too small for %s precision with temperatures of %g; "
                           "expected at least %.2g",
                           options->tolerance,
                           options->problem.precision == HEAT_SINGLE ? "single" : "double", hottest,
                           4.1 * epsilon * hottest);
}

/* --force is for what an earlier run wrote, not for what this one reads. */
static int check_inputs(const cm_program *program, const heat_options *options)
{
    int status = 0;
    if (options->restart)
        status = cm_result_file_differs(program, "--restart", options->restart, &options->files);
    for (int s = 0; s < HEAT_SIDES && !status; s++) {
        char said[16];
        if (strncmp(options->side_text[s], "file:", 5) != 0) continue;
        snprintf(said, sizeof said, "--%s", heat_side_names[s]);
        status = cm_result_file_differs(program, said, options->side_text[s] + 5, &options->files);
    }
    return status;
}

static int check_files(const cm_program *program, heat_options *options)
{
    int status = check_inputs(program, options);
    if (!status && options->checkpoint)
        status =
            cm_result_file_differs(program, "--checkpoint", options->checkpoint, &options->files);
    if (!status && options->restart)
        status = heat_check_point_check(program, options->restart, &options->problem,
                                        &options->restart_iteration);
    if (!status && options->restart && cm_launch_rank() == 0
        && options->restart_iteration >= options->iterations)
        status = cm_option_error(
            program, "--restart %s is at iteration %lld; --iterations %lld must be more",
            options->restart, (long long)options->restart_iteration,
            (long long)options->iterations);
    if (!status && options->checkpoint) {
        bool goes_on = options->restart && strcmp(options->restart, options->checkpoint) == 0;
        status = heat_check_point_writable(program, options->checkpoint, &options->problem,
                                           options->files.force || goes_on);
    }
    if (!status && options->frames)
        status =
            heat_frames_check(program, options->frames, options->files.force || options->restart);
    if (!status && options->watch) status = heat_watch_check(program);
    return status;
}

int heat_check(const cm_program *program, void *of_program)
{
    heat_options *options = of_program;
    heat_problem *problem = &options->problem;
    int status = 0;
    cm_sampling_check(&options->sampling);
    /* No host's memory is this computer's. */
    if (cm_comm_has(CM_HAS_SIMULATOR)) options->no_stream = true;
    if (options->series_text
        && ((status = parse_series(program, options)) || (status = check_series(program, options))))
        return status;
    if (options->series_text) options->serial = true;
    else options->series[options->n_series++] = options->size ? options->size : USUAL_SIZE;
    if (options->checkpoint_every && !options->checkpoint)
        return cm_option_error(program, "--checkpoint-every %lld: only with --checkpoint",
                               (long long)options->checkpoint_every);
    if (!options->checkpoint_every) options->checkpoint_every = USUAL_EVERY;
    if ((status = check_runs(program, options)) || (status = check_steps(program, options))
        || (status = check_methods(program, options)) || (status = check_alone(program, options))
        || (status = heat_check_blocks(program, options)))
        return status;
    if (options->omega > 0 && options->method != HEAT_SOR)
        return cm_option_error(program, "--omega %g requires --method sor", options->omega);
    if ((options->frames || options->watch) && options->collect_every == 0)
        return cm_option_error(program, "--%s and --collect 0: there is nothing to show",
                               options->frames ? "frames" : "watch");
    if (options->check_every && options->tolerance == 0)
        return cm_option_error(program, "--check %lld: only --tolerance is checked; give one",
                               (long long)options->check_every);
    if (options->picture_points && options->collect_every == 0)
        return cm_option_error(program,
                               "--collect-points %lld and --collect 0: nothing is gathered; omit "
                               "one",
                               (long long)options->picture_points);
    if (!options->picture_points) options->picture_points = USUAL_POINTS;
    bool cycles = options->method == HEAT_MULTIGRID;
    if (options->iterations == 0)
        options->iterations = options->tolerance > 0 ? ITERATIONS_TO_TOLERANCE
                              : cycles               ? CYCLES
                                                     : ITERATIONS;
    problem->precision = (heat_precision)options->precision;
    problem->method = (heat_method)options->method;
    problem->columns = options->series[0];
    problem->rows = options->rows ? options->rows : problem->columns;
    problem->omega =
        options->omega > 0 ? options->omega : heat_best_omega(problem->rows, problem->columns);
    if ((status = check_sides(program, options))) return status;
    if ((status = check_tolerance(program, options))) return status;
    return check_files(program, options);
}

/* ---- With ranks ------------------------------------------------------------------------------ */

int heat_check_ranks(const cm_program *program, const heat_options *options)
{
    int status = heat_check_blocks_ranks(program, options);
    if (status || options->problem.blocks.columns > 1
        || heat_blocks_can_be_chosen(options, cm_size(cm_world())))
        return status;
    int64_t least = options->problem.rows;
    for (int k = 0; k < options->n_series; k++)
        if (!options->rows && options->series[k] < least) least = options->series[k];
    int64_t block = least / cm_size(cm_world());
    if (block >= 1 && block >= options->steps) return 0;
    if (cm_rank(cm_world()) != HEAT_LEADER) return CM_EXIT_USAGE;
    if (block >= 1)
        return cm_option_error(
            program,
            "--steps-per-sweep %lld: the smallest block of %lld rows on %d ranks has "
            "%lld rows; use at most that number",
            (long long)options->steps, (long long)least, cm_size(cm_world()), (long long)block);
    return cm_option_error(
        program, "%lld rows for %d ranks: each rank needs a row; use a larger %s%s or fewer ranks",
        (long long)least, cm_size(cm_world()),
        options->rows          ? "--rows"
        : options->series_text ? "--series"
                               : "--size",
        options->choose_blocks ? "" : ", --blocks auto");
}

int64_t heat_depth(const heat_options *options, const heat_problem *problem)
{
    if (options->steps) return options->steps;
    const int64_t most = heat_most_steps(problem, heat_grid_of(problem, cm_size(cm_world())));
    /* Until --blocks auto has chosen, there may be fewer rows than ranks. */
    return most < 1 ? 1 : most < HEAT_WAVE_STEPS ? most : HEAT_WAVE_STEPS;
}

/* The leader's further memory is spread over the ranks of its host: the limit counts per rank. */
void heat_require_memory(const heat_options *options)
{
    int ranks = cm_size(cm_world()), together = cm_run_ranks_on_computer(cm_world(), HEAT_LEADER);
    heat_problem largest = options->problem;
    for (int k = 0; k < options->n_series; k++)
        if (options->series[k] > largest.columns)
            largest.rows = largest.columns = options->series[k];
    size_t plate = heat_plate_bytes(&largest, ranks, heat_depth(options, &largest)),
           whole = heat_plate_bytes(&largest, 1, heat_depth(options, &largest)), leader = 0;
    for (int m = 0; m < options->n_methods; m++) {
        if (options->methods[m] != HEAT_MULTIGRID) continue;
        plate += heat_levels_bytes(plate);
        whole += heat_levels_bytes(whole);
    }
    if (options->serial) leader = whole;
    if (options->collect_every > 0)
        leader += 3 * heat_picture_bytes(&largest, options->picture_points);
    size_t bytes = plate + leader / (size_t)together,
           stream = options->no_stream ? 0 : heat_roofline_bytes();
    const char *name = options->series_text ? "--series" : "--size";
    cm_run_require_memory(bytes > stream ? bytes : stream, name, "%s %lld", name,
                          (long long)largest.columns);
}
