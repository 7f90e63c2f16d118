/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_linear.c: collective operations in which one rank exchanges messages with every other
   rank directly (or, if all ranks have data for all, each with each). A scan goes from rank to
   rank. */
#include "comm/collective.h"

static void linear_barrier(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    (void)call, (void)parameter;
    if (rank) {
        cm_schedule_send(s, NULL, 0, 0);
        cm_schedule_round(s);
        cm_schedule_recv(s, NULL, 0, 0);
        return;
    }
    for (int k = 1; k < size; k++) cm_schedule_recv(s, NULL, 0, k);
    cm_schedule_round(s);
    for (int k = 1; k < size; k++) cm_schedule_send(s, NULL, 0, k);
}

static void linear_bcast(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                         int64_t parameter)
{
    (void)parameter;
    if (rank != call->root) {
        cm_schedule_recv(s, call->out, call->bytes, call->root);
        return;
    }
    for (int i = 1; i < size; i++)
        cm_schedule_send(s, call->out, call->bytes, cm_rank_after(rank, i, size));
}

/* The root folds from the right: x_0 op (x_1 op (... op x_last)). Its result is the right operand,
   which cm_operator_apply overwrites, so memory is needed for only one received vector at a time.
   If the order is free, it begins with its own vector, which then need not be saved from being
   overwritten. */
static void linear_reduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                          int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    const int root = call->root;
    if (rank != root) {
        cm_schedule_send(s, call->in, bytes, root);
        return;
    }
    const int last = cm_operator_reorderable(call->op, call->type) ? root : size - 1;
    const bool save = call->in == call->out && last != root;
    const void *own = call->in;
    char *received = NULL;
    if (size > 1) {
        received = cm_schedule_stage(s, save ? 2 : 1, bytes);
        if (save) {
            cm_schedule_copy(s, own, received + bytes, bytes);
            own = received + bytes;
        }
    }
    if (last == root) cm_schedule_copy(s, own, call->out, bytes);
    else cm_schedule_recv(s, call->out, bytes, last);
    for (int i = 1; i < size; i++) {
        const int k = cm_rank_before(last, i, size);
        if (k != root) cm_schedule_recv(s, received, bytes, k);
        cm_schedule_reduce(s, k != root ? received : own, call->out, call->count);
    }
}

static void linear_allreduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                             int64_t parameter)
{
    cm_collective_call from_0 = *call;
    from_0.root = 0;
    linear_reduce(s, &from_0, rank, size, parameter);
    cm_schedule_round(s);
    linear_bcast(s, &from_0, rank, size, parameter);
}

static void linear_scan(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                        int64_t parameter)
{
    (void)parameter;
    cm_schedule_copy(s, call->in, call->out, call->bytes);
    if (rank > 0) {
        char *prefix = cm_schedule_stage(s, 1, call->bytes);
        cm_schedule_recv(s, prefix, call->bytes, rank - 1);
        cm_schedule_reduce(s, prefix, call->out, call->count);
    }
    if (rank + 1 < size) cm_schedule_send(s, call->out, call->bytes, rank + 1);
}

static void linear_gather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                          int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    if (rank != call->root) {
        cm_schedule_send(s, call->in, bytes, call->root);
        return;
    }
    for (int i = 1; i < size; i++) {
        const int k = cm_rank_after(rank, i, size);
        cm_schedule_recv(s, cm_block(call->out, (size_t)k * bytes), bytes, k);
    }
    cm_schedule_copy(s, call->in, cm_block(call->out, (size_t)rank * bytes), bytes);
}

static void linear_scatter(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    if (rank != call->root) {
        cm_schedule_recv(s, call->out, bytes, call->root);
        return;
    }
    for (int i = 1; i < size; i++) {
        const int k = cm_rank_after(rank, i, size);
        cm_schedule_send(s, cm_block(call->in, (size_t)k * bytes), bytes, k);
    }
    cm_schedule_copy(s, cm_block(call->in, (size_t)rank * bytes), call->out, bytes);
}

/* In the operations with a length for each rank both sides know which blocks are empty; no message
   is sent for these. */
static void linear_gatherv(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    (void)parameter;
    if (rank != call->root) {
        if (call->bytes) cm_schedule_send(s, call->in, call->bytes, call->root);
        return;
    }
    for (int i = 1; i < size; i++) {
        const int k = cm_rank_after(rank, i, size);
        if (call->out_bytes[k])
            cm_schedule_recv(s, cm_block(call->out, call->out_offsets[k]), call->out_bytes[k], k);
    }
    cm_schedule_copy(s, call->in, cm_block(call->out, call->out_offsets[rank]), call->bytes);
}

