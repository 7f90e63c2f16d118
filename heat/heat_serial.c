/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_serial.c: one rank alone: the plain program (no messages, plain loops, ordinary stores), and
   the kernel of all ranks, which is the base of the speed-up. */
#include <math.h>
#include "heat.h"

static void sweep(heat_plate *plate)
{
    int now = plate->now;
    plate->kernels->sweep(heat_at(plate, 1 - now, 1, 1), heat_at(plate, now, 1, 1), plate->stride,
                          plate->rows, plate->columns, HEAT_PLAIN);
    plate->now = 1 - now;
}

static void sweep_chebyshev(heat_plate *plate, double factor)
{
    int now = plate->now;
    plate->kernels->chebyshev(heat_at(plate, 1 - now, 1, 1), heat_at(plate, now, 1, 1),
                              plate->stride, plate->rows, plate->columns, factor, HEAT_PLAIN);
    plate->now = 1 - now;
}

static void relax(heat_plate *plate, double omega)
{
    for (int black = 0; black < 2; black++)
        for (int64_t row = 1; row <= plate->rows; row++)
            plate->kernels->relax(heat_at(plate, plate->now, row, 1), NULL, plate->stride,
                                  plate->columns, (int)((row + 1 + black) % 2), omega, HEAT_PLAIN,
                                  false);
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
    int64_t together; /* iterations of a pass or, of methods that split rows, of a batch */
} subject_of_one;

static double trial_plain(void *context, int64_t iterations, double *value)
{
    subject_of_one *s = context;
    double start_s = cm_time();
    heat_serial_iterate(s->problem, &s->state, iterations);
    double time_s = cm_time() - start_s;
    *value = time_s / (double)iterations;
    return time_s;
}

static double trial_kernel(void *context, int64_t passes, double *value)
{
    subject_of_one *s = context;
    double start_s = cm_time();
    for (int64_t k = 0; k < passes; k++) heat_iterate(&s->state, s->together);
    double time_s = cm_time() - start_s;
    *value = time_s / (double)(passes * s->together);
    return time_s;
}

typedef double trial(void *context, int64_t operations, double *value);
static cm_summary sample(const cm_sampling *sampling, cm_group *alone, trial *of,
                         subject_of_one *one)
{
    enum { MOST = 1000, LEAST_IN_TIME = 3 };
    cm_sampling trials = *sampling;
    trials.runs = 0;
    trials.trial_s = 1e-3;
    trials.rule.most = MOST;
    trials.rule.least_in_time = LEAST_IN_TIME;
    cm_samples samples = CM_SAMPLES_EMPTY;
    const cm_subject subject = {.trial = of, .context = one};
    cm_sampled sampled = {.samples = &samples};
    cm_sample(&trials, alone, 1, &subject, &sampled);
    const cm_summary summary = cm_sample_summary(&samples);
    cm_samples_free(&samples);
    return summary;
}

/* Rows are split for several sweeps at once, so these must be as many as in the run, or nearly: a
   batch of a long run would take too long for a trial. */
static int64_t together_of(const heat_state *of_all, int64_t batch)
{
    enum { ENOUGH = 24 };
    bool splits = of_all->method == HEAT_GAUSS_SEIDEL || of_all->method == HEAT_SOR;
    int64_t most = splits ? ENOUGH : of_all->steps;
    return batch < most ? batch : most;
}

bool heat_alone(const cm_sampling *sampling, const heat_problem *problem, const heat_state *of_all,
                int64_t batch, cm_group *alone, cm_summary *plain_s, cm_summary *kernel_s)
{
    heat_plate plate;
    if (!heat_plate_open(problem, alone, of_all->steps, &plate)) return false;
    subject_of_one one = {.problem = problem,
                          .state = heat_begin(problem, &plate, of_all->steps),
                          .together = together_of(of_all, batch)};
    one.state.stores = of_all->stores;
    if (cm_size(of_all->plate->group) > 1) *kernel_s = sample(sampling, alone, trial_kernel, &one);
    one.state.stores = HEAT_PLAIN;
    *plain_s = sample(sampling, alone, trial_plain, &one);
    heat_end(&one.state);
    heat_plate_close(&plate);
    return true;
}
