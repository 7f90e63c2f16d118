/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c: how many iterations make a trial.

   Whoever else wants a core takes it for a time slice of some milliseconds, so a trial may last
   much too long, but none lasts too short: of several trials the fastest tells the truth. While two
   spinning ranks share a core, each message takes a slice, until the kernel moves one of them. */
#include <math.h>
#include "pairs/pairs.h"

static const double margin = 1.2;

int64_t cm_pair_most_iterations(const cm_pair_mode *mode, const cm_pair_sampling *sampling)
{
    static const int64_t most = (int64_t)1 << 40;
    if (!mode->turns) return most;
    /* and one that is warm-up */
    int64_t wanted = sampling->iterations ? sampling->iterations : (int64_t)sampling->rule.most;
    return wanted + 1;
}

void cm_pair_warm_up(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_pair_sampling *sampling, int64_t bytes)
{
    int64_t most = cm_pair_most_iterations(mode, sampling), iterations = 1;
    cm_pair_command(channel, mode, CM_PAIR_SIZE, bytes, 0);
    double spent_s = 0;
    while (spent_s < sampling->warm_up_s && channel->damage.wrong_bytes == 0) {
        double trial_s = cm_pair_command(channel, mode, CM_PAIR_TRIAL, bytes, iterations);
        spent_s += trial_s;
        if (trial_s < 0.1 * sampling->warm_up_s && iterations <= most / 2) iterations *= 2;
    }
}

/* The guess comes from a smaller message, so it is an upper bound but for noise; a trial that
   lasts ten times too long costs samples. */
static int64_t lowered(cm_pair_channel *channel, const cm_pair_mode *mode,
                       const cm_pair_sampling *sampling, cm_pair_operation trial, int64_t bytes,
                       int64_t guess)
{
    enum { PROBES = 3 };
    int64_t probe = guess / 8;
    if (probe < 1) return guess > 0 ? guess : 1;
    double fastest_s = INFINITY;
    for (int k = 0; k < PROBES && fastest_s > sampling->trial_s / 8; k++)
        fastest_s = fmin(fastest_s, cm_pair_command(channel, mode, trial, bytes, probe));
    if (!(fastest_s > 0)) return guess;
    double needed = ceil(margin * sampling->trial_s * (double)probe / fastest_s);
    return needed < (double)guess ? (int64_t)fmax(needed, 1) : guess;
}

/* Trials in a row that were long enough. */
typedef struct {
    int n;
    double sum_s, fastest_s;
} lasting;

/* Are they enough? Fewer are where they together outlast a time slice by far, as on slow networks.
   When an iteration seems to take a time slice, and nothing before made that plausible, they must
   outlast what the kernel takes to move ranks apart. */
static bool settled(const lasting *trials, int64_t iterations, int64_t guess)
{
    enum { ENOUGH = 6, LEAST = 2 };
    static const double slice_s = 0.5e-3, slices_s = 0.2, moved_s = 1;
    bool plausible = guess > 0 && iterations >= guess / 8;
    if (trials->n < LEAST) return false;
    if (!plausible && trials->fastest_s > slice_s * (double)iterations)
        return trials->sum_s >= moved_s;
    return trials->n >= ENOUGH || trials->sum_s >= slices_s;
}

int64_t cm_pair_calibrate(cm_pair_channel *channel, const cm_pair_mode *mode,
                          const cm_pair_sampling *sampling, cm_pair_operation trial, int64_t bytes,
                          int64_t guess)
{
    static const double most_growth = 100;
    static const lasting none = {.fastest_s = INFINITY};
    int64_t most = cm_pair_most_iterations(mode, sampling);
    int64_t iterations = lowered(channel, mode, sampling, trial, bytes, guess);
    if (iterations < mode->least_iterations) iterations = mode->least_iterations;
    if (iterations > most) iterations = most;

    for (lasting trials = none; !settled(&trials, iterations, guess);) {
        double time_s = cm_pair_command(channel, mode, trial, bytes, iterations);
        if (channel->damage.wrong_bytes) break;
        if (time_s >= sampling->trial_s || iterations >= most) {
            trials.n++;
            trials.sum_s += time_s;
            trials.fastest_s = fmin(trials.fastest_s, time_s);
            continue;
        }
        trials = none;
        double growth = most_growth;
        if (time_s > 0) growth = fmin(margin * sampling->trial_s / time_s, most_growth);
        iterations = (int64_t)fmin(ceil((double)iterations * fmax(growth, 1.05)), (double)most);
    }
    return iterations;
}
