/* SPDX-License-Identifier: BSD-3-Clause */
/* node_clear.c: the model of a node of which nothing is known. */
#include <config.h>
#include <string.h>
#include "machine/node.h"

void cm_machine_node_clear(cm_machine_node *node)
{
    node->online = node->allowed = (cm_machine_cpus){{0}};
    node->threads = node->cores = node->sockets = node->dies = node->numas = 0;
    node->left_out = 0;
    node->kinds = 1;
    node->cores_told = node->elsewhere = false;
    memset(node->caches, 0, sizeof node->caches);
    memset(node->core_of, -1, sizeof node->core_of);
    memset(node->socket_of, -1, sizeof node->socket_of);
    memset(node->kind_of, -1, sizeof node->kind_of);
    memset(node->numa_of, -1, sizeof node->numa_of);
    memset(node->cache_of, -1, sizeof node->cache_of);
}
