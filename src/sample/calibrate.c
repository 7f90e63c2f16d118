/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c: how many operations make a trial.

   Whoever else wants a core takes it for a time slice of some milliseconds, so a trial may last
   much too long, but none lasts too short: of several trials the fastest tells the truth. While two
   spinning ranks share a core, each message takes a slice, until the kernel moves one of them. */
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

/* The guess comes from something faster, so it is an upper bound but for noise; a trial that lasts
   ten times too long costs samples. Below 0: something is wrong. */
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

/* Trials in a row that were long enough. */
typedef struct {
    int n;
    double sum_s, fastest_s;
} lasting;

/* Are they enough? Fewer are where they together outlast a time slice by far, as on slow networks.
   When an operation seems to take a time slice, and nothing before made that plausible, they must
   outlast what the kernel takes to move ranks apart. */
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
