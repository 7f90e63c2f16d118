/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h: a job of trust/rank under cmrun, and connections to its ranks from outside. */
#ifndef CM_TRUST_JOB_H
#define CM_TRUST_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include "doors.h"
#include "trust.h"

typedef struct {
    int size;
    trust_board *board;
    int pid;                 /* cmrun's */
    char path[64];           /* of the board; with .err behind it, of what the job says on stderr */
    doors door[TRUST_RANKS]; /* where the ranks listen */
} trust_job;

double trust_now(void);

/* mode as trust/rank has it; files: limit of descriptors for the job, 0: none; interface:
   CM_INTERFACE or NULL. Waits until all ranks are there; false: they never were. */
bool trust_job_start(trust_job *job, int size, const char *mode, int files, const char *interface);

/* Returns true if every rank goes through this number of further rounds within a minute. */
bool trust_job_goes_on(const trust_job *job, long rounds);

/* Waits up to a minute for the end, then kills the job. Returns cmrun's exit status; said: its
   stderr. */
int trust_job_wait(trust_job *job, char *said, size_t capacity);

/* Stops the job and waits. Returns true if it succeeded without any output on stderr. */
bool trust_job_ends_well(trust_job *job);

/* Returns a non-blocking connection to the address where this rank listens. */
int trust_knock(const trust_job *job, int rank);
/* So many at once; how many there are. */
int trust_crowd(const trust_job *job, int rank, int n, int *fds);

/* Closes all of these that the other end has closed, and sets them to -1, until none is left or the
   time is over. Returns how many are left; adds the bytes received to *heard. */
int trust_sent_away(int n, int *fds, double seconds, size_t *heard);

#endif
