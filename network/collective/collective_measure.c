/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_measure.c: batches of operations, timed on every rank; the slowest rank's time
   counts. */
#include "collective.h"

typedef struct {
    const collective_case *now;
    const collective_call *call;
} batch;

/* Back to back: a batch is one sample. */
static double follow(void *context, int64_t operations, double *time_s)
{
    const batch *b = context;
    cm_barrier(b->now->group, CM_NATIVE);
    double begin_s = cm_time();
    for (int64_t i = 0; i < operations; i++) b->now->operation->perform(b->now->group, b->call);
    double lasted_s = cm_time() - begin_s;
    time_s[0] = lasted_s / (double)operations;
    return lasted_s;
}

/* Separated: each operation is a sample. The duration of the batch includes its barriers. */
static double separate(void *context, int64_t operations, double *time_s)
{
    const batch *b = context;
    double first_s = cm_time();
    for (int64_t i = 0; i < operations; i++) {
        cm_barrier(b->now->group, CM_NATIVE);
        double begin_s = cm_time();
        b->now->operation->perform(b->now->group, b->call);
        time_s[i] = cm_time() - begin_s;
    }
    return cm_time() - first_s;
}

/* If sending costs nothing, as on some simulated platforms, no number of operations makes a batch
   last long enough: the root sends the messages of all operations at the same moment. All are then
   in flight at once, and the simulator's work grows with the square of their number. Its clock is
   exact, so a batch need not be long. */
static int64_t most_operations(void)
{
    enum { MOST_SIMULATED = 16 };
    return cm_comm_has(CM_HAS_SIMULATOR) ? MOST_SIMULATED : COLLECTIVE_MOST_BATCH;
}

static cm_subject subject_of(batch *b)
{
    /* With fewer operations, the first one, which finds all ranks waiting, would dominate. */
    enum { LEAST_BACK_TO_BACK = 4 };
    bool each = b->now->repetition != COLLECTIVE_BACK_TO_BACK;
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .each = each,
                        .least_operations = each ? 1 : LEAST_BACK_TO_BACK,
                        .most_operations = most_operations(),
                        .trial = each ? separate : follow,
                        .context = b};
}

/* Returns on rank 0 the median time of an operation after a barrier, from one batch. */
static double typical_s(batch *b, const cm_sampling *sampling, cm_samples *samples)
{
    cm_sampling once = *sampling;
    cm_sampled sampled = {.samples = samples};
    const cm_subject subject = subject_of(b);
    once.rule.time_limit_s = 0;
    cm_sample(&once, b->now->group, 1, &subject, &sampled);
    if (cm_rank(b->now->group) != 0) return 0;
    double median_s = cm_sample_summary(samples).median;
    cm_samples_clear(samples);
    return median_s;
}

void collective_measure(const collective_case *now, const collective_call *call,
                        const cm_sampling *sampling, cm_sampled *sampled, collective_count *count)
{
    batch b = {.now = now, .call = call};
    const cm_subject subject = subject_of(&b);
    cm_samples_clear(sampled->samples);
    if (now->repetition == COLLECTIVE_WINDOWS)
        collective_measure_windows(now, call, sampling, typical_s(&b, sampling, sampled->samples),
                                   sampled, count);
    else cm_sample(sampling, now->group, 1, &subject, sampled);
}

static double pass_barriers(void *context, int64_t operations, double *time_s)
{
    cm_algorithm algorithm = *(const cm_algorithm *)context;
    double begin_s = cm_time();
    for (int64_t i = 0; i < operations; i++) cm_barrier(cm_world(), algorithm);
    double lasted_s = cm_time() - begin_s;
    time_s[0] = lasted_s / (double)operations;
    return lasted_s;
}

void collective_warm_up(const cm_sampling *sampling, bool own)
{
    /* A virtual clock may stand still. */
    enum { MOST_BARRIERS = 16 };
    cm_algorithm algorithm = own ? CM_NATIVE : CM_DOUBLING;
    const cm_subject subject = {
        .most_operations = MOST_BARRIERS, .trial = pass_barriers, .context = &algorithm};
    cm_sample_warm_up(sampling, cm_world(), &subject);
}
