/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_sweep.c: all sizes, all curves in turn at each of them, until something ends each curve. */
#include <math.h>
#include <stdlib.h>
#include "hint.h"

/* Up to here a rank's bounds are compared with classic's, which takes its time and its memory. */
enum { COMPARED_MOST = 100000, AGAINS_MOST = 3 };

typedef struct {
    hint_job *job;
    cm_result *result;
    int64_t *laps; /* [series]: of the size at hand; 0: not measured at this size */
} sweep;

static bool is_compared(const sweep *s, const hint_series *series, int64_t n)
{
    if (series->kernel == HINT_CLASSIC) return false;
    if (hint_is_parallel(s->job)) n = hint_share(n, series->ranks, 0);
    return n <= COMPARED_MOST
           && (int64_t)hint_kernel_of(series->type, HINT_CLASSIC)->bytes(n) <= s->job->limit_bytes;
}

static bool reserve(const sweep *s, size_t k, int64_t n)
{
    const hint_series *series = &s->job->series[k];
    int64_t bytes = hint_rank_bytes(s->job, series, n);
    if (bytes > s->job->limit_bytes) return false;
    if (is_compared(s, series, n)) {
        int64_t share = hint_is_parallel(s->job) ? hint_share(n, series->ranks, 0) : n;
        int64_t classic = (int64_t)hint_kernel_of(series->type, HINT_CLASSIC)->bytes(share);
        if (classic > bytes) bytes = classic;
    }
    return hint_command_reserve(s->job, (size_t)bytes);
}

/* How many laps last as long as a trial; also touches the memory. Negative: one lap takes too
   long. */
static int64_t calibrate(const sweep *s, size_t k, int64_t n, int64_t guess)
{
    const hint_options *options = s->job->options;
    double laps = guess > 1 ? (double)guess : 1;
    for (;;) {
        double lap_s = hint_command_run(s->job, k, n, (int64_t)laps).slowest_s;
        if (lap_s > options->time_limit_s) return -1;
        /* A disturbance must not make trials short: laps do not get so much longer from size to
           size. */
        if (laps * lap_s >= 0.5 * options->trial_s)
            return (int64_t)fmax(fmax(1, (double)(guess / 2)), ceil(options->trial_s / lap_s));
        /* A clock that stands still says nothing yet. */
        double wanted = lap_s > 0 ? 1.1 * options->trial_s / lap_s : INFINITY;
        laps = ceil(fmin(10 * laps, fmax(2 * laps, wanted)));
    }
}

static hint_point *point_at(const hint_series *series) { return &series->points[series->count]; }

static void end(hint_series *series, const char *why) { series->ended = why; }

/* A size's first look at a curve: memory, laps, comparison. */
static void begin(sweep *s, size_t k, int64_t n)
{
    hint_job *job = s->job;
    hint_series *series = &job->series[k];
    const int64_t guess = series->count ? series->points[series->count - 1].laps * 4 / 5 : 1;
    s->laps[k] = 0;
    if (n < hint_first_size(job, series)) return;
    if (!reserve(s, k, n)) {
        end(series, "memory");
        return;
    }
    if (is_compared(s, series, n) && !hint_command_compare(job, k, n)) series->unlike++;
    int64_t laps = calibrate(s, k, n, guess);
    if (laps < 0) {
        end(series, "time");
        return;
    }
    hint_point *points = realloc(series->points, (series->count + 1) * sizeof *points);
    if (!points) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu sizes", series->count + 1);
    series->points = points;
    *point_at(series) = (hint_point){.n = n,
                                     .t_s = INFINITY,
                                     .alike = true,
                                     .laps = laps,
                                     .memory_bytes = hint_rank_bytes(job, series, n),
                                     .samples = CM_SAMPLES_EMPTY};
    s->laps[k] = laps;
}

