/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c: one message size: verified, calibrated, then trials until the stopping rule
   ends it. */
#include <math.h>
#include "pairs/pairs.h"

/* One trial's samples; what the first turn costs that others do not is warm-up. False: out of
   memory. */
static bool keep(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_point *point,
                 double time_s, int64_t iterations)
{
    double messages = (double)iterations * mode->messages_per_iteration;
    if (channel->pairs && !cm_pairs_keep(channel->pairs, messages)) return false;
    if (!mode->turns) return cm_samples_add(&point->samples, time_s / messages);
    for (int64_t i = 1; i < iterations; i++)
        if (!cm_samples_add(&point->samples, channel->turn_s[i] / mode->messages_per_iteration))
            return false;
    return true;
}

/* As many as a trial has, with turns no more than the rule still wants. */
static int64_t wanted(const cm_pair_mode *mode, const cm_pair_sampling *sampling,
                      const cm_pair_point *point)
{
    if (!mode->turns) return point->iterations;
    int64_t left = (int64_t)(sampling->rule.most - point->samples.n);
    return 1 + (left < point->iterations ? left : point->iterations);
}

static void forget(cm_pair_channel *channel, cm_pair_point *point)
{
    cm_samples_clear(&point->samples);
    if (channel->pairs) cm_pairs_forget(channel->pairs);
}

static bool sample(cm_pair_channel *channel, const cm_pair_mode *mode,
                   const cm_pair_sampling *sampling, cm_pair_operation trial, cm_pair_point *point)
{
    /* While something held the cores through the whole calibration, too few iterations were found
       enough. The first trial that shows it begins the size again. */
    enum { RESTARTS = 3 };
    static const double too_short = 0.25;
    int restarts = sampling->iterations || mode->turns ? 0 : RESTARTS;
    double begin_s = cm_time();
    while (point->stop == CM_STOP_NOT && channel->damage.wrong_bytes == 0) {
        int64_t iterations = wanted(mode, sampling, point);
        double time_s = cm_pair_command(channel, mode, trial, point->bytes, iterations);
        if (restarts > 0 && time_s < too_short * sampling->trial_s) {
            restarts--;
            forget(channel, point);
            point->iterations =
                cm_pair_calibrate(channel, mode, sampling, trial, point->bytes, point->iterations);
            begin_s = cm_time();
            continue;
        }
        if (!keep(channel, mode, point, time_s, iterations)) return false;
        point->stop = cm_stop_check(&sampling->rule, &point->samples, cm_time() - begin_s);
    }
    return true;
}

bool cm_pair_measure(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_pair_sampling *sampling, cm_pair_point *point)
{
    int64_t bytes = point->bytes;
    forget(channel, point);
    point->stop = CM_STOP_NOT;

    /* Every buffer takes part, whatever roles they exchange. */
    cm_pair_command(channel, mode, CM_PAIR_SIZE, bytes, 0);
    cm_pair_command(channel, mode, CM_PAIR_VERIFY, bytes, 1 + mode->receives);
    if (cm_pair_report(channel)) return true;

    cm_pair_operation trial = sampling->integrity ? CM_PAIR_CHECKED : CM_PAIR_TRIAL;
    if (sampling->iterations) {
        point->iterations = sampling->iterations;
        cm_pair_command(channel, mode, trial, bytes, point->iterations);
    } else {
        point->iterations =
            cm_pair_calibrate(channel, mode, sampling, trial, bytes, point->iterations);
    }
    if (!sample(channel, mode, sampling, trial, point)) return false;
    if (cm_pair_report(channel)) return true;
    return cm_summarize(&point->samples, &point->summary);
}
