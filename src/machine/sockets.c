/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets.c: counts the processor sockets of this host. */
#include <config.h>
#include "machine/machine_internal.h"

int cm_machine_sockets(void)
{
    cm_machine_cpus cpus = {{0}};
    /* Package numbers are small but need not be contiguous, like those of processors. */
    cm_machine_cpus packages = {{0}};
    cm_machine_cpus_affinity(0, &cpus);
    for (int cpu = cm_machine_cpus_next(&cpus, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(&cpus, cpu)) {
        int64_t package;
        if (cm_machine_file_integer(
                "", &package, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu)
            && package >= 0 && package < CM_MACHINE_CPUS)
            cm_machine_cpus_add(&packages, (int)package);
    }
    int sockets = cm_machine_cpus_count(&packages);
    return sockets ? sockets : 1;
}
