/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c: measures latency and bandwidth while every rank sends to the next. */
#include "run/ring.h"
#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 4, SHORT = 8, LONG = 1 << 18, SHORT_TURNS = 8, LONG_TURNS = 2 };

/* Returns the least time of a message over some rounds, on the slowest rank. A round is several
   turns: what a rank receives in the first may have been sent long before. */
static double least_s(cm_group *group, char *out, char *in, size_t bytes, int turns)
{
    const int ranks = cm_size(group), rank = cm_rank(group);
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    double mine_s = INFINITY, all_s;
    for (int round = 0; round <= ROUNDS; round++) {
        const double since = cm_time();
        for (int k = 0; k < turns; k++)
            cm_sendrecv(group, out, bytes, to, 0, in, bytes, from, 0, NULL);
        if (round > 0) mine_s = fmin(mine_s, cm_time() - since); /* the first one warms up */
    }
    cm_allreduce(group, &mine_s, &all_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    return all_s / turns;
}

cm_ring cm_run_ring(cm_group *group)
{
    char *out = calloc(1, LONG), *in = calloc(1, LONG);
    if (!out || !in) cm_abort(CM_EXIT_SYSTEM, "out of memory for two messages of %d bytes", LONG);
    cm_ring ring = {.latency_s = least_s(group, out, in, SHORT, SHORT_TURNS)};
    const double long_s = least_s(group, out, in, LONG, LONG_TURNS);
    /* Noise may make the long message hardly slower than the short one. */
    ring.bytes_per_s = LONG / fmax(long_s - ring.latency_s, 0.1 * long_s);
    free(out);
    free(in);
    return ring;
}
