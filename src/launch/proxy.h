/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy.h: cmrun --proxy: runs the ranks of one host for a cmrun on another host, connected to its
   stdin and stdout (frame.h). cmrun --proxy-of-step: the same, but it connects to cmrun
   (step.h). */
#ifndef CM_LAUNCH_PROXY_H
#define CM_LAUNCH_PROXY_H

#include <stdbool.h>

/* Returns when no process of the job is left on this host, because the job ended or because the
   connection to cmrun is gone. Returns the exit status: 0 or CM_EXIT_SYSTEM. */
int proxy_run(bool of_step);

#endif
