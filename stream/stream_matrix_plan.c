/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_matrix_plan.c: which processors are a team, and which NUMA nodes have memory. */
#include <math.h>
#include "stream_matrix.h"

enum { L3 = 3 };

int stream_matrix_socket(const cm_machine_node *node, int cpu)
{
    return cpu >= 0 && cpu < CM_MACHINE_CPUS && node->socket_of[cpu] >= 0 ? node->socket_of[cpu]
                                                                          : 0;
}

/* The number of the third-level cache of cpu; -1: it has none, or it is not known. */
static int l3_of(const cm_machine_node *node, int cpu)
{
    return cpu >= 0 && cpu < CM_MACHINE_CPUS ? node->cache_of[L3][cpu] : -1;
}

bool stream_matrix_is_in(const cm_machine_node *node, stream_from from, int socket, int cpu,
                         int lead_cpu, bool lead)
{
    if (from == STREAM_FROM_SOCKET) return stream_matrix_socket(node, cpu) == socket;
    if (from == STREAM_FROM_CORE) return lead;
    return l3_of(node, lead_cpu) >= 0 && l3_of(node, cpu) == l3_of(node, lead_cpu);
}

int stream_matrix_next(const cm_machine_node *node, int from)
{
    for (int k = from; k < node->numas; k++)
        if (node->numa[k].memory_bytes > 0) return k;
    return -1;
}

int64_t stream_matrix_l3_bytes(const cm_machine_node *node, int cpu)
{
    const int cache = l3_of(node, cpu);
    return cache >= 0 ? node->cache[L3][cache].bytes : 0;
}

/* Part of a node that three arrays of all ranks may fill; the system and others have some of it. */
static const double node_part = 0.4;

size_t stream_matrix_numbers(size_t n, double caches_bytes, int64_t node_bytes, int ranks)
{
    enum { ARRAYS = 3, LINE = STREAM_LINE_BYTES / sizeof(double) };
    const double lines = (double)ranks * STREAM_LINE_BYTES;
    const size_t least = LINE * (size_t)ceil(CM_STREAM_CACHES * caches_bytes / lines);
    const size_t most = LINE * (size_t)(node_part * (double)node_bytes / ARRAYS / lines);
    if (node_bytes > 0 && n > most) n = most;
    return n > least ? n : least;
}
