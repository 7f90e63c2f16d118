/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c: verifies one message size, then measures it until the stopping rule is met. */
#include <math.h>
#include "pairs/pairs.h"

/* The context of a trial. */
typedef struct {
    cm_pair_channel *channel;
    const cm_pair_mode *mode;
    cm_pair_operation operation;
    int64_t bytes;
    double messages; /* number of messages of the last trial */
} exchange;

/* In the mode turns, each round trip is a sample. The first of a trial is discarded, because its
   cost differs. */
static double trial(void *context, int64_t operations, double *value)
{
    exchange *e = context;
    const cm_pair_mode *mode = e->mode;
    int64_t iterations = operations + (mode->turns ? 1 : 0);
    double time_s = cm_pair_command(e->channel, mode, e->operation, e->bytes, iterations);
    if (e->channel->damage.wrong_bytes) return -1;
    e->messages = (double)iterations * mode->messages_per_iteration;
    if (!mode->turns) value[0] = time_s / e->messages;
    for (int64_t k = 0; mode->turns && k < operations; k++)
        value[k] = e->channel->turn_s[k + 1] / mode->messages_per_iteration;
    return time_s;
}

/* With many pairs, keeps the time of each pair in addition to that of the slowest pair. */
static bool keep(void *context)
{
    exchange *e = context;
    if (e->channel->pairs && !cm_pairs_keep(e->channel->pairs, e->messages))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the times of all pairs");
    return true;
}

/* Returns why the following ranks were disturbed. With many pairs they report this at the end of an
   exchange; a single follower reports it with its answer to the next command. */
static unsigned others(void *context, unsigned *earlier)
{
    const exchange *e = context;
    *earlier = e->channel->pairs ? 0 : e->channel->disturbed_before;
    return e->channel->pairs ? e->channel->disturbed : 0;
}

static void forget(void *context)
{
    exchange *e = context;
    if (e->channel->pairs) cm_pairs_forget(e->channel->pairs);
}

/* Ranks that share a core and spin for each other give misleading times during calibration.
   Therefore SETTLE consecutive trials must be long enough. */
static cm_subject subject_of(exchange *e, const cm_sampling *sampling, int64_t guess)
{
    enum { SETTLE = 6 };
    return (cm_subject){.each = e->mode->turns,
                        .least_operations = e->mode->least_iterations,
                        .most_operations = cm_pair_most_turns(e->mode, sampling),
                        .guess = guess,
                        .settle = SETTLE,
                        .trial = trial,
                        .verify = keep,
                        .forget = forget,
                        .others = others,
                        .context = e};
}

int64_t cm_pair_most_turns(const cm_pair_mode *mode, const cm_sampling *sampling)
{
    if (!mode->turns) return 0;
    return sampling->operations ? sampling->operations : (int64_t)sampling->rule.most;
}

void cm_pair_warm_up(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_sampling *sampling, int64_t bytes)
{
    exchange e = {.channel = channel, .mode = mode, .operation = CM_PAIR_TRIAL, .bytes = bytes};
    const cm_subject subject = subject_of(&e, sampling, 0);
    cm_pair_command(channel, mode, CM_PAIR_SIZE, bytes, 0);
    cm_sample_warm_up(sampling, NULL, &subject);
}

bool cm_pair_measure(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_sampling *sampling, cm_pair_point *point)
{
    exchange e = {.channel = channel,
                  .mode = mode,
                  .operation = channel->integrity ? CM_PAIR_CHECKED : CM_PAIR_TRIAL,
                  .bytes = point->bytes};
    const cm_subject subject = subject_of(&e, sampling, point->iterations);
    cm_sampled sampled = {.samples = &point->samples};
    forget(&e);
    cm_samples_clear(&point->samples);
    cm_pair_look(channel);
    point->first_ns = point->last_ns = cm_pair_distance_now(channel);

    /* One exchange for each buffer, because buffers may exchange roles. */
    cm_pair_command(channel, mode, CM_PAIR_SIZE, point->bytes, 0);
    cm_pair_command(channel, mode, CM_PAIR_VERIFY, point->bytes, 1 + mode->receives);
    if (cm_pair_report(channel)) return true;

    cm_sample(sampling, NULL, 1, &subject, &sampled);
    point->iterations = sampled.operations;
    point->stop = sampled.stop;
    if (cm_pair_report(channel)) return true;
    if (!channel->pairs
        && !cm_samples_disturb(&point->samples, sampled.last, SIZE_MAX, channel->disturbed_before))
        return false;
    cm_pair_look(channel);
    point->last_ns = cm_pair_distance_now(channel);
    return cm_summarize(&point->samples, &point->summary);
}
