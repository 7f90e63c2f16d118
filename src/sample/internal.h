/* SPDX-License-Identifier: BSD-3-Clause */
/* internal.h: runs one trial on all ranks of a group; shared by the files of src/sample. */
#ifndef CM_SAMPLE_INTERNAL_H
#define CM_SAMPLE_INTERNAL_H

#include "sample/disturbance.h"
#include "sample/sample.h"

/* The state of a measurement on one rank. Rank 0 leads and the other ranks follow. */
typedef struct {
    const cm_sampling *sampling;
    cm_group *group; /* NULL: this rank measures alone */
    const cm_subject *subject;
    double *value; /* values of the last trial: first this rank's; then, on rank 0, those that count
                      */
    size_t capacity;
    cm_sample_watch watch;
    /* Rank 0: the causes that any rank reports for the last trial, and the causes that have since
       become known for the trial before it. */
    unsigned cause, earlier;
    size_t looks; /* rank 0: number of looks (disturbance.c) that all ranks have taken */
} cm_sample_stage;

void cm_sample_stage_open(cm_sample_stage *stage, const cm_sampling *sampling, cm_group *group,
                          const cm_subject *subject);
void cm_sample_stage_close(cm_sample_stage *stage);

double cm_sample_now_s(const cm_sampling *sampling);

/* Returns the number of values that a trial of this many operations yields. */
size_t cm_sample_width(const cm_subject *subject, int64_t operations);

/* Rank 0: runs one trial of subject k on all ranks. Returns the seconds that it took on the slowest
   rank, or a number below 0 if any rank found an error. kept: the trial's samples are kept, so the
   trial is also verified. */
double cm_sample_trial(cm_sample_stage *stage, size_t k, int64_t operations, bool kept);

/* In cm_sample_obey all ranks except rank 0 run trials until rank 0 calls cm_sample_end. The word
   passed to cm_sample_end is then copied to the word of every other rank. */
void cm_sample_end(cm_sample_stage *stage, const void *word, size_t bytes);
void cm_sample_obey(cm_sample_stage *stage, void *word, size_t bytes);

/* calibrate.c. Rank 0: returns the number of operations in a trial of subject k, or 0 if a trial
   failed. All its trials are warm-up and are discarded. */
int64_t cm_sample_calibrate(cm_sample_stage *stage, size_t k);
int64_t cm_sample_least(const cm_subject *subject);
int64_t cm_sample_most(const cm_subject *subject);

#endif
