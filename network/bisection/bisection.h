/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection.h: what the parts of cm-bisection share. */
#ifndef BISECTION_H
#define BISECTION_H

#include "pairs/job.h"

typedef struct {
    int64_t lower_bytes, upper_bytes;
    int64_t split_bytes; /* the largest short message; < 0: the layer's eager limit */
    cm_pair_job job;
    cm_result_files files;
} bisection_options;

/* ---- bisection_check.c ---------------------------------------------------------------------- */

int bisection_check(const cm_program *program, void *options);

/* ---- bisection_result.c: rank 0 writes ------------------------------------------------------ */

/* Opens the result with columns and metadata, or ends the job with one line. All ranks must be
   following. */
cm_result *bisection_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                                 cm_pair_channel *channel);
void bisection_result_row(cm_result *result, const cm_pairs *pairs, const cm_pair_point *point);
/* Writes the fits of n sizes, the check and the verdicts. Returns the exit status. */
int bisection_result_close(cm_result *result, const bisection_options *options,
                           const cm_pair_damage *damage, size_t n, const double *bytes,
                           const cm_summary *time_s);

/* ---- bisection_run.c ------------------------------------------------------------------------ */

int bisection_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric bisection_metrics[]; /* of the RESULT lines */

#endif
