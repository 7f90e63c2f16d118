/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_faulty.c: cm-stream on a host of two sockets with a third-level cache each, odd ranks on
   the second. A NUMA node that is not there takes memory, which then is elsewhere. The triad of
   rank TEST_FAULT stores one number wrong. */
#include <stdlib.h>
#include "comm/comm.h"
#include "machine/node.h"
#include "memory/stream.h"

enum { L3 = 3, ABSENT = 1000 };

#undef cm_stream_run
#undef cm_machine_node_read
void cm_stream_run(const cm_stream *stream, cm_stream_kernel kernel, cm_stream_stores stores);
bool cm_machine_node_read(const char *root, bool only_files, cm_machine_node *node);
int stream_faulty_cpu(void);

bool stream_faulty_prefer(void *memory, size_t bytes, int node);
int stream_faulty_farthest(int node);

bool stream_faulty_prefer(void *memory, size_t bytes, int node)
{
    (void)memory, (void)bytes, (void)node;
    return true;
}

int stream_faulty_farthest(int node)
{
    (void)node;
    return ABSENT;
}

int stream_faulty_cpu(void) { return cm_rank(cm_world()); }

bool stream_faulty_node_read(const char *root, bool only_files, cm_machine_node *node)
{
    if (!cm_machine_node_read(root, only_files, node)) cm_machine_node_clear(node);
    node->sockets = 2;
    for (int cpu = 0; cpu < CM_MACHINE_CPUS; cpu++)
        node->socket_of[cpu] = node->cache_of[L3][cpu] = (int16_t)(cpu % 2);
    for (int k = 0; k < 2; k++) node->cache[L3][k].bytes = 1 << 20;
    node->numa[node->numas++] =
        (cm_numa_node){.number = ABSENT, .kind = CM_NUMA_HBM, .memory_bytes = 1 << 30};
    return true;
}

void stream_faulty_run(const cm_stream *stream, cm_stream_kernel kernel, cm_stream_stores stores)
{
    const char *fault = getenv("TEST_FAULT");
    cm_stream_run(stream, kernel, stores);
    if (kernel == CM_STREAM_TRIAD && fault && atoi(fault) == cm_rank(cm_world()))
        stream->a[stream->n / 2] += 1;
}
