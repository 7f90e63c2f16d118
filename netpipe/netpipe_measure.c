/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_measure.c: one message size: verified, calibrated, then trials until the stopping rule
   ends it. */
#include <math.h>
#include "netpipe.h"

enum { VERIFIED_ROUND_TRIPS = 2 };   /* both buffers, when they alternate */

void netpipe_warm_up(netpipe_channel *channel, const netpipe_mode *mode,
                     const netpipe_options *options)
{
    netpipe_command(channel, mode, NETPIPE_SIZE, options->lower_bytes, 0);
    double spent_s = 0;
    int64_t round_trips = 1;
    while (spent_s < options->warm_up_s && channel->damage.wrong_bytes == 0) {
        double trial_s = netpipe_command(channel, mode, NETPIPE_TRIAL, options->lower_bytes,
                                         round_trips);
        spent_s += trial_s;
        if (trial_s < 0.1 * options->warm_up_s) round_trips *= 2;
    }
}

/* How many round trips last at least trial_s: grown until two trials in a row do, so that one
   interruption does not pass for a slow network. All of it is warm-up and discarded. */
static int64_t calibrate(netpipe_channel *channel, const netpipe_mode *mode,
                         const netpipe_options *options, netpipe_operation trial, int64_t bytes,
                         int64_t round_trips)
{
    static const double margin = 1.2, most_growth = 100;
    static const int64_t most = (int64_t)1 << 40;
    for (int lasted = 0; lasted < 2;) {
        double time_s = netpipe_command(channel, mode, trial, bytes, round_trips);
        if (channel->damage.wrong_bytes) break;
        if (time_s >= options->trial_s || round_trips >= most) {
            lasted++;
            continue;
        }
        lasted = 0;
        double growth = most_growth;
        if (time_s > 0) growth = fmin(margin * options->trial_s / time_s, most_growth);
        round_trips = (int64_t)fmin(ceil((double)round_trips * fmax(growth, 1.05)), (double)most);
    }
    return round_trips;
}

/* The first guess comes from a smaller message, so it is an upper bound but for noise; a trial
   that lasts ten times too long costs samples. */
static int64_t lowered(netpipe_channel *channel, const netpipe_mode *mode,
                       const netpipe_options *options, netpipe_operation trial, int64_t bytes,
                       int64_t round_trips)
{
    static const double margin = 1.2;
    int64_t probe = round_trips / 8;
    if (probe < 1) return round_trips;
    double time_s = netpipe_command(channel, mode, trial, bytes, probe);
    if (!(time_s > 0)) return round_trips;
    double needed = ceil(margin * options->trial_s * (double)probe / time_s);
    return needed < (double)round_trips ? (int64_t)fmax(needed, 1) : round_trips;
}

bool netpipe_measure(netpipe_channel *channel, const netpipe_mode *mode,
                     const netpipe_options *options, netpipe_point *point)
{
    int64_t bytes = point->bytes;
    cm_samples_clear(&point->samples);
    point->stop = CM_STOP_NOT;

    netpipe_command(channel, mode, NETPIPE_SIZE, bytes, 0);
    netpipe_command(channel, mode, NETPIPE_VERIFY, bytes, VERIFIED_ROUND_TRIPS);
    if (netpipe_report(channel)) return true;

    netpipe_operation trial = options->integrity ? NETPIPE_CHECKED : NETPIPE_TRIAL;
    if (options->round_trips) {
        point->round_trips = options->round_trips;
        netpipe_command(channel, mode, trial, bytes, point->round_trips);
    } else {
        int64_t guess = lowered(channel, mode, options, trial, bytes, point->round_trips);
        point->round_trips = calibrate(channel, mode, options, trial, bytes, guess);
    }

    double messages = (double)point->round_trips * mode->messages_per_iteration;
    double begin_s = cm_time();
    while (point->stop == CM_STOP_NOT && channel->damage.wrong_bytes == 0) {
        double time_s = netpipe_command(channel, mode, trial, bytes, point->round_trips);
        if (!cm_samples_add(&point->samples, time_s / messages)) return false;
        point->stop = cm_stop_check(&options->rule, &point->samples, cm_time() - begin_s);
    }
    if (netpipe_report(channel)) return true;
    return cm_summarize(&point->samples, &point->summary);
}
