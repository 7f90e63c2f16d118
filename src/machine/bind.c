/* SPDX-License-Identifier: BSD-3-Clause */
/* bind.c: binds a thread to one core. */
#include <config.h>
#include <errno.h>
#include <sched.h>
#include "machine/machine_internal.h"

/* Returns the first processor of the k-th of this process's cores that it may run on. */
static int processor_of(const cm_machine_view *view, int k)
{
    int seen = 0;
    for (int core = 0; core < view->node.cores; core++)
        for (int cpu = cm_machine_cpus_next(&view->may_run, -1); cpu >= 0;
             cpu = cm_machine_cpus_next(&view->may_run, cpu)) {
            if (view->node.core_of[cpu] != core) continue;
            if (seen++ == k) return cpu;
            break;
        }
    return -1;
}

int cm_machine_bind(int k, const char **why)
{
    int cores = cm_machine_cores();
    int cpu = processor_of(cm_machine_this(), (k % cores + cores) % cores);
    if (cpu < 0) {
        if (why) *why = "the cores of this machine are unknown";
        return -1;
    }
    cm_machine_cpus set = {{0}};
    cm_machine_cpus_add(&set, cpu);
    if (sched_setaffinity(0, sizeof set.word, (cpu_set_t *)(void *)set.word) == 0) return cpu;
    if (why)
        *why = errno == EINVAL  ? "the core went offline or out of this process's cpuset"
               : errno == EPERM ? "a security policy forbids it"
                                : "the system has no sched_setaffinity";
    return -1;
}
