/* SPDX-License-Identifier: BSD-3-Clause */
/* cpus.c: sets of processors, and the kernel's lists of them. */
#include <config.h>
#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/cpus.h"

int cm_machine_cpus_next(const cm_machine_cpus *cpus, int after)
{
    for (int cpu = after + 1; cpu < CM_MACHINE_CPUS; cpu++)
        if (cm_machine_cpus_has(cpus, cpu)) return cpu;
    return -1;
}

int cm_machine_cpus_count(const cm_machine_cpus *cpus)
{
    int count = 0;
    for (size_t i = 0; i < sizeof cpus->word / sizeof cpus->word[0]; i++)
        count += __builtin_popcountl(cpus->word[i]);
    return count;
}

void cm_machine_cpus_and(cm_machine_cpus *cpus, const cm_machine_cpus *other)
{
    for (size_t i = 0; i < sizeof cpus->word / sizeof cpus->word[0]; i++)
        cpus->word[i] &= other->word[i];
}

void cm_machine_cpus_or(cm_machine_cpus *cpus, const cm_machine_cpus *other)
{
    for (size_t i = 0; i < sizeof cpus->word / sizeof cpus->word[0]; i++)
        cpus->word[i] |= other->word[i];
}

bool cm_machine_cpus_parse(const char *list, cm_machine_cpus *cpus)
{
    cm_machine_cpus set = {{0}};
    while (*list && *list != '\n') {
        char *end;
        if (!isdigit((unsigned char)*list)) return false;
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-') {
            if (!isdigit((unsigned char)end[1])) return false;
            last = strtol(end + 1, &end, 10);
        }
        if (last < first || last >= CM_MACHINE_CPUS) return false;
        for (long cpu = first; cpu <= last; cpu++) cm_machine_cpus_add(&set, (int)cpu);
        if (*end == ',') end++;
        else if (*end && *end != '\n') return false;
        list = end;
    }
    *cpus = set;
    return true;
}

bool cm_machine_cpus_parse_mask(const char *mask, cm_machine_cpus *cpus)
{
    enum { DIGIT_BITS = 4 };
    cm_machine_cpus set = {{0}};
    size_t length = strspn(mask, "0123456789abcdefABCDEF,");
    if (length == 0 || (mask[length] != '\0' && mask[length] != '\n')) return false;
    int cpu = 0;
    for (const char *digit = mask + length; digit-- > mask;) {
        if (*digit == ',') continue;
        const char text[] = {*digit, '\0'};
        const unsigned long bits = strtoul(text, NULL, 16);
        for (int bit = 0; bit < DIGIT_BITS; bit++, cpu++) {
            if (!(bits >> bit & 1)) continue;
            if (cpu >= CM_MACHINE_CPUS) return false;
            cm_machine_cpus_add(&set, cpu);
        }
    }
    *cpus = set;
    return true;
}

bool cm_machine_cpus_format(const cm_machine_cpus *cpus, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int first = cm_machine_cpus_next(cpus, -1); first >= 0;) {
        int last = first;
        while (last + 1 < CM_MACHINE_CPUS && cm_machine_cpus_has(cpus, last + 1)) last++;
        char part[32];
        const char *comma = used > 0 ? "," : "";
        int length = last > first ? snprintf(part, sizeof part, "%s%d-%d", comma, first, last)
                                  : snprintf(part, sizeof part, "%s%d", comma, first);
        if (used + (size_t)length >= size) return false;
        memcpy(list + used, part, (size_t)length + 1);
        used += (size_t)length;
        first = cm_machine_cpus_next(cpus, last);
    }
    return true;
}

const char *cm_machine_cpus_text(const cm_machine_cpus *cpus, char *list, size_t size)
{
    static const char more[] = ",...";
    if (!cm_machine_cpus_format(cpus, list, size)) {
        cm_machine_cpus_format(cpus, list, size - (sizeof more - 1));
        strcat(list, more + !*list);
    }
    if (!*list) snprintf(list, size, "unknown");
    return list;
}

bool cm_machine_cpus_affinity(pid_t process, cm_machine_cpus *cpus)
{
    cm_machine_cpus set = {{0}};
    if (sched_getaffinity(process, sizeof set.word, (cpu_set_t *)(void *)set.word) != 0)
        return false;
    *cpus = set;
    return true;
}
