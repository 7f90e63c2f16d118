/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_verify.c: verifies small plates with known temperatures, by the analytic solution, by the
   plain program and by symmetry. They cost next to nothing, but have enough rows for all ranks and
   steps. It also checks the maximum principle, which holds for any plate. */
#include <math.h>
#include "heat.h"

enum { COARSE = 7, MOST_COLUMNS = 4 * COARSE, NARROW = 37, SQUARE_MOST = 127 };
/* Several steps a sweep go through windows of up to 768 columns: WIDE gives three, the middle one
   without a side. More steps are several passes, whose plates have enough rows to be narrow. A wide
   plate has at most WIDE_POINTS, as one rank computes all of it: many ranks have several. */
enum { WIDE = 1601, WIDE_STEPS = 2 * HEAT_WAVE_STEPS, WIDE_POINTS = 1 << 22 };

static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

static heat_grid grid_of(const heat_problem *problem)
{
    return heat_grid_of(problem, cm_size(cm_world()));
}

/* Enough rows for all ranks and steps, and columns for blocks. */
static int64_t rows_for(const heat_problem *problem, int64_t steps)
{
    return greater(COARSE, grid_of(problem).rows * steps);
}

static int64_t columns_for(const heat_problem *problem, int64_t steps)
{
    const int64_t beside = grid_of(problem).columns;
    return greater(COARSE, beside > 1 ? beside * steps : 1);
}

/* Returns a problem with the same method and precision on another plate, all at 0. */
static heat_problem small(const heat_problem *problem, int64_t rows, int64_t columns)
{
    heat_problem other = {.rows = rows,
                          .columns = columns,
                          .blocks = problem->blocks,
                          .precision = problem->precision,
                          .method = problem->method};
    other.omega = other.method == HEAT_SOR ? heat_best_omega(rows, columns) : 1;
    return other;
}

static void open_plate(const heat_problem *problem, cm_group *group, int64_t steps,
                       heat_plate *plate)
{
    if (!heat_plate_open(problem, group, steps, plate))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for verification");
}

static heat_state begin(const heat_problem *problem, heat_plate *plate, heat_stores stores,
                        int64_t steps)
{
    heat_state state = heat_begin(problem, plate, steps);
    state.stores = stores;
    return state;
}

/* ---- The analytic solution ------------------------------------------------------------------- */

/* With north at sin(pi x), 0 <= x <= 1, the other sides at 0 and height L: sin(pi x) sinh(pi (L -
   y)) / sinh(pi L). It is computed with exponentials that do not overflow. */
static double analytic(const heat_problem *problem, int64_t row, int64_t column)
{
    double pi = acos(-1), h = 1 / (double)(problem->columns + 1),
           height = h * (double)(problem->rows + 1);
    double x = h * (double)column, y = h * (double)row;
    return sin(pi * x) * exp(-pi * y) * expm1(-2 * pi * (height - y)) / expm1(-2 * pi * height);
}

/* Returns a number of iterations that leaves less than a hundredth of the initial error. */
static int64_t iterations_for(const heat_problem *problem)
{
    double gap = heat_radius_gap(problem->rows, problem->columns), rate = gap;
    if (problem->method == HEAT_GAUSS_SEIDEL) rate = 2 * gap;
    if (problem->method == HEAT_SOR) rate = sqrt(2 * gap);
    if (problem->method == HEAT_CHEBYSHEV) rate = sqrt(2 * gap) / 2;
    if (problem->method == HEAT_MULTIGRID) rate = 1;
    return (int64_t)(5 / rate) + 10;
}

/* Starts at the analytic solution and iterates to that of the difference equations. Returns the
   largest difference, which is the discretisation error. */
