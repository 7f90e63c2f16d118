/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_binomial.c: collective operations along binomial trees.

   Ranks are counted from the root: relative rank v = (rank - root) mod size. The parent of v > 0 is
   v without its lowest one bit, b(v); its children are v + m for the powers of two m < b(v) with v
   + m < size (of the root: all powers of two below size). So the subtree of v is the interval of
   relative ranks [v, min(v + b(v), size)), which keeps blocks together and operands in order. */
#include "comm/collective.h"

/* b(v); for the root, the smallest power of two >= size. */
static int64_t lowest_bit(int v, int size)
{
    if (v) return v & -v;
    int64_t m = 1;
    while (m < size) m *= 2;
    return m;
}

static int subtree_end(int v, int size)
{
    const int64_t end = v + lowest_bit(v, size);
    return end < size ? (int)end : size;
}

/* ---- Barrier and broadcast ------------------------------------------------------------------- */

/* One round for each child, the largest subtree first because its data have the longest way to
   go. */
static void descend(cm_schedule *s, void *data, size_t bytes, int root, int rank, int size)
{
    const int v = cm_rank_before(rank, root, size);
    const int64_t b = lowest_bit(v, size);
    if (v) cm_schedule_recv(s, data, bytes, cm_rank_after((int)(v - b), root, size));
    for (int64_t m = b / 2; m; m /= 2) {
        if (v + m >= size) continue;
        cm_schedule_round(s);
        cm_schedule_send(s, data, bytes, cm_rank_after((int)(v + m), root, size));
    }
}

static void binomial_barrier(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                             int64_t parameter)
{
    (void)call, (void)parameter;
    const int64_t b = lowest_bit(rank, size);
    for (int64_t m = 1; m < b && rank + m < size; m *= 2)
        cm_schedule_recv(s, NULL, 0, (int)(rank + m));
    cm_schedule_round(s);
    if (rank) cm_schedule_send(s, NULL, 0, (int)(rank - b));
    cm_schedule_round(s);
    descend(s, NULL, 0, 0, rank, size);
}

static void binomial_bcast(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    (void)parameter;
    descend(s, call->out, call->bytes, call->root, rank, size);
}

/* ---- Reductions ------------------------------------------------------------------------------ */

/* Folds the vectors of this rank's subtree in the order of relative ranks. Returns where the result
   is: in out, unless out is NULL. */
static const void *fold_subtree(cm_schedule *s, const cm_collective_call *call, void *out, int root,
                                int rank, int size)
{
    const int v = cm_rank_before(rank, root, size);
    const int64_t b = lowest_bit(v, size);
    int children = 0;
    for (int64_t m = 1; m < b && v + m < size; m *= 2) children++;
    cm_fold fold = cm_fold_begin(s, call, out, children);
    for (int i = 0; i < children; i++)
        cm_fold_child(s, &fold, cm_rank_after(v + (1 << i), root, size));
    return cm_fold_end(s, &fold);
}

/* The receiver is the tree's root if operands may be taken in cyclic order. Otherwise rank 0 is,
   and its result goes one hop further. */
static void binomial_reduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                            int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    const int root = call->root;
    const int top = cm_operator_reorderable(call->op, call->type) ? root : 0;
    void *out = rank == root && rank == top ? call->out : NULL;
    const void *value = fold_subtree(s, call, out, top, rank, size);
    const int v = cm_rank_before(rank, top, size);
    cm_schedule_round(s);
    if (v) cm_schedule_send(s, value, bytes, cm_rank_after(v & (v - 1), top, size));
    if (top == root) return;
    cm_schedule_round(s);
    if (rank == top) cm_schedule_send(s, value, bytes, root);
    if (rank == root) cm_schedule_recv(s, call->out, bytes, top);
}

/* Reduces to rank 0 and broadcasts. out holds partial results on every rank where the fold need not
   copy. */
static void binomial_allreduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                               int64_t parameter)
{
    (void)parameter;
    const bool leaf = rank % 2 == 1 || rank + 1 == size;
    const bool use_out = rank == 0 || (!leaf && call->in != call->out);
    const void *value = fold_subtree(s, call, use_out ? call->out : NULL, 0, rank, size);
    cm_schedule_round(s);
    if (rank) cm_schedule_send(s, value, call->bytes, rank & (rank - 1));
    cm_schedule_round(s);
    descend(s, call->out, call->bytes, 0, rank, size);
}

/* Before the step of distance d, rank r has x_(r-d+1) op ... op x_r (Hillis and Steele 1986). No
   tree has fewer rounds. */
