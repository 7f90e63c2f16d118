/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_sweep.c: measures size after size, at each size all curves in turn, until each curve has
   ended. Every rank does the same; rank 0 has the samples and decides by them. */
#include <math.h>
#include <stdlib.h>
#include "hint.h"

enum { LEADER = 0, AGAINS_MOST = 3, AGAINS_OF_ORIGINAL = 7 };

typedef struct {
    hint_job *job;
    cm_result *result;   /* rank 0 */
    hint_course *course; /* of the current size */
    size_t count;
} sweep;

/* A comparison with classic's bounds takes its time and memory, so it ends at some size. */
static bool is_compared(const hint_job *job, const hint_series *series, int64_t classic_bytes,
                        int64_t n)
{
    enum { COMPARED_MOST = 100000 };
    return series->kernel != HINT_CLASSIC && hint_part_of(job, series, n, 0) <= COMPARED_MOST
           && classic_bytes <= job->limit_bytes;
}

static hint_point *point_at(const hint_series *series) { return &series->points[series->count]; }

static const char over_time[] = "time";

static void end(hint_series *series, const char *why) { series->ended = why; }

bool hint_cut(const hint_series *series)
{
    return series->count == 0 && series->ended == over_time;
}

/* Begins a size of a curve: memory, one lap, comparison with classic. */
static void begin(sweep *s, hint_series *series, int64_t n)
{
    hint_job *job = s->job;
    const hint_options *options = job->options;
    if (series->kernel == HINT_ORIGINAL && n >= hint_work_of(job, series, 0).columns) {
        end(series, "precision");
        return;
    }
    const int64_t bytes = hint_rank_bytes(job, series, n);
    const hint_kernel *classic = hint_kernel_of(series->type, HINT_CLASSIC);
    const int64_t classic_bytes =
        classic->refine ? (int64_t)classic->bytes(hint_part_of(job, series, n, 0)) : INT64_MAX;
    const bool compared = is_compared(job, series, classic_bytes, n);
    const int64_t needed = compared && classic_bytes > bytes ? classic_bytes : bytes;
    if (bytes > job->limit_bytes || !hint_reserve(job, (size_t)needed)) {
        end(series, "memory");
        return;
    }
    hint_point *points = realloc(series->points, (series->count + 1) * sizeof *points);
    if (!points) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu sizes", series->count + 1);
    series->points = points;
    hint_point *point = point_at(series);
    *point =
        (hint_point){.n = n, .alike = true, .memory_bytes = hint_counted_bytes(job, series, n)};
    hint_course *course = &s->course[s->count];
    *course = (hint_course){.job = job, .series = series, .point = point};
    double lap_s;
    if (!hint_first_lap(course, compared, &lap_s)) series->unlike++;
    if (lap_s > options->lap_limit_s) {
        end(series, over_time);
        return;
    }
    /* If a lap at a smaller size filled a trial, one lap is enough here. */
    if (series->count && point[-1].t_s >= options->sampling.trial_s) point->laps = 1;
    s->count++;
}

/* A curve that failed to get its memory has freed that of the curves before it. */
static void reserve_again(const sweep *s)
{
    int64_t most = 0;
    for (size_t k = 0; k < s->count; k++) {
        const int64_t bytes = hint_rank_bytes(s->job, s->course[k].series, s->course[k].point->n);
        if (bytes > most) most = bytes;
    }
    if (!hint_reserve(s->job, (size_t)most))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %lld bytes", (long long)most);
}

static size_t fastest(const cm_samples *samples)
{
    size_t least = samples->n;
    for (size_t k = 0; k < samples->n; k++)
        if (!(cm_samples_leave_out(samples) && samples->cause[k])
            && (least == samples->n || samples->value[k] < samples->value[least]))
            least = k;
    return least;
}

/* Computes the values of the fastest trial, on every rank. */
static void judge(const hint_course *course)
{
    const bool copies = course->job->options->copies;
    hint_point *point = course->point;
    struct {
        double t_s, together_s;
        hint_bounds bounds;
    } told = {.bounds = point->bounds};
    if (cm_rank(cm_world()) == LEADER) {
        const size_t k = fastest(&point->samples[HINT_LAP]);
        told.t_s = point->samples[HINT_LAP].value[k];
        told.together_s = copies ? point->samples[HINT_TOGETHER].value[k] : told.t_s;
    }
    cm_bcast(cm_world(), &told, sizeof told, LEADER, CM_AUTO);
    const hint_work work = hint_work_of(course->job, course->series, 0);
    const double squares = hint_squares(&work);
    point->t_s = told.t_s;
    point->bounds = told.bounds;
    point->quality = hint_quality(squares, &told.bounds);
    point->quips = (point->quality - 1) / told.t_s;
    point->aggregate_quips = (point->quality - 1) / told.together_s;
    point->lower = (double)told.bounds.lower / squares;
    point->upper = (double)told.bounds.upper / squares;
}

