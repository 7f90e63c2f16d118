/* SPDX-License-Identifier: BSD-3-Clause */
/* node_numas.c: the NUMA nodes and the kinds of their memory, from the kernel's files. */
#include <config.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "machine/machine_internal.h"
#include "machine/node.h"

#define NODE "/sys/devices/system/node/"

const char *cm_numa_kind_name(cm_numa_kind kind)
{
    static const char *const names[] = {[CM_NUMA_PROCESSORS] = "processors",
                                        [CM_NUMA_HBM] = "hbm",
                                        [CM_NUMA_PERSISTENT] = "persistent",
                                        [CM_NUMA_CXL] = "cxl",
                                        [CM_NUMA_GPU] = "gpu",
                                        [CM_NUMA_OTHER] = "other",
                                        [CM_NUMA_UNKNOWN] = "unknown"};
    return names[kind];
}

/* Opens a folder below root. */
static DIR *open_below(const char *root, const char *path)
{
    char name[CM_MACHINE_PATH];
    if (snprintf(name, sizeof name, "%s%s", root, path) >= (int)sizeof name) return NULL;
    return opendir(name);
}

/* Lists the nodes online. Kernels of 2010 have no list, only the folders. */
static bool find_online(const char *root, cm_machine_cpus *nodes)
{
    char list[CM_MACHINE_LIST];
    if (cm_machine_file_line(root, list, sizeof list, NODE "online")
        && cm_machine_cpus_parse(list, nodes))
        return true;
    *nodes = (cm_machine_cpus){{0}};
    DIR *folder = open_below(root, NODE);
    if (!folder) return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        int number, end = 0;
        if (sscanf(entry->d_name, "node%d%n", &number, &end) == 1 && entry->d_name[end] == '\0'
            && number >= 0 && number < CM_MACHINE_CPUS)
            cm_machine_cpus_add(nodes, number);
    }
    closedir(folder);
    return cm_machine_cpus_count(nodes) > 0;
}

/* Finds the nodes that are memory of NVIDIA's GPUs: their driver says so. */
static void find_gpus(const char *root, cm_machine_cpus *gpus)
{
    static const char path[] = "/proc/driver/nvidia/gpus";
    DIR *folder = open_below(root, path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char file[CM_MACHINE_PATH], value[64];
        if (entry->d_name[0] == '.'
            || snprintf(file, sizeof file, "%s/%s/numa_status", path, entry->d_name)
                   >= (int)sizeof file
            || !cm_machine_file_field(root, file, "Node", value, sizeof value))
            continue;
        long number = strtol(value, NULL, 10);
        if (number > 0 && number < CM_MACHINE_CPUS) cm_machine_cpus_add(gpus, (int)number);
    }
    closedir(folder);
}

/* Finds the nodes whose memory comes from DAX devices that the kernel uses as memory, apart by the
   bus in the device's path: persistent memory's (ndbus), or CXL's. */
