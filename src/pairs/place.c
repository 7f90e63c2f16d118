/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: on which processors ranks run, and whether there is one for each. */
#include "config.h"
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sched.h>
#endif
#include "pairs/pairs.h"
#include "run/run.h"

static bool has(const cm_pair_cpus *cpus, int cpu)
{
    return cpu < CM_PAIR_CPUS && cpus->word[cpu / 64] >> (cpu % 64) & 1;
}

cm_pair_cpus cm_pair_own_cpus(void)
{
    cm_pair_cpus cpus;
    memset(&cpus, 0, sizeof cpus);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu < CM_PAIR_CPUS && cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &set)) cpus.word[cpu / 64] |= (uint64_t)1 << (cpu % 64);
#endif
    return cpus;
}

const char *cm_pair_cpus_text(const cm_pair_cpus *cpus, char *text, size_t capacity)
{
    size_t used = 0;
    snprintf(text, capacity, "unknown");
    for (int cpu = 0; cpu < CM_PAIR_CPUS; cpu++) {
        if (!has(cpus, cpu)) continue;
        int last = cpu;
        while (has(cpus, last + 1)) last++;
        const char *comma = used ? "," : "";
        char *end = text + used;
        int n = last > cpu ? snprintf(end, capacity - used, "%s%d-%d", comma, cpu, last)
                           : snprintf(end, capacity - used, "%s%d", comma, cpu);
        if (n < 0 || (size_t)n >= capacity - used) break;
        used += (size_t)n;
        cpu = last;
    }
    return text;
}

static int number_of(const cm_pair_cpus *cpus)
{
    int n = 0;
    for (int cpu = 0; cpu < CM_PAIR_CPUS; cpu++) n += has(cpus, cpu);
    return n;
}

bool cm_pair_cores_shared(const cm_group *group, const cm_pair_cpus *cpus)
{
    int size = cm_size(group);
    for (int first = 0; first < size; first++) {
        if (cm_run_ranks_before(group, first) > 0) continue;
        cm_pair_cpus all = {{0}};
        bool known = true;
        for (int rank = first; rank < size; rank++) {
            if (strcmp(cm_host(group, rank), cm_host(group, first)) != 0) continue;
            known = known && number_of(&cpus[rank]) > 0;
            for (int k = 0; k < CM_PAIR_CPUS / 64; k++) all.word[k] |= cpus[rank].word[k];
        }
        if (known && number_of(&all) < cm_run_ranks_on_host(group, first)) return true;
    }
    return false;
}
