/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_measure.c: passes over the arrays by all ranks of a group at once. */
#include <math.h>
#include <stdlib.h>
#include "stream.h"

enum { LEADER = 0 };

/* This rank's time of one run of the kernel, which all ranks begin together. */
static double time_of(const stream_setting *setting, const cm_stream *arrays,
                      cm_stream_kernel kernel, int repetitions)
{
    cm_barrier(setting->group, CM_AUTO);
    double start_s = cm_time();
    for (int k = 0; k < repetitions; k++) cm_stream_run(arrays, kernel, setting->stores);
    return (cm_time() - start_s) / repetitions;
}

/* So many runs of a kernel last a trial. All ranks agree. */
static int repetitions_of(const stream_setting *setting, const cm_stream *arrays)
{
    int32_t most = 1;
    for (int32_t tried = 1; tried < 1 << 24; tried *= 2) {
        double time_s = time_of(setting, arrays, CM_STREAM_COPY, tried) * tried;
        int32_t mine = time_s >= setting->trial_s ? tried : 2 * tried;
        cm_allreduce(setting->group, &mine, &most, 1, CM_INT32, CM_MAX, CM_AUTO);
        if (most == tried) break;
    }
    return most;
}

/* Rank 0: the slowest rank of each host, from all ranks' times of a pass. */
static void keep(const stream_setting *setting, const double *time_s, stream_times *times)
{
    int ranks = cm_size(setting->group);
    for (int kernel = 0; kernel < CM_STREAM_KERNELS; kernel++)
        for (int host = 0; host < setting->hosts; host++) {
            double slowest_s = 0;
            for (int rank = 0; rank < ranks; rank++)
                if (setting->host[rank] == host)
                    slowest_s = fmax(slowest_s, time_s[rank * CM_STREAM_KERNELS + kernel]);
            if (!cm_samples_add(&times->time_s[kernel][host], slowest_s))
                cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
        }
}

/* Done when every kernel is known well enough, or there have been passes or time enough. */
static cm_stop verdict(const stream_setting *setting, stream_times *times, double elapsed_s)
{
    cm_stop stop = CM_STOP_NOT;
    for (int kernel = 0; kernel < CM_STREAM_KERNELS; kernel++)
        for (int host = 0; host < setting->hosts; host++) {
            stop = cm_stop_check(setting->rule, &times->time_s[kernel][host], elapsed_s);
            if (stop == CM_STOP_NOT) return stop;
            if (stop == CM_STOP_TIME && times->time_s[kernel][host].n < setting->rule->least)
                return CM_STOP_NOT;
        }
    return stop;
}

void stream_measure(const stream_setting *setting, cm_stream *arrays, stream_times *times)
{
    bool leads = cm_rank(setting->group) == LEADER;
    size_t bytes = CM_STREAM_KERNELS * sizeof(double), passes = 0;
    double *all_s = leads ? malloc(bytes * (size_t)cm_size(setting->group)) : NULL;
    if (leads && !all_s) cm_abort(CM_EXIT_SYSTEM, "out of memory for the times of all ranks");

    cm_stream_fill(arrays);
    int repetitions = repetitions_of(setting, arrays);
    cm_stream_fill(arrays);
    double start_s = cm_time();
    for (int32_t stop = CM_STOP_NOT; stop == CM_STOP_NOT; passes++) {
        double mine_s[CM_STREAM_KERNELS];
        for (int kernel = 0; kernel < CM_STREAM_KERNELS; kernel++)
            mine_s[kernel] = time_of(setting, arrays, (cm_stream_kernel)kernel, repetitions);
        cm_gather(setting->group, mine_s, bytes, all_s, LEADER, CM_AUTO);
        if (leads) {
            keep(setting, all_s, times);
            stop = verdict(setting, times, cm_time() - start_s);
        }
        cm_bcast(setting->group, &stop, sizeof stop, LEADER, CM_AUTO);
        times->stop = (cm_stop)stop;
    }
    free(all_s);

    /* max has no order with NaN: that is an error larger than any other. */
    double error = cm_stream_error(arrays, passes);
    if (isnan(error)) error = INFINITY;
    cm_allreduce(setting->group, &error, &times->error, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
}
