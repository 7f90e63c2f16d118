/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_serial.c: the plain program on one processor: no messages, plain loops, ordinary stores. */
#include <math.h>
#include "heat.h"

enum { LEAST_BATCHES = 3 };
static const double batch_least_s = 1e-3;

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

void heat_serial_iterate(const heat_problem *problem, heat_plate *plate, int64_t iterations)
{
    double radius = heat_radius(problem->rows, problem->columns), factor = 1;
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
        }
}

double heat_serial_s(const heat_problem *problem, cm_group *alone, int64_t iterations,
                     double limit_s)
{
    heat_plate plate;
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary summary = {.median = NAN};
    if (!heat_plate_open(problem, alone, 1, &plate)) return NAN;
    double start_s = cm_time();
    int64_t batch = 1, done = 0;
    while (samples.n < LEAST_BATCHES || (done < iterations && cm_time() - start_s < limit_s)) {
        double before_s = cm_time();
        heat_serial_iterate(problem, &plate, batch);
        double time_s = cm_time() - before_s;
        done += batch;
        if (time_s < batch_least_s) batch *= 2;
        else if (!cm_samples_add(&samples, time_s / (double)batch)) break;
    }
    if (!cm_summarize(&samples, &summary)) summary.median = NAN;
    cm_samples_free(&samples);
    heat_plate_close(&plate);
    return summary.median;
}
