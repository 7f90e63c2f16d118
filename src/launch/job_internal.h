/* SPDX-License-Identifier: BSD-3-Clause */
/* job_internal.h: what running a job (job.c) and deciding how it ends (ending.c) share. */
#ifndef CM_LAUNCH_JOB_INTERNAL_H
#define CM_LAUNCH_JOB_INTERNAL_H

#include "launch/cause.h"
#include "launch/crew.h"
#include "launch/deaths.h"
#include "launch/input.h"
#include "launch/job.h"
#include "launch/loop.h"
#include "launch/output.h"
#include "launch/pmi_server.h"
#include "launch/signals.h"
#include "launch/stops.h"

typedef struct {
    const job_plan *plan;
    int epoll;
    char host[256];
    signals signals;
    watch signal_watch;
    crew crew;
    pmi_server *pmi;
    output *out[RANK_STREAMS];
    input input;
    bool has_input;
    cause *cause;
    deaths *deaths;
    stops *stops;

    bool keep_going; /* a rank's death is not the job's */
    /* The job's failure: decided once. */
    bool failed;
    int exit_status;
    bool aborted; /* a rank asked for the end; of the first that did: */
    int abort_status;
    int abort_blames; /* whose end it noticed; -1: nobody's */
    char *abort_text; /* NULL: it said nothing */

    double timeout_at_s, kill_at_s, interrupted_at_s;
    bool killed, discarded;
} job;

#endif
