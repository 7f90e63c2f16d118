/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.h: a stand-in for a backend, for tests: every rank is a thread of this process. It keeps
   the contract of comm.h for the calls that collective operations use, and has an eager limit, so
   that an algorithm which relies on buffering hangs here (and is reported) instead of on somebody's
   cluster. */
#ifndef CM_TEST_RANKS_H
#define CM_TEST_RANKS_H

#include "comm/comm.h"

enum { RANKS_HOSTS = 4 };

/* Whether ranks of a host read and write each other's memory. */
typedef enum {
    RANKS_APART,   /* no */
    RANKS_DIRECT,  /* yes, from RANKS_DIRECT_BYTES on */
    RANKS_REFUSED, /* as far as they know; but nothing is offered, */
    RANKS_UNSURE   /* or what is offered is sometimes refused, with a part of it moved */
} ranks_access;
enum { RANKS_DIRECT_BYTES = 24 };

typedef struct {
    int size;
    size_t eager_bytes; /* longer messages wait for their receive; 0: all but empty ones, */
    bool synchronous;   /* those too */
    bool dry;           /* messages carry their length only */
    const int *host;    /* of each rank, below RANKS_HOSTS; NULL: all on host 0 */
    ranks_access access;
} ranks_options;

typedef struct {
    size_t messages, bytes;
    size_t left; /* messages never received, receives never matched, requests not freed */
    size_t left_host[RANKS_HOSTS]; /* bytes from ranks of this host to ranks of others */
} ranks_report;

/* Runs program(group, context) on every rank of a new job and waits for all. */
ranks_report ranks_run(const ranks_options *options, void (*program)(cm_group *, void *),
                       void *context);

/* Returns a group of `size` ranks of which only this one exists, for calls that are refused before
   they communicate. */
cm_group *ranks_lone(int size, int rank);
void ranks_lone_free(cm_group *group);

/* Calls function(context). Returns the status with which it called cm_abort (line: its message), or
   -1 if it returned. */
int ranks_catch_abort(void (*function)(void *), void *context, char line[512]);

/* Lets the stand-in claim collectives of its own: available and accepts are bit sets of
   cm_collective. Accepted calls are counted and do nothing. */
void ranks_set_native(unsigned available, unsigned accepts);
int ranks_native_calls(void);

#endif