static double error_of(const heat_problem *problem, heat_stores stores, int64_t steps)
{
    heat_plate plate;
    open_plate(problem, cm_world(), steps, &plate);
    for (int which = 0; which < 2; which++)
        for (int64_t r = 1; r <= plate.mine; r++)
            for (int64_t j = 1; j <= plate.columns; j++)
                heat_set(problem->precision, heat_at(&plate, which, r, 0), j,
                         analytic(problem, plate.first - 1 + r, plate.first_column - 1 + j));
    heat_state state = begin(problem, &plate, stores, steps);
    heat_iterate(&state, iterations_for(problem));
    double mine = 0, most;
    for (int64_t r = 1; r <= plate.mine; r++)
        for (int64_t j = 1; j <= plate.columns; j++) {
            double error =
                fabs(heat_get(problem->precision, heat_at(&plate, plate.now, r, 0), j)
                     - analytic(problem, plate.first - 1 + r, plate.first_column - 1 + j));
            /* CM_MAX does not order NaN. */
            mine = error <= mine ? mine : isnan(error) ? INFINITY : error;
        }
    cm_allreduce(cm_world(), &mine, &most, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    heat_end(&state);
    heat_plate_close(&plate);
    return most;
}

/* More columns than 2 * MOST_COLUMNS leave an error that is as small as single precision's
   rounding. Blocks beside each other take as many steps as that allows; if they are so many, the
   plate has rows. */
static void check_order(const heat_problem *of_run, heat_stores stores, int64_t steps,
                        heat_verdict *verdict)
{
    heat_problem with_rows = *of_run;
    with_rows.blocks = (heat_grid){0, 0};
    const int64_t beside = grid_of(of_run).columns;
    const heat_problem *problem = beside > MOST_COLUMNS ? &with_rows : of_run;
    if (problem == of_run && beside > 1 && beside * steps > MOST_COLUMNS)
        steps = MOST_COLUMNS / beside;
    int64_t rows = rows_for(problem, steps), columns = columns_for(problem, steps);
    heat_problem coarse = small(problem, rows, columns),
                 fine = small(problem, 2 * rows + 1, 2 * columns + 1);
    coarse.sides[HEAT_NORTH] = fine.sides[HEAT_NORTH] =
        (heat_side){.profile = HEAT_SINE, .from = 1};
    double h = 1 / (double)(fine.columns + 1), coarse_error = error_of(&coarse, stores, steps);
    verdict->error = error_of(&fine, stores, steps);
    /* The decay is exp(-mu row) with cosh(mu) = 2 - cos(pi h): mu = pi h (1 - (pi h)^2 / 12). So
       the error is at most pi^3 h^2 y exp(-pi y) / 12, 0.302 h^2. */
    verdict->error_bound = 0.35 * h * h;
    verdict->order = log2(coarse_error / verdict->error);
}

/* ---- The plain program; symmetry ------------------------------------------------------------- */

/* Returns a number of iterations that is not a multiple of a pass. */
static int64_t few(int64_t steps) { return 2 * steps + 5; }

static void gather(const heat_problem *problem, cm_group *group, heat_stores stores, int64_t steps,
                   heat_plate *plate, heat_picture *picture)
{
    open_plate(problem, group, steps, plate);
    heat_state state = begin(problem, plate, stores, steps);
    heat_iterate(&state, few(steps));
    heat_end(&state);
    heat_picture_open(plate, INT32_MAX, picture);
    heat_collect(plate, picture);
}

/* Each block has so many columns. alone is the own group of the group's leader. */
static void check_plain(const heat_problem *problem, cm_group *group, cm_group *alone,
                        heat_stores stores, int64_t steps, int64_t columns, heat_verdict *verdict)
{
    /* Blocks have an odd number of rows, so that the ranks begin with different colours; those of a
       grid are narrow, half of them by a column more than the others. */
    const heat_grid grid = heat_grid_of(problem, cm_size(group));
    const int64_t block = 2 * (greater(COARSE, grid.rows * steps) / grid.rows) + 1;
    heat_problem other =
        small(problem, grid.rows * block, grid.columns * columns + grid.columns / 2);
    heat_plate plate, plain;
    heat_picture picture;
    other.initial = 0.3;
    other.sides[HEAT_NORTH] = (heat_side){.profile = HEAT_LINEAR, .from = 1, .to = 2};
    other.sides[HEAT_EAST] = (heat_side){.profile = HEAT_SINE, .from = -3};
    other.sides[HEAT_SOUTH] = (heat_side){.profile = HEAT_STEP, .from = 0.7, .to = 5};
    other.sides[HEAT_WEST] = (heat_side){.profile = HEAT_PARABOLA, .from = 1.1};
    gather(&other, group, stores, steps, &plate, &picture);
    if (alone) {
        open_plate(&other, alone, 1, &plain);
        heat_state state = begin(&other, &plain, HEAT_PLAIN, 1);
        heat_serial_iterate(&other, &state, few(steps));
        heat_end(&state);
        for (int64_t i = 0; i < other.rows; i++)
            for (int64_t j = 0; j < other.columns; j++)
                verdict->different +=
                    heat_picture_at(&plate, &picture, i, j)
                    != heat_get(other.precision, heat_at(&plain, plain.now, i + 1, 1), j);
        heat_plate_close(&plain);
    }
    heat_picture_close(&picture);
    heat_plate_close(&plate);
}

static heat_teams teams_of(const heat_problem *problem, int64_t steps)
{
    return heat_teams_of(grid_of(problem), (2 * steps + 1) * WIDE, WIDE_POINTS);
}

/* Each team has a plate of its own; all compute at once. */
static void check_wide(const heat_problem *problem, heat_stores stores, int64_t steps,
                       heat_verdict *verdict)
{
    const int ranks = cm_size(cm_world()), rank = cm_rank(cm_world());
    const heat_teams teams = teams_of(problem, steps);
    const int64_t row = rank / teams.columns;
    const int number = (int)(row * teams.teams / (ranks / teams.columns));
    cm_group *team = cm_split(cm_world(), number, rank);
    cm_group *leader = cm_split(team, cm_rank(team) == HEAT_LEADER ? 0 : -1, rank);
    heat_problem of_team = *problem;
    heat_verdict found = {0};
    double different;
    of_team.blocks = (heat_grid){cm_size(team) / teams.columns, teams.columns};
    check_plain(&of_team, team, leader, stores, steps, WIDE, &found);
    cm_allreduce(cm_world(), &found.different, &different, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    verdict->different += different;
    cm_group_free(leader);
    cm_group_free(team);
}

/* All ranks have narrow blocks of one plate, unless they have wide ones of one. */
static void check_blocks(const heat_problem *problem, cm_group *alone, heat_stores stores,
                         int64_t steps, heat_verdict *verdict)
{
    const heat_grid grid = grid_of(problem);
    const bool wide = steps > 1 && steps <= WIDE_STEPS;
    if (!wide || teams_of(problem, steps).teams > 1)
        check_plain(problem, cm_world(), alone, stores, steps,
                    greater(NARROW, grid.columns > 1 ? steps : 1), verdict);
    if (wide) check_wide(problem, stores, steps, verdict);
}

/* With equal sides the mirrored plate is the same, and so is the transposed one of a square. Rows
   and columns are odd numbers, so that mirrored points have the same colour. */
static void check_symmetry(const heat_problem *problem, heat_stores stores, int64_t steps,
                           heat_verdict *verdict)
{
    const int64_t least = 2 * columns_for(problem, steps) + 1;
    int64_t rows = greater(2 * rows_for(problem, steps) + 1, least),
            columns = rows <= SQUARE_MOST ? rows : greater(NARROW, least);
    /* So that the coarser grids are symmetric too. */
    if (problem->method == HEAT_MULTIGRID) {
        for (rows = 2 * COARSE + 1; rows < cm_size(cm_world());) rows = 2 * rows + 1;
        columns = rows;
    }
    heat_problem other = small(problem, rows, columns);
    heat_plate plate;
    heat_picture picture;
    for (int s = 0; s < HEAT_SIDES; s++)
        other.sides[s] = (heat_side){.profile = HEAT_SINE, .from = 1};
    gather(&other, cm_world(), stores, steps, &plate, &picture);
    if (cm_rank(cm_world()) == HEAT_LEADER)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < columns; j++) {
                double here = heat_picture_at(&plate, &picture, i, j);
                bool same = here == heat_picture_at(&plate, &picture, rows - 1 - i, j)
                            && here == heat_picture_at(&plate, &picture, i, columns - 1 - j)
                            && (rows != columns || here == heat_picture_at(&plate, &picture, j, i));
                verdict->asymmetric += !same;
            }
    heat_picture_close(&picture);
    heat_plate_close(&plate);
}

heat_verdict heat_verify(const heat_problem *problem, cm_group *alone, heat_stores stores,
                         int64_t steps)
{
    heat_verdict verdict = {0};
    check_order(problem, stores, steps, &verdict);
    check_blocks(problem, alone, stores, steps, &verdict);
    check_symmetry(problem, stores, steps, &verdict);
    return verdict;
}

/* ---- The maximum principle ------------------------------------------------------------------- */

void heat_range(const heat_problem *problem, double *low, double *high)
{
    heat_sides_range(problem->sides, problem->rows, problem->columns, low, high);
    if (problem->method > HEAT_GAUSS_SEIDEL) return;
    *low = fmin(*low, problem->initial);
    *high = fmax(*high, problem->initial);
}

/* A mean stays within the range to the last bit. Gauss-Seidel's correction rounds. SOR and
   Chebyshev overshoot on their way, but are no farther from the steady state than the residual
   says. */
static double bound_of(const heat_problem *problem, double rounding, double residual)
{
    if (problem->method == HEAT_JACOBI) return 0;
    if (problem->method == HEAT_GAUSS_SEIDEL) return rounding;
    return (residual + rounding) * heat_error_factor(problem->rows, problem->columns);
}

/* The lowest and the highest temperature of this rank; both are NaN if there is a NaN. */
static void find_range(const heat_plate *plate, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t row = 1; row <= plate->mine; row++) {
        const void *at = heat_at(plate, plate->now, row, 0);
        for (int64_t j = 1; j <= plate->columns; j++) {
            const double here = heat_get(plate->kernels->precision, at, j);
            if (isnan(here)) {
                *low = *high = NAN;
                return;
            }
            *low = here < *low ? here : *low;
            *high = here > *high ? here : *high;
        }
    }
}

heat_beyond heat_verify_range(const heat_problem *problem, const heat_plate *plate, double residual)
{
    const heat_precision precision = plate->kernels->precision;
    double low, high, mine[2], all[2], known[2], number;
    heat_range(problem, &low, &high);
    find_range(plate, &mine[0], &mine[1]);
    bool strange = isnan(mine[0]);
    mine[0] = strange ? INFINITY : -mine[0];
    mine[1] = strange ? INFINITY : mine[1];
    cm_allreduce(plate->group, mine, all, 2, CM_DOUBLE, CM_MAX, CM_AUTO);
    heat_set(precision, &number, 0, low);
    known[0] = heat_get(precision, &number, 0);
    heat_set(precision, &number, 0, high);
    known[1] = heat_get(precision, &number, 0);
    double rounding = 8 * heat_number_epsilon(precision) * fmax(fabs(low), fabs(high));
    return (heat_beyond){.by = fmax(0, fmax(known[0] + all[0], all[1] - known[1])),
                         .bound = bound_of(problem, rounding, residual)};
}
