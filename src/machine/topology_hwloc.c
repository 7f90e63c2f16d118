/* SPDX-License-Identifier: BSD-3-Clause */
/* topology_hwloc.c: cores and caches according to hwloc. */
#include <config.h>
#include <string.h>
#include "machine/machine_internal.h"

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* A processor outside of all cores (hwloc found none) counts as a core of its own. */
static void cores(hwloc_topology_t hwloc, cm_machine_topology *topology)
{
    int n = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_CORE);
    hwloc_obj_type_t type = n > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_by_type(hwloc, type, core)) != NULL) {
        int cpu;
        for (cpu = hwloc_bitmap_first(core->cpuset); cpu >= 0 && cpu < CM_MACHINE_CPUS;
             cpu = hwloc_bitmap_next(core->cpuset, cpu))
            topology->core_of[cpu] = (int16_t)topology->cores;
        topology->cores++;
    }
}

bool cm_machine_topology_hwloc(int cpu, cm_machine_topology *topology)
{
    hwloc_topology_t hwloc;
    if (hwloc_topology_init(&hwloc) != 0) return false;
    hwloc_topology_set_flags(hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(hwloc) != 0) {
        hwloc_topology_destroy(hwloc);
        return false;
    }
    *topology = (cm_machine_topology){0};
    memset(topology->core_of, -1, sizeof topology->core_of);
    cores(hwloc, topology);
    topology->threads = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU);
    int nodes = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_NUMANODE);
    topology->numa_nodes = nodes > 0 ? nodes : 0;
    hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(hwloc, (unsigned)cpu);
    for (; object; object = object->parent) {
        if (!hwloc_obj_type_is_dcache(object->type)) continue;
        unsigned level = object->attr->cache.depth;
        if (level < 1 || level >= CM_MACHINE_LEVELS) continue;
        topology->cache[level].bytes = (int64_t)object->attr->cache.size;
        topology->cache[level].threads = hwloc_bitmap_weight(object->cpuset);
    }
    hwloc_topology_destroy(hwloc);
    return topology->cores > 0;
}

#else

bool cm_machine_topology_hwloc(int cpu, cm_machine_topology *topology)
{
    (void)cpu;
    (void)topology;
    return false;
}

#endif
