/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c: one trial. Rank 0 says what comes next, every rank does it, and the value that counts
   goes to rank 0. */
#include <math.h>
#include <stdlib.h>
#include "sample/internal.h"

enum { LEADER = 0 };

/* What rank 0 wants of all. operations 0: the end. */
typedef struct {
    int64_t operations;
    int32_t subject, kept;
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

/* Everyone's part. Returns as cm_sample_trial; what rank 0 gets is what counts. */
static double carry_out(cm_sample_stage *stage, const order *now)
{
    const cm_subject *subject = &stage->subject[now->subject];
    size_t width = cm_sample_width(subject, now->operations);
    make_room(stage, width);
    if (subject->prepare) subject->prepare(subject->context);
    double lasted_s = subject->trial(subject->context, now->operations, stage->value);
    if (now->kept && lasted_s >= 0 && subject->verify && !subject->verify(subject->context))
        lasted_s = -1;
    if (alone(stage)) return lasted_s;
    if (subject->who == CM_SAMPLE_SLOWEST)
        cm_reduce(stage->group, stage->value, stage->value, width, CM_DOUBLE, CM_MAX, LEADER,
                  CM_AUTO);
    /* A rank that found something wrong must not be outvoted. */
    double said[2] = {lasted_s, lasted_s < 0};
    cm_reduce(stage->group, said, said, 2, CM_DOUBLE, CM_MAX, LEADER, CM_AUTO);
    return said[1] > 0 ? -1 : said[0];
}

double cm_sample_trial(cm_sample_stage *stage, size_t k, int64_t operations, bool kept)
{
    order now = {.operations = operations, .subject = (int32_t)k, .kept = kept};
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

void cm_sample_stage_close(cm_sample_stage *stage) { free(stage->value); }
