/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_result_metrics.h: the RESULT lines of cm-sockets; private to what writes the result. */
#ifndef SOCKETS_RESULT_METRICS_H
#define SOCKETS_RESULT_METRICS_H

#include "sockets.h"

enum { SOCKETS_METRICS = 10 };

/* Streams: the highest median over sizes and settings, and for UDP what that case sent and lost.
   Turns: the smallest size, in the fastest setting. write-read: the smallest size, a metric for
   each setting. With several sweeps: the median over them. */
typedef struct {
    size_t sweeps;
    double *value;                     /* [metric * sweeps + sweep]; NaN: not measured */
    cm_disturbed *disturbed;           /* likewise: whether that value was */
    int64_t bytes[SOCKETS_METRICS];    /* size of the case that the value is from */
    cm_quantity last[SOCKETS_METRICS]; /* the value of that case in the last sweep */
    sockets_kind failed;               /* the case whose data arrived wrong; 0: none */
} sockets_best;

bool sockets_best_open(sockets_best *best, size_t sweeps); /* Returns false if memory is short. */
void sockets_best_close(sockets_best *best);

/* summary: of MB/s or s. For a stream of datagrams: what was sent, and the fraction of it that was
   lost. */
void sockets_best_add(sockets_best *best, const sockets_case *now, size_t sweep,
                      const cm_summary *summary, double sent_MB_per_s, double loss);
void sockets_best_fail(sockets_best *best, const sockets_case *now);
void sockets_best_write(const sockets_best *best, cm_result *result);

#endif
