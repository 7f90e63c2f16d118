/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_overlap.c: how much computing hides behind the exchange of messages. */
#include <math.h>
#include "netpipe_program.h"

static double command(cm_pair_channel *channel, const cm_pair_mode *mode,
                      cm_pair_operation operation, int64_t bytes, int64_t iterations)
{
    return cm_pair_command(channel, mode, operation, bytes, iterations);
}

static double compute(cm_pair_channel *channel, const cm_pair_mode *mode, int64_t iterations)
{
    command(channel, mode, CM_PAIR_COMPUTE, 0, iterations);
    return channel->load.spent_s;
}

/* Of several, the fastest: whoever else wants the core makes computing longer, never shorter. */
static double measure_unit(cm_pair_channel *channel, const cm_pair_mode *mode)
{
    enum { TRIES = 5 };
    static const double long_enough_s = 1e-3;
    static const int64_t most = (int64_t)1 << 24;
    for (int64_t units = 1024;; units *= 2) {
        double fastest_s = INFINITY;
        command(channel, mode, CM_PAIR_LOAD, 0, units);
        for (int k = 0; k < TRIES; k++) fastest_s = fmin(fastest_s, compute(channel, mode, 1));
        if (fastest_s >= long_enough_s) return fastest_s / (double)units;
        if (units >= most)
            cm_abort(CM_EXIT_USAGE,
                     "--overlap: computing takes no time by this clock, which is not the "
                     "computer's (the dummy backend's moves with CM_DUMMY=compute=1)");
    }
}

/* ---- One size ------------------------------------------------------------------------------- */

/* Medians are compared, not trials: a trial that something has interrupted would be a difference of
   its own. */
typedef struct {
    cm_samples exchange_s, compute_s, total_s[NETPIPE_WAYS];
} trials;

static void trials_close(trials *t)
{
    cm_samples_free(&t->exchange_s);
    cm_samples_free(&t->compute_s);
    for (int way = 0; way < NETPIPE_WAYS; way++) cm_samples_free(&t->total_s[way]);
}

/* One of each, so that what changes on the machine changes for all of them. */
static bool take(cm_pair_channel *channel, const cm_pair_mode *mode, const cm_pair_point *point,
                 int64_t units, trials *t)
{
    int64_t n = point->iterations;
    double exchange_s = command(channel, mode, CM_PAIR_TRIAL, point->bytes, n);
    command(channel, mode, CM_PAIR_LOAD, 0, units);
    double compute_s = compute(channel, mode, n);
    double silent_s = command(channel, mode, CM_PAIR_OVERLAP, point->bytes, n);
    command(channel, mode, CM_PAIR_LOAD, 1, units);
    double progress_s = command(channel, mode, CM_PAIR_OVERLAP, point->bytes, n);
    return cm_samples_add(&t->exchange_s, exchange_s / (double)n)
           && cm_samples_add(&t->compute_s, compute_s / (double)n)
           && cm_samples_add(&t->total_s[NETPIPE_SILENT], silent_s / (double)n)
           && cm_samples_add(&t->total_s[NETPIPE_PROGRESS], progress_s / (double)n);
}

static bool verify(cm_pair_channel *channel, const cm_pair_mode *mode, const cm_pair_point *point,
                   int64_t units)
{
    for (int way = 0; way < NETPIPE_WAYS; way++) {
        command(channel, mode, CM_PAIR_LOAD, way == NETPIPE_PROGRESS, units);
        command(channel, mode, CM_PAIR_OVERLAP_VERIFY, point->bytes, 1 + mode->receives);
    }
    return cm_pair_report(channel) == 0;
}

/* The interval is that of the difference when both medians are at the ends of theirs: too wide
   rather than too narrow. */
static bool summarize(const trials *t, netpipe_overlapped *overlapped)
{
    cm_summary exchange, compute, total;
    if (!cm_summarize(&t->exchange_s, &exchange) || !cm_summarize(&t->compute_s, &compute))
        return false;
    overlapped->compute_s = compute.median;
    for (int way = 0; way < NETPIPE_WAYS; way++) {
        netpipe_hidden *hidden = &overlapped->way[way];
        if (!cm_summarize(&t->total_s[way], &total)) return false;
        hidden->total_s = total.median;
        hidden->overlap = 1 - (total.median - compute.median) / exchange.median;
        hidden->low = 1 - (total.high - compute.low) / exchange.median;
        hidden->high = 1 - (total.low - compute.high) / exchange.median;
    }
    return true;
}

/* Precision here is not relative: an overlap may be 0. */
static bool precise(const netpipe_overlapped *overlapped, const cm_stop_rule *rule, size_t n)
{
    bool all = n >= rule->least && rule->relative_half_width > 0;
    for (int way = 0; way < NETPIPE_WAYS; way++) {
        const netpipe_hidden *hidden = &overlapped->way[way];
        all = all && hidden->high - hidden->low <= 2 * rule->relative_half_width;
    }
    return all;
}

bool netpipe_measure_overlap(cm_pair_channel *channel, const cm_pair_mode *mode,
                             const cm_pair_sampling *sampling, const cm_pair_point *point,
                             netpipe_overlapped *overlapped)
{
    enum { BETWEEN_LOOKS = 8 };
    const cm_stop_rule *rule = &sampling->rule;
    if (overlapped->unit_s == 0) overlapped->unit_s = measure_unit(channel, mode);
    int64_t units = (int64_t)fmax(round(point->summary.median / overlapped->unit_s), 1);
    if (!verify(channel, mode, point, units)) return true;

    trials t = {.exchange_s = CM_SAMPLES_EMPTY};
    double begin_s = cm_time();
    bool enough = true, ended = false;
    for (size_t n = 1; enough && !ended; n++) {
        enough = take(channel, mode, point, units, &t);
        ended = n >= rule->most || cm_time() - begin_s >= rule->time_limit_s;
        if (!enough || (!ended && n % BETWEEN_LOOKS)) continue;
        enough = summarize(&t, overlapped);
        ended = ended || precise(overlapped, rule, n);
    }
    /* Processors change their speed: the next size begins with what this one has seen. */
    if (enough) overlapped->unit_s = overlapped->compute_s / (double)units;
    trials_close(&t);
    return enough && (cm_pair_report(channel), true);
}
