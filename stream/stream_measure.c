/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_measure.c: runs passes over the arrays on all ranks of a group at once. */
#include <math.h>
#include <stdlib.h>
#include "stream.h"

enum { LEADER = 0 };

typedef struct {
    const stream_setting *setting;
    cm_stream *arrays;
    size_t passes; /* since the arrays were filled */
    double *all_s; /* rank 0: [rank][kernel], times of a pass */
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

/* Returns this rank's time of a run of the kernel, which all ranks begin together. */
static double time_of(const stream_setting *setting, const cm_stream *arrays,
                      cm_stream_kernel kernel, int64_t repetitions)
{
    cm_barrier(setting->group, CM_AUTO);
    double start_s = cm_time();
    for (int64_t k = 0; k < repetitions; k++)
        if (setting->place == STREAM_PLAIN) stream_plain_kernel(arrays, kernel);
        else cm_stream_run(arrays, kernel, setting->stores);
    return (cm_time() - start_s) / (double)repetitions;
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

/* On rank 0: stores the time of the slowest rank for each kernel and host. */
static void slowest(const pass *p, double *value)
{
    const stream_setting *setting = p->setting;
    int ranks = cm_size(setting->group);
    for (int kernel = (int)setting->first; kernel < CM_STREAM_KERNELS; kernel++)
        for (int host = 0; host < setting->hosts; host++) {
            double *slowest_s = &value[(kernel - (int)setting->first) * setting->hosts + host];
            *slowest_s = 0;
            for (int rank = 0; rank < ranks; rank++)
                if (setting->host[rank] == host)
                    *slowest_s = fmax(*slowest_s, p->all_s[rank * CM_STREAM_KERNELS + kernel]);
        }
}

/* Runs each kernel once with its repetitions. Returns the time of the fastest kernel, which must be
   long enough. */
static double trial(void *context, int64_t repetitions, double *value)
{
    pass *p = context;
    double mine_s[CM_STREAM_KERNELS] = {0}, fastest_s = INFINITY;
    int first = (int)p->setting->first;
    for (int kernel = first; kernel < CM_STREAM_KERNELS; kernel++) {
        mine_s[kernel] = time_of(p->setting, p->arrays, (cm_stream_kernel)kernel, repetitions);
        fastest_s = fmin(fastest_s, mine_s[kernel] * (double)repetitions);
    }
    if (first == CM_STREAM_COPY) p->passes++;
    cm_gather(p->setting->group, mine_s, sizeof mine_s, p->all_s, LEADER, CM_AUTO);
    if (p->all_s) slowest(p, value);
    return fastest_s;
}

void stream_measure(const stream_setting *setting, cm_stream *arrays, stream_times *times)
{
    enum { MOST_REPETITIONS = 1 << 24 };
    pass p = {.setting = setting, .arrays = arrays};
    if (cm_rank(setting->group) == LEADER) {
        size_t ranks = (size_t)cm_size(setting->group);
        p.all_s = calloc(ranks * CM_STREAM_KERNELS, sizeof *p.all_s);
        if (!p.all_s) cm_abort(CM_EXIT_SYSTEM, "out of memory for the times of all ranks");
    }
    const cm_subject subject = {.series = stream_series(setting),
                                .most_operations = MOST_REPETITIONS,
                                .prepare = refill,
                                .trial = trial,
                                .context = &p};
    cm_sampled sampled = {.samples = times->time_s};
    cm_sample(setting->sampling, setting->group, 1, &subject, &sampled);
    free(p.all_s);

    /* CM_MAX does not order NaN, so a NaN becomes infinity, larger than any other error. */
    double error = setting->place == STREAM_PLAIN ? stream_plain_error(arrays, p.passes)
                                                  : cm_stream_error(arrays, p.passes);
    if (isnan(error)) error = INFINITY;
    cm_allreduce(setting->group, &error, &times->error, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
}
