/* SPDX-License-Identifier: BSD-3-Clause */
/* cpus.h: sets of processors by the operating system's numbers, and the kernel's way to write
   them, "0-3,8". */
#ifndef CM_MACHINE_CPUS_H
#define CM_MACHINE_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
    CM_MACHINE_CPUS = 8192, /* the most that Linux can be configured for */
    CM_MACHINE_WORD = 8 * sizeof(unsigned long)
};
/* All zero: the empty set. */
typedef struct {
    unsigned long word[CM_MACHINE_CPUS / CM_MACHINE_WORD];
} cm_machine_cpus;

static inline bool cm_machine_cpus_has(const cm_machine_cpus *cpus, int cpu)
{
    return cpus->word[cpu / CM_MACHINE_WORD] >> (cpu % CM_MACHINE_WORD) & 1;
}

static inline void cm_machine_cpus_add(cm_machine_cpus *cpus, int cpu)
{
    cpus->word[cpu / CM_MACHINE_WORD] |= 1UL << (cpu % CM_MACHINE_WORD);
}

int cm_machine_cpus_next(const cm_machine_cpus *cpus, int after); /* from -1 on; -1: none */
int cm_machine_cpus_count(const cm_machine_cpus *cpus);
void cm_machine_cpus_and(cm_machine_cpus *cpus, const cm_machine_cpus *other);
void cm_machine_cpus_or(cm_machine_cpus *cpus, const cm_machine_cpus *other);

/* False, and cpus stay as they are: list is no such list, or names a processor that cannot be. */
bool cm_machine_cpus_parse(const char *list, cm_machine_cpus *cpus);

/* The list of a set into size bytes, of which whole parts are left out at its end where it does not
   fit. "" for the empty set. */
void cm_machine_cpus_format(const cm_machine_cpus *cpus, char *list, size_t size);

/* The same for a result, where the empty set is "unknown"; returns list. */
const char *cm_machine_cpus_text(const cm_machine_cpus *cpus, char *list, size_t size);

/* What the process (0: this thread) may run on; false, and cpus stay as they are: not known. */
bool cm_machine_cpus_affinity(pid_t process, cm_machine_cpus *cpus);

#endif
