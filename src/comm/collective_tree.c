/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_tree.c: collective operations along trees with up to k leaves a node (Innocente 1999,
   section 5.3): k = 1 is a chain, k >= p - 1 a star. Places v are counted from the root. The
   subtree of a node is the interval of places [v, end): the node itself, then its children's
   subtrees, which share the rest evenly. So no tree with k leaves a node is deeper than necessary,
   blocks are contiguous and operands in order. */
#include "comm/collective.h"

typedef struct {
    int v, end, parent; /* places; the root has no parent: -1 */
    int children;
    int root, size;
} node;

/* Returns where the subtree of child j begins; j = children gives end. */
static int child(const node *x, int j)
{
    if (!x->children) return x->end;
    return x->v + 1 + (int)cm_chunk_start((size_t)(x->end - x->v - 1), x->children, j);
}

static node enter(int v, int end, int parent, int root, int size, int64_t leaves)
{
    const int others = end - v - 1;
    return (node){v, end, parent, leaves < others ? (int)leaves : others, root, size};
}

static node find(int rank, int root, int size, int64_t leaves)
{
    const int v = cm_rank_before(rank, root, size);
    node x = enter(0, size, -1, root, size, leaves);
    while (x.v != v) {
        int j = 0;
        while (child(&x, j + 1) <= v) j++;
        x = enter(child(&x, j), child(&x, j + 1), x.v, root, size, leaves);
    }
    return x;
}

static int rank_of(const node *x, int v) { return cm_rank_after(v, x->root, x->size); }

/* ---- Barrier and broadcast ------------------------------------------------------------------- */

static void descend(cm_schedule *s, const node *x, void *data, size_t bytes)
{
    if (x->v) cm_schedule_recv(s, data, bytes, rank_of(x, x->parent));
    cm_schedule_round(s);
    for (int j = 0; j < x->children; j++) cm_schedule_send(s, data, bytes, rank_of(x, child(x, j)));
}

static void tree_barrier(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                         int64_t parameter)
{
    (void)call;
    const node x = find(rank, 0, size, parameter);
    for (int j = 0; j < x.children; j++) cm_schedule_recv(s, NULL, 0, child(&x, j));
    cm_schedule_round(s);
    if (x.v) cm_schedule_send(s, NULL, 0, x.parent);
    cm_schedule_round(s);
    descend(s, &x, NULL, 0);
}

static void tree_bcast(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                       int64_t parameter)
{
    const node x = find(rank, call->root, size, parameter);
    descend(s, &x, call->out, call->bytes);
}

/* ---- Reductions ------------------------------------------------------------------------------ */

/* Folds the vectors of the subtree in the order of places. Returns where the result is: in out,
   unless out is NULL. */
static const void *fold_subtree(cm_schedule *s, const node *x, const cm_collective_call *call,
                                void *out)
{
    cm_fold fold = cm_fold_begin(s, call, out, x->children);
    for (int j = 0; j < x->children; j++) cm_fold_child(s, &fold, rank_of(x, child(x, j)));
    return cm_fold_end(s, &fold);
}

/* The receiver is the tree's root if operands may be taken in cyclic order. Otherwise rank 0 is,
   and its result goes one hop further. */
static void tree_reduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                        int64_t parameter)
{
    const int root = call->root, top = cm_operator_reorderable(call->op, call->type) ? root : 0;
    const node x = find(rank, top, size, parameter);
    const void *value = fold_subtree(s, &x, call, rank == root && rank == top ? call->out : NULL);
    cm_schedule_round(s);
    if (x.v) cm_schedule_send(s, value, call->bytes, rank_of(&x, x.parent));
    if (top == root) return;
    cm_schedule_round(s);
    if (rank == top) cm_schedule_send(s, value, call->bytes, root);
    if (rank == root) cm_schedule_recv(s, call->out, call->bytes, top);
}

/* Reduces to rank 0 and broadcasts. */
static void tree_allreduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    const node x = find(rank, 0, size, parameter);
    const bool use_out = rank == 0 || (x.children && call->in != call->out);
    const void *value = fold_subtree(s, &x, call, use_out ? call->out : NULL);
    cm_schedule_round(s);
    if (x.v) cm_schedule_send(s, value, call->bytes, x.parent);
    cm_schedule_round(s);
    descend(s, &x, call->out, call->bytes);
}

/* Up the tree: the node turns its children's sums T_1, T_2, ... into x op T_1, x op T_1 op T_2, ...
   and passes the last one on. Down the tree: the parent sends the sum b of all ranks before this
   node's; child j needs b op x op T_1 op ... op T_(j-1). */
