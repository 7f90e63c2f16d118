/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h: what cm-patterns, cm-bisection and cm-linkmap do alike around their measuring: the
   options of sampling, memory, buffers, the conduct of all ranks by rank 0. */
#ifndef CM_PAIRS_JOB_H
#define CM_PAIRS_JOB_H

#include "write.h"
#include "run/run.h"

typedef struct {
    cm_pair_sampling sampling;
    int64_t most_trials; /* goes to sampling.rule.most */
    bool bind;
} cm_pair_job;

#define CM_PAIR_JOB_DEFAULTS(limit_s)                      \
    {                                                      \
        .sampling = {.trial_s = 1e-3,                      \
                     .warm_up_s = 0.1,                     \
                     .rule = {.relative_half_width = 0.02, \
                              .least = 10,                 \
                              .time_limit_s = (limit_s)}}, \
        .most_trials = 1000,                               \
    }

/* Entries of an option table. A size is what has a row of its own. */
#define CM_PAIR_JOB_OPTIONS(job)                                                              \
    CM_FLAG("integrity", 'i', &(job)->sampling.integrity,                                     \
            "check every message, inside the timing, and not only each size once before it"), \
        CM_FLAG("bind", 0, &(job)->bind, "bind each rank to a core of its own"),              \
        CM_HEADING("Sampling"),                                                               \
        CM_REAL("trial-seconds", 0, "SECONDS", &(job)->sampling.trial_s, 1e-6, 1e3,           \
                "a trial, which is one sample, is as many iterations as last this long"),     \
        CM_INTEGER("repetitions", 'n', "N", &(job)->sampling.iterations, 0, 1e12,             \
                   "iterations of a trial; 0: as many as --trial-seconds asks for"),          \
        CM_REAL("half-width", 0, "FRACTION", &(job)->sampling.rule.relative_half_width, 0, 1, \
                "enough trials when half the 95 % confidence interval of the median is this " \
                "fraction of it"),                                                            \
        CM_INTEGER("trials", 0, "N", &(job)->most_trials, 1, 1e7,                             \
                   "at most so many trials a size"),                                          \
        CM_REAL("time-limit", 0, "SECONDS", &(job)->sampling.rule.time_limit_s, 0, 1e6,       \
                "begin no more trials of a size after this time"),                            \
        CM_REAL("warm-up", 0, "SECONDS", &(job)->sampling.warm_up_s, 0, 1e3,                  \
                "iterations before the first size, not kept")

enum { CM_PAIR_JOB_MOST_BITS = 48 }; /* of a message's size in bytes */

/* For cm_benchmark's check, after parsing: the stopping rule; memory for buffers of upper_bytes,
   which the option named upper asks for. Returns 0 or says why and returns CM_EXIT_USAGE. */
int cm_pair_job_check(const cm_program *program, cm_pair_job *job, const char *upper,
                      int64_t upper_bytes);

/* Every rank, first of all: memory on its host, binding, the channel with buffers for upper_bytes,
   led by rank 0. Who is whose peer is said later. Ends the job where that cannot be. */
void cm_pair_job_open(const cm_pair_job *job, const char *upper, int64_t upper_bytes,
                      cm_pair_channel *channel, cm_pairs *pairs);
void cm_pair_job_close(cm_pair_channel *channel);

/* Every rank: the eager limit of rank 0's layer; -1: it does not say. */
int64_t cm_pair_job_eager_bytes(void);

/* Every rank: rank 0 says whether there is more to do, and all get its answer. */
bool cm_pair_job_goes_on(const cm_pair_channel *channel, bool more);

#endif