void cm_binomial_scan(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                      int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    char *left = rank ? cm_schedule_stage(s, 1, bytes) : NULL;
    cm_schedule_copy(s, call->in, call->out, bytes);
    for (int64_t d = 1; d < size; d *= 2) {
        cm_schedule_round(s);
        if (rank + d < size) cm_schedule_send(s, call->out, bytes, (int)(rank + d));
        if (rank >= d) {
            cm_schedule_recv(s, left, bytes, (int)(rank - d));
            cm_schedule_reduce(s, left, call->out, call->count);
        }
    }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* The blocks of relative ranks [a, end) are contiguous in a subtree's memory. At the root they are
   stored by absolute rank, so they are in two pieces if the interval passes the last rank. Both
   sides know this and exchange two messages. Returns the number of blocks in the first piece. */
static int first_piece(int a, int end, int root, int size)
{
    const int turn = size - root; /* relative rank of rank 0 */
    return a < turn && turn < end ? turn - a : end - a;
}

/* The root's side of the messages with its child m. all is the whole array, by absolute rank. */
static void at_root(cm_schedule *s, cm_blocks_message *message, char *all, size_t bytes, int m,
                    int root, int size)
{
    const int end = subtree_end(m, size), first = first_piece(m, end, root, size);
    const int child = cm_rank_after(m, root, size);
    message(s, all + (size_t)child * bytes, (size_t)first * bytes, child);
    if (m + first < end) message(s, all, (size_t)(end - m - first) * bytes, child);
}

/* Exchanges the messages of v > 0 with its parent. data holds the blocks of its subtree. */
static void at_child(cm_schedule *s, cm_blocks_message *message, char *data, size_t bytes, int v,
                     int root, int size)
{
    const int up = v & (v - 1), end = subtree_end(v, size), parent = cm_rank_after(up, root, size);
    const int first = up ? end - v : first_piece(v, end, root, size);
    message(s, data, (size_t)first * bytes, parent);
    if (v + first < end)
        message(s, data + (size_t)first * bytes, (size_t)(end - v - first) * bytes, parent);
}

static void binomial_gather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                            int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    const int root = call->root, v = cm_rank_before(rank, root, size), end = subtree_end(v, size);
    if (v == 0) {
        for (int64_t m = 1; m < size; m *= 2)
            at_root(s, cm_blocks_recv, call->out, bytes, (int)m, root, size);
        cm_schedule_copy(s, call->in, (char *)call->out + (size_t)rank * bytes, bytes);
        return;
    }
    if (end - v == 1) {
        cm_schedule_send(s, call->in, bytes, cm_rank_after(v & (v - 1), root, size));
        return;
    }
    char *blocks = cm_schedule_stage(s, (size_t)(end - v), bytes);
    for (int64_t m = 1; v + m < end; m *= 2) {
        const int child = (int)(v + m);
        const size_t n = (size_t)(subtree_end(child, size) - child);
        cm_schedule_recv(s, blocks + (size_t)m * bytes, n * bytes,
                         cm_rank_after(child, root, size));
    }
    cm_schedule_copy(s, call->in, blocks, bytes);
    cm_schedule_round(s);
    at_child(s, cm_blocks_send, blocks, bytes, v, root, size);
}

static void binomial_scatter(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                             int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    const int root = call->root, v = cm_rank_before(rank, root, size), end = subtree_end(v, size);
    const int64_t b = lowest_bit(v, size);
    if (v == 0) {
        for (int64_t m = b / 2; m; m /= 2) {
            cm_schedule_round(s);
            at_root(s, cm_blocks_send, (char *)call->in, bytes, (int)m, root, size);
        }
        cm_schedule_copy(s, (const char *)call->in + (size_t)rank * bytes, call->out, bytes);
        return;
    }
    if (end - v == 1) {
        cm_schedule_recv(s, call->out, bytes, cm_rank_after(v & (v - 1), root, size));
        return;
    }
    char *blocks = cm_schedule_stage(s, (size_t)(end - v), bytes);
    at_child(s, cm_blocks_recv, blocks, bytes, v, root, size);
    for (int64_t m = b / 2; m; m /= 2) {
        if (v + m >= end) continue;
        const int child = (int)(v + m);
        const size_t n = (size_t)(subtree_end(child, size) - child);
        cm_schedule_round(s);
        cm_schedule_send(s, blocks + (size_t)m * bytes, n * bytes,
                         cm_rank_after(child, root, size));
    }
    cm_schedule_copy(s, blocks, call->out, bytes);
}

/* Gathers to rank 0 and broadcasts. The blocks of its subtrees are already at their final places on
   every rank. */
static void binomial_allgather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                               int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    const int end = subtree_end(rank, size);
    char *all = call->out, *own = all + (size_t)rank * bytes;
    cm_schedule_copy(s, call->in, own, bytes);
    for (int64_t m = 1; rank + m < end; m *= 2) {
        const int child = (int)(rank + m);
        const size_t n = (size_t)(subtree_end(child, size) - child);
        cm_schedule_recv(s, own + (size_t)m * bytes, n * bytes, child);
    }
    cm_schedule_round(s);
    if (rank) cm_schedule_send(s, own, (size_t)(end - rank) * bytes, rank & (rank - 1));
    cm_schedule_round(s);
    descend(s, all, (size_t)size * bytes, 0, rank, size);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_binomial_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {binomial_barrier, 0},
    [CM_COLLECTIVE_BCAST] = {binomial_bcast, 0},
    [CM_COLLECTIVE_REDUCE] = {binomial_reduce, 0},
    [CM_COLLECTIVE_ALLREDUCE] = {binomial_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {cm_binomial_scan, 0},
    [CM_COLLECTIVE_GATHER] = {binomial_gather, 0},
    [CM_COLLECTIVE_GATHERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_SCATTER] = {binomial_scatter, 0},
    [CM_COLLECTIVE_SCATTERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_ALLGATHER] = {binomial_allgather, 0},
    [CM_COLLECTIVE_ALLGATHERV] = {0, CM_WHY_OFFSETS " in subtrees"},
    [CM_COLLECTIVE_ALLTOALL] = {0, CM_WHY_PAIRS},
    [CM_COLLECTIVE_ALLTOALLV] = {0, CM_WHY_PAIRS},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {0, CM_WHY_FOLDED},
};
