/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h: one rank's process, from fork to exec. */
#ifndef CM_LAUNCH_SPAWN_H
#define CM_LAUNCH_SPAWN_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "launch/files.h"

/* What a child reports if it cannot execute the program. */
typedef struct {
    int rank, error;
    char doing[24];
} spawn_failure;

typedef struct {
    const char *path;
    char *const *argv;
    int rank;
    int core;                 /* core to run on; -1: any */
    int input, output[2];     /* become 0, 1 and 2; -1: unchanged */
    int pmi;                  /* becomes SPAWN_PMI_FD */
    int report;               /* a spawn_failure is written here; exec closes it */
    const sigset_t *mask;     /* signals blocked in the program */
    const files_limit *files; /* limit on open files to restore */
    volatile pid_t *group;    /* where the process group is recorded */
} spawn_plan;

enum { SPAWN_PMI_FD = 3 }; /* cmrun's own files must not have this number */

/* Starts the process as the leader of its own process group. The system kills it when cmrun dies.
   Returns -1 on failure; see errno. */
pid_t spawn(const spawn_plan *plan);

/* Opens files 0 to 2, reserves SPAWN_PMI_FD and closes all others: the ranks must not inherit files
   that cmrun's caller left open. Returns false on failure; see errno. */
bool spawn_arrange_files(void);

/* Searches for name in PATH as a shell does. Returns 0 and sets *path, which the caller frees, or
   prints one line and returns CM_EXIT_USAGE or CM_EXIT_SYSTEM. */
int spawn_find(const char *name, char **path);

#endif
