/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_measure.c: batches of operations, timed on every rank; the slowest rank's time
   counts. */
#include <stdlib.h>
#include "collective.h"

/* Back to back, fewer would be mostly the first, which finds all ranks waiting. */
enum { LEAST_BACK_TO_BACK = 4 };

bool collective_times_open(collective_times *times)
{
    times->mine = calloc(COLLECTIVE_MOST_BATCH, sizeof *times->mine);
    times->slowest = calloc(COLLECTIVE_MOST_BATCH, sizeof *times->slowest);
    return times->mine && times->slowest;
}

void collective_times_close(collective_times *times)
{
    free(times->mine);
    free(times->slowest);
}

/* This rank's times of count operations: one of them all, or one each. Returns how many times. */
static int64_t batch(const collective_case *now, const collective_call *call, int64_t count,
                     double *time_s)
{
    cm_group *group = now->group;
    void (*perform)(cm_group *, const collective_call *) = now->operation->perform;
    if (now->repetition == COLLECTIVE_BACK_TO_BACK) {
        cm_barrier(group, CM_NATIVE);
        double begin_s = cm_time();
        for (int64_t i = 0; i < count; i++) perform(group, call);
        time_s[0] = (cm_time() - begin_s) / (double)count;
        return 1;
    }
    for (int64_t i = 0; i < count; i++) {
        cm_barrier(group, CM_NATIVE);
        double begin_s = cm_time();
        perform(group, call);
        time_s[i] = cm_time() - begin_s;
    }
    return count;
}

/* Ranks' times go to rank 0 after the batch, which they would disturb. */
static int64_t run_batch(const collective_case *now, const collective_call *call, int64_t count,
                         collective_times *times)
{
    int64_t n = batch(now, call, count, times->mine);
    cm_reduce(now->group, times->mine, times->slowest, (size_t)n, CM_DOUBLE, CM_MAX, 0, CM_NATIVE);
    return n;
}

/* Operations of a batch: as many as last batch_s, barriers included. The fastest of three tries
   counts: whoever else wants the core makes them longer and none shorter. Warm-up at the same
   time. */
static int64_t calibrate(const collective_case *now, const collective_call *call,
                         const collective_options *options, collective_times *times)
{
    enum { TRIES = 3 };
    int64_t count = now->repetition == COLLECTIVE_BACK_TO_BACK ? LEAST_BACK_TO_BACK : 1;
    int64_t most =
        options->rule.most < COLLECTIVE_MOST_BATCH && now->repetition != COLLECTIVE_BACK_TO_BACK
            ? (int64_t)options->rule.most
            : COLLECTIVE_MOST_BATCH;
    for (;;) {
        double fastest_s = 0;
        for (int k = 0; k < TRIES; k++) {
            double begin_s = cm_time();
            run_batch(now, call, count, times);
            double time_s = cm_time() - begin_s;
            if (k == 0 || time_s < fastest_s) fastest_s = time_s;
        }
        int64_t next = fastest_s >= options->batch_s || count >= most ? 0 : 2 * count;
        if (next > most) next = most;
        cm_bcast(now->group, &next, sizeof next, 0, CM_NATIVE);
        if (next == 0) return count;
        count = next;
    }
}

/* Rank 0: the middle one of the last batch's operations. */
static double typical_s(const collective_times *times, int64_t n)
{
    cm_summary summary;
    const cm_samples all = {.value = times->slowest, .n = (size_t)n, .capacity = (size_t)n};
    return cm_summarize(&all, &summary) ? summary.median : times->slowest[0];
}

cm_stop collective_measure(const collective_case *now, const collective_call *call,
                           const collective_options *options, collective_times *times,
                           cm_samples *samples, collective_count *count)
{
    int32_t stop = CM_STOP_NOT;
    cm_samples_clear(samples);
    *count = (collective_count){.batch = calibrate(now, call, options, times)};
    if (now->repetition == COLLECTIVE_WINDOWS)
        return collective_measure_windows(now, call, options, times, typical_s(times, count->batch),
                                          samples, count);
    double begin_s = cm_time();
    while (stop == CM_STOP_NOT) {
        int64_t n = run_batch(now, call, count->batch, times);
        if (cm_rank(now->group) == 0) {
            for (int64_t i = 0; i < n && samples->n < options->rule.most; i++)
                if (!cm_samples_add(samples, times->slowest[i]))
                    cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu samples", samples->n);
            stop = cm_stop_check(&options->rule, samples, cm_time() - begin_s);
        }
        cm_bcast(now->group, &stop, sizeof stop, 0, CM_NATIVE);
    }
    return (cm_stop)stop;
}

/* Connections are made, the clock frequency rises. */
void collective_warm_up(const collective_options *options, bool own)
{
    double begin_s = cm_time();
    int32_t go = options->warm_up_s > 0;
    /* A virtual clock may stand still. */
    for (int k = 0; go && k < 1000000; k++) {
        cm_barrier(cm_world(), own ? CM_NATIVE : CM_DOUBLING);
        go = cm_time() - begin_s < options->warm_up_s;
        cm_bcast(cm_world(), &go, sizeof go, 0, CM_NATIVE);
    }
}
