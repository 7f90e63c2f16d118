/* SPDX-License-Identifier: BSD-3-Clause */
/* host_choice.h: on which hosts a job runs, and how many ranks it has: cmrun's options --hosts,
   --hostfile and --per-host, or a batch system's allocation. */
#ifndef CM_LAUNCH_HOST_CHOICE_H
#define CM_LAUNCH_HOST_CHOICE_H

#include "launch/host_list.h"
#include "launch/per_host.h"
#include "option/option.h"

typedef struct {
    const char *hosts, *hostfile, *per_host; /* values of the options; NULL: not given */
} host_choice;

/* Fills the list and places the ranks; *ranks = 0 means one for each slot. *several is false if the
   job runs on this host and needs no proxy; the list is then of no use. If *launcher is NULL, it
   becomes the usual one for these hosts; *step: it is srun, called once for all hosts. Returns
   0, or prints one line and returns an exit status. Free the list in any case. */
int host_choose(const cm_program *program, const host_choice *choice, host_list *list,
                bool *several, int *ranks, per_host_kind *kind, const char **launcher, bool *step);

#endif
