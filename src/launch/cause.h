/* SPDX-License-Identifier: BSD-3-Clause */
/* cause.h: which of several failures of a job was the first. When a rank dies, others lose their
   connections to it and give up, and what of all this is seen first is chance. */
#ifndef CM_LAUNCH_CAUSE_H
#define CM_LAUNCH_CAUSE_H

#include <stdbool.h>
#include "launch/pmi_server.h"

typedef struct cause cause;

typedef enum {
    CAUSE_NONE,    /* nothing failed, or it is too early to say */
    CAUSE_ENDED,   /* *rank was killed, exited with a status, or exited without leaving the job */
    CAUSE_AGREED,  /* all ranks but the settled ended themselves with *rank's status: they said
                        why, if at all */
    CAUSE_ABORTED, /* *rank asked for the end of the job */
    CAUSE_CLOSED,  /* *rank closed its PMI socket within the job and lives on */
    CAUSE_STUCK    /* *rank ended well, but *waiting ranks wait for it in a barrier */
} cause_kind;

cause *cause_new(int ranks);   /* NULL: out of memory */
void cause_free(cause *cause); /* NULL is allowed */

/* What happens, when it happens. status as from waitpid; joined: as the PMI server saw it then. */
void cause_lines_ended(cause *cause, int rank);
void cause_abort(cause *cause, int rank, double now_s);
void cause_ended(cause *cause, int rank, int status, bool joined, double now_s);

/* To be asked after every round of events, and when cause_wait_s has come, until it finds
   something. */
cause_kind cause_find(cause *cause, const pmi_server *pmi, double now_s, int *rank, int *waiting);

double cause_wait_s(const cause *cause); /* infinite: nothing to wait for */
int cause_status(const cause *cause, int rank);

/* The job goes on without the rank: what it did or will do is no cause any more. */
void cause_settle(cause *cause, int rank);

#endif
