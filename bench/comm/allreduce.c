/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c: time of an allreduce of 8 bytes over all ranks. Usage: allreduce SECONDS. Rank 0
   prints ranks, operations, and the median of ten batches in us per operation. */
#include "config.h"
#include "comm/comm.h"
#include <stdio.h>
#include <stdlib.h>

enum { BATCHES = 10 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double batch_s(cm_group *world, int64_t operations)
{
    double value = 1, sum, start = cm_time();
    for (int64_t i = 0; i < operations; i++)
        cm_allreduce(world, &value, &sum, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    if (sum != cm_size(world))
        cm_abort(CM_EXIT_WRONG, "allreduce: %g instead of %d", sum, cm_size(world));
    return cm_time() - start;
}

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    cm_group *world = cm_world();
    double limit_s = argc > 1 ? atof(argv[1]) : 1, samples[BATCHES];
    int64_t operations = 0;
    batch_s(world, 1);
    double each_s = batch_s(world, 5) / 5;
    if (cm_rank(world) == 0) operations = (int64_t)(limit_s / BATCHES / each_s) + 1;
    cm_bcast(world, &operations, sizeof operations, 0, CM_AUTO);
    for (int k = 0; k < BATCHES; k++) samples[k] = batch_s(world, operations) / (double)operations;
    qsort(samples, BATCHES, sizeof *samples, by_size);
    if (cm_rank(world) == 0)
        printf("%d %lld %.3f\n", cm_size(world), (long long)(BATCHES * operations),
               1e6 * (samples[BATCHES / 2 - 1] + samples[BATCHES / 2]) / 2);
    cm_finalize();
    return 0;
}