static void tree_scan(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                      int64_t parameter)
{
    const node x = find(rank, 0, size, parameter);
    const size_t bytes = call->bytes;
    char *sums = x.children || x.v ? cm_schedule_stage(s, (size_t)x.children + 1, bytes) : NULL;
    char *before = x.v ? sums + (size_t)x.children * bytes : NULL;
    for (int j = 0; j < x.children; j++)
        cm_schedule_recv(s, sums + (size_t)j * bytes, bytes, child(&x, j));
    const void *value = call->in;
    for (int j = 0; j < x.children; j++) {
        cm_schedule_reduce(s, value, sums + (size_t)j * bytes, call->count);
        value = sums + (size_t)j * bytes;
    }
    cm_schedule_round(s);
    if (x.v) {
        cm_schedule_send(s, value, bytes, x.parent);
        cm_schedule_round(s);
        cm_schedule_recv(s, before, bytes, x.parent);
    }
    cm_schedule_copy(s, call->in, call->out, bytes);
    if (x.v) {
        cm_schedule_reduce(s, before, call->out, call->count);
        for (int j = 0; j + 1 < x.children; j++)
            cm_schedule_reduce(s, before, sums + (size_t)j * bytes, call->count);
    }
    for (int j = 0; j < x.children; j++)
        cm_schedule_send(s, j ? sums + (size_t)(j - 1) * bytes : call->out, bytes, child(&x, j));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Moves the blocks of places [a, end) between a node and its parent. At the root they are stored by
   rank, data beginning with rank 0's block, so they are in two pieces if the interval passes the
   last rank. Elsewhere they are contiguous, data beginning with a's. Both sides know this and
   exchange two messages. */
static void pass(cm_schedule *s, cm_blocks_message *message, const node *x, char *data,
                 size_t bytes, int a, int end, int peer)
{
    const bool root_side = x->v == 0, at_root = root_side || x->parent == 0;
    const int rank = rank_of(x, a), whole = end - a;
    const int first = at_root && whole > x->size - rank ? x->size - rank : whole;
    message(s, root_side ? data + (size_t)rank * bytes : data, (size_t)first * bytes, peer);
    if (first < whole)
        message(s, root_side ? data : data + (size_t)first * bytes, (size_t)(whole - first) * bytes,
                peer);
}

/* Messages with all children. all holds the blocks of places v to end - 1 (at the root: by
   rank). */
static void with_children(cm_schedule *s, cm_blocks_message *message, const node *x, char *all,
                          size_t bytes)
{
    for (int j = 0; j < x->children; j++) {
        const int a = child(x, j), end = child(x, j + 1);
        if (x->v == 0) pass(s, message, x, all, bytes, a, end, rank_of(x, a));
        else message(s, all + (size_t)(a - x->v) * bytes, (size_t)(end - a) * bytes, rank_of(x, a));
    }
}

static void with_parent(cm_schedule *s, cm_blocks_message *message, const node *x, char *all,
                        size_t bytes)
{
    pass(s, message, x, all, bytes, x->v, x->end, rank_of(x, x->parent));
}

static void tree_gather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                        int64_t parameter)
{
    const node x = find(rank, call->root, size, parameter);
    const size_t bytes = call->bytes;
    if (x.v && !x.children) {
        cm_schedule_send(s, call->in, bytes, rank_of(&x, x.parent));
        return;
    }
    char *all = x.v ? cm_schedule_stage(s, (size_t)(x.end - x.v), bytes) : call->out;
    with_children(s, cm_blocks_recv, &x, all, bytes);
    cm_schedule_copy(s, call->in, x.v ? all : all + (size_t)rank * bytes, bytes);
    cm_schedule_round(s);
    if (x.v) with_parent(s, cm_blocks_send, &x, all, bytes);
}

static void tree_scatter(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                         int64_t parameter)
{
    const node x = find(rank, call->root, size, parameter);
    const size_t bytes = call->bytes;
    if (x.v && !x.children) {
        cm_schedule_recv(s, call->out, bytes, rank_of(&x, x.parent));
        return;
    }
    char *all = x.v ? cm_schedule_stage(s, (size_t)(x.end - x.v), bytes) : (char *)call->in;
    if (x.v) with_parent(s, cm_blocks_recv, &x, all, bytes);
    cm_schedule_round(s);
    with_children(s, cm_blocks_send, &x, all, bytes);
    cm_schedule_copy(s, x.v ? all : all + (size_t)rank * bytes, call->out, bytes);
}

/* Gathers to rank 0 and broadcasts. The blocks of its subtrees are already at their final places on
   every rank. */
static void tree_allgather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    const node x = find(rank, 0, size, parameter);
    const size_t bytes = call->bytes;
    char *all = call->out;
    cm_schedule_copy(s, call->in, all + (size_t)rank * bytes, bytes);
    for (int j = 0; j < x.children; j++) {
        const int a = child(&x, j), end = child(&x, j + 1);
        cm_schedule_recv(s, all + (size_t)a * bytes, (size_t)(end - a) * bytes, a);
    }
    cm_schedule_round(s);
    if (x.v)
        cm_schedule_send(s, all + (size_t)rank * bytes, (size_t)(x.end - x.v) * bytes, x.parent);
    cm_schedule_round(s);
    descend(s, &x, all, (size_t)size * bytes);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_tree_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {tree_barrier, 0},
    [CM_COLLECTIVE_BCAST] = {tree_bcast, 0},
    [CM_COLLECTIVE_REDUCE] = {tree_reduce, 0},
    [CM_COLLECTIVE_ALLREDUCE] = {tree_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {tree_scan, 0},
    [CM_COLLECTIVE_GATHER] = {tree_gather, 0},
    [CM_COLLECTIVE_GATHERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_SCATTER] = {tree_scatter, 0},
    [CM_COLLECTIVE_SCATTERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_ALLGATHER] = {tree_allgather, 0},
    [CM_COLLECTIVE_ALLGATHERV] = {0, CM_WHY_OFFSETS " in subtrees"},
    [CM_COLLECTIVE_ALLTOALL] = {0, CM_WHY_PAIRS},
    [CM_COLLECTIVE_ALLTOALLV] = {0, CM_WHY_PAIRS},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {0, CM_WHY_FOLDED},
};