static void linear_scatterv(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                            int64_t parameter)
{
    (void)parameter;
    if (rank != call->root) {
        if (call->bytes) cm_schedule_recv(s, call->out, call->bytes, call->root);
        return;
    }
    for (int i = 1; i < size; i++) {
        const int k = cm_rank_after(rank, i, size);
        if (call->in_bytes[k])
            cm_schedule_send(s, cm_block(call->in, call->in_offsets[k]), call->in_bytes[k], k);
    }
    cm_schedule_copy(s, cm_block(call->in, call->in_offsets[rank]), call->out, call->bytes);
}

static void linear_allgather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                             int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    for (int i = 1; i < size; i++) {
        const int k = cm_rank_before(rank, i, size);
        cm_schedule_recv(s, cm_block(call->out, (size_t)k * bytes), bytes, k);
        cm_schedule_send(s, call->in, bytes, cm_rank_after(rank, i, size));
    }
    cm_schedule_copy(s, call->in, cm_block(call->out, (size_t)rank * bytes), bytes);
}

static void linear_allgatherv(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                              int64_t parameter)
{
    (void)parameter;
    for (int i = 1; i < size; i++) {
        const int k = cm_rank_before(rank, i, size);
        if (call->out_bytes[k])
            cm_schedule_recv(s, cm_block(call->out, call->out_offsets[k]), call->out_bytes[k], k);
        if (call->bytes) cm_schedule_send(s, call->in, call->bytes, cm_rank_after(rank, i, size));
    }
    cm_schedule_copy(s, call->in, cm_block(call->out, call->out_offsets[rank]), call->bytes);
}

static void linear_alltoall(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                            int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    for (int i = 1; i < size; i++) {
        const int from = cm_rank_before(rank, i, size), to = cm_rank_after(rank, i, size);
        cm_schedule_recv(s, cm_block(call->out, (size_t)from * bytes), bytes, from);
        cm_schedule_send(s, cm_block(call->in, (size_t)to * bytes), bytes, to);
    }
    cm_schedule_copy(s, cm_block(call->in, (size_t)rank * bytes),
                     cm_block(call->out, (size_t)rank * bytes), bytes);
}

static void linear_alltoallv(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                             int64_t parameter)
{
    (void)parameter;
    for (int i = 1; i < size; i++) {
        const int from = cm_rank_before(rank, i, size), to = cm_rank_after(rank, i, size);
        if (call->out_bytes[from])
            cm_schedule_recv(s, cm_block(call->out, call->out_offsets[from]), call->out_bytes[from],
                             from);
        if (call->in_bytes[to])
            cm_schedule_send(s, cm_block(call->in, call->in_offsets[to]), call->in_bytes[to], to);
    }
    cm_schedule_copy(s, cm_block(call->in, call->in_offsets[rank]),
                     cm_block(call->out, call->out_offsets[rank]), call->in_bytes[rank]);
}

/* Rank 0 reduces all blocks and sends each rank its own. */
static void linear_reduce_scatter(cm_schedule *s, const cm_collective_call *call, int rank,
                                  int size, int64_t parameter)
{
    const size_t element = cm_type_bytes(call->type), own = call->counts[rank] * element;
    cm_collective_call to_0 = *call;
    to_0.root = 0;
    if (size == 1) {
        cm_schedule_copy(s, call->in, call->out, own);
        return;
    }
    char *sum = to_0.out = rank ? NULL : cm_schedule_stage(s, 1, call->bytes);
    linear_reduce(s, &to_0, rank, size, parameter);
    cm_schedule_round(s);
    if (rank) {
        if (own) cm_schedule_recv(s, call->out, own, 0);
        return;
    }
    size_t at = own;
    for (int k = 1; k < size; k++) {
        const size_t bytes = call->counts[k] * element;
        if (bytes) cm_schedule_send(s, sum + at, bytes, k);
        at += bytes;
    }
    cm_schedule_copy(s, sum, call->out, own);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_linear_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {linear_barrier, 0},
    [CM_COLLECTIVE_BCAST] = {linear_bcast, 0},
    [CM_COLLECTIVE_REDUCE] = {linear_reduce, 0},
    [CM_COLLECTIVE_ALLREDUCE] = {linear_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {linear_scan, 0},
    [CM_COLLECTIVE_GATHER] = {linear_gather, 0},
    [CM_COLLECTIVE_GATHERV] = {linear_gatherv, 0},
    [CM_COLLECTIVE_SCATTER] = {linear_scatter, 0},
    [CM_COLLECTIVE_SCATTERV] = {linear_scatterv, 0},
    [CM_COLLECTIVE_ALLGATHER] = {linear_allgather, 0},
    [CM_COLLECTIVE_ALLGATHERV] = {linear_allgatherv, 0},
    [CM_COLLECTIVE_ALLTOALL] = {linear_alltoall, 0},
    [CM_COLLECTIVE_ALLTOALLV] = {linear_alltoallv, 0},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {linear_reduce_scatter, 0},
};
