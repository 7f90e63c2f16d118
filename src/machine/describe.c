/* SPDX-License-Identifier: BSD-3-Clause */
/* describe.c: describes this computer as keys and values. */
#include <config.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include "machine/machine_internal.h"
#include "machine/sets.h"
#include "measure/clock.h"

static void bytes(cm_machine_each *each, void *context, const char *key, int64_t value)
{
    if (value > 0) cm_machine_say(each, context, key, "%" PRId64, value);
}

static void topology(cm_machine_each *each, void *context)
{
    const cm_machine_view *view = cm_machine_this();
    const cm_machine_node *node = &view->node;
    static const char *const name[CM_NODE_LEVELS] = {"", "l1d", "l2", "l3", "l4"};
    char list[CM_MACHINE_LIST], key[32];
    if (node->elsewhere)
        each("topology", "of another machine, which hwloc's variables name", context);
    cm_machine_say(each, context, "cores", "%d", node->cores);
    cm_machine_say(each, context, "threads", "%d", node->threads);
    for (int level = 1; level < CM_NODE_LEVELS; level++) {
        if (cm_machine_cache_bytes(level) <= 0) continue;
        snprintf(key, sizeof key, "%s_bytes", name[level]);
        bytes(each, context, key, cm_machine_cache_bytes(level));
        snprintf(key, sizeof key, "%s_threads", name[level]);
        bytes(each, context, key, cm_machine_cache_threads(level));
        snprintf(key, sizeof key, "%s_caches", name[level]);
        bytes(each, context, key, node->caches[level]);
    }
    bool floor;
    bytes(each, context, "last_caches_bytes", cm_machine_last_caches_bytes(&floor));
    if (floor) each("last_caches_from", "floor: the system does not tell their size", context);
    bytes(each, context, "numa_nodes", node->numas);
    cm_machine_cpus_format(&view->may_run, list, sizeof list);
    if (list[0]) each("binding", list, context);
    double quota = cm_machine_cgroup_cpu_quota("", NULL);
    if (quota > 0) cm_machine_say(each, context, "cpu_quota", "%g", quota);
}

void cm_machine_describe(cm_machine_each *each, void *context)
{
    char host[256];
    if (gethostname(host, sizeof host) == 0) {
        host[sizeof host - 1] = '\0';
        each("host", host, context);
    }
    cm_machine_describe_processor("", each, context);
    each("kernel_set", cm_set_names[cm_set_chosen()], context);
    cm_machine_describe_peak("", each, context);
    topology(each, context);
    bytes(each, context, "memory_bytes", cm_machine_memory_bytes());
    bytes(each, context, "memory_limit_bytes", cm_machine_memory_limit(""));
    bytes(each, context, "memory_free_bytes", cm_machine_memory_free_bytes());
    cm_machine_describe_channels("", each, context);
    cm_machine_say(each, context, "clock_resolution_s", "%.2e", cm_clock_resolution_s());
    cm_machine_say(each, context, "clock_cost_s", "%.2e", cm_clock_cost_s());
    cm_machine_describe_kernel("", each, context);
    cm_machine_describe_networks("", each, context);
}
