/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h: refuses launchers under which MPI_Init would start single ranks, so that N single
   ranks never pass for a job of N. */
#ifndef CM_MPI_LAUNCHER_H
#define CM_MPI_LAUNCHER_H

/* Call it before MPI_Init. launcher is the value of CM_LAUNCHER or NULL. If cmrun started this
   program, launch rank 0 prints one line with the command that works, and the function returns
   CM_EXIT_USAGE, because cmrun supports only native backends. Otherwise it returns 0. argv, ended
   by NULL, is the command line to repeat; NULL if unknown. */
int cm_launcher_refuse_cmrun(const char *launcher, char **argv);

/* Call it after an MPI_Init that gave one rank. If the launcher's environment tells of several
   ranks, it prints and returns as above. */
int cm_launcher_refuse_single(char **argv);

#endif
