/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_serial.c: the plain program on one processor: no messages, plain loops, ordinary stores. */
#include <math.h>
#include "heat.h"

static void sweep(heat_plate *plate)
{
    int now = plate->now;
    plate->kernels->plain(heat_at(plate, 1 - now, 1, 1), heat_at(plate, now, 1, 1), plate->stride,
                          plate->rows, plate->columns);
    plate->now = 1 - now;
}

static void sweep_chebyshev(heat_plate *plate, double factor)
{
    int now = plate->now;
    plate->kernels->plain_chebyshev(heat_at(plate, 1 - now, 1, 1), heat_at(plate, now, 1, 1),
                                    plate->stride, plate->rows, plate->columns, factor);
    plate->now = 1 - now;
}

static void relax(heat_plate *plate, double omega)
{
    for (int black = 0; black < 2; black++)
        for (int64_t row = 1; row <= plate->rows; row++)
            plate->kernels->plain_relax(heat_at(plate, plate->now, row, 1), plate->stride,
                                        plate->columns, (int)((row + 1 + black) % 2), omega);
}

/* A cycle of multigrid is that of any number of ranks, with plain loops. */
void heat_serial_iterate(const heat_problem *problem, heat_state *state, int64_t iterations)
{
    heat_plate *plate = state->plate;
    double radius = heat_radius(problem->rows, problem->columns), factor = 1;
    cm_compute(0,
               (double)iterations * (double)problem->rows * (double)problem->columns * cm_item_s());
    for (int64_t k = 0; k < iterations; k++) switch (problem->method) {
        case HEAT_JACOBI:
            sweep(plate);
            break;
        case HEAT_GAUSS_SEIDEL:
            relax(plate, 1);
            break;
        case HEAT_SOR:
            relax(plate, problem->omega);
            break;
        case HEAT_CHEBYSHEV:
            factor = k == 0   ? 1
                     : k == 1 ? 1 / (1 - radius * radius / 2)
                              : 1 / (1 - radius * radius * factor / 4);
            sweep_chebyshev(plate, factor);
            break;
        case HEAT_MULTIGRID:
            heat_cycle(state);
        }
}

typedef struct {
    const heat_problem *problem;
    heat_state state;
} serial;

static double trial(void *context, int64_t iterations, double *value)
{
    serial *s = context;
    double start_s = cm_time();
    heat_serial_iterate(s->problem, &s->state, iterations);
    double time_s = cm_time() - start_s;
    *value = time_s / (double)iterations;
    return time_s;
}

cm_summary heat_serial_s(const cm_sampling *sampling, const heat_problem *problem, cm_group *alone)
{
    enum { MOST = 1000, LEAST_IN_TIME = 3 };
    cm_sampling trials = *sampling;
    trials.runs = 0;
    trials.trial_s = 1e-3;
    trials.rule.most = MOST;
    trials.rule.least_in_time = LEAST_IN_TIME;
    serial s = {.problem = problem};
    cm_samples samples = CM_SAMPLES_EMPTY;
    heat_plate plate;
    if (!heat_plate_open(problem, alone, 1, &plate)) return (cm_summary){.median = NAN};
    s.state = heat_begin(problem, &plate, 1);
    s.state.stores = HEAT_PLAIN;
    const cm_subject subject = {.trial = trial, .context = &s};
    cm_sampled sampled = {.samples = &samples};
    cm_sample(&trials, alone, 1, &subject, &sampled);
    const cm_summary summary = cm_sample_summary(&samples);
    cm_samples_free(&samples);
    heat_end(&s.state);
    heat_plate_close(&plate);
    return summary;
}
