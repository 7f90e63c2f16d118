/* SPDX-License-Identifier: BSD-3-Clause */
/* cpus.h: sets of processors, numbered as the operating system numbers them, and the kernel's
   notation for them, "0-3,8". */
#ifndef CM_MACHINE_CPUS_H
#define CM_MACHINE_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
    CM_MACHINE_CPUS = 8192, /* the largest number that Linux can be configured for */
    CM_MACHINE_WORD = 8 * sizeof(unsigned long)
};
/* A set of processors. All words 0 is the empty set. */
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

/* Returns the first processor of the set above `after`, -1 if there is none. Start with -1. */
int cm_machine_cpus_next(const cm_machine_cpus *cpus, int after);

/* Returns the number of processors in the set. */
int cm_machine_cpus_count(const cm_machine_cpus *cpus);

/* Replace cpus by its intersection, or its union, with other. */
void cm_machine_cpus_and(cm_machine_cpus *cpus, const cm_machine_cpus *other);
void cm_machine_cpus_or(cm_machine_cpus *cpus, const cm_machine_cpus *other);

/* Converts a list, "0-3,8", to a set. Returns false, and leaves the set unchanged, if the text is
   no such list or names an impossible processor. */
bool cm_machine_cpus_parse(const char *list, cm_machine_cpus *cpus);

/* Likewise for a mask, "0000000f,00000003": hexadecimal digits, the highest processors first, with
   commas anywhere between them. */
bool cm_machine_cpus_parse_mask(const char *mask, cm_machine_cpus *cpus);

/* Writes the list of a set to at most size bytes. The empty set is "". Returns false if it does not
   fit: then whole parts at its end are left out. */
bool cm_machine_cpus_format(const cm_machine_cpus *cpus, char *list, size_t size);

/* Does the same for people and results: the empty set is "unknown", and "..." stands for what is
   left out. size: at least 8. Returns list. */
const char *cm_machine_cpus_text(const cm_machine_cpus *cpus, char *list, size_t size);

/* Sets cpus to the processors that the process (0: this thread) may run on. Returns false, and
   leaves the set unchanged, if they are not known. */
bool cm_machine_cpus_affinity(pid_t process, cm_machine_cpus *cpus);

#endif
