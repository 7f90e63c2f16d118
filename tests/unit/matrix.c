/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c: who loads from which memory in cm-stream --matrix, on a made-up node of two sockets
   with two third-level caches each, with HBM beside its memory and a node without any, and on the
   kernel trees of real nodes (TEST_MACHINES, a folder of .tar.bz2 files), if there are any. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../stream/stream_matrix.h"
#include "tap.h"

enum { PROCESSORS = 16, L3_MB = 32 };

static void make_node(cm_machine_node *node)
{
    static const cm_numa_node numas[] = {
        {0, CM_NUMA_PROCESSORS, 8, (int64_t)64 << 30, 0},
        {1, CM_NUMA_PROCESSORS, 8, (int64_t)64 << 30, 0},
        {2, CM_NUMA_GPU, 0, 0, 0},
        {9, CM_NUMA_HBM, 0, (int64_t)16 << 30, 0},
    };
    cm_machine_node_clear(node);
    node->sockets = 2;
    node->numas = sizeof numas / sizeof numas[0];
    for (int k = 0; k < node->numas; k++) node->numa[k] = numas[k];
    for (int cpu = 0; cpu < PROCESSORS; cpu++) {
        node->socket_of[cpu] = (int16_t)(cpu / 8);
        node->cache_of[3][cpu] = (int16_t)(cpu / 4);
        node->cache[3][cpu / 4] = (cm_node_cache){.bytes = L3_MB << 20, .processors = 4};
    }
}

/* Returns a bit for each processor of the team. */
static unsigned team(const cm_machine_node *node, stream_from from, int socket, int lead_cpu)
{
    unsigned in = 0;
    for (int cpu = 0; cpu < PROCESSORS; cpu++)
        if (stream_matrix_is_in(node, from, socket, cpu, lead_cpu, cpu == lead_cpu))
            in |= 1U << cpu;
    return in;
}

/* Looks at how many of n numbers a team's ranks have, in lines. */
static void are_lines(size_t n, double caches, int64_t node, int ranks, size_t expected)
{
    const size_t got =
        stream_matrix_numbers(8 * n, caches * STREAM_LINE_BYTES, node * STREAM_LINE_BYTES, ranks);
    ok(got == 8 * expected, "%d ranks, caches of %g lines, a node of %d: %zu lines (%zu)", ranks,
       caches, (int)node, expected, got / 8);
}

static void test_numbers(void)
{
    are_lines(1000, 10, 1000000, 2, 1000);
    are_lines(1000, 10, 0, 2, 1000);        /* nothing is known of the node */
    are_lines(1000, 10, 7500, 4, 250);      /* a third of 0.4 of the node, for each of four */
    are_lines(1000, 800, 1000000, 3, 1067); /* four times the caches, and whole lines */
    are_lines(1000, 800, 7500, 4, 800);     /* which a small node must have, too */
    /* 52 ranks of a socket with 105 MiB of cache, and its 64 GiB of HBM. */
    const double bytes =
        8.0 * (double)stream_matrix_numbers(420 << 17, 105 << 20, (int64_t)64 << 30, 52);
    ok(52 * 3 * bytes < 0.41 * 0x1p36 && 52 * bytes > 4.0 * (105 << 20),
       "a socket's arrays fit into its HBM: %.0f MB each", 1e-6 * bytes);
}

/* ---- Real nodes ------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    int lead_cpu;            /* where rank 0 runs */
    int of_l3, of_socket[2]; /* ranks of a team, one rank a processor */
    const char *nodes;       /* the numbers of those that have cells */
} real;

/* Counted from published descriptions of the trees' nodes, and from their files by hand. */
static const real reals[] = {
    /* 12 third-level caches a socket, of 8 cores with 2 threads; the tree tells no memory. */
    {"epyc-9654-2s", 0, 16, {192, 192}, ""},
    /* Tells neither sockets nor third-level caches. HBM is in nodes 2 and 3. */
    {"aurora-hbm-flat", 0, 0, {208, 0}, " 0 1 2 3"},
    /* The GPUs' memory is in the nodes from 250 on. */
    {"nvidiagpunumanodes", 0, 8, {16, 16}, " 0 8 250 251 252 253 254 255"},
    /* The processors of node 0 but one are offline. */
    {"offline-cpu0-node0", 4, 9, {9, 8}, " 1"},
    {"memorysidecaches", 0, 40, {40, 40}, " 0 1 2 3"},
};

