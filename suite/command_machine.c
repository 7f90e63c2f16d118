/* SPDX-License-Identifier: BSD-3-Clause */
/* command_machine.c: `clustermark machine`: the model that the programs have of a node. */
#include "config.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <jansson.h>
#include "comm/comm.h"
#include "commands.h"
#include "machine/node.h"
#include "common/say.h"

static struct {
    const char *root; /* NULL: this computer */
    bool json, sysfs; /* sysfs: read the kernel's files, although hwloc is there */
    int way;          /* cm_machine_way */
    int64_t ranks;    /* 0: one for each place */
} given;

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "the node was read"},
    {CM_EXIT_USAGE, "wrong usage"},
    {CM_EXIT_SYSTEM, "nothing tells what processors the node has"},
    {0, NULL}};
static const cm_option options[] = {
    CM_TEXT("root", 0, "FOLDER", &given.root,
            "the node whose files are in FOLDER/sys and FOLDER/proc, copied from a computer "
            "or made by hwloc-gather-topology. Default: this computer"),
    CM_FLAG("sysfs", 0, &given.sysfs,
            "read the kernel's files only, as a build without hwloc does"),
    CM_FLAG("json", 0, &given.json, "print JSON"),
    CM_SWITCH("bind", "WAY", &given.way, cm_machine_ways,
              "also print the processors of each rank that --bind=WAY of the benchmarks gives"),
    CM_INTEGER("ranks", 'n', "RANKS", &given.ranks, 1, CM_MACHINE_CPUS,
               "number of ranks for --bind. Default: one for each core, cache or NUMA node"),
    {0},
};

static const char *const level_names[CM_NODE_LEVELS] = {"", "l1d", "l2", "l3", "l4"};

/* The values that are printed of all caches of a level. */
typedef struct {
    int caches, assumed;
    int64_t least_bytes, most_bytes, sum_bytes; /* 0: not told */
} level_summary;

static level_summary summary_of(const cm_machine_node *node, int level)
{
    level_summary all = {.caches = node->caches[level]};
    for (int k = 0; k < all.caches; k++) {
        const cm_node_cache *cache = &node->cache[level][k];
        all.assumed += cache->assumed;
        all.sum_bytes += cache->bytes;
        if (k == 0 || cache->bytes < all.least_bytes) all.least_bytes = cache->bytes;
        if (cache->bytes > all.most_bytes) all.most_bytes = cache->bytes;
    }
    return all;
}

static void print_level(const cm_machine_node *node, int level)
{
    const level_summary all = summary_of(node, level);
    if (all.caches == 0) return;
    printf("%s_caches: %d", level_names[level], all.caches);
    if (all.most_bytes == 0) fputs(", of a size that is not told", stdout);
    else if (all.least_bytes == all.most_bytes) printf(" of %" PRId64 " bytes", all.most_bytes);
    else printf(" of %" PRId64 " to %" PRId64 " bytes", all.least_bytes, all.most_bytes);
    if (all.assumed > 0) printf(" (%d of them assumed to be like those told)", all.assumed);
    putchar('\n');
}