/* Takes --trials trials of each course in turn. A single course that has some gets as many more. */
static void measure(size_t count, hint_course *course)
{
    if (count == 0) return;
    cm_sampling sampling = course->job->options->sampling;
    sampling.rule.most += course->point->trials;
    cm_subject *subject = calloc(count, sizeof *subject);
    cm_sampled *sampled = calloc(count, sizeof *sampled);
    if (!subject || !sampled) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu curves", count);
    for (size_t k = 0; k < count; k++) {
        hint_point *point = course[k].point;
        const bool first = point == course[k].series->points;
        /* With ten sizes a decade, a lap takes a quarter longer from one size to the next. */
        subject[k] = hint_subject(&course[k], first ? 0 : point[-1].laps * 4 / 5);
        sampled[k] = (cm_sampled){
            .samples = point->samples, .operations = point->laps, .trials = point->trials};
    }
    cm_sample(&sampling, cm_world(), count, subject, sampled);
    for (size_t k = 0; k < count; k++) {
        course[k].point->laps = sampled[k].operations;
        course[k].point->trials = sampled[k].trials;
        judge(&course[k]);
    }
    free(subject);
    free(sampled);
}

static bool is_slow(const hint_job *job, const hint_series *series, const hint_point *point)
{
    return point->quips < job->options->stop_below * series->peak_quips;
}

/* Applies the rules that end a curve to the measured size. */
static void finish(const hint_job *job, hint_series *series)
{
    hint_point *point = point_at(series);
    const hint_work work = hint_work_of(job, series, 0);
    const bool exhausted = point->bounds.subintervals < point->n;
    const double before = series->count ? point[-1].quality : 1;
    point->n = point->bounds.subintervals;
    /* Not a size of its own: the one before reached the end of the precision. */
    if (exhausted && series->count && point->n <= point[-1].n) {
        for (int k = 0; k < HINT_VALUES; k++) cm_samples_free(&point->samples[k]);
        end(series, "precision");
        return;
    }
    series->count++;
    if (!hint_encloses(hint_squares(&work), &point->bounds)) series->outside++;
    if (point->quality < before) series->falling++;
    series->peak_quips = fmax(series->peak_quips, point->quips);
    if (exhausted) end(series, "precision");
    else if (is_slow(job, series, point)) end(series, "slow");
    else if (point->t_s > job->options->lap_limit_s) end(series, over_time);
}

static bool goes_on(const hint_job *job)
{
    for (size_t k = 0; k < job->count; k++)
        if (!job->series[k].ended) return true;
    return false;
}

static void tell(const sweep *s, int64_t n, const char *what)
{
    if (s->result) cm_result_progress(s->result, 0, "%lld subintervals%s", (long long)n, what);
}

/* Repeats sizes that seem slower than a larger one, because they may have been disturbed. */
static void repeat(const sweep *s)
{
    hint_job *job = s->job;
    for (size_t k = 0; k < job->count; k++) {
        hint_series *series = &job->series[k];
        const int most = series->kernel == HINT_ORIGINAL ? AGAINS_OF_ORIGINAL : AGAINS_MOST;
        for (size_t j = series->count; j-- > 1;) {
            hint_point *point = &series->points[j - 1];
            hint_course course = {.job = job, .series = series, .point = point};
            const size_t bytes = (size_t)hint_rank_bytes(job, series, point->n);
            for (int again = 0; again < most && point->t_s > point[1].t_s; again++) {
                if (!hint_reserve(job, bytes)) break;
                tell(s, point->n, " again");
                measure(1, &course);
            }
        }
    }
}

static void warm_up(hint_job *job)
{
    hint_point point = {.n = hint_first_size(job, &job->series[0])};
    hint_course course = {.job = job, .series = &job->series[0], .point = &point};
    const cm_subject subject = hint_subject(&course, 0);
    if (!hint_reserve(job, (size_t)hint_rank_bytes(job, course.series, point.n)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %lld subintervals", (long long)point.n);
    cm_sample_warm_up(&job->options->sampling, cm_world(), &subject);
}

void hint_sweep(hint_job *job, cm_result *result)
{
    const hint_options *options = job->options;
    sweep s = {.job = job, .result = result, .course = calloc(job->count, sizeof *s.course)};
    if (!s.course) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu curves", job->count);
    warm_up(job);
    for (int64_t n = options->lower; goes_on(job); n = hint_size_after(options, n)) {
        const bool last = options->upper >= 0 && n > options->upper;
        tell(&s, n, "");
        s.count = 0;
        for (size_t k = 0; k < job->count; k++) {
            hint_series *series = &job->series[k];
            if (series->ended) continue;
            if (last) end(series, "upper");
            else if (n >= hint_first_size(job, series)) begin(&s, series, n);
        }
        reserve_again(&s);
        measure(s.count, s.course);
        for (size_t k = 0; k < s.count; k++) {
            hint_course *course = &s.course[k];
            /* A disturbance must not end a curve. */
            for (int again = 0; again < AGAINS_MOST && is_slow(job, course->series, course->point);
                 again++)
                measure(1, course);
            finish(job, course->series);
        }
    }
    repeat(&s);
    free(s.course);
}
