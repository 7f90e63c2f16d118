/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_window.c: operations that all ranks begin at one moment of synchronised clocks. What
   some rank begins later than the clocks are known does not count. */
#include <math.h>
#include "collective.h"

/* What rank 0 wants of the next batch. */
typedef struct {
    double begin_s, window_s; /* the first window's beginning, by rank 0's clock */
    int64_t count;
    int32_t synchronise, stop;
} plan;

/* A clock that drifts by 50 parts in a million is 10 us away after that. */
static const double synchronise_s = 0.2;
/* Clocks are not read more finely than that; and no window lasts longer. */
static const double finest_s = 1e-6, longest_s = 1;

/* This rank's times of the operations, infinite where it was late. */
static void run_plan(const collective_case *now, const collective_call *call, const plan *p,
                     double *time_s)
{
    const collective_clock *clock = now->clock;
    double tolerance_s = fmax(clock->error_s, finest_s);
    for (int64_t k = 0; k < p->count; k++) {
        double begin_s = p->begin_s + (double)k * p->window_s;
        bool late = collective_clock_wait(clock, begin_s) > tolerance_s;
        now->operation->perform(now->group, call);
        double end_s = collective_clock_common(clock, clock->read());
        time_s[k] = late ? INFINITY : end_s - begin_s;
    }
}

/* Rank 0: keeps what all ranks began in time. Returns how many they did not. */
static int64_t keep(const plan *p, const double *slowest_s, size_t most, cm_samples *samples)
{
    int64_t late = 0;
    for (int64_t k = 0; k < p->count; k++) {
        if (isinf(slowest_s[k])) late++;
        else if (samples->n < most && !cm_samples_add(samples, slowest_s[k]))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu samples", samples->n);
    }
    return late;
}

static int64_t count_of(const collective_options *options, double window_s)
{
    double count = fmin(ceil(options->batch_s / window_s), COLLECTIVE_MOST_BATCH);
    return (int64_t)fmax(fmin(count, (double)options->rule.most), 1);
}

/* An operation that outlasts its window makes the next one late; so many of a batch may be. */
static bool too_many(int64_t late, int64_t count) { return 4 * late > count; }

cm_stop collective_measure_windows(const collective_case *now, const collective_call *call,
                                   const collective_options *options, collective_times *times,
                                   double first_s, cm_samples *samples, collective_count *count)
{
    /* On a machine that lets no window be kept the row ends so much later. */
    static const double patience_s = 2;
    collective_clock *clock = now->clock;
    bool leads = cm_rank(now->group) == 0;
    plan p = {.window_s = 4 * first_s + 20e-6};
    double begin_s = clock->read(), last_s = clock->synchronised ? clock->last.local_s : -INFINITY;
    for (;;) {
        p.synchronise = clock->read() - last_s > synchronise_s;
        cm_bcast(now->group, &p, sizeof p, 0, CM_NATIVE);
        if (p.stop) return (cm_stop)p.stop;
        if (p.synchronise) {
            collective_clock_synchronise(clock);
            last_s = clock->read();
        }
        p.window_s = fmin(p.window_s, longest_s);
        p.count = count_of(options, p.window_s);
        p.begin_s = collective_clock_common(clock, clock->read()) + p.window_s;
        cm_bcast(now->group, &p, sizeof p, 0, CM_NATIVE);
        run_plan(now, call, &p, times->mine);
        cm_reduce(now->group, times->mine, times->slowest, (size_t)p.count, CM_DOUBLE, CM_MAX, 0,
                  CM_NATIVE);
        if (!leads) continue;
        int64_t late = keep(&p, times->slowest, options->rule.most, samples);
        count->windows += p.count;
        count->late += late;
        if (too_many(late, p.count)) p.window_s *= 2;
        double spent_s = clock->read() - begin_s;
        p.stop = (int32_t)cm_stop_check(&options->rule, samples, spent_s);
        if (samples->n == 0 && spent_s > options->rule.time_limit_s + patience_s)
            p.stop = CM_STOP_TIME;
    }
}
