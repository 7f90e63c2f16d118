/* SPDX-License-Identifier: BSD-3-Clause */
/* deaths.h: who of a job has died, who survived, and what exit status that makes. A rank has
   survived when it exited by itself after it had left the job (PMI finalize); in a job in which no
   rank ever joined (programs that know nothing of PMI), when it exited by itself. */
#ifndef CM_LAUNCH_DEATHS_H
#define CM_LAUNCH_DEATHS_H

#include <stdbool.h>
#include "launch/pmi_server.h"

typedef struct deaths deaths;

deaths *deaths_new(int ranks);    /* NULL: out of memory */
void deaths_free(deaths *deaths); /* NULL is allowed */

/* The rank's process ended; status as from waitpid, state as the PMI server saw it then. */
void deaths_ended(deaths *deaths, int rank, int status, pmi_state state);

/* The rank cannot count as survivor, however its process ends or has ended. */
void deaths_lose(deaths *deaths, int rank);

/* The rank's failure was said; exit_status is what it makes of a job that it ends. */
void deaths_count(deaths *deaths, int rank, int exit_status);

bool deaths_counted(const deaths *deaths, int rank);
bool deaths_over(const deaths *deaths, int rank); /* ended, or counted before its end */
int deaths_running(const deaths *deaths);         /* ranks that are not over */

/* When all is over: that of the first survivor to exit with another status than 0; 0 when there is
   none; without any survivor that of the first failure. */
int deaths_status(const deaths *deaths);

#endif
