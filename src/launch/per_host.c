/* SPDX-License-Identifier: BSD-3-Clause */
/* per_host.c: counts what the slots of a host may be. */
#include "config.h"
#include "launch/per_host.h"
#include "machine/machine.h"

int per_host_count(per_host_kind kind)
{
    if (kind == PER_HOST_CORES) return cm_machine_cores();
    return kind == PER_HOST_SOCKETS ? cm_machine_sockets() : 0;
}

const char *per_host_name(per_host_kind kind)
{
    return kind == PER_HOST_CORES ? "cores" : "sockets";
}
