/* SPDX-License-Identifier: BSD-3-Clause */
/* node_places.c: the order in which the ranks of a host get its cores. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include "machine/node.h"

enum { SPREAD_LEVELS = 4 };

/* What ranks are spread over: for each level, outermost first, the number of each processor's group
   (NULL: the node tells of none). */
typedef struct {
    const int16_t *group_of[SPREAD_LEVELS];
    int used[SPREAD_LEVELS][CM_MACHINE_CPUS]; /* ranks that each group has */
} spread;

/* A core that ranks may use. */
typedef struct {
    int first; /* its first usable processor */
    bool taken;
} candidate;

static int kind_of(const cm_machine_node *node, int cpu)
{
    return node->kind_of[cpu] < 0 ? 0 : node->kind_of[cpu];
}

static int group(const spread *over, int level, int cpu)
{
    const int16_t *group_of = over->group_of[level];
    return group_of && group_of[cpu] >= 0 ? group_of[cpu] : 0;
}

/* Returns true if the core of processor a comes before that of b, which has a higher number. */
static bool comes_before(const cm_machine_node *node, const spread *over, int a, int b)
{
    if (kind_of(node, a) != kind_of(node, b)) return kind_of(node, a) > kind_of(node, b);
    for (int level = 0; level < SPREAD_LEVELS; level++) {
        const int with_a = over->used[level][group(over, level, a)];
        const int with_b = over->used[level][group(over, level, b)];
        if (with_a != with_b) return with_a < with_b;
    }
    return true;
}

/* Returns the next core, -1 if all are taken. */
static int choose(const cm_machine_node *node, const spread *over, const candidate *core)
{
    int best = -1;
    for (int k = 0; k < node->cores; k++)
        if (!core[k].taken
            && (best < 0 || !comes_before(node, over, core[best].first, core[k].first)))
            best = k;
    return best;
}

/* Sets core[0 .. node->cores - 1]. Cores that have no usable processor, or that are of no group
   where `within` is not NULL, are taken. */
