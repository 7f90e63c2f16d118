/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong.c: the time of a message, sampled until its median is known. */
#include <stdio.h>
#include "comm/comm.h"
#include "measure/samples.h"

enum { BYTES = 1024, TAG = 1, ROUND_TRIPS = 100 };

/* Returns half the round trip in seconds. Ranks above 1 have nothing to do. */
static double trial(int rank, unsigned char *data)
{
    cm_status status;
    double begin_s = cm_time();
    for (int i = 0; i < ROUND_TRIPS; i++) {
        if (rank == 0) cm_send(cm_world(), data, BYTES, 1, TAG);
        if (rank <= 1) cm_recv(cm_world(), data, BYTES, 1 - rank, TAG, &status);
        if (rank == 1) cm_send(cm_world(), data, status.bytes, 0, TAG);
    }
    return (cm_time() - begin_s) / (2 * ROUND_TRIPS);
}

/* Rank 0 decides and tells all ranks. */
static bool go_on(int rank, double sample_s, double elapsed_s, cm_samples *samples)
{
    const cm_stop_rule rule = {
        .relative_half_width = 0.02, .least = 10, .most = 1000, .time_limit_s = 1};
    int more = 0;
    if (rank == 0) {
        if (!cm_samples_add(samples, sample_s)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
        more = cm_stop_check(&rule, samples, elapsed_s) == CM_STOP_NOT;
    }
    cm_bcast(cm_world(), &more, sizeof more, 0, CM_AUTO);
    return more;
}

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    int rank = cm_rank(cm_world());
    if (cm_size(cm_world()) < 2) cm_abort(CM_EXIT_USAGE, "a message needs two ranks");

    unsigned char data[BYTES];
    for (int i = 0; i < BYTES; i++) data[i] = (unsigned char)(rank == 0 ? 7 * i : 0);
    trial(rank, data); /* warm-up: connections, caches */

    cm_samples samples = CM_SAMPLES_EMPTY;
    double begin_s = cm_time();
    while (go_on(rank, trial(rank, data), cm_time() - begin_s, &samples)) {}

    bool right = true;
    for (int i = 0; i < BYTES && rank <= 1; i++) right &= data[i] == (unsigned char)(7 * i);
    if (rank == 0) {
        cm_summary s;
        if (!cm_summarize(&samples, &s)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
        printf("%d bytes: %.3g us, 95 %% interval %.3g to %.3g us, %zu samples\n", BYTES,
               1e6 * s.median, 1e6 * s.low, 1e6 * s.high, s.n);
    }
    cm_samples_free(&samples);
    cm_finalize();
    return right ? CM_EXIT_PASS : CM_EXIT_WRONG;
}
