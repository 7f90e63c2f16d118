/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c: finds the number of operations in a trial.

   Another process that wants the core takes it for a time slice of some milliseconds. So a trial
   may last much too long, but never too short, and the fastest of several trials is the right one.
   While two spinning ranks share a core, each message takes a time slice, until the kernel moves
   one of the ranks to another core. */
#include <math.h>
#include "sample/internal.h"

static const double margin = 1.2;

int64_t cm_sample_least(const cm_subject *subject)
{
    return subject->least_operations > 0 ? subject->least_operations : 1;
}

int64_t cm_sample_most(const cm_subject *subject)
{
    return subject->most_operations > 0 ? subject->most_operations : (int64_t)1 << 40;
}

static int64_t bounded(const cm_subject *subject, double operations)
{
    double least = (double)cm_sample_least(subject), most = (double)cm_sample_most(subject);
    return (int64_t)fmin(fmax(operations, least), most);
}

/* Returns the number of operations with which calibration begins. The guess comes from a faster
   subject, so it is an upper bound except for noise. Short trials lower it, because a trial that
   lasts ten times too long costs samples. Returns a number below 0 if a trial failed. */
static double lowered(cm_sample_stage *stage, size_t k)
{
    enum { PROBES = 3 };
    const cm_subject *subject = &stage->subject[k];
    double trial_s = stage->sampling->trial_s, fastest_s = INFINITY;
    int64_t probe = subject->guess / 8;
    if (probe < cm_sample_least(subject)) return fmax((double)subject->guess, 1);
    for (int i = 0; i < PROBES && fastest_s > trial_s / 8; i++) {
        double time_s = cm_sample_trial(stage, k, probe, false);
        if (time_s < 0) return time_s;
        fastest_s = fmin(fastest_s, time_s);
    }
    if (!(fastest_s > 0)) return (double)subject->guess;
    return fmin(ceil(margin * trial_s * (double)probe / fastest_s), (double)subject->guess);
}

/* Consecutive trials that were long enough. */
typedef struct {
    int n;
    double sum_s, fastest_s;
} lasting;

/* Returns true once calibration has settled: after subject->settle such trials, or after fewer if
   their total far exceeds a time slice, as on slow networks. If an operation seems to take a time
   slice, although no guess made that plausible, two ranks may share a core. The trials must then
   last longer in total than the kernel takes to move the ranks apart. */
static bool settled(const cm_subject *subject, const lasting *trials, int64_t operations)
{
    enum { LEAST = 2 };
    static const double slice_s = 0.5e-3, slices_s = 0.2, moved_s = 1;
    if (subject->settle <= 1) return trials->n >= 1;
    bool plausible = subject->guess > 0 && operations >= subject->guess / 8;
    if (trials->n < LEAST) return false;
    if (!plausible && trials->fastest_s > slice_s * (double)operations)
        return trials->sum_s >= moved_s;
    return trials->n >= subject->settle || trials->sum_s >= slices_s;
}

int64_t cm_sample_calibrate(cm_sample_stage *stage, size_t k)
{
    static const double most_growth = 100;
    static const lasting none = {.fastest_s = INFINITY};
    const cm_subject *subject = &stage->subject[k];
    const double trial_s = stage->sampling->trial_s;
    double first = subject->guess > 0 ? lowered(stage, k) : 1;
    if (first < 0) return 0;
    int64_t operations = bounded(subject, first), most = cm_sample_most(subject);
    for (lasting trials = none; !settled(subject, &trials, operations);) {
        double time_s = cm_sample_trial(stage, k, operations, false);
        if (time_s < 0) return 0;
        if (time_s >= trial_s || operations >= most) {
            trials.n++;
            trials.sum_s += time_s;
            trials.fastest_s = fmin(trials.fastest_s, time_s);
            continue;
        }
        trials = none;
        double growth = time_s > 0 ? fmin(margin * trial_s / time_s, most_growth) : most_growth;
        operations = bounded(subject, ceil((double)operations * fmax(growth, 1.05)));
    }
    return operations;
}
