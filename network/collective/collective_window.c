/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_window.c: operations that all ranks begin at an agreed time of synchronised clocks. An
   operation that some rank begins later than the clocks' error does not count. */
#include <math.h>
#include "collective.h"

/* Rank 0's plan for the next batch. */
typedef struct {
    double begin_s, window_s; /* begin of the first window, by rank 0's clock */
    int64_t count;
} plan;

typedef struct {
    const collective_case *now;
    const collective_call *call;
    double batch_s;
    double window_s, synchronised_s; /* rank 0's */
    collective_count *count;
} windows;

/* In this time a clock that drifts by 50 parts in a million moves by 10 us. */
static const double synchronise_s = 0.2;
/* The assumed resolution of clocks, and the longest window. */
static const double finest_s = 1e-6, longest_s = 1;

static void synchronise(void *context)
{
    windows *w = context;
    collective_clock *clock = w->now->clock;
    int32_t due = clock->read() - w->synchronised_s > synchronise_s;
    cm_bcast(w->now->group, &due, sizeof due, 0, CM_NATIVE);
    if (!due) return;
    collective_clock_synchronise(clock);
    w->synchronised_s = clock->read();
}

/* Stores this rank's times of the operations; infinite for those it began late. */
static void run_plan(const windows *w, const plan *p, double *time_s)
{
    const collective_clock *clock = w->now->clock;
    double tolerance_s = fmax(clock->error_s, finest_s);
    for (int64_t k = 0; k < p->count; k++) {
        double begin_s = p->begin_s + (double)k * p->window_s;
        bool late = collective_clock_wait(clock, begin_s) > tolerance_s;
        w->now->operation->perform(w->now->group, w->call);
        double end_s = collective_clock_common(clock, clock->read());
        time_s[k] = late ? INFINITY : end_s - begin_s;
    }
}

/* Returns the number of windows in a batch. */
static int64_t count_of(const windows *w)
{
    return (int64_t)fmax(fmin(ceil(w->batch_s / w->window_s), COLLECTIVE_MOST_BATCH), 1);
}

/* An operation that outlasts its window makes the next one late. A quarter of a batch may be. */
static bool too_many(int64_t late, int64_t count) { return 4 * late > count; }

/* On rank 0: counts windows that some rank began late, and widens windows that are too short. */
static void adapt(windows *w, const plan *p, const double *slowest_s)
{
    int64_t late = 0;
    for (int64_t k = 0; k < p->count; k++) late += isinf(slowest_s[k]) != 0;
    w->count->windows += p->count;
    w->count->late += late;
    if (too_many(late, p->count)) w->window_s = fmin(2 * w->window_s, longest_s);
}

/* If windows have been widened, the batch has fewer of them than requested operations, so that it
   lasts no longer. The missing operations do not count. */
static double trial(void *context, int64_t operations, double *time_s)
{
    windows *w = context;
    const collective_clock *clock = w->now->clock;
    int64_t lasting = count_of(w);
    plan p = {.begin_s = collective_clock_common(clock, clock->read()) + w->window_s,
              .window_s = w->window_s,
              .count = lasting < operations ? lasting : operations};
    cm_bcast(w->now->group, &p, sizeof p, 0, CM_NATIVE);
    run_plan(w, &p, time_s);
    for (int64_t k = p.count; k < operations; k++) time_s[k] = INFINITY;
    cm_reduce(w->now->group, time_s, time_s, (size_t)p.count, CM_DOUBLE, CM_MAX, 0, CM_NATIVE);
    if (cm_rank(w->now->group) == 0) adapt(w, &p, time_s);
    return (double)p.count * p.window_s;
}

void collective_measure_windows(const collective_case *now, const collective_call *call,
                                const cm_sampling *sampling, double first_s, cm_sampled *sampled,
                                collective_count *count)
{
    collective_clock *clock = now->clock;
    windows w = {.now = now,
                 .call = call,
                 .batch_s = sampling->trial_s,
                 .window_s = fmin(4 * first_s + 20e-6, longest_s),
                 .synchronised_s = clock->synchronised ? clock->last.local_s : -INFINITY,
                 .count = count};
    const cm_subject subject = {.who = CM_SAMPLE_OWN,
                                .each = true,
                                .most_operations = COLLECTIVE_MOST_BATCH,
                                .prepare = synchronise,
                                .trial = trial,
                                .context = &w};
    sampled->operations = count_of(&w);
    cm_sample(sampling, now->group, 1, &subject, sampled);
}
