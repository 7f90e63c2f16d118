/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.h: a small process beside cmrun that kills the ranks' process groups if cmrun dies for any
   reason, kill -9 included. The parent-death signal kills only the ranks themselves; the guard also
   reaches the processes that they started. */
#ifndef CM_LAUNCH_GUARD_H
#define CM_LAUNCH_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
    pid_t pid;    /* process id of the guard */
    int lifeline; /* open as long as cmrun lives */
    size_t n;
    volatile pid_t *group; /* shared with the guard; 0: no group to kill */
} guard;

/* Starts a guard for n groups. Returns false on failure, with nothing to clean up; see errno. */
bool guard_start(size_t n, guard *guard);

/* Ends the guard without killing anything. */
void guard_stop(guard *guard);

#endif
