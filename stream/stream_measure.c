/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_measure.c: runs passes over the arrays on all ranks of a group at once. */
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "stream.h"

enum { LEADER = 0 };

typedef struct {
    const stream_setting *setting;
    cm_stream *arrays;
    size_t passes;    /* since the arrays were filled */
    stream_lap *laps; /* rank 0: [kernel][rank], of a trial */
} pass;

/* The numbers grow from pass to pass, and the check holds for CM_STREAM_MOST_PASSES passes only. */
static void refill(void *context)
{
    pass *p = context;
    const stream_setting *setting = p->setting;
    if (p->passes && p->passes < CM_STREAM_MOST_PASSES) return;
    cm_stream_fill(p->arrays);
    p->passes = 0;
    if (setting->first == CM_STREAM_COPY) return;
    /* The check is of whole passes. No kernel reads what it writes, so the others run once. */
    for (int kernel = 0; kernel < (int)setting->first; kernel++)
        cm_stream_run(p->arrays, (cm_stream_kernel)kernel, setting->stores);
    p->passes = 1;
}

/* Of the clock that all ranks of a host share; cm_time may have an origin of this rank's own. */
static double host_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns when this rank ran the kernel, which all ranks should begin together. */
static stream_lap lap_of(const stream_setting *setting, const cm_stream *arrays,
                         cm_stream_kernel kernel, int64_t repetitions)
{
    cm_barrier(setting->group, CM_AUTO);
    const double begin_s = host_s(), start_s = cm_time();
    for (int64_t k = 0; k < repetitions; k++)
        if (setting->place == STREAM_PLAIN) stream_plain_kernel(arrays, kernel);
        else cm_stream_run(arrays, kernel, setting->stores);
    return (stream_lap){begin_s, cm_time() - start_s};
}

size_t stream_series(const stream_setting *setting)
{
    return (size_t)((CM_STREAM_KERNELS - (int)setting->first) * setting->hosts);
}

const cm_samples *stream_samples(const stream_setting *setting, const stream_times *times,
                                 cm_stream_kernel kernel, int host)
{
    return &times->time_s[(int)(kernel - setting->first) * setting->hosts + host];
}

int stream_ranks(const stream_setting *setting, int host)
{
    int ranks = 0;
    for (int rank = 0; rank < cm_size(setting->group); rank++) ranks += setting->host[rank] == host;
    return ranks;
}

/* Runs each kernel once with its repetitions. Returns the time of the fastest kernel, which must be
   long enough. */
static double trial(void *context, int64_t repetitions, double *value)
{
    pass *p = context;
    const stream_setting *setting = p->setting;
    const int ranks = cm_size(setting->group);
    double fastest_s = INFINITY;
    for (int kernel = (int)setting->first; kernel < CM_STREAM_KERNELS; kernel++) {
        const stream_lap own = lap_of(setting, p->arrays, (cm_stream_kernel)kernel, repetitions);
        stream_lap *all = p->laps ? p->laps + kernel * ranks : NULL;
        fastest_s = fmin(fastest_s, own.time_s);
        cm_gather(setting->group, &own, sizeof own, all, LEADER, CM_AUTO);
    }
    if (setting->first == CM_STREAM_COPY) p->passes++;
    for (int kernel = (int)setting->first; p->laps && kernel < CM_STREAM_KERNELS; kernel++)
        for (int host = 0; host < setting->hosts; host++)
            *value++ = stream_span_s(p->laps + kernel * ranks, setting->host, ranks, host)
                       / (double)repetitions;
    return fastest_s;
}

void stream_measure(const stream_setting *setting, cm_stream *arrays, stream_times *times)
{
    enum { MOST_REPETITIONS = 1 << 24 };
    pass p = {.setting = setting, .arrays = arrays};
    if (cm_rank(setting->group) == LEADER) {
        size_t ranks = (size_t)cm_size(setting->group);
        p.laps = calloc(ranks * CM_STREAM_KERNELS, sizeof *p.laps);
        if (!p.laps) cm_abort(CM_EXIT_SYSTEM, "out of memory for the times of all ranks");
    }
    const cm_subject subject = {.series = stream_series(setting),
                                .most_operations = MOST_REPETITIONS,
                                .prepare = refill,
                                .trial = trial,
                                .context = &p};
    cm_sampled sampled = {.samples = times->time_s};
    cm_sample(setting->sampling, setting->group, 1, &subject, &sampled);
    free(p.laps);

    /* CM_MAX does not order NaN, so a NaN becomes infinity, larger than any other error. */
    double error = setting->place == STREAM_PLAIN ? stream_plain_error(arrays, p.passes)
                                                  : cm_stream_error(arrays, p.passes);
    if (isnan(error)) error = INFINITY;
    cm_allreduce(setting->group, &error, &times->error, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
}
