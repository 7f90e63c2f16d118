/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h: what cm-patterns, cm-bisection and cm-linkmap do alike around their measuring: the
   options of sampling, memory, buffers, the conduct of all ranks by rank 0. */
#ifndef CM_PAIRS_JOB_H
#define CM_PAIRS_JOB_H

#include "write.h"
#include "run/run.h"

typedef struct {
    cm_sampling sampling;
    bool integrity; /* every message of a trial is checked, inside the timing */
} cm_pair_job;

#define CM_PAIR_JOB_DEFAULTS(limit_s)             \
    {                                             \
        .sampling = CM_SAMPLING_DEFAULTS(limit_s) \
    }

/* Entries of an option table. A size is what has a row of its own. */
#define CM_PAIR_JOB_OPTIONS(job) \
    CM_PAIR_INTEGRITY(&(job)->integrity), CM_SAMPLE_OPTIONS(&(job)->sampling)
#define CM_PAIR_INTEGRITY(integrity)     \
    CM_FLAG("integrity", 'i', integrity, \
            "check every message, inside the timing, and not only each size once before it")

enum { CM_PAIR_JOB_MOST_BITS = 48 }; /* of a message's size in bytes */

/* For cm_benchmark's check, after parsing: 0, or one line and CM_EXIT_USAGE where --upper is below
   --lower. */
int cm_pair_check_sizes(const cm_program *program, int64_t lower_bytes, int64_t upper_bytes);

/* For cm_benchmark's check, after parsing: memory for buffers of upper_bytes, which the option
   named upper asks for; with a job also its stopping rule. Returns 0 or says why and returns
   CM_EXIT_USAGE. */
int cm_pair_check_memory(const cm_program *program, const char *upper, int64_t upper_bytes);
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
