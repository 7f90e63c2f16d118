/* SPDX-License-Identifier: BSD-3-Clause */
/* per_host.h: what the slots of a host count (--per-host). */
#ifndef CM_LAUNCH_PER_HOST_H
#define CM_LAUNCH_PER_HOST_H

typedef enum { PER_HOST_ANY, PER_HOST_NUMBER, PER_HOST_CORES, PER_HOST_SOCKETS } per_host_kind;

/* Returns how many of this kind this host has; 0 for the first two. */
int per_host_count(per_host_kind kind);
const char *per_host_name(per_host_kind kind); /* "cores" or "sockets" */

#endif
