/* SPDX-License-Identifier: BSD-3-Clause */
/* this_node.c: this computer, read once, and the part of it that this process may use. */
#include <config.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include "machine/machine_internal.h"

static void look(cm_machine_view *view)
{
    if (!cm_machine_cpus_affinity(0, &view->may_run)) {
        view->may_run = (cm_machine_cpus){{0}};
        const int online = cm_machine_online();
        for (int cpu = 0; cpu < online && cpu < CM_MACHINE_CPUS; cpu++)
            cm_machine_cpus_add(&view->may_run, cpu);
    }
    if (!cm_machine_node_read("", false, &view->node)) {
        cm_machine_node_clear(&view->node);
        view->node.cores = view->node.threads = view->node.sockets = 1;
    }
}

/* The only static variable of this folder that is written, and only once. The machine does not
   change while the process runs, reading it takes milliseconds, and a thread that has bound itself
   would see only a part. */
const cm_machine_view *cm_machine_this(void)
{
    static _Atomic(cm_machine_view *) shared;
    static cm_machine_view last_resort; /* knows nothing: one core is assumed below */

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
    int cores = cm_machine_this()->node.cores;
    return cores > 0 ? cores : 1;
}

int cm_machine_cores(void)
{
    const cm_machine_view *view = cm_machine_this();
    int cores = cm_machine_node_cores(&view->node, &view->may_run);
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
        cm_machine_cpus_or(&job, &parent);
    }
    return cm_machine_within_quota(cm_machine_node_cores(&view->node, &job), NULL);
}

int cm_machine_sockets(void)
{
    const cm_machine_view *view = cm_machine_this();
    int sockets = cm_machine_node_sockets(&view->node, &view->may_run);
    return sockets > 0 ? sockets : 1;
}

/* The cache of this level that the first processor of this process sees; NULL: none. */
static const cm_node_cache *own_cache(int level)
{
    const cm_machine_view *view = cm_machine_this();
    int cpu = cm_machine_cpus_next(&view->may_run, -1);
    if (level < 1 || level >= CM_NODE_LEVELS || cpu < 0 || view->node.cache_of[level][cpu] < 0)
        return NULL;
    return &view->node.cache[level][view->node.cache_of[level][cpu]];
}

int64_t cm_machine_cache_bytes(int level)
{
    const cm_node_cache *cache = own_cache(level);
    return cache ? cache->bytes : 0;
}

int cm_machine_cache_threads(int level)
{
    const cm_node_cache *cache = own_cache(level);
    return cache ? cache->processors : 0;
}

static int own_last_level(void)
{
    int level = CM_NODE_LEVELS - 1;
    while (level > 0 && cm_machine_cache_bytes(level) <= 0) level--;
    return level;
}

int64_t cm_machine_last_cache_bytes(void) { return cm_machine_cache_bytes(own_last_level()); }

/* A virtual machine reports its host's caches, perhaps one for each of its processors. */
int64_t cm_machine_last_caches_bytes(bool *floor)
{
    const int64_t own = cm_machine_last_cache_bytes();
    if (own > 0 && cm_machine_is_virtual() && !cm_machine_this()->node.elsewhere) {
        if (floor) *floor = false;
        return own;
    }
    return cm_machine_node_last_caches_bytes(&cm_machine_this()->node, floor);
}

int64_t cm_machine_last_cache_share_bytes(int ranks)
{
    const cm_machine_view *view = cm_machine_this();
    const int level = own_last_level(), cpu = cm_machine_cpus_next(&view->may_run, -1);
    if (level == 0) return 0;
    cm_machine_cpus sharing = {{0}};
    for (int k = cm_machine_cpus_next(&view->node.online, -1); k >= 0;
         k = cm_machine_cpus_next(&view->node.online, k))
        if (view->node.cache_of[level][k] == view->node.cache_of[level][cpu])
            cm_machine_cpus_add(&sharing, k);
    const int cores = cm_machine_node_cores(&view->node, &sharing);
    const int share = ranks < cores ? ranks : cores;
    return cm_machine_cache_bytes(level) / (share > 1 ? share : 1);
}
