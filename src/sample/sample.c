/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.c: runs trials of one subject, or of several in turn, until each meets the stopping
   rule. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sample/internal.h"

enum { LEADER = 0, RESTARTS = 3 };

/* Rank 0: the state of a subject that is being measured. */
typedef struct {
    const cm_subject *subject;
    cm_sampled *sampled;
    size_t series;
    double spent_s; /* time spent on its trials, including preparation and verification */
    int restarts;
    bool open;
    /* Number of samples before the last trial, before the trial preceding it, and at the last look
       (disturbance.c). */
    size_t last, before_last, looked;
    size_t looks;
} course;

static double time_limit_s(const cm_sampling *sampling, const course *c)
{
    /* A row without any finite value goes on for this much longer. */
    static const double patience_s = 2;
    return sampling->rule.time_limit_s + (c->sampled->samples[0].n == 0 ? patience_s : 0);
}

/* Sets the number of operations of a trial. Returns false if a trial failed. */
static bool begin(cm_sample_stage *stage, size_t k, course *c)
{
    const cm_sampling *sampling = stage->sampling;
    const cm_subject *subject = c->subject;
    int64_t operations = sampling->operations;
    if (operations == 0 && sampling->trial_s > 0) {
        operations = cm_sample_calibrate(stage, k);
        c->restarts = subject->each ? 0 : RESTARTS;
    } else {
        if (operations < cm_sample_least(subject)) operations = cm_sample_least(subject);
        if (operations > cm_sample_most(subject)) operations = cm_sample_most(subject);
        /* The first trial meets cold caches and opens connections, so it is discarded. */
        if (sampling->operations && cm_sample_trial(stage, k, operations, false) < 0) return false;
    }
    c->sampled->operations = operations;
    return operations > 0;
}

static void forget(course *c)
{
    for (size_t i = 0; i < c->series; i++) cm_samples_clear(&c->sampled->samples[i]);
    c->sampled->trials = c->sampled->dropped = 0;
    c->last = c->before_last = c->looked = 0;
    c->spent_s = 0;
    if (c->subject->forget) c->subject->forget(c->subject->context);
}

/* Marks samples first to end - 1 of every series as disturbed. All series have equally many samples
   unless some values were not finite. */
static void disturb(course *c, size_t first, size_t end, unsigned cause)
{
    for (size_t i = 0; i < c->series; i++)
        if (!cm_samples_disturb(&c->sampled->samples[i], first, end, cause))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for the marks of %zu samples",
                     c->sampled->samples[i].n);
}

/* Marks the samples that the last trial showed to be disturbed. A look's findings apply to all
   trials since the previous look. */
static void mark(const cm_sample_stage *stage, course *c)
{
    disturb(c, c->last, SIZE_MAX, stage->cause);
    disturb(c, c->before_last, c->last, stage->earlier);
    disturb(c, c->looked, c->last, stage->cause & CM_SAMPLE_LOOKED_FOR);
    if (c->looks != stage->looks) c->looked = c->sampled->samples[0].n;
    c->looks = stage->looks;
}

static void keep(cm_sample_stage *stage, course *c, int64_t operations)
{
    c->before_last = c->last;
    c->last = c->sampled->samples[0].n;
    size_t width = cm_sample_width(c->subject, operations), most = stage->sampling->rule.most;
    for (size_t i = 0; i < width; i++) {
        cm_samples *to = &c->sampled->samples[c->subject->each ? 0 : i];
        if (!isfinite(stage->value[i])) c->sampled->dropped++;
        else if (c->subject->each && most && to->n >= most) break;
        else if (!cm_samples_add(to, stage->value[i]))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu samples", to->n + 1);
    }
    c->sampled->trials++;
    mark(stage, c);
}

/* Returns true at the sample or run limit. */
static bool is_full(const cm_sampling *sampling, const course *c)
{
    size_t most = sampling->rule.most;
    return (most > 0 && c->sampled->samples[0].n >= most)
           || (sampling->runs > 0 && c->sampled->trials >= (size_t)sampling->runs);
}

/* The verdict on a subject that has its own precision test, which is called at every 8th sample and
   at the end. */
static cm_stop own_verdict(const cm_sampling *sampling, course *c)
{
    enum { BETWEEN_LOOKS = 8 };
    const cm_stop_rule *rule = &sampling->rule;
    size_t n = c->sampled->samples[0].n;
    bool full = is_full(sampling, c), late = c->spent_s >= rule->time_limit_s;
    if ((full || late || n % BETWEEN_LOOKS == 0) && n >= rule->least
        && rule->relative_half_width > 0
        && c->subject->precise(c->subject->context, c->sampled->samples))
        return CM_STOP_PRECISION;
    return full ? CM_STOP_COUNT : late ? CM_STOP_TIME : CM_STOP_NOT;
}

