/* SPDX-License-Identifier: BSD-3-Clause */
/* topology_sysfs.c: cores and caches according to the kernel's files, for builds without hwloc. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_internal.h"

#define CPU "/sys/devices/system/cpu/"

typedef struct {
    int64_t package;
    int first;
} core_place;

/* Sorts neighbours together: processors are often numbered round robin over the packages. */
static int by_place(const void *a, const void *b)
{
    const core_place *x = a, *y = b;
    if (x->package != y->package) return x->package < y->package ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Returns the first processor of the core that cpu belongs to. */
static int first_of_core(const char *root, int cpu)
{
    char list[CM_MACHINE_LIST];
    cm_machine_cpus siblings;
    if (!cm_machine_file_line(root, list, sizeof list, CPU "cpu%d/topology/core_cpus_list", cpu)
        && !cm_machine_file_line(root, list, sizeof list, CPU "cpu%d/topology/thread_siblings_list",
                                 cpu))
        return cpu;
    if (!cm_machine_cpus_parse(list, &siblings) || !cm_machine_cpus_has(&siblings, cpu)) return cpu;
    return cm_machine_cpus_next(&siblings, -1);
}

static bool cores(const char *root, const cm_machine_cpus *online, cm_machine_topology *topology)
{
    topology->threads = cm_machine_cpus_count(online);
    core_place *place = malloc((size_t)topology->threads * sizeof *place);
    if (!place) return false;
    for (int cpu = cm_machine_cpus_next(online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(online, cpu)) {
        if (first_of_core(root, cpu) != cpu) continue;
        core_place *here = &place[topology->cores++];
        *here = (core_place){0, cpu};
        cm_machine_file_integer(root, &here->package, CPU "cpu%d/topology/physical_package_id",
                                cpu);
    }
    qsort(place, (size_t)topology->cores, sizeof *place, by_place);
    for (int core = 0; core < topology->cores; core++)
        topology->core_of[place[core].first] = (int16_t)core;
    for (int cpu = cm_machine_cpus_next(online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(online, cpu))
        topology->core_of[cpu] = topology->core_of[first_of_core(root, cpu)];
    free(place);
    return topology->cores > 0;
}

/* Parses "48K", "1024K", "32768K". */
static int64_t cache_size(const char *text)
{
    char *unit;
    int64_t size = strtoll(text, &unit, 10);
    return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : *unit == 'G' ? size << 30 : size;
}

static void caches(const char *root, int cpu, cm_machine_topology *topology)
{
    for (int i = 0; i < 16; i++) {
        int64_t level;
        char text[CM_MACHINE_LIST];
        cm_machine_cpus sharing;
        if (!cm_machine_file_integer(root, &level, CPU "cpu%d/cache/index%d/level", cpu, i)) return;
        if (level < 1 || level >= CM_MACHINE_LEVELS
            || !cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/cache/index%d/type", cpu,
                                     i)
            || strcmp(text, "Instruction") == 0
            || !cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/cache/index%d/size", cpu,
                                     i))
            continue;
        topology->cache[level].bytes = cache_size(text);
        if (cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/cache/index%d/shared_cpu_list",
                                 cpu, i)
            && cm_machine_cpus_parse(text, &sharing))
            topology->cache[level].threads = cm_machine_cpus_count(&sharing);
    }
}

bool cm_machine_topology_sysfs(const char *root, int cpu, cm_machine_topology *topology)
{
    char list[CM_MACHINE_LIST];
    cm_machine_cpus online, nodes;
    *topology = (cm_machine_topology){0};
    memset(topology->core_of, -1, sizeof topology->core_of);
    if (!cm_machine_file_line(root, list, sizeof list, CPU "online")
        || !cm_machine_cpus_parse(list, &online) || !cores(root, &online, topology))
        return false;
    if (cm_machine_file_line(root, list, sizeof list, "/sys/devices/system/node/online")
        && cm_machine_cpus_parse(list, &nodes))
        topology->numa_nodes = cm_machine_cpus_count(&nodes);
    caches(root, cpu, topology);
    return true;
}