static void find_cores(const cm_machine_node *node, const cm_machine_cpus *usable,
                       const int16_t *within, candidate *core)
{
    for (int k = 0; k < node->cores; k++) core[k] = (candidate){-1, true};
    for (int cpu = cm_machine_cpus_next(usable, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(usable, cpu)) {
        const int k = node->core_of[cpu];
        if (k < 0 || core[k].first >= 0 || (within && within[cpu] < 0)) continue;
        core[k] = (candidate){cpu, false};
    }
}

/* Returns the usable processors that have cpu's number, and its kind. */
static cm_machine_cpus alike(const cm_machine_node *node, const cm_machine_cpus *usable,
                             const int16_t *number_of, int cpu)
{
    cm_machine_cpus set = {{0}};
    for (int k = cm_machine_cpus_next(usable, -1); k >= 0; k = cm_machine_cpus_next(usable, k))
        if (number_of[k] == number_of[cpu] && kind_of(node, k) == kind_of(node, cpu))
            cm_machine_cpus_add(&set, k);
    return set;
}

/* Takes all cores of the group of processor cpu. */
static void take_group(const cm_machine_node *node, const int16_t *within, int cpu, candidate *core)
{
    for (int k = 0; k < node->cores; k++)
        if (core[k].first >= 0 && within[core[k].first] == within[cpu]) core[k].taken = true;
}

/* Sets further places, from the first n_cores on, to the second threads of their cores, and so
   on. */
static void add_threads(const cm_machine_node *node, const cm_machine_cpus *usable, int n_cores,
                        int n, cm_machine_cpus *place)
{
    for (int k = n_cores; k < n; k++) {
        const int first = cm_machine_cpus_next(&place[k % n_cores], -1);
        const cm_machine_cpus threads = alike(node, usable, node->core_of, first);
        int cpu = first;
        for (int turn = k / n_cores; turn > 0; turn--) {
            cpu = cm_machine_cpus_next(&threads, cpu);
            if (cpu < 0) cpu = first;
        }
        place[k] = (cm_machine_cpus){{0}};
        cm_machine_cpus_add(&place[k], cpu);
    }
}

/* Returns true if cores that begin with processors a and b are as far apart as the way says. */
static bool are_apart(const cm_machine_node *node, cm_machine_way way, int a, int b)
{
    const int16_t *l3_of = node->cache_of[3];
    const bool l3 = l3_of[a] >= 0 && l3_of[a] == l3_of[b];
    const bool socket = node->socket_of[a] >= 0 && node->socket_of[a] == node->socket_of[b];
    if (kind_of(node, a) != kind_of(node, b)) return false;
    if (way == CM_BIND_SAME_L3) return l3;
    if (way == CM_BIND_SAME_SOCKET) return socket && !l3;
    return node->socket_of[a] >= 0 && node->socket_of[b] >= 0 && !socket;
}

/* Finds the first pair, of the fastest cores that have one. Returns false if there is none. */
static bool find_pair(const cm_machine_node *node, const cm_machine_cpus *usable,
                      cm_machine_way way, const candidate *core, int *pair)
{
    int kind = -1;
    for (int i = 0; i < node->cores; i++) {
        const int a = core[i].first;
        if (a < 0 || kind_of(node, a) <= kind) continue;
        int b = -1;
        if (way == CM_BIND_SAME_CORE) {
            const cm_machine_cpus threads = alike(node, usable, node->core_of, a);
            b = cm_machine_cpus_next(&threads, a);
        }
        for (int k = i + 1; way != CM_BIND_SAME_CORE && b < 0 && k < node->cores; k++)
            if (core[k].first >= 0 && are_apart(node, way, a, core[k].first)) b = core[k].first;
        if (b < 0) continue;
        pair[0] = a;
        pair[1] = b;
        kind = kind_of(node, a);
    }
    return kind >= 0;
}

/* Sets the places of a pair, of which n count. Returns their number. */
static int place_pair(const cm_machine_node *node, const cm_machine_cpus *usable,
                      cm_machine_way way, int n, candidate *core, cm_machine_cpus *place)
{
    int pair[2];
    find_cores(node, usable, NULL, core);
    /* Unknown cores are not guessed: here each processor would count as a core. */
    if (!node->cores_told || !find_pair(node, usable, way, core, pair)) return 0;
    for (int k = 0; k < 2 && k < n; k++) {
        place[k] = (cm_machine_cpus){{0}};
        cm_machine_cpus_add(&place[k], pair[k]);
    }
    return n < 2 ? n : 2;
}

int cm_machine_node_places(const cm_machine_node *node, const cm_machine_cpus *usable,
                           cm_machine_way way, int n, cm_machine_cpus *place)
{
    const int16_t *within = way == CM_BIND_PER_L3     ? node->cache_of[3]
                            : way == CM_BIND_PER_NUMA ? node->numa_of
                                                      : NULL;
    spread *over = calloc(1, sizeof *over);
    candidate *core = calloc((size_t)node->cores + 1, sizeof *core);
    int found = 0;
    if (core && way >= CM_BIND_SAME_CORE) {
        found = place_pair(node, usable, way, n, core, place);
    } else if (over && core) {
        if (way != CM_BIND_PACK)
            *over = (spread){{node->socket_of, node->numa_of, node->cache_of[3], node->cache_of[2]},
                             {{0}}};
        find_cores(node, usable, within, core);
        for (int next; found < n && (next = choose(node, over, core)) >= 0; found++) {
            const int cpu = core[next].first;
            core[next].taken = true;
            if (within) take_group(node, within, cpu, core);
            for (int level = 0; level < SPREAD_LEVELS; level++)
                over->used[level][group(over, level, cpu)]++;
            place[found] = (cm_machine_cpus){{0}};
            if (within) place[found] = alike(node, usable, within, cpu);
            else cm_machine_cpus_add(&place[found], cpu);
        }
        if (!within && found > 0 && found < n) {
            add_threads(node, usable, found, n, place);
            found = n;
        }
    }
    free(core);
    free(over);
    return found;
}
