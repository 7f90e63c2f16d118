/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_overlap.c: measures how much of a message exchange computing hides. */
#include <math.h>
#include "netpipe.h"

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

/* Takes the fastest of several: other users of the core make computing longer, never shorter. */
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
                     "computer's; with the dummy backend set CM_DUMMY=compute=1");
    }
}

/* ---- One size ------------------------------------------------------------------------------- */

/* The times that a trial measures, one after the other, so that a change on the machine affects all
   of them. */
enum { EXCHANGE, COMPUTE, TOTAL, TIMES = TOTAL + NETPIPE_WAYS };

typedef struct {
    cm_pair_channel *channel;
    const cm_pair_mode *mode;
    unsigned disturbed, before; /* the follower's causes: in this trial, and in the one before */
    int64_t bytes, units;
    double half_width; /* requested for the overlap */
    netpipe_overlapped *overlapped;
} size_of;

/* The follower's word of an exchange comes with its answer to the next command: that of the last
   exchange of a trial with the first command of the next trial. */
static double trial(void *context, int64_t n, double *value)
{
    size_of *s = context;
    cm_pair_channel *channel = s->channel;
    double *total_s = value + TOTAL;
    value[EXCHANGE] = command(channel, s->mode, CM_PAIR_TRIAL, s->bytes, n);
    s->before = channel->disturbed_before;
    command(channel, s->mode, CM_PAIR_LOAD, 0, s->units);
    s->disturbed = channel->disturbed_before;
    value[COMPUTE] = compute(channel, s->mode, n);
    s->disturbed |= channel->disturbed_before;
    total_s[NETPIPE_SILENT] = command(channel, s->mode, CM_PAIR_OVERLAP, s->bytes, n);
    s->disturbed |= channel->disturbed_before;
    command(channel, s->mode, CM_PAIR_LOAD, 1, s->units);
    s->disturbed |= channel->disturbed_before;
    total_s[NETPIPE_PROGRESS] = command(channel, s->mode, CM_PAIR_OVERLAP, s->bytes, n);
    s->disturbed |= channel->disturbed_before;
    double lasted_s = 0;
    for (int k = 0; k < TIMES; k++) {
        lasted_s += value[k];
        value[k] /= (double)n;
    }
    return s->channel->damage.wrong_bytes ? -1 : lasted_s;
}

static unsigned others(void *context, unsigned *earlier)
{
    const size_of *s = context;
    *earlier = s->before;
    return s->disturbed;
}

static bool verify(const size_of *s)
{
    for (int way = 0; way < NETPIPE_WAYS; way++) {
        command(s->channel, s->mode, CM_PAIR_LOAD, way == NETPIPE_PROGRESS, s->units);
        command(s->channel, s->mode, CM_PAIR_OVERLAP_VERIFY, s->bytes, 1 + s->mode->receives);
    }
    return cm_pair_report(s->channel) == 0;
}

/* Compares medians, not trials: in a single trial an interruption would look like a difference. */
static bool summarize(const cm_samples *samples, netpipe_overlapped *overlapped)
{
    cm_summary exchange, compute, total;
    if (!cm_summarize(&samples[EXCHANGE], &exchange) || !cm_summarize(&samples[COMPUTE], &compute))
        return false;
    overlapped->compute_s = compute.median;
    for (int way = 0; way < NETPIPE_WAYS; way++) {
        netpipe_hidden *hidden = &overlapped->way[way];
        if (!cm_summarize(&samples[TOTAL + way], &total)) return false;
        hidden->total_s = total.median;
        hidden->overlap = cm_quantity_overlap(&exchange, &compute, &total);
    }
    return true;
}

/* Precision is absolute here, because an overlap may be 0. */
static bool precise(void *context, const cm_samples *samples)
{
    const size_of *s = context;
    if (!summarize(samples, s->overlapped)) return false;
    for (int way = 0; way < NETPIPE_WAYS; way++) {
        const cm_quantity *overlap = &s->overlapped->way[way].overlap;
        if (!(overlap->high - overlap->low <= 2 * s->half_width)) return false;
    }
    return true;
}

bool netpipe_measure_overlap(cm_pair_channel *channel, const cm_pair_mode *mode,
                             const cm_sampling *sampling, const cm_pair_point *point,
                             netpipe_overlapped *overlapped)
{
    if (overlapped->unit_s == 0) overlapped->unit_s = measure_unit(channel, mode);
    int64_t units = (int64_t)fmax(round(point->summary.median / overlapped->unit_s), 1);
    size_of s = {.channel = channel,
                 .mode = mode,
                 .bytes = point->bytes,
                 .units = units,
                 .half_width = sampling->rule.relative_half_width,
                 .overlapped = overlapped};
    if (!verify(&s)) return true;

    const cm_subject subject = {
        .series = TIMES, .trial = trial, .precise = precise, .others = others, .context = &s};
    cm_samples samples[TIMES] = {CM_SAMPLES_EMPTY};
    cm_sampled sampled = {.samples = samples, .operations = point->iterations};
    cm_sample(sampling, NULL, 1, &subject, &sampled);
    cm_pair_report(channel); /* brings the follower's word of the last trial */
    bool enough = true;
    for (int k = 0; k < TIMES; k++)
        enough = cm_samples_disturb(&samples[k], sampled.last, SIZE_MAX, channel->disturbed_before)
                 && enough;
    enough = enough && summarize(samples, overlapped);
    /* Processors change their speed, so the next size starts from this size's speed. */
    if (enough) overlapped->unit_s = overlapped->compute_s / (double)units;
    for (int k = 0; k < TIMES; k++) cm_samples_free(&samples[k]);
    return enough;
}
