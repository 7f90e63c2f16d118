/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_job.h: what a rank has of its job, and the parts of a round. */
#ifndef NODES_JOB_H
#define NODES_JOB_H

#include "nodes.h"

enum { NODES_CANDIDATES = 16 };

typedef struct {
    const nodes_options *options;
    int32_t seed; /* of the partners */
    nodes_place place;
    nodes_compute compute;
    nodes_disturbed disturbed;
    nodes_buffers buffers;
    cm_group *of_host;
    int *partner, *first, *second, *wave; /* [host]: of a round */
    double *rate;                         /* [NODES_COMPUTE * rounds]: of this rank */
    nodes_pair *pair;                     /* [round]: those that this host leads */
    int rounds, again;                    /* done */
    int candidates, (*candidate)[2];
    nodes_pair *more; /* [again * candidates] */
    double begin_s;
    cm_result *result; /* of rank 0 */
} nodes_job;

/* ---- All ranks call these -------------------------------------------------------------------- */

/* Measures rate[NODES_COMPUTE] of this rank. The hosts of a computer take turns, in another order
   in each round. */
void nodes_job_compute(nodes_job *job, int round, double *rate);
/* Puts the pairs of a round into first and second, with the index of the host that leads them. */
void nodes_job_draw(nodes_job *job, int round);
/* Measures the n pairs that are in first and second; of those that this host leads, pair k goes to
   pair[k]. */
void nodes_job_exchange(nodes_job *job, int n, nodes_pair *pair);

#endif
