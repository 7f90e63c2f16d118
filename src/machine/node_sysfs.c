/* SPDX-License-Identifier: BSD-3-Clause */
/* node_sysfs.c: the model of a node from the kernel's files, for builds without hwloc. */
#include <config.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_internal.h"
#include "machine/node.h"

#define CPU "/sys/devices/system/cpu/"

/* Reads a set of processors from the mask FILE or FILE_map or from FILE_list. The mask comes first,
   as in hwloc: kernels of 2011 had lists that left processors out. */
static bool set_of(const char *root, cm_machine_cpus *set, int cpu, const char *file)
{
    char text[CM_MACHINE_LIST];
    return ((cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/%s", cpu, file)
             || cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/%s_map", cpu, file))
            && cm_machine_cpus_parse_mask(text, set))
           || (cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/%s_list", cpu, file)
               && cm_machine_cpus_parse(text, set));
}

static bool has_topology(const char *root, int cpu)
{
    cm_machine_cpus set;
    return set_of(root, &set, cpu, "topology/core_cpus")
           || set_of(root, &set, cpu, "topology/thread_siblings");
}

/* Finds the processors online: the kernel's list or, where it has none, the folders of processors
   that have a topology. */
static bool find_online(const char *root, cm_machine_cpus *online)
{
    char text[CM_MACHINE_LIST], name[CM_MACHINE_PATH];
    if (cm_machine_file_line(root, text, sizeof text, CPU "online")
        && cm_machine_cpus_parse(text, online))
        return true;
    if (snprintf(name, sizeof name, "%s" CPU, root) >= (int)sizeof name) return false;
    DIR *folder = opendir(name);
    if (!folder) return false;
    *online = (cm_machine_cpus){{0}};
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        int cpu, end = 0;
        if (sscanf(entry->d_name, "cpu%d%n", &cpu, &end) == 1 && entry->d_name[end] == '\0'
            && cpu >= 0 && cpu < CM_MACHINE_CPUS && has_topology(root, cpu))
            cm_machine_cpus_add(online, cpu);
    }
    closedir(folder);
    return cm_machine_cpus_count(online) > 0;
}

/* If there are no folders of processors, the NUMA nodes still list their processors. */
static bool find_in_numas(const char *root, cm_machine_cpus *online)
{
    char text[CM_MACHINE_LIST];
    cm_machine_cpus nodes, set;
    *online = (cm_machine_cpus){{0}};
    if (!cm_machine_file_line(root, text, sizeof text, "/sys/devices/system/node/online")
        || !cm_machine_cpus_parse(text, &nodes))
        return false;
    for (int k = cm_machine_cpus_next(&nodes, -1); k >= 0; k = cm_machine_cpus_next(&nodes, k))
        if (cm_machine_file_line(root, text, sizeof text, "/sys/devices/system/node/node%d/cpulist",
                                 k)
            && cm_machine_cpus_parse(text, &set))
            cm_machine_cpus_or(online, &set);
    return cm_machine_cpus_count(online) > 0;
}

/* A processor, and the first processors of what contains it. */
typedef struct {
    int cpu, core, socket, die;
} place;

/* Finds the first processor of cpu's core. The modules of AMD's family 15h share a front end, which
   some kernels call siblings: processors of one core have one core_id. */
static int first_of_core(const char *root, const cm_machine_cpus *online, int cpu)
{
    cm_machine_cpus siblings;
    int64_t mine = -1, other;
    if (!set_of(root, &siblings, cpu, "topology/core_cpus")
        && !set_of(root, &siblings, cpu, "topology/thread_siblings"))
        return cpu;
    cm_machine_cpus_and(&siblings, online);
    cm_machine_file_integer(root, &mine, CPU "cpu%d/topology/core_id", cpu);
    int first = cm_machine_cpus_next(&siblings, -1);
    for (; first >= 0 && first < cpu; first = cm_machine_cpus_next(&siblings, first)) {
        other = mine;
        cm_machine_file_integer(root, &other, CPU "cpu%d/topology/core_id", first);
        if (other == mine) return first;
    }
    return cpu;
}

/* Returns the first processor of cpu's socket. Package numbers are not the first choice, because
   kernels may report -1 or restart the numbers on each board. */
static int first_of_socket(const char *root, const cm_machine_cpus *online, int cpu)
{
    cm_machine_cpus siblings;
    if (set_of(root, &siblings, cpu, "topology/package_cpus")
        || set_of(root, &siblings, cpu, "topology/core_siblings")) {
        cm_machine_cpus_and(&siblings, online);
        if (cm_machine_cpus_has(&siblings, cpu)) return cm_machine_cpus_next(&siblings, -1);
    }
    int64_t mine, other;
    if (!cm_machine_file_integer(root, &mine, CPU "cpu%d/topology/physical_package_id", cpu))
        return 0;
    for (int k = cm_machine_cpus_next(online, -1); k >= 0 && k < cpu;
         k = cm_machine_cpus_next(online, k))
        if (cm_machine_file_integer(root, &other, CPU "cpu%d/topology/physical_package_id", k)
            && other == mine)
            return k;
    return cpu;
}

/* Returns the first processor of cpu's die; -1: not told (Arm's kernels say die -1). */
static int first_of_die(const char *root, const cm_machine_cpus *online, int cpu)
{
    cm_machine_cpus siblings;
    int64_t die;
    if (!cm_machine_file_integer(root, &die, CPU "cpu%d/topology/die_id", cpu) || die < 0
        || !set_of(root, &siblings, cpu, "topology/die_cpus"))
        return -1;
    cm_machine_cpus_and(&siblings, online);
    return cm_machine_cpus_has(&siblings, cpu) ? cm_machine_cpus_next(&siblings, -1) : -1;
}

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->socket != y->socket) return x->socket < y->socket ? -1 : 1;
    if (x->core != y->core) return x->core < y->core ? -1 : 1;
    return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* Numbers cores and sockets. Where no processor has a topology, each is a core. */
