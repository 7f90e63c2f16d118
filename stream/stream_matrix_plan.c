/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_matrix_plan.c: which processors are a team, and which NUMA nodes have memory. */
#include "stream_matrix.h"

enum { L3 = 3 };

int stream_matrix_socket(const cm_machine_node *node, int cpu)
{
    return cpu >= 0 && cpu < CM_MACHINE_CPUS && node->socket_of[cpu] >= 0 ? node->socket_of[cpu]
                                                                          : 0;
}

bool stream_matrix_is_in(const cm_machine_node *node, stream_from from, int socket, int cpu,
                         int lead_cpu, bool lead)
{
    if (from == STREAM_FROM_SOCKET) return stream_matrix_socket(node, cpu) == socket;
    if (lead || from == STREAM_FROM_CORE) return lead;
    return stream_matrix_l3_bytes(node, lead_cpu) > 0 && stream_matrix_l3_bytes(node, cpu) > 0
           && node->cache_of[L3][cpu] == node->cache_of[L3][lead_cpu];
}

int stream_matrix_next(const cm_machine_node *node, int from)
{
    for (int k = from; k < node->numas; k++)
        if (node->numa[k].memory_bytes > 0) return k;
    return -1;
}

int64_t stream_matrix_l3_bytes(const cm_machine_node *node, int cpu)
{
    if (cpu < 0 || cpu >= CM_MACHINE_CPUS || node->cache_of[L3][cpu] < 0) return 0;
    return node->cache[L3][node->cache_of[L3][cpu]].bytes;
}
