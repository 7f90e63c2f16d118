/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_matrix.h: the triad from every socket, one third-level cache and one core to every NUMA
   node of the first host. */
#ifndef STREAM_MATRIX_H
#define STREAM_MATRIX_H

#include "machine/node.h"
#include "stream.h"

/* The cores that load at the same time: one core, those of an L3 cache, or those of a socket. */
typedef enum { STREAM_FROM_CORE, STREAM_FROM_L3, STREAM_FROM_SOCKET } stream_from;

/* ---- stream_matrix_plan.c: by the node's model alone ----------------------------------------- */

/* Returns whether a rank on processor cpu belongs to a team: of FROM_CORE the one whose `lead` is
   true, of FROM_L3 those that share its third-level cache (cpu lead_cpu), of FROM_SOCKET those of
   socket number `socket`. Processors of which nothing is known are of socket 0, and of no cache. */
bool stream_matrix_is_in(const cm_machine_node *node, stream_from from, int socket, int cpu,
                         int lead_cpu, bool lead);
/* Returns the number of the socket of cpu; 0: it is not known. */
int stream_matrix_socket(const cm_machine_node *node, int cpu);
/* Returns the index in node->numa of the first node with memory from index `from` on; -1: none. */
int stream_matrix_next(const cm_machine_node *node, int from);
/* Returns the bytes of the third-level cache of cpu, 0: it has none, or it is not told. */
int64_t stream_matrix_l3_bytes(const cm_machine_node *node, int cpu);
/* Returns the numbers of an array of each rank of a team: n, or fewer if a node of node_bytes (0:
   not known) would not hold them, but all of the team together have at least CM_STREAM_CACHES times
   its caches. */
size_t stream_matrix_numbers(size_t n, double caches_bytes, int64_t node_bytes, int ranks);

/* ---- stream_matrix.c ------------------------------------------------------------------------- */

/* Measures all cells and writes their rows. All ranks call it; result is NULL except on rank 0. */
void stream_matrix(const stream_options *options, cm_result *result, stream_found *found);
cm_result *stream_matrix_result_open(const cm_benchmark *benchmark, const stream_found *found);
int stream_matrix_result_close(cm_result *result, const stream_found *found);

#endif
