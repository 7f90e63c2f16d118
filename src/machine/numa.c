/* SPDX-License-Identifier: BSD-3-Clause */
/* numa.c: the nodes of memory, how far they are from each other, and memory on one of them. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "machine/machine_internal.h"

#define NODE "/sys/devices/system/node/"

/* Reads the list of nodes that have memory: "0-1". The list has the format of a set of processors.
   */
static bool with_memory(const char *root, cm_machine_cpus *nodes)
{
    char list[CM_MACHINE_LIST];
    *nodes = (cm_machine_cpus){{0}};
    return cm_machine_file_line(root, list, sizeof list, NODE "has_memory")
           && cm_machine_cpus_parse(list, nodes);
}

/* Keeps the nodes that also have processors, unless none but this node would be left: memory of
   GPUs, HBM or persistent memory is not another socket's. */
static void prefer_processors(const char *root, int node, cm_machine_cpus *nodes)
{
    char list[CM_MACHINE_LIST];
    cm_machine_cpus own = {{0}}, both = *nodes;
    if (!cm_machine_file_line(root, list, sizeof list, NODE "has_cpu")
        || !cm_machine_cpus_parse(list, &own))
        return;
    cm_machine_cpus_and(&both, &own);
    if (cm_machine_cpus_count(&both) > (node >= 0 && cm_machine_cpus_has(&both, node)))
        *nodes = both;
}

int cm_machine_numa_farthest_of(const char *root, int node)
{
    cm_machine_cpus nodes, online = {{0}};
    char list[CM_MACHINE_LIST], distances[CM_MACHINE_LIST];
    if (!with_memory(root, &nodes) || !cm_machine_file_line(root, list, sizeof list, NODE "online")
        || !cm_machine_cpus_parse(list, &online)
        || !cm_machine_file_line(root, distances, sizeof distances, NODE "node%d/distance", node))
        return -1;
    prefer_processors(root, node, &nodes);
    /* The file has a number for each online node, in the order of the nodes. If several nodes are
       equally far, the next one after this node is taken, so that not all nodes choose the same. */
    int farthest = -1, most = 0;
    const char *rest = distances;
    for (int other = cm_machine_cpus_next(&online, -1); other >= 0;
         other = cm_machine_cpus_next(&online, other)) {
        char *end;
        long distance = strtol(rest, &end, 10);
        if (end == rest) break;
        rest = end;
        if (other == node || !cm_machine_cpus_has(&nodes, other)) continue;
        bool next = distance == most && farthest < node && other > node;
        if (distance <= most && !next) continue;
        farthest = other;
        most = (int)distance;
    }
    return farthest;
}

int cm_machine_numa_farthest(int node) { return cm_machine_numa_farthest_of("", node); }

int cm_machine_numa_here(void)
{
#ifdef SYS_getcpu
    unsigned cpu, node;
    if (syscall(SYS_getcpu, &cpu, &node, NULL) == 0) return (int)node;
#endif
    return -1;
}

/* <linux/mempolicy.h>, which not every system has. */
enum { PREFERRED = 1, GET_NODE = 1, GET_OF_ADDRESS = 2, NODES = 1024 };

bool cm_machine_numa_prefer(void *memory, size_t bytes, int node)
{
#ifdef SYS_mbind
    unsigned long mask[NODES / CM_MACHINE_WORD] = {0};
    if (node < 0 || node >= NODES) return false;
    mask[node / CM_MACHINE_WORD] |= 1UL << (node % CM_MACHINE_WORD);
    return syscall(SYS_mbind, memory, bytes, PREFERRED, mask, NODES, 0) == 0;
#else
    (void)memory, (void)bytes, (void)node;
    return false;
#endif
}

int cm_machine_numa_of(void *address)
{
#ifdef SYS_get_mempolicy
    int node;
    if (syscall(SYS_get_mempolicy, &node, NULL, 0, address, GET_NODE | GET_OF_ADDRESS) == 0)
        return node;
#endif
    (void)address;
    return -1;
}
