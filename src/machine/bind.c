/* SPDX-License-Identifier: BSD-3-Clause */
/* bind.c: binds a thread, or all threads, to their place among the processors of this process. */
#include <config.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/exit.h"
#include "machine/machine_internal.h"

const char *const cm_machine_ways[] = {"none",         "spread",    "pack",    "per-l3",
                                       "per-numa",     "same-core", "same-l3", "same-socket",
                                       "other-socket", NULL};

static int too_few(const cm_machine_cpus *usable, cm_machine_way way, int places, char *why,
                   size_t size)
{
    static const char *const pairs[CM_BIND_WAYS] = {
        [CM_BIND_SAME_CORE] = "are threads of one core",
        [CM_BIND_SAME_L3] = "are of different cores that share an L3 cache",
        [CM_BIND_SAME_SOCKET] = "are on one socket with different L3 caches",
        [CM_BIND_OTHER_SOCKET] = "are on different sockets"};
    const char *what = way == CM_BIND_PER_L3     ? "L3 cache"
                       : way == CM_BIND_PER_NUMA ? "NUMA node"
                                                 : "core";
    char list[64];
    if (pairs[way] && places == 0)
        snprintf(why, size,
                 "this host has none: no two of the processors that ranks may use (%s) %s",
                 cm_machine_cpus_text(usable, list, sizeof list), pairs[way]);
    else if (pairs[way])
        snprintf(why, size, "expected at most 2 ranks on a host, which are the pair");
    else if (places == 0) snprintf(why, size, "this host tells of no %s that ranks may use", what);
    else
        snprintf(why, size, "ranks may use %d %s%s of this host; expected at most %d rank%s on it",
                 places, what, places == 1 ? "" : "s", places, places == 1 ? "" : "s");
    return CM_EXIT_USAGE;
}

static int bind_to(const cm_machine_cpus *place, char *why, size_t size)
{
    cm_machine_cpus now = {{0}};
    if (sched_setaffinity(0, sizeof place->word, (const cpu_set_t *)(const void *)place->word)
        != 0) {
        snprintf(why, size, "%s",
                 errno == EINVAL  ? "the core went offline or out of this process's cpuset"
                 : errno == EPERM ? "a security policy forbids it"
                                  : "the system has no sched_setaffinity");
        return CM_EXIT_SYSTEM;
    }
    /* A cpuset, or a hook in the C library, may have changed the set. */
    if (!cm_machine_cpus_affinity(0, &now) || memcmp(&now, place, sizeof now) != 0) {
        char wanted[64], got[64];
        cm_machine_cpus_text(place, wanted, sizeof wanted);
        snprintf(why, size, "asked for processors %s, but the system gave %s", wanted,
                 cm_machine_cpus_text(&now, got, sizeof got));
        return CM_EXIT_SYSTEM;
    }
    return 0;
}

/* A BLAS may start its threads before main. A thread that is bound elsewhere stays there. */
static void bind_others(const cm_machine_cpus *may_run, const cm_machine_cpus *place)
{
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
        const pid_t thread = atoi(entry->d_name);
        cm_machine_cpus now;
        if (thread > 0 && cm_machine_cpus_affinity(thread, &now)
            && memcmp(&now, may_run, sizeof now) == 0)
            sched_setaffinity(thread, sizeof place->word,
                              (const cpu_set_t *)(const void *)place->word);
    }
    if (tasks) closedir(tasks);
}

int cm_machine_bind(cm_machine_way way, int k, char *why, size_t size)
{
    const cm_machine_view *view = cm_machine_this();
    cm_machine_cpus *place = calloc((size_t)k + 1, sizeof *place);
    if (!place) {
        snprintf(why, size, "out of memory for the processors of %d ranks", k + 1);
        return CM_EXIT_SYSTEM;
    }
    const int places = cm_machine_node_places(&view->node, &view->may_run, way, k + 1, place);
    const int status = places <= k ? too_few(&view->may_run, way, places, why, size)
                                   : bind_to(&place[k], why, size);
    if (status == 0 && (way == CM_BIND_PER_L3 || way == CM_BIND_PER_NUMA))
        bind_others(&view->may_run, &place[k]);
    free(place);
    return status;
}
