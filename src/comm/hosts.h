/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.h: which ranks of a group share a host. Hosts are numbered in the order of their lowest
   ranks, and the ranks of a host in the order of their ranks in the group (their local numbers).
   All ranks of a group number them alike, because all know the same names (cm_host). */
#ifndef CM_HOSTS_H
#define CM_HOSTS_H

#include "comm/backend.h"

typedef struct cm_hosts {
    int hosts;       /* number of hosts */
    int least, most; /* ranks of the host that has the fewest, the most */
    bool in_order;   /* the ranks, host by host, are 0, 1, 2, ... */
    int *first;      /* the ranks of host h are ranks[first[h]] to ranks[first[h + 1] - 1] */
    int *ranks;
    int *host, *local; /* of each rank: its host, and its number there */
} cm_hosts;

/* Returns the hosts of a group, which belong to the group. */
const cm_hosts *cm_hosts_of(cm_group *group);

/* A backend that frees a group calls it for this memory. hosts may be NULL. */
void cm_hosts_free(cm_hosts *hosts);

static inline int cm_hosts_count(const cm_hosts *hosts, int host)
{
    return hosts->first[host + 1] - hosts->first[host];
}

#endif
