/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h: what cm-patterns, cm-bisection and cm-linkmap share besides the measuring itself: the
   sampling options, memory, buffers, and the control of all ranks by rank 0. */
#ifndef CM_PAIRS_JOB_H
#define CM_PAIRS_JOB_H

#include "write.h"
#include "run/run.h"

typedef struct {
    cm_sampling sampling;
    bool integrity; /* check every message of a trial, inside the timing */
} cm_pair_job;

#define CM_PAIR_JOB_DEFAULTS(limit_s)             \
    {                                             \
        .sampling = CM_SAMPLING_DEFAULTS(limit_s) \
    }

/* Rows of an option table. In the help, a size is a message size; each has its own row of the
   result. */
#define CM_PAIR_JOB_OPTIONS(job) \
    CM_PAIR_INTEGRITY(&(job)->integrity), CM_SAMPLE_OPTIONS(&(job)->sampling)
#define CM_PAIR_INTEGRITY(integrity)     \
    CM_FLAG("integrity", 'i', integrity, \
            "check every message inside the timing, instead of each size once before it")

enum { CM_PAIR_JOB_MOST_BITS = 48 }; /* maximum number of bits of a message size in bytes */

/* For cm_benchmark's check, after parsing. Returns 0, or prints one line and returns CM_EXIT_USAGE
   if upper_bytes (--upper) is below lower_bytes (--lower). */
int cm_pair_check_sizes(const cm_program *program, int64_t lower_bytes, int64_t upper_bytes);

/* For cm_benchmark's check, after parsing. Both check that there is memory for buffers of
   upper_bytes, which the option named upper requests; cm_pair_job_check also completes the job's
   stopping rule. Return 0, or print one line and return CM_EXIT_USAGE. */
int cm_pair_check_memory(const cm_program *program, const char *upper, int64_t upper_bytes);
int cm_pair_job_check(const cm_program *program, cm_pair_job *job, const char *upper,
                      int64_t upper_bytes);

/* Every rank calls cm_pair_job_open first. It checks the host's memory, binds the rank if that is
   requested, and opens the pairs and the channel, which is led by rank 0 and has buffers for
   upper_bytes. The caller sets the peer later. Ends the job on an error. cm_pair_job_close frees
   the channel. */
void cm_pair_job_open(const cm_pair_job *job, const char *upper, int64_t upper_bytes,
                      cm_pair_channel *channel, cm_pairs *pairs);
void cm_pair_job_close(cm_pair_channel *channel);

/* Every rank calls it. Returns the eager limit of rank 0's layer in bytes, or -1 if the layer does
   not report one. */
int64_t cm_pair_job_eager_bytes(void);

/* Every rank calls it. Returns rank 0's value of more on all ranks: true if there is more to do. */
bool cm_pair_job_goes_on(const cm_pair_channel *channel, bool more);

#endif