static int count(const cm_machine_node *node, stream_from from, int socket, int lead_cpu)
{
    int n = 0;
    for (int cpu = 0; cpu < CM_MACHINE_CPUS; cpu++)
        n += cm_machine_cpus_has(&node->online, cpu)
             && stream_matrix_is_in(node, from, socket, cpu, lead_cpu, cpu == lead_cpu);
    return n;
}

static void check_real(const real *r, const cm_machine_node *node)
{
    char nodes[256] = "";
    size_t length = 0;
    for (int k = -1; (k = stream_matrix_next(node, k + 1)) >= 0 && length < sizeof nodes - 8;)
        length += (size_t)snprintf(nodes + length, 8, " %d", node->numa[k].number);
    const int l3 = count(node, STREAM_FROM_L3, 0, r->lead_cpu);
    const int first = count(node, STREAM_FROM_SOCKET, 0, r->lead_cpu);
    const int second = count(node, STREAM_FROM_SOCKET, 1, r->lead_cpu);
    ok(count(node, STREAM_FROM_CORE, 0, r->lead_cpu) == 1, "%s: one rank is alone", r->name);
    ok(l3 == r->of_l3, "%s: %d ranks of a third-level cache (%d)", r->name, r->of_l3, l3);
    ok(first == r->of_socket[0] && second == r->of_socket[1],
       "%s: %d and %d ranks of the sockets (%d, %d)", r->name, r->of_socket[0], r->of_socket[1],
       first, second);
    ok(first + second == node->threads, "%s: each rank is of one socket", r->name);
    ok(strcmp(nodes, r->nodes) == 0, "%s: nodes%s (%s)", r->name, r->nodes, nodes);
}

static void check_reals(cm_machine_node *node)
{
    const char *machines = getenv("TEST_MACHINES"), *srcdir = getenv("srcdir");
    char folder[1024], command[4096], root[256], work[] = "cm-matrix.XXXXXX";
    if (machines) snprintf(folder, sizeof folder, "%s", machines);
    else snprintf(folder, sizeof folder, "%s/../../shared/machines", srcdir ? srcdir : ".");
    if (access(folder, R_OK) || !mkdtemp(work)) {
        tap_skip("kernel trees of real nodes", "there are none (TEST_MACHINES)");
        return;
    }
    for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++) {
        /* What is below devices/system is all that is needed, and a tenth of the folders. */
        snprintf(command, sizeof command,
                 "tar -xjf '%s/%s.tar.bz2' -C %s --wildcards '*/devices/system/*' 2>/dev/null",
                 folder, reals[k].name, work);
        const bool unpacked = system(command) == 0;
        snprintf(root, sizeof root, "%s/%s", work, reals[k].name);
        if (ok(unpacked && cm_machine_node_read(root, true, node), "%s is read", reals[k].name))
            check_real(&reals[k], node);
    }
    snprintf(command, sizeof command, "rm -rf %s", work);
    ok(system(command) == 0, "the trees are removed");
}

int main(void)
{
    cm_machine_node *node = malloc(sizeof *node);
    if (!node) return 99;
    make_node(node);
    ok(team(node, STREAM_FROM_CORE, 0, 5) == 1U << 5, "one core is the first rank's");
    ok(team(node, STREAM_FROM_L3, 0, 5) == 0xF0, "a cache's are those that share it");
    ok(team(node, STREAM_FROM_SOCKET, 0, 5) == 0xFF, "the first socket");
    ok(team(node, STREAM_FROM_SOCKET, 1, 5) == 0xFF00, "the other socket");
    ok(stream_matrix_socket(node, 9) == 1 && stream_matrix_socket(node, -1) == 0,
       "a processor that is not known is of the first socket");
    ok(stream_matrix_l3_bytes(node, 3) == L3_MB << 20, "a cache's size");
    ok(stream_matrix_next(node, 0) == 0 && stream_matrix_next(node, 1) == 1,
       "nodes with processors have cells");
    ok(stream_matrix_next(node, 2) == 3 && node->numa[3].number == 9,
       "one without memory has none");
    ok(stream_matrix_next(node, 4) == -1, "no more");
    cm_machine_node_clear(node);
    ok(stream_matrix_next(node, 0) == -1 && stream_matrix_l3_bytes(node, 3) == 0,
       "a node of which nothing is known");
    ok(team(node, STREAM_FROM_L3, 0, 5) == 0 && team(node, STREAM_FROM_SOCKET, 0, 5) == 0xFFFF,
       "is one socket without caches");
    test_numbers();
    check_reals(node);
    free(node);
    return tap_done();
}
