/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_span.c: how long a host's ranks took for a pass, whether or not they ran at once. */
#include <math.h>
#include "stream.h"

/* Ranks leave a barrier one after the other, which must not count as time of short passes. */
static const double most_apart = 0.1;

double stream_span_s(const stream_lap *lap, const int *host, int ranks, int of_host)
{
    double slowest_s = 0, begin_s = INFINITY, end_s = -INFINITY;
    for (int rank = 0; rank < ranks; rank++) {
        if (host[rank] != of_host) continue;
        slowest_s = fmax(slowest_s, lap[rank].time_s);
        begin_s = fmin(begin_s, lap[rank].begin_s);
        end_s = fmax(end_s, lap[rank].begin_s + lap[rank].time_s);
    }
    const double span_s = end_s - begin_s;
    return span_s > (1 + most_apart) * slowest_s ? span_s : slowest_s;
}
