/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_roofline.c: the bandwidth of memory in this run: STREAM's triad by all ranks at once, with
   stores past the caches where there are such. */
#include <math.h>
#include "heat.h"
#include "memory/stream.h"

enum { PASSES = 6 };

/* All arrays of a host together fill four last-level caches each. */
static size_t numbers(void)
{
    size_t n = cm_stream_least_n() / (size_t)cm_run_ranks_on_host(cm_world(), cm_rank(cm_world()));
    return n < 64 ? 64 : n / 8 * 8;
}

size_t heat_roofline_bytes(void) { return 3 * numbers() * sizeof(double); }

double heat_roofline_B_per_s(void)
{
    cm_stream arrays;
    size_t n = numbers();
    if (!cm_stream_open(n, &arrays))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for STREAM; --no-stream does without");
    double best_s = INFINITY, bytes = cm_stream_bytes(CM_STREAM_TRIAD, n), all_bytes;
    for (int pass = 0; pass < PASSES; pass++) {
        cm_barrier(cm_world(), CM_AUTO);
        double start_s = cm_time();
        cm_stream_run(&arrays, CM_STREAM_TRIAD, CM_STREAM_NONTEMPORAL);
        double mine_s = cm_time() - start_s, slowest_s;
        cm_allreduce(cm_world(), &mine_s, &slowest_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
        best_s = fmin(best_s, slowest_s);
    }
    cm_stream_close(&arrays);
    cm_allreduce(cm_world(), &bytes, &all_bytes, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    return all_bytes / best_s;
}
