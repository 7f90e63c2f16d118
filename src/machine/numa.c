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

/* Returns the nodes with memory that are farthest from a node; the empty set if none are known. */
static cm_machine_cpus farthest_ones(const char *root, const cm_machine_cpus *online, int node)
{
    cm_machine_cpus nodes, farthest = {{0}};
    char distances[CM_MACHINE_LIST];
    if (!with_memory(root, &nodes)
        || !cm_machine_file_line(root, distances, sizeof distances, NODE "node%d/distance", node))
        return farthest;
    prefer_processors(root, node, &nodes);
    /* The file has a number for each online node, in the order of the nodes. */
    long most = 0;
    const char *rest = distances;
    for (int other = cm_machine_cpus_next(online, -1); other >= 0;
         other = cm_machine_cpus_next(online, other)) {
        char *end;
        const long distance = strtol(rest, &end, 10);
        if (end == rest) break;
        rest = end;
        if (other == node || !cm_machine_cpus_has(&nodes, other) || distance < most) continue;
        if (distance > most) farthest = (cm_machine_cpus){{0}};
        cm_machine_cpus_add(&farthest, other);
        most = distance;
    }
    return farthest;
}

/* Returns the node of the set that comes `turns` after a node, round and round. */
static int next_round(const cm_machine_cpus *set, int node, int turns)
{
    for (turns %= cm_machine_cpus_count(set); turns >= 0; turns--) {
        node = cm_machine_cpus_next(set, node);
        if (node < 0) node = cm_machine_cpus_next(set, -1);
    }
    return node;
}

int cm_machine_numa_farthest_of(const char *root, int node)
{
    cm_machine_cpus online;
    char list[CM_MACHINE_LIST];
    if (!cm_machine_file_line(root, list, sizeof list, NODE "online")
        || !cm_machine_cpus_parse(list, &online))
        return -1;
    const cm_machine_cpus farthest = farthest_ones(root, &online, node);
    if (cm_machine_cpus_count(&farthest) == 0) return -1;
    /* Nodes that have the same farthest ones, as those of a socket, take them in turn. The first of
       them begins with the next one after itself, so that sockets of a node each differ, too. */
    int first = node, before = 0;
    for (int other = cm_machine_cpus_next(&online, -1); other >= 0 && other < node;
         other = cm_machine_cpus_next(&online, other)) {
        const cm_machine_cpus of_other = farthest_ones(root, &online, other);
        if (memcmp(&of_other, &farthest, sizeof farthest) != 0) continue;
        if (before++ == 0) first = other;
    }
    return next_round(&farthest, first, before);
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
