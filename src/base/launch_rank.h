/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_rank.h: which rank this process is, before it has joined a job. */
#ifndef CM_LAUNCH_RANK_H
#define CM_LAUNCH_RANK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns this process's rank as the launcher's environment gives it, 0 without a launcher. May be
   called before cm_init, so that a wrong option is reported once and not by every rank. */
int cm_launch_rank(void);

/* Returns true if a launcher says that this process is the whole job; a wrong option then need not
   wait for the layer's start. False where no launcher says. */
bool cm_launch_alone(void);

#ifdef __cplusplus
}
#endif
#endif
