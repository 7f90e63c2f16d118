/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_overlap.c: how much of a non-blocking operation computing hides. The definition is
   that of the OSU benchmarks: 1 - (total - compute) / operation alone, where the computing between
   the start and the wait lasts as long as the operation alone. OSU's is cut at 0; this one is not,
   so that an operation that computing makes slower can be told. */
#include <math.h>
#include "collective.h"

/* The slowest rank's time of each part. A trial takes them in turn, so that a change on the machine
   affects all of them. */
enum { ALONE, COMPUTE, TOTAL, TIMES = TOTAL + COLLECTIVE_WAYS };

typedef struct {
    const collective_case *now;
    const collective_call *call;
    int64_t units;
} overlap;

/* Returns the time of an operation of which the load is a part, or that of either of them. */
static double time_of(const overlap *o, bool operation, bool computing, bool progress)
{
    cm_pair_load load = {.units = o->units, .progress = progress};
    cm_request *request = NULL;
    cm_barrier(o->now->group, CM_NATIVE);
    double begin_s = cm_time();
    if (operation) request = collective_start(o->now->group, o->now->operation, o->call);
    if (computing) cm_pair_compute(&load);
    cm_wait(&request, NULL);
    return cm_time() - begin_s;
}

static double trial(void *context, int64_t operations, double *time_s)
{
    const overlap *o = context;
    double lasted_s = 0;
    for (int k = 0; k < TIMES; k++) time_s[k] = 0;
    for (int64_t i = 0; i < operations; i++) {
        time_s[ALONE] += time_of(o, true, false, false);
        time_s[COMPUTE] += time_of(o, false, true, false);
        time_s[TOTAL + COLLECTIVE_SILENT] += time_of(o, true, true, false);
        time_s[TOTAL + COLLECTIVE_PROGRESS] += time_of(o, true, true, true);
    }
    for (int k = 0; k < TIMES; k++) {
        lasted_s += time_s[k];
        time_s[k] /= (double)operations;
    }
    return lasted_s;
}

/* The slowest rank's time of a unit of computing, the fastest of several: other users of the core
   make computing longer, never shorter. */
double collective_unit_s(cm_group *group)
{
    enum { TRIES = 5, UNITS = 1 << 14 };
    cm_pair_load load = {.units = UNITS};
    double fastest_s = INFINITY;
    for (int k = 0; k < TRIES; k++) {
        double begin_s = cm_time();
        cm_pair_compute(&load);
        fastest_s = fmin(fastest_s, (cm_time() - begin_s) / UNITS);
    }
    cm_allreduce(group, &fastest_s, &fastest_s, 1, CM_DOUBLE, CM_MAX, CM_NATIVE);
    return fastest_s;
}

/* The median of the slowest rank's time of an operation alone, of a few, on all ranks. */
static double typical_s(const overlap *o)
{
    enum { TRIES = 9 };
    double time_s[TRIES];
    for (int k = 0; k < TRIES; k++) time_s[k] = time_of(o, true, false, false);
    cm_allreduce(o->now->group, time_s, time_s, TRIES, CM_DOUBLE, CM_MAX, CM_NATIVE);
    const cm_samples samples = {.value = time_s, .n = TRIES, .capacity = TRIES};
    return cm_sample_summary(&samples).median;
}

/* Compares medians, as cm-netpipe --overlap does. */
static void summarize(const cm_samples *samples, collective_overlapped *overlapped)
{
    const cm_summary alone = cm_sample_summary(&samples[ALONE]);
    const cm_summary compute = cm_sample_summary(&samples[COMPUTE]);
    overlapped->compute_s = compute.median;
    for (int way = 0; way < COLLECTIVE_WAYS; way++) {
        const cm_summary total = cm_sample_summary(&samples[TOTAL + way]);
        collective_hidden *hidden = &overlapped->way[way];
        hidden->total_s = total.median;
        hidden->overlap = cm_quantity_overlap(&alone, &compute, &total);
    }
}

void collective_measure_overlap(const collective_case *now, const collective_call *call,
                                const cm_sampling *sampling, double unit_s, cm_sampled *sampled,
                                collective_overlapped *overlapped)
{
    overlap o = {.now = now, .call = call};
    cm_samples *alone = sampled->samples, samples[TIMES] = {CM_SAMPLES_EMPTY};
    const cm_subject subject = {
        .who = CM_SAMPLE_SLOWEST, .series = TIMES, .trial = trial, .context = &o};
    o.units = (int64_t)fmax(round(typical_s(&o) / unit_s), 1);
    sampled->samples = samples;
    cm_sample(sampling, now->group, 1, &subject, sampled);
    cm_samples_free(alone);
    if (cm_rank(now->group) == 0) summarize(samples, overlapped);
    *alone = samples[ALONE];
    sampled->samples = alone;
    for (int k = ALONE + 1; k < TIMES; k++) cm_samples_free(&samples[k]);
}
