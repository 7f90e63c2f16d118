/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection.h: what the parts of cm-bisection share. */
#ifndef BISECTION_H
#define BISECTION_H

#include "pairs/job.h"

typedef struct {
    int64_t lower_bytes, upper_bytes;
    int64_t split_bytes; /* the longest short message; < 0: as the layer says */
    cm_pair_job job;
    cm_result_files files;
} bisection_options;

int bisection_run(const cm_benchmark *benchmark, int argc, char **argv); /* bisection_run.c */

extern const cm_metric bisection_metrics[]; /* of the RESULT lines */

#endif
