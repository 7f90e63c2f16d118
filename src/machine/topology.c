/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.c: this machine's cores and caches, read once, and the part that this process may
   use. */
#include <config.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "machine/machine_internal.h"

int cm_machine_topology_cores(const cm_machine_topology *topology, const cm_machine_cpus *cpus)
{
    cm_machine_cpus cores = {{0}}; /* there are at most as many cores as processors */
    for (int cpu = cm_machine_cpus_next(cpus, -1); cpu >= 0; cpu = cm_machine_cpus_next(cpus, cpu))
        if (topology->core_of[cpu] >= 0) cm_machine_cpus_add(&cores, topology->core_of[cpu]);
    return cm_machine_cpus_count(&cores);
}

/* Used without hwloc and /sys: every processor that this process may run on is a core. */
static void flat(const cm_machine_cpus *may_run, cm_machine_topology *topology)
{
    *topology = (cm_machine_topology){0};
    memset(topology->core_of, -1, sizeof topology->core_of);
    for (int cpu = cm_machine_cpus_next(may_run, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(may_run, cpu))
        topology->core_of[cpu] = (int16_t)topology->cores++;
    topology->threads = topology->cores;
}

static void look(cm_machine_view *view)
{
    if (!cm_machine_cpus_affinity(0, &view->may_run)) {
        view->may_run = (cm_machine_cpus){{0}};
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        if (online < 1) online = 1;
        for (int cpu = 0; cpu < online && cpu < CM_MACHINE_CPUS; cpu++)
            cm_machine_cpus_add(&view->may_run, cpu);
    }
    int cpu = cm_machine_cpus_next(&view->may_run, -1);
    if (!cm_machine_topology_hwloc(cpu, &view->topology)
        && !cm_machine_topology_sysfs("", cpu, &view->topology))
        flat(&view->may_run, &view->topology);
}

/* The only static variable of this folder that is written, and only once. The machine does not
   change while the process runs, reading it takes milliseconds, and a thread that has bound itself
   would see only a part. */
const cm_machine_view *cm_machine_this(void)
{
    static _Atomic(cm_machine_view *) shared;
    static cm_machine_view last_resort = {.topology = {.cores = 1, .threads = 1}};

    cm_machine_view *view = atomic_load_explicit(&shared, memory_order_acquire);
    if (view) return view;
    view = malloc(sizeof *view);
    if (!view) return &last_resort;
    look(view);
    cm_machine_view *none = NULL;
    if (atomic_compare_exchange_strong(&shared, &none, view)) return view;
    free(view);
    return none;
}

int cm_machine_all_cores(void)
{
    int cores = cm_machine_this()->topology.cores;
    return cores > 0 ? cores : 1;
}

int cm_machine_cores(void)
{
    const cm_machine_view *view = cm_machine_this();
    int cores = cm_machine_topology_cores(&view->topology, &view->may_run);
    return cores > 0 ? cores : 1;
}

int cm_machine_job_cores(void)
{
    const cm_machine_view *view = cm_machine_this();
    cm_machine_cpus job, parent, cpuset;
    job = view->may_run;
    pid_t launcher = getppid(); /* 0: it is outside of this process namespace */
    if (launcher > 0 && cm_machine_cpus_affinity(launcher, &parent)) {
        if (cm_machine_cgroup_cpuset("", &cpuset)) cm_machine_cpus_and(&parent, &cpuset);
        for (size_t i = 0; i < sizeof job.word / sizeof job.word[0]; i++)
            job.word[i] |= parent.word[i];
    }
    int cores = cm_machine_topology_cores(&view->topology, &job);
    double quota = cm_machine_cgroup_cpu_quota("");
    if (quota > 0 && quota < cores) cores = (int)quota;
    return cores > 0 ? cores : 1;
}

int64_t cm_machine_cache_bytes(int level)
{
    if (level < 1 || level >= CM_MACHINE_LEVELS) return 0;
    return cm_machine_this()->topology.cache[level].bytes;
}

int64_t cm_machine_last_cache_bytes(void)
{
    for (int level = CM_MACHINE_LEVELS - 1; level >= 1; level--)
        if (cm_machine_cache_bytes(level) > 0) return cm_machine_cache_bytes(level);
    return 0;
}
