/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c: how much memory the computer has, and how much of it this process may still use. */
#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include "machine/machine_internal.h"

/* Returns a line "KEY:  24683084 kB" of a file in bytes, -1 if there is none. */
static int64_t kib_line(const char *root, const char *path, const char *key)
{
    char value[64], *end;
    if (!cm_machine_file_field(root, path, key, value, sizeof value)) return -1;
    long long kib = strtoll(value, &end, 10);
    return end == value || kib < 0 ? -1 : (int64_t)kib * 1024;
}

static int64_t meminfo(const char *root, const char *key)
{
    return kib_line(root, "/proc/meminfo", key);
}

int64_t cm_machine_memory_total(const char *root)
{
    int64_t total = meminfo(root, "MemTotal");
    return total > 0 ? total : 0;
}

/* Finds a group's limit and how much of it is free. Returns false if it has no limit. The kernel
   drops clean file pages (inactive_file) before it refuses memory, so they count as free. */
static bool group_memory(const char *root, const cm_machine_cgroup *cgroup, int64_t *limit,
                         int64_t *left)
{
    bool second = cgroup->version == 2;
    int64_t high, used, files = 0;
    char stat[CM_MACHINE_PATH + 32], value[64];
    const char *folder = cgroup->folder;
    bool limited = cm_machine_file_integer(
        root, limit, second ? "%s/memory.max" : "%s/memory.limit_in_bytes", folder);
    /* Above memory.high the kernel slows a group down too much for measurements, so it counts as a
       limit. */
    if (second && cm_machine_file_integer(root, &high, "%s/memory.high", folder)
        && (!limited || high < *limit)) {
        *limit = high;
        limited = true;
    }
    if (!limited) return false;
    if (!cm_machine_file_integer(root, &used,
                                 second ? "%s/memory.current" : "%s/memory.usage_in_bytes", folder))
        used = 0;
    snprintf(stat, sizeof stat, "%s/memory.stat", folder);
    if (cm_machine_file_field(root, stat, second ? "inactive_file" : "total_inactive_file", value,
                              sizeof value))
        files = strtoll(value, NULL, 10);
    *left = *limit - (used > files ? used - files : 0);
    if (*left < 0) *left = 0;
    return true;
}

int64_t cm_machine_memory_limit(const char *root)
{
    cm_machine_cgroup cgroup;
    int64_t least = 0, limit, left, total = cm_machine_memory_total(root);
    if (!cm_machine_cgroup_find(root, "memory", &cgroup)) return 0;
    do {
        if (group_memory(root, &cgroup, &limit, &left) && (least == 0 || limit < least))
            least = limit;
    } while (cm_machine_cgroup_parent(&cgroup));
    return total > 0 && least >= total ? 0 : least; /* version 1 writes 2^63 - 4096 for "none" */
}

#define NODE "/sys/devices/system/node/"

/* Returns what is free on a node, with the files that the kernel would drop; -1: not known. */
static int64_t node_left(const char *root, int node)
{
    char path[64], key[64];
    snprintf(path, sizeof path, NODE "node%d/meminfo", node);
    snprintf(key, sizeof key, "Node %d MemFree", node);
    const int64_t unused = kib_line(root, path, key);
    snprintf(key, sizeof key, "Node %d Inactive(file)", node);
    const int64_t files = kib_line(root, path, key);
    snprintf(key, sizeof key, "Node %d Active(file)", node);
    const int64_t used_files = kib_line(root, path, key);
    return unused < 0 || files < 0 || used_files < 0 ? -1 : unused + files + used_files;
}

/* Returns what is left on the nodes from which this process may take memory (cpuset.mems), -1 if
   these are all nodes, or it is not known. A policy (numactl --membind) may be each rank's own, and
   does not count: the ranks of a computer divide what one of them reads here. */
static int64_t nodes_left(const char *root)
{
    cm_machine_cpus nodes, allowed;
    char list[CM_MACHINE_LIST];
    int64_t bytes = 0;
    if (!cm_machine_file_line(root, list, sizeof list, NODE "has_memory")
        || !cm_machine_cpus_parse(list, &nodes)
        || !cm_machine_file_field(root, "/proc/self/status", "Mems_allowed_list", list, sizeof list)
        || !cm_machine_cpus_parse(list, &allowed))
        return -1;
    cm_machine_cpus_and(&allowed, &nodes);
    if (cm_machine_cpus_count(&allowed) == cm_machine_cpus_count(&nodes)) return -1;
    for (int node = cm_machine_cpus_next(&allowed, -1); node >= 0;
         node = cm_machine_cpus_next(&allowed, node)) {
        const int64_t left = node_left(root, node);
        if (left < 0) return -1;
        bytes += left;
    }
    return bytes;
}

int64_t cm_machine_memory_available(const char *root)
{
    cm_machine_cgroup cgroup;
    int64_t limit, left;
    int64_t available = meminfo(root, "MemAvailable");
    if (available < 0) available = meminfo(root, "MemFree"); /* Linux before 3.14 */
    if (cm_machine_cgroup_find(root, "memory", &cgroup)) {
        do {
            if (group_memory(root, &cgroup, &limit, &left) && (available < 0 || left < available))
                available = left;
        } while (cm_machine_cgroup_parent(&cgroup));
    }
    left = nodes_left(root);
    if (left >= 0 && (available < 0 || left < available)) available = left;
    return available > 0 ? available : 0;
}

int64_t cm_machine_memory_bytes(void)
{
    int64_t total = cm_machine_memory_total("");
    if (total > 0) return total;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (int64_t)pages * page : 0;
}

/* Batch systems may also limit the address space of each process (ulimit -v). Returns what is left
   of it. */
static int64_t space_left(void)
{
    struct rlimit space;
    char value[64];
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY
        || !cm_machine_file_field("", "/proc/self/status", "VmSize", value, sizeof value))
        return INT64_MAX;
    const int64_t left = (int64_t)space.rlim_cur - strtoll(value, NULL, 10) * 1024;
    return left > 0 ? left : 0;
}

int64_t cm_machine_memory_share_bytes(int processes, bool *limited)
{
    const int64_t share = cm_machine_memory_available("") / processes, left = space_left();
    if (limited) *limited = left < share;
    return left < share ? left : share;
}

int64_t cm_machine_memory_free_bytes(void) { return cm_machine_memory_share_bytes(1, NULL); }

bool cm_machine_memory_holds(size_t bytes)
{
    const int64_t available = cm_machine_memory_available("");
    if (available <= 0 && cm_machine_memory_total("") == 0) return true;
    return bytes <= (uint64_t)available;
}
