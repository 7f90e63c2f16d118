/* SPDX-License-Identifier: BSD-3-Clause */
/* node_kinds.c: kinds of cores (performance and efficiency cores), from the kernel's files. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_internal.h"
#include "machine/node.h"

#define CPU "/sys/devices/system/cpu/"

/* Cores whose speeds differ by less are of one kind: the better samples of one kind have a capacity
   that is some per cent larger. */
enum { SAME_KIND_PERCENT = 10 };

typedef struct {
    int cpu;
    int64_t speed;
} core_speed;

/* Returns a number that grows with the speed of a processor's core: whether Intel's kernel driver
   lists it as a performance core, its base frequency (intel_pstate), or the capacity that the
   scheduler uses (Arm). 0: none of these is known. */
static int64_t speed_of(const char *root, const cm_machine_cpus *efficient, int cpu)
{
    int64_t speed;
    if (cm_machine_cpus_count(efficient) > 0) return cm_machine_cpus_has(efficient, cpu) ? 1 : 2;
    if (cm_machine_file_integer(root, &speed, CPU "cpu%d/cpufreq/base_frequency", cpu)
        || cm_machine_file_integer(root, &speed, CPU "cpu%d/cpu_capacity", cpu))
        return speed;
    return 0;
}

static int by_speed(const void *a, const void *b)
{
    const core_speed *x = a, *y = b;
    return x->speed < y->speed ? -1 : x->speed > y->speed;
}

void cm_machine_node_kinds(const char *root, cm_machine_node *node)
{
    char text[CM_MACHINE_LIST];
    cm_machine_cpus efficient = {{0}};
    core_speed *speeds = malloc((size_t)node->threads * sizeof *speeds);
    int n = 0;
    node->kinds = 1;
    if (!speeds) return;
    if (cm_machine_file_line(root, text, sizeof text, "/sys/devices/cpu_atom/cpus"))
        cm_machine_cpus_parse(text, &efficient);
    for (int cpu = cm_machine_cpus_next(&node->online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(&node->online, cpu))
        speeds[n++] = (core_speed){cpu, speed_of(root, &efficient, cpu)};
    qsort(speeds, (size_t)n, sizeof *speeds, by_speed);
    int kind = 0;
    for (int k = 0; k < n; k++) {
        if (k > 0 && speeds[k].speed * 100 > speeds[k - 1].speed * (100 + SAME_KIND_PERCENT))
            kind++;
        node->kind_of[speeds[k].cpu] = (int16_t)kind;
    }
    node->kinds = kind + 1;
    free(speeds);
}
