/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h: one rank's process, from fork to exec. */
#ifndef CM_LAUNCH_SPAWN_H
#define CM_LAUNCH_SPAWN_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "launch/files.h"

/* What a child reports when it cannot become the program. */
typedef struct {
    int rank, error;
    char doing[24];
} spawn_failure;

typedef struct {
    const char *path;
    char *const *argv;
    int rank;
    int core;                 /* to run on; -1: wherever */
    int input, output[2];     /* become 0, 1 and 2; -1: as it is */
    int pmi;                  /* becomes SPAWN_PMI_FD */
    int report;               /* a spawn_failure is written here; closed by exec */
    const sigset_t *mask;     /* signals blocked in the program */
    const files_limit *files; /* to go back to */
    volatile pid_t *group;    /* where the process group is noted */
} spawn_plan;

enum { SPAWN_PMI_FD = 3 }; /* no file of cmrun's own may have this number */

/* The process, its own process group's leader, killed by the system when cmrun dies; -1: see
   errno. */
pid_t spawn(const spawn_plan *plan);

/* Files 0 to 2 are open, SPAWN_PMI_FD is taken, the others are closed: what whoever started cmrun
   left open is not for the ranks. False: see errno. */
bool spawn_arrange_files(void);

/* Finds name along PATH like a shell. Returns 0 and *path (to be freed), or prints one line and
   returns CM_EXIT_USAGE or CM_EXIT_SYSTEM. */
int spawn_find(const char *name, char **path);

#endif
