/* SPDX-License-Identifier: BSD-3-Clause */
/* node_hwloc.c: the model of a node, its cores, sockets, dies and caches by hwloc. */
#include <config.h>
#include <stdlib.h>
#include "machine/machine_internal.h"
#include "machine/node.h"

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* Calls each(node, object, its number from 0, its processors) for all objects of a type that have
   a processor below CM_MACHINE_CPUS, and NUMA nodes without any. Returns their number. */
typedef void each_object(cm_machine_node *node, hwloc_obj_t object, int number,
                         const cm_machine_cpus *processors);

static void processors_of(hwloc_const_bitmap_t bitmap, cm_machine_cpus *set)
{
    *set = (cm_machine_cpus){{0}};
    for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0 && cpu < CM_MACHINE_CPUS;
         cpu = hwloc_bitmap_next(bitmap, cpu))
        cm_machine_cpus_add(set, cpu);
}

static int for_each(hwloc_topology_t hwloc, cm_machine_node *node, hwloc_obj_type_t type,
                    each_object *each)
{
    int number = 0;
    hwloc_obj_t object = NULL;
    while ((object = hwloc_get_next_obj_by_type(hwloc, type, object)) != NULL) {
        cm_machine_cpus processors;
        processors_of(object->cpuset, &processors);
        if (type != HWLOC_OBJ_NUMANODE && cm_machine_cpus_count(&processors) == 0) continue;
        each(node, object, number++, &processors);
    }
    return number;
}

static void set_numbers(int16_t *number_of, int number, const cm_machine_cpus *processors)
{
    for (int cpu = cm_machine_cpus_next(processors, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(processors, cpu))
        number_of[cpu] = (int16_t)number;
}

static void add_core(cm_machine_node *node, hwloc_obj_t object, int number,
                     const cm_machine_cpus *processors)
{
    (void)object;
    set_numbers(node->core_of, number, processors);
}

static void add_socket(cm_machine_node *node, hwloc_obj_t object, int number,
                       const cm_machine_cpus *processors)
{
    (void)object;
    set_numbers(node->socket_of, number, processors);
}

static void add_cache(cm_machine_node *node, hwloc_obj_t object, int number,
                      const cm_machine_cpus *processors)
{
    (void)number;
    const unsigned level = object->attr->cache.depth;
    if (level < 1 || level >= CM_NODE_LEVELS || node->caches[level] == CM_MACHINE_CPUS) return;
    const int index = node->caches[level]++;
    node->cache[level][index] = (cm_node_cache){(int64_t)object->attr->cache.size,
                                                cm_machine_cpus_count(processors), false};
    set_numbers(node->cache_of[level], index, processors);
}

static void ignore(cm_machine_node *node, hwloc_obj_t object, int number,
                   const cm_machine_cpus *processors)
{
    (void)node, (void)object, (void)number, (void)processors;
}

/* Every rank loads the topology, 64 on a host at once; HACKING has what that costs. PCI and the
   system's devices are left out by hwloc itself. What else costs time and is not asked for: kinds
   of cores, for which hwloc reads ACPI's CPPC of each processor, which interrupts it; distances;
   attributes of memory. hwloc's component for x86 binds the process to each processor in turn,
   where other ranks compute. */
static void leave_out(hwloc_topology_t hwloc)
{
    unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
#if HWLOC_API_VERSION >= 0x00020800
    flags |= HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES
             | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS;
#endif
    hwloc_topology_set_flags(hwloc, flags);
#if HWLOC_API_VERSION >= 0x00020100
    hwloc_topology_set_components(hwloc, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#endif
}

static bool load(const char *root, hwloc_topology_t *hwloc)
{
    if (hwloc_topology_init(hwloc) != 0) return false;
    leave_out(*hwloc);
    if (root[0] != '\0') {
        setenv("HWLOC_FSROOT", root, 1);
        setenv("HWLOC_THISSYSTEM", "0", 1);
        setenv("HWLOC_COMPONENTS", "linux,stop", 1);
        setenv("HWLOC_HIDE_ERRORS", "2", 1); /* our caller reports a tree that hwloc cannot read */
    }
    const bool loaded = hwloc_topology_load(*hwloc) == 0;
    if (root[0] != '\0') {
        unsetenv("HWLOC_FSROOT");
        unsetenv("HWLOC_THISSYSTEM");
        unsetenv("HWLOC_COMPONENTS");
        unsetenv("HWLOC_HIDE_ERRORS");
    }
    if (!loaded) hwloc_topology_destroy(*hwloc);
    return loaded;
}

/* A processor outside of all cores (hwloc found none) counts as a core of its own. */
static void cores(hwloc_topology_t hwloc, cm_machine_node *node)
{
    node->cores = for_each(hwloc, node, HWLOC_OBJ_CORE, add_core);
    node->cores_told = node->cores > 0;
    if (!node->cores_told) node->cores = for_each(hwloc, node, HWLOC_OBJ_PU, add_core);
    node->sockets = for_each(hwloc, node, HWLOC_OBJ_PACKAGE, add_socket);
    if (node->sockets == 0) {
        node->sockets = 1;
        set_numbers(node->socket_of, 0, &node->online);
    }
    node->dies = for_each(hwloc, node, HWLOC_OBJ_DIE, ignore);
    if (node->dies == node->sockets) node->dies = 0;
}

/* NUMA nodes of a machine of which only hwloc tells. The caller looks whether there are more. */
static void add_numa(cm_machine_node *node, hwloc_obj_t object, int number,
                     const cm_machine_cpus *processors)
{
    if (number >= CM_NODE_NUMA) return;
    const int n = cm_machine_cpus_count(processors);
    node->numa[node->numas++] =
        (cm_numa_node){.number = (int)object->os_index,
                       .kind = n > 0 ? CM_NUMA_PROCESSORS : CM_NUMA_OTHER,
                       .processors = n,
                       .memory_bytes = (int64_t)object->attr->numanode.local_memory};
    set_numbers(node->numa_of, number, processors);
}

bool cm_machine_node_hwloc(const char *root, cm_machine_node *node)
{
    static const hwloc_obj_type_t caches[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                              HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};
    hwloc_topology_t hwloc;
    cm_machine_node_clear(node);
    if (!load(root, &hwloc)) return false;
    processors_of(hwloc_topology_get_topology_cpuset(hwloc), &node->online);
    node->threads = cm_machine_cpus_count(&node->online);
    cores(hwloc, node);
    for (size_t k = 0; k < sizeof caches / sizeof caches[0]; k++)
        for_each(hwloc, node, caches[k], add_cache);
    node->elsewhere = root[0] == '\0' && !hwloc_topology_is_thissystem(hwloc);
    if (node->elsewhere && for_each(hwloc, node, HWLOC_OBJ_NUMANODE, add_numa) > CM_NODE_NUMA)
        node->numas = 0; /* not known */
    node->left_out = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU) - node->threads;
    hwloc_topology_destroy(hwloc);
    return node->threads > 0 && node->cores > 0;
}

#else

bool cm_machine_node_hwloc(const char *root, cm_machine_node *node)
{
    (void)root;
    cm_machine_node_clear(node);
    return false;
}

#endif