/* One trial; the fastest counts. */
static void try(sweep *s, size_t k, hint_point *point)
{
    const hint_series *series = &s->job->series[k];
    hint_trial trial = hint_command_run(s->job, k, point->n, point->laps);
    if (!cm_samples_add(&point->samples, trial.slowest_s))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    point->alike &= trial.alike;
    if (trial.slowest_s >= point->t_s) return;
    hint_work work;
    hint_work_of(s->job, series, 0, &work);
    const double squares = (double)hint_squares(&work);
    point->t_s = trial.slowest_s;
    point->bounds = trial.bounds;
    point->quality = hint_quality(hint_squares(&work), &trial.bounds);
    point->quips = (point->quality - 1) / trial.slowest_s;
    point->aggregate_quips =
        s->job->options->copies ? (point->quality - 1) * trial.laps_per_s : point->quips;
    point->lower = (double)trial.bounds.lower / squares;
    point->upper = (double)trial.bounds.upper / squares;
}

static bool is_slow(const sweep *s, const hint_series *series, const hint_point *point)
{
    return point->quips < s->job->options->slow_part * series->peak_quips;
}

/* What the rules say of a size that is measured. */
static void finish(sweep *s, size_t k)
{
    hint_series *series = &s->job->series[k];
    hint_point *point = point_at(series);
    hint_work work;
    hint_work_of(s->job, series, 0, &work);
    const bool exhausted = point->bounds.subintervals < point->n;
    const double before = series->count ? point[-1].quality : 1;
    point->n = point->bounds.subintervals;
    /* No size of its own: the one before had reached the end. */
    if (exhausted && series->count && point->n <= point[-1].n) {
        cm_samples_free(&point->samples);
        end(series, "precision");
        return;
    }
    series->count++;
    if (!hint_encloses(hint_squares(&work), &point->bounds)) series->outside++;
    if (point->quality < before) series->falling++;
    series->peak_quips = fmax(series->peak_quips, point->quips);
    if (exhausted) end(series, "precision");
    else if (is_slow(s, series, point)) end(series, "slow");
    else if (point->t_s > s->job->options->time_limit_s) end(series, "time");
}

static bool goes_on(const hint_job *job)
{
    for (size_t k = 0; k < job->count; k++)
        if (!job->series[k].ended) return true;
    return false;
}

/* A size that seems slower than a larger one was disturbed, unless it is so again. */
static void repeat(sweep *s)
{
    const hint_job *job = s->job;
    for (size_t k = 0; k < job->count; k++) {
        hint_series *series = &job->series[k];
        for (size_t j = series->count; j-- > 1;) {
            hint_point *point = &series->points[j - 1];
            for (int again = 0; again < AGAINS_MOST && point->t_s > point[1].t_s; again++) {
                if (!reserve(s, k, point->n)) break;
                cm_result_progress(s->result, 1, "%lld subintervals again", (long long)point->n);
                for (int64_t t = 0; t < job->options->trials; t++) try(s, k, point);
            }
        }
    }
}

void hint_sweep(hint_job *job, cm_result *result)
{
    const hint_options *options = job->options;
    sweep s = {job, result, calloc(job->count, sizeof *s.laps)};
    if (!s.laps) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu curves", job->count);
    if (options->warm_up_s > 0) {
        const int64_t n = hint_first_size(job, &job->series[0]);
        if (!reserve(&s, 0, n))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for %lld subintervals", (long long)n);
        for (double start_s = cm_time(); cm_time() - start_s < options->warm_up_s;)
            hint_command_run(job, 0, n, 100);
    }
    for (int64_t n = options->lower; goes_on(job); n = hint_next_size(n)) {
        const bool last = options->upper >= 0 && n > options->upper;
        for (size_t k = 0; k < job->count; k++) {
            hint_series *series = &job->series[k];
            s.laps[k] = 0;
            if (series->ended) continue;
            if (last) end(series, "upper");
            else begin(&s, k, n);
        }
        cm_result_progress(result, 0, "%lld subintervals", (long long)n);
        for (int64_t trial = 0; trial < options->trials; trial++)
            for (size_t k = 0; k < job->count; k++)
                if (s.laps[k]) try(&s, k, point_at(&job->series[k]));
        for (size_t k = 0; k < job->count; k++) {
            if (!s.laps[k]) continue;
            /* Nor must a disturbance end a curve. */
            hint_point *point = point_at(&job->series[k]);
            for (int again = 0; again < AGAINS_MOST && is_slow(&s, &job->series[k], point); again++)
                for (int64_t trial = 0; trial < options->trials; trial++) try(&s, k, point);
            finish(&s, k);
        }
    }
    repeat(&s);
    free(s.laps);
}