/* A row ends when all its series meet the rule. Its reason is that of the last series to end. */
static cm_stop verdict(const cm_sampling *sampling, course *c)
{
    cm_stop last = CM_STOP_PRECISION;
    bool open = false;
    double limit_s = time_limit_s(sampling, c);
    if (c->sampled->samples[0].n == 0) return c->spent_s >= limit_s ? CM_STOP_TIME : CM_STOP_NOT;
    if (c->subject->precise) return own_verdict(sampling, c);
    for (size_t i = 0; i < c->series; i++) {
        cm_stop stop = cm_stop_check(&sampling->rule, &c->sampled->samples[i], c->spent_s);
        if (stop != CM_STOP_PRECISION && is_full(sampling, c)) stop = CM_STOP_COUNT;
        if (stop == CM_STOP_NOT) open = true; /* every series must be checked at each n */
        if (stop > last) last = stop;
    }
    return open ? CM_STOP_NOT : last;
}

/* Returns the number of operations of the next trial. If each operation is a sample, the trial has
   no more of them than the rule still allows. */
static int64_t wanted(const cm_sampling *sampling, const course *c)
{
    int64_t operations = c->sampled->operations, most = (int64_t)sampling->rule.most;
    if (!c->subject->each || most == 0) return operations;
    int64_t left = most - (int64_t)c->sampled->samples[0].n;
    if (left < cm_sample_least(c->subject)) left = cm_sample_least(c->subject);
    return left < operations ? left : operations;
}

/* Runs and keeps one trial. Returns false if it failed. */
static bool step(cm_sample_stage *stage, size_t k, course *c)
{
    static const double too_short = 0.25;
    const cm_sampling *sampling = stage->sampling;
    double begin_s = cm_sample_now_s(sampling);
    int64_t operations = wanted(sampling, c);
    double lasted_s = cm_sample_trial(stage, k, operations, true);
    if (lasted_s < 0) return false;
    /* If other tasks used the cores during the whole calibration, it chose too few operations. The
       first trial that is too short restarts the row. */
    if (c->restarts > 0 && lasted_s < too_short * sampling->trial_s
        && operations < cm_sample_most(c->subject)) {
        int left = c->restarts - 1;
        forget(c);
        if (!begin(stage, k, c)) return false;
        c->restarts = left;
        return true;
    }
    keep(stage, c, operations);
    c->spent_s += cm_sample_now_s(sampling) - begin_s;
    c->sampled->stop = verdict(sampling, c);
    c->open = c->sampled->stop == CM_STOP_NOT;
    return true;
}

/* What rank 0 sends to the other ranks about each subject at the end. */
typedef struct {
    int64_t operations, trials;
    int32_t stop;
} news;

static void lead(cm_sample_stage *stage, size_t n, cm_sampled *sampled, news *told)
{
    course *courses = calloc(n, sizeof *courses);
    if (!courses) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu rows", n);
    bool good = true;
    for (size_t k = 0; k < n && good; k++) {
        const cm_subject *subject = &stage->subject[k];
        courses[k] = (course){.subject = subject,
                              .sampled = &sampled[k],
                              .open = true,
                              .series = subject->series ? subject->series : 1,
                              .last = sampled[k].samples[0].n,
                              .before_last = sampled[k].samples[0].n,
                              .looked = sampled[k].samples[0].n};
        sampled[k].stop = CM_STOP_NOT;
        if (sampled[k].operations == 0) good = begin(stage, k, &courses[k]);
    }
    for (bool more = good; more && good;) {
        more = false;
        for (size_t k = 0; k < n && good; k++)
            if (courses[k].open) {
                good = step(stage, k, &courses[k]);
                more = more || courses[k].open;
            }
    }
    for (size_t k = 0; k < n; k++) {
        if (!good) sampled[k].stop = CM_STOP_NOT;
        sampled[k].last = courses[k].last;
        told[k] = (news){.operations = sampled[k].operations,
                         .trials = (int64_t)sampled[k].trials,
                         .stop = (int32_t)sampled[k].stop};
    }
    cm_sample_end(stage, told, n * sizeof *told);
    free(courses);
}

void cm_sample(const cm_sampling *sampling, cm_group *group, size_t n, const cm_subject *subject,
               cm_sampled *sampled)
{
    cm_sample_stage stage;
    cm_sample_stage_open(&stage, sampling, group, subject);
    news *told = calloc(n, sizeof *told);
    if (!told) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu rows", n);
    if (!group || cm_rank(group) == LEADER) {
        lead(&stage, n, sampled, told);
    } else {
        cm_sample_obey(&stage, told, n * sizeof *told);
        for (size_t k = 0; k < n; k++) {
            sampled[k].operations = told[k].operations;
            sampled[k].trials = (size_t)told[k].trials;
            sampled[k].stop = (cm_stop)told[k].stop;
        }
    }
    cm_sample_stage_close(&stage);
    free(told);
}
