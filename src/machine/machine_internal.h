/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_internal.h: what the files of src/machine share, and what their tests reach for.

   root stands before every path: "" is this machine; a test names a folder with files of its
   own. */
#ifndef CM_MACHINE_INTERNAL_H
#define CM_MACHINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "machine/cpus.h"
#include "machine/machine.h"

typedef void cm_machine_each(const char *key, const char *value, void *context);

/* Calls each with a formatted value. */
__attribute__((format(printf, 4, 5))) void cm_machine_say(cm_machine_each *each, void *context,
                                                          const char *key, const char *format, ...);

/* ---- file.c: the kernel's small files -------------------------------------------------------- */

enum { CM_MACHINE_PATH = 4096, CM_MACHINE_LIST = 8192 }; /* longest path; longest "0,2,4,..." */

/* The first line without its end and surrounding blanks; false when there is none. */
__attribute__((format(printf, 4, 5))) bool cm_machine_file_line(const char *root, char *line,
                                                                size_t size, const char *path, ...);

/* The first line as a whole number; false when it is anything else ("max"). */
__attribute__((format(printf, 3, 4))) bool cm_machine_file_integer(const char *root, int64_t *value,
                                                                   const char *path, ...);

/* What follows key and a colon or blank in the first line that begins so: "MemTotal: 24683084
   kB". */
bool cm_machine_file_field(const char *root, const char *path, const char *key, char *value,
                           size_t size);

/* ---- topology.c ------------------------------------------------------------------------------ */

enum { CM_MACHINE_LEVELS = 5 }; /* cache levels 1..4 */

typedef struct {
    int cores, threads;               /* of the machine, usable or not */
    int numa_nodes;                   /* 0: not known */
    int16_t core_of[CM_MACHINE_CPUS]; /* which core a processor belongs to, in an order that
                                             keeps neighbours together; -1: no such processor */
    struct {
        int64_t bytes;          /* 0: none */
        int threads;            /* how many processors share it */
    } cache[CM_MACHINE_LEVELS]; /* [level], data or unified, that one processor sees */
} cm_machine_topology;

/* Two ways to the same answer; the caches are those of processor cpu. false: it cannot be found
   out. */
bool cm_machine_topology_hwloc(int cpu, cm_machine_topology *topology);
bool cm_machine_topology_sysfs(const char *root, int cpu, cm_machine_topology *topology);

/* Distinct cores among cpus. */
int cm_machine_topology_cores(const cm_machine_topology *topology, const cm_machine_cpus *cpus);

/* This machine, read once: threads that bind themselves later do not change what it says. */
typedef struct {
    cm_machine_topology topology;
    cm_machine_cpus may_run; /* of the thread that asked first */
} cm_machine_view;
const cm_machine_view *cm_machine_this(void); /* never NULL */

/* ---- cgroup.c: the control group of this process, for one controller ------------------------- */

typedef struct {
    int version;                  /* 1 or 2 */
    size_t top;                   /* length of the part of folder that is the mount point */
    char folder[CM_MACHINE_PATH]; /* without root */
} cm_machine_cgroup;

bool cm_machine_cgroup_find(const char *root, const char *controller, cm_machine_cgroup *cgroup);
bool cm_machine_cgroup_parent(cm_machine_cgroup *cgroup); /* false: it was the topmost */

/* cpu.max or cpu.cfs_quota_us over this group and its parents, in processors; 0: no limit. */
double cm_machine_cgroup_cpu_quota(const char *root);
/* The processors of this group's cpuset; false: not known. */
bool cm_machine_cgroup_cpuset(const char *root, cm_machine_cpus *cpus);

/* ---- memory.c -------------------------------------------------------------------------------- */

int64_t cm_machine_memory_total(const char *root);     /* bytes; 0: not known */
int64_t cm_machine_memory_limit(const char *root);     /* of the control groups; 0: none */
int64_t cm_machine_memory_available(const char *root); /* 0: not known, or nothing left */

/* ---- processor.c, network.c, kernel.c: each writes its part of the description --------------- */

void cm_machine_describe_processor(const char *root, cm_machine_each *each, void *context);
void cm_machine_describe_networks(const char *root, cm_machine_each *each, void *context);
void cm_machine_describe_kernel(const char *root, cm_machine_each *each, void *context);

/* ---- require_cpu.c, built_for.c, instruction_sets.h ------------------------------------------ */

/* One flag a line of instruction_sets.h: was the library compiled for it? */
extern const unsigned char cm_machine_built_for[];
extern const size_t cm_machine_instruction_sets;                     /* how many lines */
const char *cm_machine_instruction_set(size_t index, bool *present); /* its name */

#endif
