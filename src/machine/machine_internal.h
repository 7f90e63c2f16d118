/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_internal.h: declarations that the files of src/machine and their tests share.

   root is a prefix of every path. "" is this machine; a test passes a folder with files of its
   own. */
#ifndef CM_MACHINE_INTERNAL_H
#define CM_MACHINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "machine/cpus.h"
#include "machine/machine.h"
#include "machine/node.h"

typedef void cm_machine_each(const char *key, const char *value, void *context);

/* Calls each with the key and a formatted value. */
__attribute__((format(printf, 4, 5))) void cm_machine_say(cm_machine_each *each, void *context,
                                                          const char *key, const char *format, ...);

/* ---- file.c: the kernel's small files -------------------------------------------------------- */

enum { CM_MACHINE_PATH = 4096, CM_MACHINE_LIST = 8192 }; /* longest path; longest "0,2,4,..." */

/* Reads the first line of a file, without its end and surrounding blanks, into size bytes. Returns
   false if there is none. */
__attribute__((format(printf, 4, 5))) bool cm_machine_file_line(const char *root, char *line,
                                                                size_t size, const char *path, ...);

/* Returns true if there is such a file. */
__attribute__((format(printf, 2, 3))) bool cm_machine_file_exists(const char *root,
                                                                  const char *path, ...);

/* Reads the first line of a file as a whole number. Returns false if it is anything else
   ("max"). */
__attribute__((format(printf, 3, 4))) bool cm_machine_file_integer(const char *root, int64_t *value,
                                                                   const char *path, ...);

/* Finds the first line that begins with key and a colon or blank ("MemTotal: 24683084 kB") and
   copies the rest of it to value, of size bytes. Returns false if there is none. */
bool cm_machine_file_field(const char *root, const char *path, const char *key, char *value,
                           size_t size);

/* ---- this_node.c ----------------------------------------------------------------------------- */

/* This machine, read once. Threads that bind themselves later do not change it. */
typedef struct {
    cm_machine_node node;
    cm_machine_cpus may_run; /* of the thread that called first */
} cm_machine_view;
const cm_machine_view *cm_machine_this(void); /* never NULL */

/* ---- hypervisor.c ---------------------------------------------------------------------------- */

/* Returns the hypervisor, "none" without one, NULL if unknown. On x86, bit 31 of CPUID 1:ECX tells
   whether there is one, and leaf 0x40000000 identifies it (AMD64 manual volume 3, appendix E; each
   hypervisor's documentation). name has room for what is not known here. */
const char *cm_machine_hypervisor(const char *root, char *name, size_t size);

/* ---- cgroup.c: the control group of this process, for one controller ------------------------- */

typedef struct {
    int version;                  /* 1 or 2 */
    size_t top;                   /* length of the part of folder that is the mount point */
    char folder[CM_MACHINE_PATH]; /* path without root */
} cm_machine_cgroup;

/* Finds this process's group for a controller. Returns false if there is none. */
bool cm_machine_cgroup_find(const char *root, const char *controller, cm_machine_cgroup *cgroup);
/* Replaces the group by its parent. Returns false if it was the topmost group. */
bool cm_machine_cgroup_parent(cm_machine_cgroup *cgroup);

/* Returns the quota of this group and its parents (cpu.max or cpu.cfs_quota_us) in processors, 0 if
   there is no limit. *group (may be NULL) is set to the inode of the group that has it. */
double cm_machine_cgroup_cpu_quota(const char *root, uint64_t *group);
/* Returns how many of so many processors or cores, at least 1, the quota lets run at once. *group
   (may be NULL): the inode of the group that has it, 0 if it lets all run. */
int cm_machine_within_quota(int number, uint64_t *group);
/* Sets cpus to the processors of this group's cpuset, or of the cpuset of a kernel before control
   groups. Returns false if they are not known. */
bool cm_machine_cgroup_cpuset(const char *root, cm_machine_cpus *cpus);

/* ---- memory.c -------------------------------------------------------------------------------- */

int64_t cm_machine_memory_total(const char *root);     /* bytes; 0: not known */
int64_t cm_machine_memory_limit(const char *root);     /* bytes, of the control groups; 0: none */
int64_t cm_machine_memory_available(const char *root); /* bytes; 0: not known, or nothing left */

/* ---- processor.c, network.c, kernel.c: each writes its part of the description --------------- */

void cm_machine_describe_processor(const char *root, cm_machine_each *each, void *context);

/* ---- fma.c, peak.c --------------------------------------------------------------------------- */

enum { CM_FMA_SETS = 3 }; /* most instruction sets of a family of processors */
enum { CM_FMA_DOUBLE, CM_FMA_SINGLE, CM_FMA_PRECISIONS };

typedef struct {
    const char *set;                      /* "sse2", "avx2", "avx512"; "neon", "sve" */
    int bits;                             /* of its vectors */
    bool fused;                           /* multiplies and adds in one instruction */
    double flop_per_s[CM_FMA_PRECISIONS]; /* between registers, by the fastest of up to 30 runs */
    double clock_hz;                      /* under this load, by the fastest likewise */
} cm_fma_rate;

/* Measures each instruction set of this processor on this core, in some 10 ms; the set with the
   widest vectors comes last. Returns their number, 0 if there are no loops for the processor or no
   time passes. A rate is too low if another thread has the core or its units, never too high. */
size_t cm_machine_fma(cm_fma_rate rate[CM_FMA_SETS]);

/* Returns the index of the set with the highest rate; of those that are within 2 % of it, the last
   one. sets is at least 1. */
size_t cm_machine_fma_best(const cm_fma_rate *rate, size_t sets);

/* Says what is known of: vector_bits, fma_units, fma_units_from, fma_set, fma_flop_per_s,
   fma_single_flop_per_s, flop_per_cycle, core_clock_hz, core_clock_from, core_peak_flop_per_s,
   core_single_peak_flop_per_s, core_peak_from. sets is 0 for the files of another machine. */
void cm_machine_describe_peak_of(const char *root, const cm_fma_rate *rate, size_t sets,
                                 cm_machine_each *each, void *context);
/* The same with the rates measured, if root is "". */
void cm_machine_describe_peak(const char *root, cm_machine_each *each, void *context);

/* memory_channels.c: memory_channels and memory_peak_bytes_per_s, likewise. */
void cm_machine_describe_channels(const char *root, cm_machine_each *each, void *context);
void cm_machine_describe_networks(const char *root, cm_machine_each *each, void *context);
void cm_machine_describe_kernel(const char *root, cm_machine_each *each, void *context);

/* ---- numa.c ---------------------------------------------------------------------------------- */

int cm_machine_numa_farthest_of(const char *root, int node);

/* ---- inventory.c, offloads.c ----------------------------------------------------------------- */

/* The part of cm_machine_inventory that is read from files. */
void cm_machine_inventory_of(const char *root, cm_machine_each *each, void *context);
/* Lists what the interface of this name does for the kernel: "rx,tx,sg,tso,gso,gro". Returns false
   if it does nothing, or the kernel does not say. */
bool cm_machine_offloads(const char *name, char *text, size_t size);

/* ---- require_cpu.c, built_for.c, instruction_sets.h ------------------------------------------ */

/* One flag for each line of instruction_sets.h: whether the library was compiled for the set. */
extern const unsigned char cm_machine_built_for[];
extern const size_t cm_machine_instruction_sets; /* number of lines */
/* Returns the name on line number index, from 0, and sets *present to whether this processor has
   the set. Returns NULL if there is no such line. */
const char *cm_machine_instruction_set(size_t index, bool *present);

#endif
