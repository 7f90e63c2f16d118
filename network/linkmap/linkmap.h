/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap.h: what the parts of cm-linkmap share. */
#ifndef LINKMAP_H
#define LINKMAP_H

#include "pairs/job.h"

typedef struct {
    int64_t size_bytes; /* of the long message */
    int64_t again;      /* so many of the slowest pairs are measured again, alone */
    cm_pair_job job;
    cm_result_files files;
} linkmap_options;

/* linkmap_rounds.c: rounds in which every rank has one peer or none and after which each has met
   each other once: the circle method of round-robin tournaments. An odd number of ranks leaves one
   out in each round. */
int linkmap_rounds(int ranks);
int linkmap_peer(int ranks, int round, int rank); /* -1: sits out */

int linkmap_run(const cm_benchmark *benchmark, int argc, char **argv); /* linkmap_run.c */

extern const cm_metric linkmap_metrics[]; /* of the RESULT lines */

#endif
