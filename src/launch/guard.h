/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.h: a small process beside cmrun that kills the ranks' process groups when cmrun is gone,
   however that came about (kill -9 included). The parent-death signal does so for the ranks
   themselves; the guard also reaches what they have started. */
#ifndef CM_LAUNCH_GUARD_H
#define CM_LAUNCH_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
    pid_t pid;    /* of the guard */
    int lifeline; /* open as long as cmrun lives */
    size_t n;
    volatile pid_t *group; /* shared with the guard; 0: nothing to kill */
} guard;

/* For n groups. Nothing to clean up when it returns false: see errno. */
bool guard_start(size_t n, guard *guard);

/* Dismisses the guard without killing anything. */
void guard_stop(guard *guard);

#endif
