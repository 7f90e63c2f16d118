/* SPDX-License-Identifier: BSD-3-Clause */
/* ending.h: what a failure means for a job. It ends all ranks or, with --keep-going, only the ranks
   that failed. */
#ifndef CM_LAUNCH_ENDING_H
#define CM_LAUNCH_ENDING_H

#include "launch/job_internal.h"

static const double ending_kill_after_s = 1; /* from TERM to KILL */

/* Prints one line. If cmrun writes the ranks' output, the line follows what they have printed. */
__attribute__((format(printf, 2, 3))) void ending_say(job *job, const char *format, ...);

/* Sends TERM to all ranks, and KILL after ending_kill_after_s. */
void ending_begin(job *job);

/* The job failed. Prints one line at the first call and ends all ranks that still run. */
__attribute__((format(printf, 3, 4))) void ending_fail(job *job, int status, const char *format,
                                                       ...);

/* A rank failed. Prints one line; then either the job fails, or it goes on without the rank, which
   is killed if it still runs. status becomes cmrun's exit status if the job fails. */
__attribute__((format(printf, 4, 5))) void ending_fail_rank(job *job, int rank, int status,
                                                            const char *format, ...);

/* A host was lost with all its ranks. text gives the reason. */
void ending_fail_hosts(job *job, const host *const *hosts, int n, int status, const char *text);

/* Lets ranks fail that have been stopped for too long. Returns when to call it again. */
double ending_check_stops(job *job);

/* Called after every round of events, so that events of the same moment are judged together. */
void ending_decide(job *job);

/* Returns cmrun's exit status. Call it when all ranks have ended. */
int ending_status(const job *job);

#endif