static void print_text(const cm_machine_node *node, const cm_machine_cpus *place, int places)
{
    char list[CM_MACHINE_CPUS];
    bool floor;
    const int64_t last_bytes = cm_machine_node_last_caches_bytes(node, &floor);
    if (node->elsewhere) puts("topology: of another machine, which hwloc's variables name");
    printf("threads: %d\n", node->threads);
    if (node->left_out > 0)
        printf("left_out: %d processors whose numbers are above %d\n", node->left_out,
               CM_MACHINE_CPUS - 1);
    printf("online: %s\n", cm_machine_cpus_text(&node->online, list, sizeof list));
    printf("allowed: %s\n", cm_machine_cpus_text(&node->allowed, list, sizeof list));
    if (node->cores_told) {
        printf("cores: %d\nsockets: %d\n", node->cores, node->sockets);
        printf("core_kinds: %d\n", node->kinds);
    } else {
        puts("cores: not told\nsockets: not told");
    }
    if (node->dies > 0) printf("dies: %d\n", node->dies);
    for (int level = 1; level < CM_NODE_LEVELS; level++) print_level(node, level);
    printf("last_caches_bytes: %" PRId64 "%s\n", last_bytes,
           floor ? " (a floor: the system does not tell it)" : "");
    if (node->numas > 0) printf("numa_nodes: %d\n", node->numas);
    else puts("numa_nodes: not told");
    for (int k = 0; k < node->numas; k++) {
        const cm_numa_node *numa = &node->numa[k];
        printf("numa%d: kind=%s threads=%d", numa->number, cm_numa_kind_name(numa->kind),
               numa->processors);
        if (numa->memory_bytes > 0) printf(" memory_bytes=%" PRId64, numa->memory_bytes);
        if (numa->cache_bytes > 0) printf(" memory_side_cache_bytes=%" PRId64, numa->cache_bytes);
        putchar('\n');
    }
    for (int k = 0; k < places; k++)
        printf("rank%d: cpus=%s\n", k, cm_machine_cpus_text(&place[k], list, sizeof list));
}

static json_t *level_json(const cm_machine_node *node, int level)
{
    const level_summary all = summary_of(node, level);
    json_t *object = json_pack("{s:i, s:i}", "caches", all.caches, "assumed", all.assumed);
    if (all.most_bytes > 0)
        json_object_update_new(object, json_pack("{s:I, s:I, s:I}", "least_bytes",
                                                 (json_int_t)all.least_bytes, "most_bytes",
                                                 (json_int_t)all.most_bytes, "sum_bytes",
                                                 (json_int_t)all.sum_bytes));
    return object;
}

static json_t *numa_json(const cm_numa_node *numa)
{
    json_t *object = json_pack("{s:i, s:s, s:i}", "number", numa->number, "kind",
                               cm_numa_kind_name(numa->kind), "threads", numa->processors);
    if (numa->memory_bytes > 0)
        json_object_set_new(object, "memory_bytes", json_integer(numa->memory_bytes));
    if (numa->cache_bytes > 0)
        json_object_set_new(object, "memory_side_cache_bytes", json_integer(numa->cache_bytes));
    return object;
}

/* Unknown values are left out. */
static int print_json(const cm_machine_node *node, const cm_machine_cpus *place, int places)
{
    char list[CM_MACHINE_CPUS];
    bool floor;
    const int64_t last_bytes = cm_machine_node_last_caches_bytes(node, &floor);
    json_t *object = json_object(), *caches = json_object(), *numas = json_array();
    if (node->elsewhere) json_object_set_new(object, "elsewhere", json_true());
    json_object_set_new(object, "threads", json_integer(node->threads));
    if (node->left_out > 0) json_object_set_new(object, "left_out", json_integer(node->left_out));
    json_object_set_new(object, "online",
                        json_string(cm_machine_cpus_text(&node->online, list, sizeof list)));
    json_object_set_new(object, "allowed",
                        json_string(cm_machine_cpus_text(&node->allowed, list, sizeof list)));
    if (node->cores_told)
        json_object_update_new(object, json_pack("{s:i, s:i, s:i}", "cores", node->cores, "sockets",
                                                 node->sockets, "core_kinds", node->kinds));
    if (node->dies > 0) json_object_set_new(object, "dies", json_integer(node->dies));
    for (int level = 1; level < CM_NODE_LEVELS; level++)
        if (node->caches[level] > 0)
            json_object_set_new(caches, level_names[level], level_json(node, level));
    json_object_set_new(object, "caches", caches);
    json_object_set_new(object, "last_caches_bytes", json_integer(last_bytes));
    json_object_set_new(object, "last_caches_floor", json_boolean(floor));
    for (int k = 0; k < node->numas; k++) json_array_append_new(numas, numa_json(&node->numa[k]));
    json_object_set_new(object, "numa_nodes", numas);
    json_t *ranks = json_array();
    for (int k = 0; k < places; k++)
        json_array_append_new(ranks,
                              json_string(cm_machine_cpus_text(&place[k], list, sizeof list)));
    if (places > 0) json_object_set(object, "cpus_of_ranks", ranks);
    json_decref(ranks);
    const int failed = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(object);
    return failed ? suite_fail(CM_EXIT_SYSTEM, "cannot write the JSON to standard output")
                  : CM_EXIT_PASS;
}

