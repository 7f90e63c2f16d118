/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_extrapolate.c: what r, g and l of a few processes say about many (doc/bspbench.texi,
   "Formulas"). */
#include <math.h>
#include "machine/machine.h"
#include "bspbench.h"

enum { LONG_MESSAGE_WORDS = 128 };

bool bspbench_short(double words) { return words < LONG_MESSAGE_WORDS; }

int bspbench_farthest(const bspbench_prediction *measured)
{
    const int cores = measured->one_host ? cm_machine_job_cores() : BSPBENCH_FARTHEST;
    return cores < BSPBENCH_FARTHEST ? cores : BSPBENCH_FARTHEST;
}

double bspbench_at_least_0(cm_estimate estimate) { return fmax(0, estimate.value); }

/* What l grows with: messages to every other process, or rounds. */
static double growth(bool rounds, int processes)
{
    return rounds ? ceil(log2(processes)) : processes - 1;
}

/* l on another number of processes, which may end their supersteps in the other way; then the times
   of empty supersteps say by how much that is faster. */
static double l_of(const bspbench_parameters *parameters, const bspbench_prediction *measured,
                   int processes)
{
    const bool rounds = cm_bsp_takes_rounds(processes, measured->one_host);
    const double other_way =
        parameters->empty_s[rounds] / parameters->empty_s[parameters->in_rounds];
    return bspbench_at_least_0(parameters->fit[BSPBENCH_WORDS].l_s) * other_way
           * growth(rounds, processes) / growth(rounds, measured->processes);
}

/* g stays: the network is taken to have its full bisection bandwidth. */
bspbench_extrapolated bspbench_extrapolate(const bspbench_parameters *parameters,
                                           const bspbench_prediction *measured, int processes)
{
    sscrap_model model =
        measured->problem->model(measured->options, measured->size, processes, measured->one_host);
    double words = model.h_words / (model.messages > 1 ? model.messages : 1);
    bspbench_way way = bspbench_short(words) ? BSPBENCH_WORDS : BSPBENCH_BLOCKS;
    double l_s = l_of(parameters, measured, processes);
    bspbench_extrapolated x = {
        .model = model,
        .work_s = measured->alone_s * model.share + parameters->comparison_s * model.comparisons,
        .g_s = bspbench_at_least_0(parameters->fit[way].g_s_per_word) * model.h_words,
        .l_s = l_s * model.supersteps,
        .memory_s = measured->access_s * model.accesses};
    x.predicted_s = x.work_s + x.g_s + x.l_s + x.memory_s;
    return x;
}
