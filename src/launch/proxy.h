/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy.h: cmrun --proxy: runs the ranks of one host for a cmrun elsewhere, to which its stdin and
   stdout lead (frame.h). */
#ifndef CM_LAUNCH_PROXY_H
#define CM_LAUNCH_PROXY_H

/* Returns when no process of the job is left on this host: because it ended, or because cmrun or
   the way to it is gone. The exit status: 0 or CM_EXIT_SYSTEM. */
int proxy_run(void);

#endif
