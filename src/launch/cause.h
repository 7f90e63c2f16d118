/* SPDX-License-Identifier: BSD-3-Clause */
/* cause.h: finds which of several failures of a job came first. When a rank dies, the others lose
   their connections to it and give up. Which of these events is seen first is chance. */
#ifndef CM_LAUNCH_CAUSE_H
#define CM_LAUNCH_CAUSE_H

#include <stdbool.h>
#include "launch/pmi_server.h"

typedef struct cause cause;

typedef enum {
    CAUSE_NONE,    /* nothing failed, or it is too early to say */
    CAUSE_ENDED,   /* *rank was killed, exited with a status, or exited without leaving the job */
    CAUSE_AGREED,  /* all ranks that are not settled exited with *rank's status and have printed the
                      reason themselves */
    CAUSE_ABORTED, /* *rank called abort */
    CAUSE_CLOSED,  /* *rank closed its PMI socket while in the job and still runs */
    CAUSE_STUCK    /* *rank exited with status 0, but *waiting ranks wait for it in a barrier */
} cause_kind;

cause *cause_new(int ranks);   /* returns NULL if out of memory */
void cause_free(cause *cause); /* NULL is allowed */

/* Call these when the events happen. status comes from waitpid; joined is true if the rank was in
   the job, as the PMI server saw it at that moment. */
void cause_lines_ended(cause *cause, int rank);
void cause_abort(cause *cause, int rank, double now_s);
void cause_ended(cause *cause, int rank, int status, bool joined, double now_s);

/* Call this after every round of events and at cause_wait_s, until it returns a cause. */
cause_kind cause_find(cause *cause, const pmi_server *pmi, double now_s, int *rank, int *waiting);

double cause_wait_s(const cause *cause); /* when to call cause_find again; infinite if there is
                                            nothing to wait for */
int cause_status(const cause *cause, int rank);

/* The job goes on without the rank. Whatever it did or will do is no longer a cause. */
void cause_settle(cause *cause, int rank);

#endif
