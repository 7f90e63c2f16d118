/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.c: how many processors this process may run on. Reads nothing but that. */
#include <config.h>
#include <unistd.h>
#include "base/hash.h"
#include "machine/machine_internal.h"

int cm_machine_within_quota(int number, uint64_t *group)
{
    const double quota = cm_machine_cgroup_cpu_quota("", group);
    if (quota > 0 && quota < number) number = (int)quota;
    else if (group) *group = 0;
    return number > 0 ? number : 1;
}

int cm_machine_online(void)
{
    char list[CM_MACHINE_LIST];
    cm_machine_cpus online;
    if (cm_machine_file_line("", list, sizeof list, "/sys/devices/system/cpu/online")
        && cm_machine_cpus_parse(list, &online))
        return cm_machine_cpus_count(&online);
    const long number = sysconf(_SC_NPROCESSORS_ONLN);
    return number > 0 ? (int)number : 1;
}

int cm_machine_processors(uint64_t *which)
{
    struct {
        cm_machine_cpus may_run;
        uint64_t group;
    } set = {.group = 0};
    const bool told = cm_machine_cpus_affinity(0, &set.may_run);
    const int number = told ? cm_machine_cpus_count(&set.may_run) : cm_machine_online(),
              processors = cm_machine_within_quota(number, &set.group);
    *which = cm_hash_bytes(CM_HASH_BEGIN, &set, sizeof set);
    return processors;
}
