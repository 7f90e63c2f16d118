/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h: the command that starts a parallel program: that of --launcher, the launcher of the
   MPI that the programs are linked with, or cmrun. Those with names are in launchers.h. */
#ifndef SUITE_LAUNCHER_H
#define SUITE_LAUNCHER_H

#include <stdbool.h>
#include "common/child.h"
#include "common/home.h"
#include "common/words.h"
#include "launchers.h"

typedef enum {
    SUITE_LAUNCH_GIVEN, /* a command of --launcher */
    SUITE_LAUNCH_KNOWN, /* one of the table's, or the MPI's own */
    SUITE_LAUNCH_DUMMY
} suite_launch;

typedef struct {
    suite_launch kind;
    const suite_launcher_row *row; /* KNOWN: how it writes shapes */
    suite_words command;           /* without ranks and hosts; that of --launcher has %n */
    char *mpi;                     /* srun: the word for its --mpi; NULL: none */
    char *rsh;                     /* reaches other hosts; NULL: by the launcher's own way */
    char *problem;                 /* why programs cannot be started; NULL: they can */
    char *remark;                  /* what the user should know, or NULL */
} suite_launcher;

/* Finds the launcher. given: --launcher's name or command, or NULL. children: asks mpiexec for its
   version and srun for its --mpi; NULL: nothing is started, and only whether the launcher is there
   is looked at. */
void suite_launcher_find(const suite_home *home, const char *given, suite_children *children,
                         suite_launcher *launcher);
void suite_launcher_free(suite_launcher *launcher);

/* Lets it reach other hosts by this command, called like ssh; sets problem if it cannot. */
void suite_launcher_set_rsh(suite_launcher *launcher, const char *rsh);

/* True if it can start these: one rank on each host, one on each core, a pair on two hosts. given:
   --launcher's, or NULL. A command of the user's has %h and %p for that. */
bool suite_launcher_has_shapes(const char *given);
/* True if it can be told a different number of ranks for each host. */
bool suite_launcher_has_lists(const suite_launcher *launcher);

/* The words that start a program with this number of ranks on these hosts ("a,b"; NULL: this
   host), up to the program's own. per_host ranks are on each host; 0: one on each in turn, or as
   the list says. */
void suite_launcher_words(const suite_launcher *launcher, int ranks, const char *hosts,
                          int per_host, suite_words *words);

/* For people: "mpiexec -n %n". The caller frees. */
char *suite_launcher_text(const suite_launcher *launcher);

/* For people: the names of the launchers that --launcher may name here; the caller frees. */
char *suite_launcher_all_there(const suite_home *home, suite_children *children);

#endif
