/* SPDX-License-Identifier: BSD-3-Clause */
/* companion.h: notices the death of any rank without the launcher's help. cmrun and Hydra end a job
   when a rank dies; Slurm's srun does not, and then a rank may wait for ever for one that it has no
   connection with. So a rank that waits for long, or comes to the end, connects with its companion,
   the next rank. Every rank is somebody's companion, so one of those that wait notices. Under cmrun
   none of this happens. */
#ifndef CM_ENGINE_COMPANION_H
#define CM_ENGINE_COMPANION_H

#include <stdbool.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Connects with the companion if there is no connection yet. */
void cm_companion_hold(void);

/* Call it once for each check of the liveness, which are interval_s apart. Returns true if a peer
   was lost, or if cm_companion_hold should be called (engine.companion_due). */
bool cm_companion_look(double interval_s);

/* Called in cm_finalize if the connection to this rank has ended. That is correct if all ranks have
   reached the end; the launcher then says so soon. */
void cm_companion_ended(int rank);

#pragma GCC visibility pop
#endif