/* Prints the node and the places of its ranks. */
static int print(const cm_machine_node *node)
{
    const int cores = cm_machine_node_cores(node, &node->allowed);
    const int ranks = given.way == CM_BIND_NONE ? 0 : given.ranks ? (int)given.ranks : cores;
    cm_machine_cpus *place = calloc((size_t)ranks + 1, sizeof *place);
    if (!place) return suite_fail(CM_EXIT_SYSTEM, "machine: out of memory");
    const int places = ranks ? cm_machine_node_places(node, &node->allowed,
                                                      (cm_machine_way)given.way, ranks, place)
                             : 0;
    int code = CM_EXIT_PASS;
    if (ranks > 0 && (places == 0 || places < given.ranks))
        code = suite_fail(CM_EXIT_USAGE, "machine: --bind=%s: the node has %d such place%s%s",
                          cm_machine_ways[given.way], places, places == 1 ? "" : "s",
                          places ? "; try a smaller --ranks" : "; try --bind=spread");
    else if (given.json) code = print_json(node, place, places);
    else print_text(node, place, places);
    free(place);
    return code;
}

/* Returns the variable that names another machine, which hwloc could not read: it reads this
   computer then, and says nothing. NULL: none. */
static const char *unread(const cm_machine_node *node)
{
    static const char *const names[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT"};
    if (given.root || given.sysfs || node->elsewhere || getenv("HWLOC_THISSYSTEM")) return NULL;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *value = getenv(names[k]);
        if (value && *value) return names[k];
    }
    return NULL;
}

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    (void)program, (void)home, (void)n, (void)operand;
    const char *root = given.root ? given.root : "";
    if (given.ranks && given.way == CM_BIND_NONE)
        return suite_fail(CM_EXIT_USAGE,
                          "machine: --ranks %lld: only --bind=WAY prints ranks; expected that, too",
                          (long long)given.ranks);
    char folder[CM_MACHINE_CPUS];
    struct stat status;
    if (given.root
        && (!*root || snprintf(folder, sizeof folder, "%s/sys", root) >= (int)sizeof folder
            || stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)))
        return suite_fail(CM_EXIT_USAGE,
                          "machine: --root '%s': expected a folder that has the kernel's tree sys",
                          root);
    cm_machine_node *node = malloc(sizeof *node);
    if (!node) return suite_fail(CM_EXIT_SYSTEM, "machine: out of memory");
    const bool found = cm_machine_node_read(root, given.sysfs, node);
    int code = CM_EXIT_PASS;
    if (!found)
        code = suite_fail(CM_EXIT_SYSTEM, "machine: no processors are told below '%s/sys'", root);
    else if (unread(node))
        code = suite_fail(CM_EXIT_USAGE,
                          "machine: %s='%s': no topology was read from it; expected one, or "
                          "--root FOLDER for a tree of files",
                          unread(node), getenv(unread(node)));
    else code = print(node);
    free(node);
    return code;
}

const suite_command suite_command_machine = {
    .program =
        {
            .name = "clustermark machine",
            .purpose = "Print what the programs take a node to be.",
            .description =
                "Prints threads, cores, sockets, caches and NUMA nodes with the kinds of "
                "their memory. Attach it to a report of a fault. A \"cores\" or "
                "\"numa_nodes\" that the system does not tell is said to be so.",
            .options = options,
            .exit_statuses = statuses,
        },
    .work = work,
};
