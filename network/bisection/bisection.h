/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection.h: what the parts of cm-bisection share. */
#ifndef BISECTION_H
#define BISECTION_H

#include "pairs/job.h"

typedef struct {
    int64_t lower_bytes, upper_bytes;
    int64_t split_bytes;    /* the largest short message; < 0: the layer's eager limit */
    bool random;            /* pairings are drawn */
    int64_t pairings, seed; /* 0 and -1 until the check: not given */
    cm_pair_job job;
    cm_result_files files;
} bisection_options;

/* ---- bisection_check.c ---------------------------------------------------------------------- */

int bisection_check(const cm_program *program, void *options);

/* ---- bisection_result.c: rank 0 writes ------------------------------------------------------ */

/* Opens the result with columns and metadata, or ends the job with one line. All ranks must be
   following. */
cm_result *bisection_result_open(const cm_benchmark *benchmark, cm_pair_channel *channel);
/* pairing: 0, halves; from 1, one that was drawn. MB_per_s: of a pair. */
void bisection_result_row(cm_result *result, const cm_pairs *pairs, const cm_pair_point *point,
                          int64_t pairing, double MB_per_s);
/* Writes the fits of n sizes, the check and the metrics. Returns the exit status. */
int bisection_result_close(cm_result *result, const bisection_options *options,
                           const cm_pair_damage *damage, size_t n, const double *bytes,
                           const cm_summary *time_s);

/* ---- bisection_random.c: pairings that are drawn --------------------------------------------- */

/* Measures --upper with each pairing. Every rank calls it. Returns the exit status. */
int bisection_random_run(const cm_benchmark *benchmark, cm_pair_channel *channel,
                         const cm_pair_mode *mode);

/* ---- bisection_random_result.c: rank 0 writes ------------------------------------------------ */

/* Writes check and metrics. MB_per_s has a sample for each pairing; disturbed: one could not be
   measured undisturbed. Returns the exit status. */
int bisection_random_close(cm_result *result, const cm_pair_damage *damage,
                           const cm_samples *MB_per_s, cm_disturbed disturbed);

/* ---- bisection_run.c ------------------------------------------------------------------------ */

int bisection_run(const cm_benchmark *benchmark);

extern const cm_metric bisection_metrics[]; /* of the RESULT lines */
extern const cm_labels bisection_labels[];

#endif
