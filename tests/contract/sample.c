/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.c: the sampler on several ranks: whose value counts, which rank decides, and that one
   rank's disturbance counts for all. */
#include <math.h>
#include "subject.h"
#include "sample/sample.h"

typedef struct {
    int trials, wrong_at, wrong_rank;
} state;

/* Rank r reports r + 1 seconds for an operation. */
static double trial(void *context, int64_t operations, double *value)
{
    state *s = context;
    int number = ++s->trials;
    for (int64_t i = 0; i < operations; i++) value[i] = rank + 1 + (double)i / 1000;
    if (number == s->wrong_at && rank == s->wrong_rank) return -1;
    return 1e-3 * (double)operations * (rank + 1);
}

static void run(cm_sample_who who, state *s, cm_samples *samples, cm_sampled *sampled)
{
    const cm_sampling sampling = {.rule = {.most = 12, .time_limit_s = INFINITY}, .operations = 4};
    const cm_subject subject = {
        .who = who, .each = true, .most_operations = 4, .trial = trial, .context = s};
    *samples = (cm_samples)CM_SAMPLES_EMPTY;
    *sampled = (cm_sampled){.samples = samples};
    cm_sample(&sampling, world, 1, &subject, sampled);
}

static void test_who(void)
{
    cm_samples samples;
    cm_sampled sampled;
    point("the slowest rank's value counts");
    state s = {.trials = 0};
    run(CM_SAMPLE_SLOWEST, &s, &samples, &sampled);
    EXPECT(rank != 0
               || (samples.n == 12 && samples.value[0] == size && samples.value[6] == size + 0.002),
           "%zu samples, the first %g", samples.n, samples.n ? samples.value[0] : NAN);
    EXPECT(rank == 0 || samples.n == 0, "%zu samples on rank %d", samples.n, rank);
    cm_samples_free(&samples);

    point("or rank 0's");
    s = (state){.trials = 0};
    run(CM_SAMPLE_OWN, &s, &samples, &sampled);
    double first = samples.n ? samples.value[0] : NAN;
    EXPECT(rank != 0 || first == 1, "the first is %g", first);
    cm_samples_free(&samples);

    point("all ranks do the same trials and know how it ended");
    EXPECT(s.trials == 4 && sampled.trials == 3 && sampled.operations == 4
               && sampled.stop == CM_STOP_COUNT,
           "%d trials, %zu of them kept, %lld operations, ended by %d", s.trials, sampled.trials,
           (long long)sampled.operations, (int)sampled.stop);
}

static void test_trouble(void)
{
    cm_samples samples;
    cm_sampled sampled;
    for (int r = 0; r < size; r++) {
        point("what is wrong on rank %d ends it for all", r);
        state s = {.wrong_at = 3, .wrong_rank = r};
        run(CM_SAMPLE_SLOWEST, &s, &samples, &sampled);
        EXPECT(s.trials == 3 && sampled.stop == CM_STOP_NOT, "%d trials, ended by %d", s.trials,
               (int)sampled.stop);
        cm_samples_free(&samples);
    }
}

static unsigned causes_of_rank(void) { return rank < 5 ? 1u << rank : 0; }

static void test_disturbed(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_sampled sampled = {.samples = &samples};
    point("what disturbs a rank disturbs the trial");
    const cm_sampling sampling = {
        .rule = {.most = 12, .time_limit_s = INFINITY}, .operations = 4, .cause = causes_of_rank};
    state s = {.trials = 0};
    const cm_subject subject = {.who = CM_SAMPLE_SLOWEST,
                                .each = true,
                                .most_operations = 4,
                                .trial = trial,
                                .context = &s};
    cm_sample(&sampling, world, 1, &subject, &sampled);
    unsigned all = (1u << (size < 5 ? size : 5)) - 1;
    EXPECT(rank != 0 || (samples.disturbed == 12 && samples.cause[11] == all),
           "%zu of %zu samples, causes %u", samples.disturbed, samples.n,
           samples.cause ? (unsigned)samples.cause[samples.n - 1] : 0);
    cm_samples_free(&samples);
}

static void test_warm_up(void)
{
    point("warm-up: the same trials on all ranks, and an end");
    const cm_sampling sampling = {.warm_up_s = 1e-3};
    state s = {.trials = 0};
    const cm_subject subject = {.each = true, .most_operations = 4, .trial = trial, .context = &s};
    cm_sample_warm_up(&sampling, world, &subject);
    int64_t least = 0, most = 0, mine = s.trials;
    cm_allreduce(world, &mine, &least, 1, CM_INT64, CM_MIN, CM_AUTO);
    cm_allreduce(world, &mine, &most, 1, CM_INT64, CM_MAX, CM_AUTO);
    EXPECT(least == most && least > 0, "%lld to %lld trials", (long long)least, (long long)most);
}

SUBJECT(sample)
{
    test_who();
    test_trouble();
    test_disturbed();
    test_warm_up();
}
