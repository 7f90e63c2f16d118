/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.c: how many processors this process may run on. Reads nothing but that. */
#include <config.h>
#include <unistd.h>
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
    const unsigned char *byte = (const unsigned char *)&set;
    *which = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t k = 0; k < sizeof set; k++) *which = (*which ^ byte[k]) * 0x100000001b3u;
    return processors;
}
