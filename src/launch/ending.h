/* SPDX-License-Identifier: BSD-3-Clause */
/* ending.h: what a failure means for a job: the end of all its ranks or, with --keep-going, of
   those alone that failed. */
#ifndef CM_LAUNCH_ENDING_H
#define CM_LAUNCH_ENDING_H

#include "launch/job_internal.h"

static const double ending_kill_after_s = 1; /* TERM, then KILL */

/* One line; after those of the ranks, where cmrun writes them. */
__attribute__((format(printf, 2, 3))) void ending_say(job *job, const char *format, ...);

/* TERM to all ranks, and KILL when it is time for it. */
void ending_begin(job *job);

/* The job failed: one line, the first time, and the end of all that still runs. */
__attribute__((format(printf, 3, 4))) void ending_fail(job *job, int status, const char *format,
                                                       ...);

/* A rank failed: one line; the job fails, or goes on without the rank, which is killed if it still
   runs. status is cmrun's, if it comes to that. */
__attribute__((format(printf, 4, 5))) void ending_fail_rank(job *job, int rank, int status,
                                                            const char *format, ...);

/* A host was lost with all its ranks; text says why. */
void ending_fail_host(job *job, const host *host, int status, const char *text);

/* Ranks that have been stopped for too long have failed; returns when to ask again. */
double ending_check_stops(job *job);

/* Called after every round of events, so that what happened at the same time is seen together. */
void ending_decide(job *job);

/* cmrun's exit status, when all is over. */
int ending_status(const job *job);

#endif
