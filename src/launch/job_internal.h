/* SPDX-License-Identifier: BSD-3-Clause */
/* job_internal.h: shared by running a job (job.c) and deciding how it ends (ending.c). */
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

    bool keep_going; /* a rank's death does not end the job */
    /* The failure of the job, set once. */
    bool failed;
    int exit_status;
    bool aborted; /* a rank called abort; about the first one that did: */
    int abort_status;
    int abort_blames; /* rank whose end it noticed; -1: none */
    char *abort_text; /* NULL if it sent no text */

    double timeout_at_s, kill_at_s, interrupted_at_s;
    bool killed, discarded;
} job;

#endif
