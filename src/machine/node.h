/* SPDX-License-Identifier: BSD-3-Clause */
/* node.h: the model of a computer: its processors, cores, sockets, dies, kinds of cores, all of its
   caches, and its NUMA nodes. hwloc and the kernel's files give the same model.

   A processor is what the operating system schedules on (hwloc's PU). Processors are numbered as
   the operating system numbers them; cores, sockets, dies, kinds and caches from 0, neighbours
   together. */
#ifndef CM_MACHINE_NODE_H
#define CM_MACHINE_NODE_H

#include <stdbool.h>
#include <stdint.h>
#include "machine/cpus.h"
#include "machine/machine.h"

enum {
    CM_NODE_LEVELS = 5, /* cache levels 1..4 */
    CM_NODE_NUMA = 1024 /* NUMA nodes at most, as Linux */
};

/* The kind of a NUMA node's memory. CM_NUMA_OTHER has no processors and an unknown kind. For
   CM_NUMA_UNKNOWN it is not even known whether it has processors. */
typedef enum {
    CM_NUMA_PROCESSORS,
    CM_NUMA_HBM,
    CM_NUMA_PERSISTENT,
    CM_NUMA_CXL,
    CM_NUMA_GPU,
    CM_NUMA_OTHER,
    CM_NUMA_UNKNOWN
} cm_numa_kind;

typedef struct {
    int number; /* the operating system's */
    cm_numa_kind kind;
    int processors;       /* number of its own processors that are online */
    int64_t memory_bytes; /* 0: not known */
    int64_t cache_bytes;  /* size of the memory-side cache in front of it; 0: none is reported */
} cm_numa_node;

typedef struct {
    int64_t bytes;  /* 0: not told */
    int processors; /* that share it */
    bool assumed;   /* nothing is known about this one; it is assumed to be like the others of its
                     level */
} cm_node_cache;

typedef struct {
    cm_machine_cpus online;
    cm_machine_cpus allowed; /* those of them that the control group leaves to this process */
    int threads;             /* number of processors online */
    int left_out;            /* number of processors that have numbers from CM_MACHINE_CPUS on,
                                which nothing else counts */
    int cores, sockets;
    bool elsewhere;  /* hwloc is configured to report another machine (HWLOC_SYNTHETIC,
                        HWLOC_XMLFILE) */
    bool cores_told; /* otherwise each processor counts as a core, and all as one socket */
    int dies;        /* 0: not told, or each socket is one */
    int kinds;       /* of cores, at least 1 */
    int numas;       /* entries of numa; 0: not known */
    int caches[CM_NODE_LEVELS]; /* [level]: number of data or unified caches */
    /* [processor]: number of its core, socket, kind of core (0: the most efficient kind) and NUMA
       node (index of numa); -1: there is no such processor, or it is not known. */
    int16_t core_of[CM_MACHINE_CPUS], socket_of[CM_MACHINE_CPUS], kind_of[CM_MACHINE_CPUS],
        numa_of[CM_MACHINE_CPUS];
    int16_t cache_of[CM_NODE_LEVELS][CM_MACHINE_CPUS]; /* [level][processor]: index of cache */
    cm_node_cache cache[CM_NODE_LEVELS][CM_MACHINE_CPUS];
    cm_numa_node numa[CM_NODE_NUMA]; /* in the order of their numbers */
} cm_machine_node;

/* Reads the node whose files are below root ("": this computer). Cores, sockets, dies and caches
   are read by hwloc if it was found at build time and can read them (unless only_files is set),
   otherwise from the kernel's files. Kinds of cores and NUMA nodes are read from the kernel's
   files. Returns false if the processors cannot be determined. If hwloc's variables make it report
   another machine, hwloc reads everything except the kinds of cores. A root other than "" is passed
   to hwloc in environment variables, so no other thread may run. */
bool cm_machine_node_read(const char *root, bool only_files, cm_machine_node *node);

/* Returns the number of distinct cores, or sockets, among processors. */
int cm_machine_node_cores(const cm_machine_node *node, const cm_machine_cpus *processors);
int cm_machine_node_sockets(const cm_machine_node *node, const cm_machine_cpus *processors);

/* Sets place[k], for the n ranks of a host in their order, to the processors, out of usable, to
   which the way binds the k-th (machine.h). If there are more ranks than processors, places
   repeat; CM_BIND_PER_L3 and CM_BIND_PER_NUMA never repeat, and two ranks at a distance are two
   places, of one kind of core. Returns the number of places that were
   set, at most n; 0 if the node does not tell what the way needs. */
int cm_machine_node_places(const cm_machine_node *node, const cm_machine_cpus *usable,
                           cm_machine_way way, int n, cm_machine_cpus *place);

/* Returns the bytes of all last-level caches together. Where the system does not tell their size,
   or tells only first-level caches, or only caches of single cores on sockets of
   CM_NODE_SERVER_CORES or more, it is at least a floor, CM_NODE_FLOOR_BYTES for each socket. Sets
   *floor (may be NULL) to whether it is that. */
enum { CM_NODE_FLOOR_BYTES = 32 << 20, CM_NODE_SERVER_CORES = 16 };
int64_t cm_machine_node_last_caches_bytes(const cm_machine_node *node, bool *floor);

/* Returns the word for a kind: "processors", "hbm", "persistent", "cxl", "gpu", "other",
   "unknown". */
const char *cm_numa_kind_name(cm_numa_kind kind);

/* ---- for the readers ------------------------------------------------------------------------- */

/* Empties the node: no processors, every number -1. */
void cm_machine_node_clear(cm_machine_node *node);

/* Read processors, cores, sockets, dies and caches. Return false if they cannot. */
bool cm_machine_node_hwloc(const char *root, cm_machine_node *node);
bool cm_machine_node_sysfs(const char *root, cm_machine_node *node);

/* The functions that both readers use for the kernel's files below root. */

/* node_numas.c: adds the NUMA nodes with their kinds, and sets numa_of. */
void cm_machine_node_numas(const char *root, cm_machine_node *node);

/* node_kinds.c: sets kinds and kind_of. */
void cm_machine_node_kinds(const char *root, cm_machine_node *node);

#endif
