/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h: one job of cmrun, from the first fork to the exit status. */
#ifndef CM_LAUNCH_JOB_H
#define CM_LAUNCH_JOB_H

#include <stdbool.h>
#include "launch/host_list.h"
#include "launch/per_host.h"

typedef struct {
    int ranks;
    char *const *argv; /* program and arguments, NULL-terminated */
    bool bind, prefix;
    bool keep_going;  /* a rank that dies does not end the job */
    double timeout_s; /* 0: no limit */
    double stopped_s; /* a rank stopped for this long has failed */

    const host_list *hosts; /* hosts with their ranks placed; NULL: all ranks on this host, and the
                               fields below are unused */
    const char *launcher;
    bool step;                    /* it is srun, called once for all hosts */
    int fan_out;                  /* start so many proxies from one host at most */
    per_host_kind per_host;       /* what the slots of each host count */
    const char *const *variables; /* NULL-terminated: NAME=VALUE for ranks on other hosts */
    double lost_after_s;          /* a host silent for this long is lost */
    double start_timeout_s;       /* a host not ready in this time is lost; may be infinite */
} job_plan;

enum { JOB_EXIT_TIMEOUT = 124 }; /* as timeout(1) returns */

/* Runs the job and returns cmrun's exit status: that of the first rank that failed (128 + S if
   signal S killed it), JOB_EXIT_TIMEOUT, or, with one line on stderr, CM_EXIT_USAGE or
   CM_EXIT_SYSTEM. */
int job_run(const job_plan *plan);

#endif
