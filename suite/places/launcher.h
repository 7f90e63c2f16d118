/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h: the command that starts a parallel program: that of --launcher, the launcher of the
   MPI that the programs are linked with, or cmrun. */
#ifndef SUITE_LAUNCHER_H
#define SUITE_LAUNCHER_H

#include <stdbool.h>
#include "common/child.h"
#include "common/home.h"
#include "common/words.h"

typedef enum {
    SUITE_LAUNCH_GIVEN,
    SUITE_LAUNCH_MPI,
    SUITE_LAUNCH_CMRUN,
    SUITE_LAUNCH_DUMMY
} suite_launch;

typedef struct {
    suite_launch kind;
    suite_words command; /* without ranks and hosts; that of --launcher has %n */
    bool hydra;          /* MPI: hosts are said as Hydra takes them */
    char *problem;       /* why programs cannot be started; NULL: they can */
    char *remark;        /* what the user should know, or NULL */
} suite_launcher;

/* Finds the launcher. given: --launcher's command, or NULL. children: asks mpiexec for its version;
   NULL: nothing is started, and only whether the launcher is there is looked at. */
void suite_launcher_find(const suite_home *home, const char *given, suite_children *children,
                         suite_launcher *launcher);
void suite_launcher_free(suite_launcher *launcher);

/* The words that start a program with this number of ranks on these hosts ("a,b"; NULL: this
   host), up to the program's own. per_host ranks are on each host; 0: one on each in turn, or as
   the list says. */
void suite_launcher_words(const suite_launcher *launcher, int ranks, const char *hosts,
                          int per_host, suite_words *words);

/* For people: "mpiexec -n %n". The caller frees. */
char *suite_launcher_text(const suite_launcher *launcher);

#endif
