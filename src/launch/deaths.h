/* SPDX-License-Identifier: BSD-3-Clause */
/* deaths.h: which ranks of a job died, which survived, and the exit status that follows. A rank has
   survived if it left the job (PMI finalize) and then exited by itself. In a job in which no rank
   ever joined (programs without PMI), every rank that exited by itself has survived. */
#ifndef CM_LAUNCH_DEATHS_H
#define CM_LAUNCH_DEATHS_H

#include <stdbool.h>
#include "launch/pmi_server.h"

typedef struct deaths deaths;

deaths *deaths_new(int ranks);    /* returns NULL if out of memory */
void deaths_free(deaths *deaths); /* NULL is allowed */

/* The rank's process ended. status comes from waitpid; state is what the PMI server knew at that
   moment. */
void deaths_ended(deaths *deaths, int rank, int status, pmi_state state);

/* The rank cannot count as a survivor, no matter how its process ends or has ended. */
void deaths_lose(deaths *deaths, int rank);

/* The rank's failure has been reported. exit_status is the job's exit status if this failure ends
   the job. */
void deaths_count(deaths *deaths, int rank, int exit_status);

bool deaths_counted(const deaths *deaths, int rank);
bool deaths_over(const deaths *deaths, int rank); /* true if the rank ended or was counted before
                                                     its end */
int deaths_running(const deaths *deaths);         /* number of ranks that are not over */

/* Call this when all ranks are over. Returns the status of the first survivor that exited with a
   nonzero status, or 0 if all survivors exited with 0. Without survivors it returns the status of
   the first failure. */
int deaths_status(const deaths *deaths);

#endif
