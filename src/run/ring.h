/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h: what messages cost while every rank sends to the next, for programs that choose by a
   model of their time. */
#ifndef CM_RUN_RING_H
#define CM_RUN_RING_H

#include "comm/comm.h"

/* Of the slowest connection from a rank to the next one: seconds of a message of 8 bytes, and what
   each further byte of one of 256 KB costs, as bytes a second. */
typedef struct {
    double latency_s, bytes_per_s;
} cm_ring;

/* Measures by some rounds on all ranks of the group, two or more; all get the same. Ends the job if
   there is no memory for two messages. Collective. */
cm_ring cm_run_ring(cm_group *group);

#endif
