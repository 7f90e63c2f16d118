/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c: who loads from which memory in cm-stream --matrix, on a made-up node of two sockets
   with two third-level caches each, with HBM beside its memory and a node without any. */
#include <stdlib.h>
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
    ok(team(node, STREAM_FROM_L3, 0, 5) == 1U << 5
           && team(node, STREAM_FROM_SOCKET, 0, 5) == 0xFFFF,
       "is one socket without caches");
    free(node);
    return tap_done();
}
