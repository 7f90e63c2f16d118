/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c: runs one trial. Rank 0 announces it, every rank runs it, and rank 0 receives the value
   that counts. */
#include <math.h>
#include <stdlib.h>
#include "sample/internal.h"

enum { LEADER = 0 };

/* The command that rank 0 sends to all ranks. operations == 0 ends the measurement. */
typedef struct {
    int64_t operations;
    int32_t subject, kept;
    int32_t look, unused; /* look: take a look (disturbance.c) after the trial */
} order;

double cm_sample_now_s(const cm_sampling *sampling)
{
    return sampling->now_s ? sampling->now_s() : cm_time();
}

size_t cm_sample_width(const cm_subject *subject, int64_t operations)
{
    if (subject->each) return (size_t)operations;
    return subject->series ? subject->series : 1;
}

static bool alone(const cm_sample_stage *stage)
{
    return !stage->group || cm_size(stage->group) == 1;
}

static void make_room(cm_sample_stage *stage, size_t width)
{
    if (width <= stage->capacity) return;
    double *larger = realloc(stage->value, width * sizeof *larger);
    if (!larger) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu values of a trial", width);
    stage->value = larger;
    stage->capacity = width;
}

/* Runs the trial and sets *cause to why it was disturbed. */
static double watched(cm_sample_stage *stage, const cm_subject *subject, const order *now,
                      unsigned *cause)
{
    const cm_sampling *sampling = stage->sampling;
    if (!sampling->cause) cm_sample_watch_begin(&stage->watch, cm_sample_now_s(sampling));
    double lasted_s = subject->trial(subject->context, now->operations, stage->value);
    *cause = sampling->cause
                 ? sampling->cause()
                 : cm_sample_watch_end(&stage->watch, cm_sample_now_s(sampling), now->look);
    return lasted_s;
}

/* Runs this rank's part of a trial. Returns what cm_sample_trial returns, which covers all ranks
   only on rank 0. */
static double carry_out(cm_sample_stage *stage, const order *now)
{
    const cm_subject *subject = &stage->subject[now->subject];
    size_t width = cm_sample_width(subject, now->operations);
    make_room(stage, width);
    if (subject->prepare) subject->prepare(subject->context);
    unsigned cause;
    double lasted_s = watched(stage, subject, now, &cause);
    stage->earlier = 0;
    if (subject->others) cause |= subject->others(subject->context, &stage->earlier);
    stage->cause = cause;
    if (now->kept && lasted_s >= 0 && subject->verify && !subject->verify(subject->context))
        lasted_s = -1;
    if (alone(stage)) return lasted_s;
    if (subject->who == CM_SAMPLE_SLOWEST)
        cm_reduce(stage->group, stage->value, stage->value, width, CM_DOUBLE, CM_MAX, LEADER,
                  CM_AUTO);
    /* Taking the maximum preserves an error or a disturbance that any single rank reports. */
    enum { LASTED, WRONG, CAUSES, SAID = CAUSES + CM_DISTURBED_CAUSES };
    double said[SAID] = {lasted_s, lasted_s < 0};
    for (int k = 0; k < CM_DISTURBED_CAUSES; k++) said[CAUSES + k] = cause >> k & 1;
    cm_reduce(stage->group, said, said, SAID, CM_DOUBLE, CM_MAX, LEADER, CM_AUTO);
    stage->cause = 0;
    for (int k = 0; k < CM_DISTURBED_CAUSES; k++)
        if (said[CAUSES + k] > 0) stage->cause |= 1u << k;
    return said[WRONG] > 0 ? -1 : said[LASTED];
}

double cm_sample_trial(cm_sample_stage *stage, size_t k, int64_t operations, bool kept)
{
    order now = {.operations = operations, .subject = (int32_t)k, .kept = kept};
    now.look = cm_sample_watch_look_is_due(&stage->watch);
    stage->looks += (size_t)now.look;
    if (!alone(stage)) cm_bcast(stage->group, &now, sizeof now, LEADER, CM_AUTO);
    return carry_out(stage, &now);
}

void cm_sample_end(cm_sample_stage *stage, const void *word, size_t bytes)
{
    order end = {.operations = 0};
    if (alone(stage)) return;
    cm_bcast(stage->group, &end, sizeof end, LEADER, CM_AUTO);
    cm_bcast(stage->group, (void *)word, bytes, LEADER, CM_AUTO);
}

void cm_sample_obey(cm_sample_stage *stage, void *word, size_t bytes)
{
    for (;;) {
        order now;
        cm_bcast(stage->group, &now, sizeof now, LEADER, CM_AUTO);
        if (now.operations == 0) break;
        carry_out(stage, &now);
    }
    cm_bcast(stage->group, word, bytes, LEADER, CM_AUTO);
}

void cm_sample_stage_open(cm_sample_stage *stage, const cm_sampling *sampling, cm_group *group,
                          const cm_subject *subject)
{
    *stage = (cm_sample_stage){.sampling = sampling, .group = group, .subject = subject};
    cm_sample_watch_open(&stage->watch);
}

void cm_sample_stage_close(cm_sample_stage *stage)
{
    cm_sample_watch_close(&stage->watch);
    free(stage->value);
}
