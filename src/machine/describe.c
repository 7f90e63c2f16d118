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
    const cm_machine_topology *t = &view->topology;
    static const char *const name[CM_MACHINE_LEVELS] = {"", "l1d", "l2", "l3", "l4"};
    char list[1024], key[32];
    cm_machine_say(each, context, "cores", "%d", t->cores);
    cm_machine_say(each, context, "threads", "%d", t->threads);
    for (int level = 1; level < CM_MACHINE_LEVELS; level++) {
        if (t->cache[level].bytes <= 0) continue;
        snprintf(key, sizeof key, "%s_bytes", name[level]);
        bytes(each, context, key, t->cache[level].bytes);
        snprintf(key, sizeof key, "%s_threads", name[level]);
        bytes(each, context, key, t->cache[level].threads);
    }
    bytes(each, context, "numa_nodes", t->numa_nodes);
    cm_machine_cpus_format(&view->may_run, list, sizeof list);
    if (list[0]) each("binding", list, context);
    double quota = cm_machine_cgroup_cpu_quota("");
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
