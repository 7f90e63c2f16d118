/* SPDX-License-Identifier: BSD-3-Clause */
/* inventory.c: what a host has beyond cm_machine_describe: firmware of the processor, memory of
   each NUMA node, reserved huge pages and the limits of this process. */
#include <config.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "machine/machine_internal.h"

/* "Node 0 MemTotal:       24683084 kB". */
static bool node_memory(const char *root, int node, int64_t *bytes)
{
    char path[CM_MACHINE_PATH], key[64], value[64], *end;
    snprintf(path, sizeof path, "/sys/devices/system/node/node%d/meminfo", node);
    snprintf(key, sizeof key, "Node %d MemTotal", node);
    if (!cm_machine_file_field(root, path, key, value, sizeof value)) return false;
    *bytes = (int64_t)strtoll(value, &end, 10) * 1024;
    return end != value;
}

static void numa(const char *root, cm_machine_each *each, void *context)
{
    char list[CM_MACHINE_LIST], key[64];
    cm_machine_cpus nodes;
    int64_t bytes;
    if (!cm_machine_file_line(root, list, sizeof list, "/sys/devices/system/node/online")
        || !cm_machine_cpus_parse(list, &nodes))
        return;
    for (int node = cm_machine_cpus_next(&nodes, -1); node >= 0;
         node = cm_machine_cpus_next(&nodes, node)) {
        if (!node_memory(root, node, &bytes)) continue;
        snprintf(key, sizeof key, "numa%d_memory_bytes", node);
        cm_machine_say(each, context, key, "%" PRId64, bytes);
    }
}

static void limits(cm_machine_each *each, void *context)
{
    static const struct {
        int resource;
        const char *key;
    } known[] = {{RLIMIT_NOFILE, "limit_open_files"},
                 {RLIMIT_NPROC, "limit_processes"},
                 {RLIMIT_MEMLOCK, "limit_locked_bytes"},
                 {RLIMIT_STACK, "limit_stack_bytes"},
                 {RLIMIT_AS, "limit_address_bytes"}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        struct rlimit limit;
        if (getrlimit(known[k].resource, &limit) != 0) continue;
        if (limit.rlim_cur == RLIM_INFINITY) each(known[k].key, "unlimited", context);
        else cm_machine_say(each, context, known[k].key, "%" PRIu64, (uint64_t)limit.rlim_cur);
    }
}

void cm_machine_inventory_of(const char *root, cm_machine_each *each, void *context)
{
    char value[64];
    if (cm_machine_file_field(root, "/proc/cpuinfo", "microcode", value, sizeof value))
        each("microcode", value, context);
    if (cm_machine_file_line(root, value, sizeof value, "/sys/devices/system/cpu/smt/control"))
        each("smt", value, context);
    numa(root, each, context);
    if (cm_machine_file_field(root, "/proc/meminfo", "HugePages_Total", value, sizeof value))
        each("huge_pages_reserved", value, context);
    if (cm_machine_file_field(root, "/proc/meminfo", "SwapTotal", value, sizeof value))
        cm_machine_say(each, context, "swap_bytes", "%" PRId64, (int64_t)atoll(value) * 1024);
}

void cm_machine_inventory(cm_machine_each *each, void *context)
{
    cm_machine_inventory_of("", each, context);
    cm_machine_say(each, context, "sockets", "%d", cm_machine_sockets());
    limits(each, context);
}
