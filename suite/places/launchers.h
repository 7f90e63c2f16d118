/* SPDX-License-Identifier: BSD-3-Clause */
/* launchers.h: the launchers that clustermark knows by name, where they are found, and how each of
   them writes so many ranks on these hosts. */
#ifndef SUITE_LAUNCHERS_H
#define SUITE_LAUNCHERS_H

#include <stdbool.h>
#include "common/words.h"

/* MPIs whose launchers cannot start each other's programs: under the wrong one each rank is a job
   of its own. */
typedef enum {
    SUITE_MPI_UNKNOWN,
    SUITE_MPI_MPICH, /* and its relatives: Intel MPI, MVAPICH, Cray MPICH */
    SUITE_MPI_OPEN,
    SUITE_MPIS
} suite_mpi;

enum { SUITE_LAUNCHER_PROGRAMS = 7, SUITE_LAUNCHER_WORDS = 4 };

/* Shapes are words after the program. In them %n stands for the number of ranks, %h for the hosts
   that get ranks ("a,b"), %a for all hosts, %N for the number of those that get ranks, %p for the
   ranks on each of them, %c for the hosts with their ranks ("a:2,b:1"), %r for each host as often
   as it has ranks ("a,a,b"); the word %w for the same as words; the word %m for srun's --mpi; the
   word %x for -x NAME of each variable of clustermark that is set. */
typedef struct {
    const char *name;                             /* of --launcher NAME */
    const char *program[SUITE_LAUNCHER_PROGRAMS]; /* where it may be, in the order of trying */
    const char *says[SUITE_LAUNCHER_WORDS];       /* its --version has one of them; none: the name
                                                     of its program is enough */
    const char *variable[SUITE_LAUNCHER_WORDS];   /* one is set where jobs start by it; NAME_: any
                                                     that begins so */
    suite_mpi mpi;       /* it starts only programs of this MPI; unknown: of any */
    const char *setting; /* NAME=VALUE of its own environment, or NULL */
    const char *here;    /* ranks on this host */
    const char *spread;  /* one on each host in turn: one a host, a pair on two hosts */
    const char *filled;  /* %p on each host in order: one on each core */
    const char *listed;  /* different numbers on the hosts; NULL: it cannot be told */
    const char *rsh;     /* reaches other hosts by the command %r here; NULL: not by a command */
    bool unnamed;        /* it takes the hosts of its job in their order, and no names */
} suite_launcher_row;

/* By the name of --launcher; NULL: there is none. */
const suite_launcher_row *suite_launchers_named(const char *name);
/* By the program's own name, which is enough for some ("srun"); NULL: ask it for its version. */
const suite_launcher_row *suite_launchers_of_program(const char *program);
/* By what `PROGRAM --version` has printed and by where the program is; NULL: not known. */
const suite_launcher_row *suite_launchers_of_version(const char *program, const char *said);
/* The row after this one, the first after NULL; NULL: there is no more. */
const suite_launcher_row *suite_launchers_next(const suite_launcher_row *row);
/* True if the environment says that the site starts jobs by it. */
bool suite_launchers_is_site(const suite_launcher_row *row);
/* "srun, flux, ..."; the caller frees. */
char *suite_launchers_names(void);
const char *suite_launchers_mpi_name(suite_mpi mpi);

/* Adds the shape's words. hosts: "a:2,b" as cmrun takes it; NULL: this host. per_host: ranks on
   each; 0: in turn, or as the list says. mpi: the word for %m, or NULL. */
void suite_launchers_write(const suite_launcher_row *row, int ranks, const char *hosts,
                           int per_host, const char *mpi, suite_words *words);

/* The same for a command of the user's: %n, %h and %p. */
char *suite_launchers_fill(const char *word, int ranks, const char *hosts, int per_host);

#endif
