/* SPDX-License-Identifier: BSD-3-Clause */
/* child.h: runs a command as a child with a time limit, in a process group of its own. It ends with
   all that it started when clustermark gets SIGINT, SIGTERM, SIGHUP or SIGQUIT, when its time is
   over, and when clustermark dies. */
#ifndef SUITE_CHILD_H
#define SUITE_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "launch/guard.h"
#include "launch/signals.h"

typedef struct {
    signals signals;
    guard guard;
    pid_t *before; /* children that were there already: none of ours */
    size_t n_before;
    int interrupted; /* the signal that interrupted this process, or 0 */
} suite_children;

/* Prepares for children: signals come through a file until suite_children_close, orphans become
   this process's children. Returns true, or prints one line and returns false. After an
   interruption signals stay blocked: the process is to end. A signal that no child was told of ends
   it in suite_children_close: temporary files must be removed before. */
bool suite_children_open(suite_children *children);
void suite_children_close(suite_children *children);

typedef struct {
    char *const *argv;  /* argv[0] is looked for along PATH */
    const char *folder; /* to work in; NULL: this one */
    const char *output; /* standard output goes to this file; NULL: to nowhere */
    const char *errors; /* standard error goes to this file; NULL: stays */
    double limit_s;     /* INFINITY: none */
    double grace_s; /* time that it may take to end after it is asked to; a second signal ends it at
                       once. 0: less than a second */
    /* Called about every tenth of a second while it runs; may be NULL. */
    void (*tick)(void *context, double elapsed_s);
    void *context;
} suite_child;

typedef enum {
    SUITE_CHILD_EXITED,      /* *status is its exit status */
    SUITE_CHILD_KILLED,      /* by signal *status */
    SUITE_CHILD_OVERTIME,    /* it was ended when its time was over */
    SUITE_CHILD_INTERRUPTED, /* children->interrupted says by which signal */
    SUITE_CHILD_NOT_STARTED  /* *status is an errno */
} suite_child_end;

/* Runs the child until it and all that it started are gone. */
suite_child_end suite_child_run(suite_children *children, const suite_child *child, int *status);

/* reason.c: returns the line that says most about why a command failed; never NULL. The caller
   frees. */
char *suite_reason(const char *errors);

#endif