static void find_dax(const char *root, cm_machine_cpus *persistent, cm_machine_cpus *cxl)
{
    static const char path[] = "/sys/bus/dax/drivers/kmem";
    DIR *folder = open_below(root, path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char link[CM_MACHINE_PATH], target[CM_MACHINE_PATH];
        int64_t number;
        if (strncmp(entry->d_name, "dax", 3) != 0
            || snprintf(link, sizeof link, "%s%s/%s", root, path, entry->d_name) >= (int)sizeof link
            || !cm_machine_file_integer(root, &number, "%s/%s/target_node", path, entry->d_name)
            || number < 0 || number >= CM_MACHINE_CPUS)
            continue;
        ssize_t length = readlink(link, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        if (strstr(target, "ndbus")) cm_machine_cpus_add(persistent, (int)number);
        else if (strstr(target, "cxl")) cm_machine_cpus_add(cxl, (int)number);
    }
    closedir(folder);
}

/* Returns the read bandwidth in MB/s between a node and its nearest processors (ACPI's HMAT), 0 if
   the firmware does not tell it. */
static int64_t bandwidth(const char *root, int number)
{
    int64_t value = 0;
    cm_machine_file_integer(root, &value, NODE "node%d/access0/initiators/read_bandwidth", number);
    return value;
}

static int64_t memory_bytes(const char *root, int number)
{
    char file[80], key[40], value[64];
    snprintf(file, sizeof file, NODE "node%d/meminfo", number);
    snprintf(key, sizeof key, "Node %d MemTotal", number);
    if (!cm_machine_file_field(root, file, key, value, sizeof value)) return 0;
    return (int64_t)strtoll(value, NULL, 10) * 1024;
}

/* Returns the sizes of the memory-side caches of a node together. */
static int64_t side_cache_bytes(const char *root, int number)
{
    int64_t sum = 0, bytes;
    for (int i = 1; i < 10; i++)
        if (cm_machine_file_integer(root, &bytes, NODE "node%d/memory_side_cache/index%d/size",
                                    number, i))
            sum += bytes;
    return sum;
}

/* Adds a node and returns it. Its kind is CM_NUMA_UNKNOWN unless its processors are known. */
static cm_numa_node *add(const char *root, int number, cm_machine_node *node)
{
    char list[CM_MACHINE_LIST];
    cm_machine_cpus own = {{0}};
    cm_numa_node *numa = &node->numa[node->numas];
    *numa = (cm_numa_node){.number = number,
                           .kind = CM_NUMA_UNKNOWN,
                           .memory_bytes = memory_bytes(root, number),
                           .cache_bytes = side_cache_bytes(root, number)};
    /* A node without processors has an empty line as its list and a mask of zeros. */
    if ((cm_machine_file_line(root, list, sizeof list, NODE "node%d/cpumap", number)
         && cm_machine_cpus_parse_mask(list, &own))
        || (cm_machine_file_line(root, list, sizeof list, NODE "node%d/cpulist", number)
            && cm_machine_cpus_parse(list, &own))
        || cm_machine_file_exists(root, NODE "node%d/cpulist", number))
        numa->kind = CM_NUMA_OTHER;
    cm_machine_cpus_and(&own, &node->online);
    numa->processors = cm_machine_cpus_count(&own);
    for (int cpu = cm_machine_cpus_next(&own, -1); cpu >= 0; cpu = cm_machine_cpus_next(&own, cpu))
        node->numa_of[cpu] = (int16_t)node->numas;
    node->numas++;
    return numa;
}

void cm_machine_node_numas(const char *root, cm_machine_node *node)
{
    cm_machine_cpus online, gpus = {{0}}, persistent = {{0}}, cxl = {{0}};
    int64_t fastest = 0; /* of nodes with processors */
    if (!find_online(root, &online)) return;
    find_gpus(root, &gpus);
    find_dax(root, &persistent, &cxl);
    for (int k = cm_machine_cpus_next(&online, -1); k >= 0 && node->numas < CM_NODE_NUMA;
         k = cm_machine_cpus_next(&online, k)) {
        const cm_numa_node *numa = add(root, k, node);
        if (numa->processors > 0 && bandwidth(root, k) > fastest) fastest = bandwidth(root, k);
    }
    for (int k = 0; k < node->numas; k++) {
        cm_numa_node *numa = &node->numa[k];
        if (numa->kind == CM_NUMA_UNKNOWN) continue;
        if (numa->processors > 0) numa->kind = CM_NUMA_PROCESSORS;
        else if (cm_machine_cpus_has(&gpus, numa->number)) numa->kind = CM_NUMA_GPU;
        else if (cm_machine_cpus_has(&persistent, numa->number)) numa->kind = CM_NUMA_PERSISTENT;
        else if (cm_machine_cpus_has(&cxl, numa->number)) numa->kind = CM_NUMA_CXL;
        else if (fastest > 0 && bandwidth(root, numa->number) > fastest) numa->kind = CM_NUMA_HBM;
    }
}
