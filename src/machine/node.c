/* SPDX-License-Identifier: BSD-3-Clause */
/* node.c: reads the model of a node, and answers from it. */
#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_internal.h"
#include "machine/node.h"

/* Without hwloc and /sys every processor that this process may run on is a core. */
static bool flat(cm_machine_node *node)
{
    cm_machine_node_clear(node);
    if (!cm_machine_cpus_affinity(0, &node->online)) return false;
    for (int cpu = cm_machine_cpus_next(&node->online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(&node->online, cpu)) {
        node->core_of[cpu] = (int16_t)node->cores++;
        node->socket_of[cpu] = 0;
    }
    node->threads = node->cores;
    node->sockets = 1;
    return node->cores > 0;
}

bool cm_machine_node_read(const char *root, bool only_files, cm_machine_node *node)
{
    if ((only_files || !cm_machine_node_hwloc(root, node)) && !cm_machine_node_sysfs(root, node)
        && (root[0] != '\0' || !flat(node)))
        return false;
    cm_machine_cpus allowed;
    node->allowed = node->online;
    if (node->elsewhere) return true; /* the kernel's files are those of this machine */
    cm_machine_node_kinds(root, node);
    cm_machine_node_numas(root, node);
    if (root[0] == '\0' ? cm_machine_cpus_affinity(0, &allowed)
                        : cm_machine_cgroup_cpuset(root, &allowed))
        cm_machine_cpus_and(&node->allowed, &allowed);
    return true;
}

/* Returns how many different numbers the processors have. */
static int distinct(const int16_t *number_of, const cm_machine_cpus *processors)
{
    cm_machine_cpus numbers = {{0}}; /* there are at most as many as processors */
    for (int cpu = cm_machine_cpus_next(processors, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(processors, cpu))
        if (number_of[cpu] >= 0) cm_machine_cpus_add(&numbers, number_of[cpu]);
    return cm_machine_cpus_count(&numbers);
}

int cm_machine_node_cores(const cm_machine_node *node, const cm_machine_cpus *processors)
{
    return distinct(node->core_of, processors);
}

int cm_machine_node_sockets(const cm_machine_node *node, const cm_machine_cpus *processors)
{
    return distinct(node->socket_of, processors);
}

/* Returns the highest level at which the node has caches; 0 if no cache is known. */
static int last_level(const cm_machine_node *node)
{
    int level = CM_NODE_LEVELS - 1;
    while (level > 0 && node->caches[level] == 0) level--;
    return level;
}

int64_t cm_machine_node_last_caches_bytes(const cm_machine_node *node, bool *floor)
{
    const int level = last_level(node);
    int64_t sum = 0;
    bool all_told = level > 0;
    for (int k = 0; k < node->caches[level]; k++) {
        sum += node->cache[level][k].bytes;
        all_told &= node->cache[level][k].bytes > 0;
    }
    /* A server whose last caches belong to single cores has a system cache that nothing reports
       (Arm's). If sockets are not reported, NUMA nodes with processors stand for them. */
    int sockets = node->sockets, with_processors = 0;
    for (int k = 0; k < node->numas; k++) with_processors += node->numa[k].processors > 0;
    if (!node->cores_told && with_processors > sockets) sockets = with_processors;
    const bool hidden = all_told
                        && (level < 2
                            || (level < 3 && node->caches[level] == node->cores
                                && node->cores >= CM_NODE_SERVER_CORES * sockets));
    if (floor) *floor = !all_told || hidden;
    const int64_t least = (int64_t)CM_NODE_FLOOR_BYTES * (sockets > 0 ? sockets : 1);
    return (!all_told || hidden) && sum < least ? least : sum;
}