static bool number_cores(const char *root, cm_machine_node *node)
{
    place *places = malloc((size_t)node->threads * sizeof *places);
    cm_machine_cpus dies = {{0}};
    bool die_told = true;
    int n = 0;
    if (!places) return false;
    for (int cpu = cm_machine_cpus_next(&node->online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(&node->online, cpu)) {
        places[n] = (place){cpu, first_of_core(root, &node->online, cpu),
                            first_of_socket(root, &node->online, cpu),
                            first_of_die(root, &node->online, cpu)};
        if (places[n].die >= 0) cm_machine_cpus_add(&dies, places[n].die);
        else die_told = false;
        node->cores_told |= has_topology(root, cpu);
        n++;
    }
    qsort(places, (size_t)n, sizeof *places, by_place);
    for (int k = 0; k < n; k++) {
        if (k == 0 || places[k].socket != places[k - 1].socket) node->sockets++;
        if (k == 0 || places[k].core != places[k - 1].core) node->cores++;
        node->core_of[places[k].cpu] = (int16_t)(node->cores - 1);
        node->socket_of[places[k].cpu] = (int16_t)(node->sockets - 1);
    }
    node->dies = die_told ? cm_machine_cpus_count(&dies) : 0;
    if (node->dies == node->sockets) node->dies = 0;
    free(places);
    return true;
}

/* Parses "48K", "1024K", "32768K". */
static int64_t cache_size(const char *text)
{
    char *unit;
    int64_t size = strtoll(text, &unit, 10);
    return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : *unit == 'G' ? size << 30 : size;
}

static void add_cache(cm_machine_node *node, int level, cm_node_cache cache,
                      const cm_machine_cpus *set)
{
    const int index = node->caches[level]++;
    node->cache[level][index] = cache;
    for (int cpu = cm_machine_cpus_next(set, -1); cpu >= 0; cpu = cm_machine_cpus_next(set, cpu))
        node->cache_of[level][cpu] = (int16_t)index;
}

/* Reads the caches of a processor that are not yet known from another one. */
static void read_caches(const char *root, int cpu, cm_machine_node *node)
{
    for (int i = 0; i < 16; i++) {
        int64_t level;
        char text[CM_MACHINE_LIST], file[40];
        if (!cm_machine_file_integer(root, &level, CPU "cpu%d/cache/index%d/level", cpu, i)) return;
        if (level < 1 || level >= CM_NODE_LEVELS || node->cache_of[level][cpu] >= 0
            || !cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/cache/index%d/type", cpu,
                                     i)
            || strcmp(text, "Instruction") == 0)
            continue;
        cm_node_cache cache = {0};
        if (cm_machine_file_line(root, text, sizeof text, CPU "cpu%d/cache/index%d/size", cpu, i))
            cache.bytes = cache_size(text);
        if (cache.bytes < 0) cache.bytes = 0;
        cm_machine_cpus set;
        snprintf(file, sizeof file, "cache/index%d/shared_cpu", i);
        if (!set_of(root, &set, cpu, file)) set = (cm_machine_cpus){{0}};
        cm_machine_cpus_and(&set, &node->online);
        cm_machine_cpus_add(&set, cpu);
        cache.processors = cm_machine_cpus_count(&set);
        add_cache(node, (int)level, cache, &set);
    }
}

/* Returns the first processor of a core that has no cache of this level yet, -1 if all have. */
static int without_cache(const cm_machine_node *node, int level, int core, int after)
{
    int cpu = cm_machine_cpus_next(&node->online, after);
    while (cpu >= 0 && (node->core_of[cpu] != core || node->cache_of[level][cpu] >= 0))
        cpu = cm_machine_cpus_next(&node->online, cpu);
    return cpu;
}

/* On a node where only some processors report a cache, the others are assumed to have the same: as
   many neighbours of one socket share a cache as share the first one reported. */
static void assume_caches(cm_machine_node *node, int level)
{
    const int sharing = node->cache[level][0].processors;
    cm_node_cache like = {.bytes = node->cache[level][0].bytes, .assumed = true};
    cm_machine_cpus set = {{0}};
    int socket = -1;
    for (int core = 0; core < node->cores; core++) {
        int cpu = without_cache(node, level, core, -1);
        if (cpu < 0) continue;
        if (like.processors >= sharing || (like.processors > 0 && node->socket_of[cpu] != socket)) {
            add_cache(node, level, like, &set);
            like.processors = 0;
            set = (cm_machine_cpus){{0}};
        }
        socket = node->socket_of[cpu];
        for (; cpu >= 0; cpu = without_cache(node, level, core, cpu), like.processors++)
            cm_machine_cpus_add(&set, cpu);
    }
    if (like.processors > 0) add_cache(node, level, like, &set);
}

bool cm_machine_node_sysfs(const char *root, cm_machine_node *node)
{
    cm_machine_node_clear(node);
    if (!find_online(root, &node->online) && !find_in_numas(root, &node->online)) return false;
    node->threads = cm_machine_cpus_count(&node->online);
    if (!number_cores(root, node)) return false;
    for (int cpu = cm_machine_cpus_next(&node->online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(&node->online, cpu))
        read_caches(root, cpu, node);
    for (int level = 1; level < CM_NODE_LEVELS; level++)
        if (node->caches[level] > 0) assume_caches(node, level);
    return true;
}
