/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h: refuses launchers that MPI_Init would take for none, so that N single ranks never
   pass for a job of N. */
#ifndef CM_MPI_LAUNCHER_H
#define CM_MPI_LAUNCHER_H

/* Before MPI_Init: was this program started by cmrun (launcher, the value of CM_LAUNCHER or NULL),
   which speaks to the native backends only? Prints one line (launch rank 0) with the command that
   would work and returns CM_EXIT_USAGE; else 0. argv, ended by NULL, is the command line to repeat;
   NULL when unknown. */
int cm_launcher_refuse_cmrun(const char *launcher, char **argv);

/* After an MPI_Init that gave one rank: does the launcher's environment speak of several? As
   above. */
int cm_launcher_refuse_single(char **argv);

#endif
