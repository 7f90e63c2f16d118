/* SPDX-License-Identifier: BSD-3-Clause */
/* internal.h: one trial on all ranks of a group; what the files of src/sample share. */
#ifndef CM_SAMPLE_INTERNAL_H
#define CM_SAMPLE_INTERNAL_H

#include "sample/disturbance.h"
#include "sample/sample.h"

/* What rank 0 leads; the other ranks obey. */
typedef struct {
    const cm_sampling *sampling;
    cm_group *group; /* NULL: this rank alone */
    const cm_subject *subject;
    double *value; /* of the last trial: of this rank, then on rank 0 what counts */
    size_t capacity;
    cm_sample_watch watch;
    /* Rank 0, of the last trial: why it is disturbed on any rank, and with earlier, why the one
       before it is, as ranks said meanwhile. */
    unsigned cause, earlier;
    size_t looks; /* rank 0: how often all ranks have looked at what takes longer */
} cm_sample_stage;

void cm_sample_stage_open(cm_sample_stage *stage, const cm_sampling *sampling, cm_group *group,
                          const cm_subject *subject);
void cm_sample_stage_close(cm_sample_stage *stage);

double cm_sample_now_s(const cm_sampling *sampling);

/* Values that a trial of so many operations gives. */
size_t cm_sample_width(const cm_subject *subject, int64_t operations);

/* Rank 0: one trial of subject k on all ranks. Returns what it lasted on the slowest rank in
   seconds, below 0: something is wrong on some rank. kept: it is one whose samples count, and is
   verified. */
double cm_sample_trial(cm_sample_stage *stage, size_t k, int64_t operations, bool kept);

/* Rank 0: the others leave cm_sample_obey, which returns what it was told. */
void cm_sample_end(cm_sample_stage *stage, const void *word, size_t bytes);
void cm_sample_obey(cm_sample_stage *stage, void *word, size_t bytes);

/* calibrate.c. Rank 0: how many operations make a trial of subject k; 0: something is wrong. All of
   it is warm-up and discarded. */
int64_t cm_sample_calibrate(cm_sample_stage *stage, size_t k);
int64_t cm_sample_least(const cm_subject *subject);
int64_t cm_sample_most(const cm_subject *subject);

#endif
