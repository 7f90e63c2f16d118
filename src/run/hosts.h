/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.h: collects what the hosts of the job are. */
#ifndef CM_RUN_HOSTS_H
#define CM_RUN_HOSTS_H

/* The first rank of each host describes its host and this build (cm_machine_describe, more unless
   it is NULL, cm_result_describe_build) and tells rank 0: one message of some 2 kB, along a tree.
   All ranks of the world call it. Rank 0 gets what cm_result_describe_hosts wants, in one piece of
   memory, which it frees with free. The other ranks get NULL. Rank 0 also gets NULL if the job
   has one host or no processes; then nobody describes anything, and no message is sent. */
typedef void cm_run_describe(void (*each)(const char *key, const char *value, void *context),
                             void *context);
const char **cm_run_describe_hosts(cm_run_describe *more);

#endif
