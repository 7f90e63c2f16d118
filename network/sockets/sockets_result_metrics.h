/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_result_metrics.h: the RESULT lines of cm-sockets; private to what writes the result. */
#ifndef SOCKETS_RESULT_METRICS_H
#define SOCKETS_RESULT_METRICS_H

#include "sockets.h"

enum { SOCKETS_METRICS = 9 };

/* Streams: the highest median over sizes and settings, and the loss of that case. Turns: of the
   smallest size, the fastest setting's. write-read: of the smallest size, a metric a setting. With
   several sweeps: the median over them. */
typedef struct {
    size_t sweeps;
    double *value;                  /* [metric * sweeps + sweep]; NaN: not measured */
    int64_t bytes[SOCKETS_METRICS]; /* of the case that it is of */
    sockets_kind failed;            /* whose data arrived wrong; 0: none's */
} sockets_best;

bool sockets_best_open(sockets_best *best, size_t sweeps); /* false: no memory */
void sockets_best_close(sockets_best *best);

/* median: MB/s or s. loss: a fraction, of datagrams. */
void sockets_best_add(sockets_best *best, const sockets_case *now, size_t sweep, double median,
                      double loss);
void sockets_best_fail(sockets_best *best, const sockets_case *now);
void sockets_best_write(const sockets_best *best, cm_result *result);

#endif
