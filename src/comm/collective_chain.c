/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_chain.c: collective operations from rank to rank in segments: a rank passes one
   segment on while it receives the next. Places v on the chain are counted from its head. All ranks
   share one clock t: a message is sent and received in the same round t of its two ranks, so a
   round never waits for a later one. With m segments and p ranks, a broadcast or a scan takes p - 1
   + m - 1 rounds, an allreduce 2 (p - 1) + m - 1. */
#include "comm/collective.h"

/* The data, in segments of whole elements. */
typedef struct {
    size_t bytes, segment, n;
} pieces;

/* The p - 2 + bytes/s rounds of latency + s/bandwidth each take a time whose derivative by s is 0
   at s^2 = bytes * (latency * bandwidth) / (p - 2). The product latency * bandwidth is set to 32
   KiB: TCP on one host or on a fast Ethernet has 15 to 30 us at 1 to 2 GB/s. */
static size_t choose_segment(size_t bytes, int size)
{
    enum { IN_ONE_LATENCY = 32 << 10, LEAST = 4 << 10 };
    const size_t hops = size > 3 ? (size_t)size - 2 : 1;
    size_t segment = LEAST;
    while (segment < bytes && segment <= bytes / segment * IN_ONE_LATENCY / hops) segment *= 2;
    return segment;
}

static pieces cut(size_t bytes, size_t element, int64_t parameter, int size)
{
    size_t segment = parameter ? (size_t)parameter : choose_segment(bytes, size);
    segment = segment < element ? element : segment / element * element;
    if (segment > bytes) segment = bytes;
    return (pieces){bytes, segment, segment ? bytes / segment + (bytes % segment > 0) : 0};
}

static size_t length(const pieces *p, size_t i)
{
    const size_t left = p->bytes - i * p->segment;
    return left < p->segment ? left : p->segment;
}

/* Returns true if a segment moves in round t over the link that carries segment 0 in round first.
   *i is that segment. */
static bool moves(const pieces *p, size_t t, size_t first, size_t *i)
{
    *i = t - first;
    return t >= first && *i < p->n;
}

static void chain_bcast(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                        int64_t parameter)
{
    const pieces p = cut(call->bytes, 1, parameter, size);
    const int v = cm_rank_before(rank, call->root, size);
    const int next = cm_rank_after(rank, 1 % size, size);
    const int previous = cm_rank_before(rank, 1 % size, size);
    char *data = call->out;
    for (size_t t = v ? (size_t)v - 1 : 0; t < (size_t)v + p.n; t++) {
        size_t i;
        cm_schedule_round(s);
        if (v > 0 && moves(&p, t, (size_t)v - 1, &i))
            cm_schedule_recv(s, data + i * p.segment, length(&p, i), previous);
        if (v + 1 < size && moves(&p, t, (size_t)v, &i))
            cm_schedule_send(s, data + i * p.segment, length(&p, i), next);
    }
}

/* Partial results travel towards place 0: x_v op (the vector from v + 1). The received vector is
   the right operand and may be overwritten, so nothing is copied. For an allreduce the result then
   goes back along the chain from place 0. For a reduce it makes one hop to the root if the root
   could not be the head because operands must stay in order. All of this overlaps. */
static void reduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                   int64_t parameter, bool all)
{
    if (size == 1) {
        cm_schedule_copy(s, call->in, call->out, call->bytes);
        return;
    }
    const size_t element = cm_type_bytes(call->type);
    const pieces p = cut(call->bytes, element, parameter, size);
    const int root = all ? 0 : call->root;
    const int head = cm_operator_reorderable(call->op, call->type) ? root : 0;
    const size_t v = (size_t)cm_rank_before(rank, head, size), last = (size_t)size - 1;
    const int next = cm_rank_after(rank, 1, size), previous = cm_rank_before(rank, 1, size);
    const char *in = call->in;
    char *out = all || rank == root ? call->out : NULL;

    /* Partial results are stored in out. If out is NULL or holds the operand, they alternate
       between two segments of the stage. */
    const bool direct = out && out != in;
    char *turns = direct || v == last ? NULL : cm_schedule_stage(s, 2, p.segment);

    for (size_t t = 0; t < 2 * last + p.n; t++) {
        size_t i, got;
        char *value = NULL;
        cm_schedule_round(s);
        if (v < last && moves(&p, t, last - 1 - v, &got)) {
            value = direct ? out + got * p.segment : turns + got % 2 * p.segment;
            cm_schedule_recv(s, value, length(&p, got), next);
        }
        if (v > 0 && moves(&p, t, last - v, &i)) {
            const char *from = v == last || direct ? (v == last ? in : out) + i * p.segment
                                                   : turns + i % 2 * p.segment;
            cm_schedule_send(s, from, length(&p, i), previous);
        }
        if (all) {
            if (v > 0 && moves(&p, t, last + v - 1, &i))
                cm_schedule_recv(s, out + i * p.segment, length(&p, i), previous);
            if (v < last && moves(&p, t, last + v, &i))
                cm_schedule_send(s, out + i * p.segment, length(&p, i), next);
        } else if (head != root && moves(&p, t, last, &i)) {
            if (rank == head) cm_schedule_send(s, turns + i % 2 * p.segment, length(&p, i), root);
            if (rank == root) cm_schedule_recv(s, out + i * p.segment, length(&p, i), head);
        }
        if (!value) continue;
        cm_schedule_reduce(s, in + got * p.segment, value, length(&p, got) / element);
        if (v == 0 && out) cm_schedule_copy(s, value, out + got * p.segment, length(&p, got));
    }
}

static void chain_reduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                         int64_t parameter)
{
    reduce(s, call, rank, size, parameter, false);
}

void cm_chain_allreduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                        int64_t parameter)
{
    reduce(s, call, rank, size, parameter, true);
}

/* The vector from the rank before is the result of all ranks before this one: the left operand. */
static void chain_scan(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                       int64_t parameter)
{
    const size_t element = cm_type_bytes(call->type), v = (size_t)rank;
    const pieces p = cut(call->bytes, element, parameter, size);
    const char *in = call->in;
    char *out = call->out;
    char *before = v ? cm_schedule_stage(s, 1, p.segment) : NULL;
    for (size_t t = v ? v - 1 : 0; t < v + p.n; t++) {
        size_t got, sent;
        const bool gets = v > 0 && moves(&p, t, v - 1, &got);
        cm_schedule_round(s);
        if (gets) cm_schedule_recv(s, before, length(&p, got), rank - 1);
        if (rank + 1 < size && moves(&p, t, v, &sent))
            cm_schedule_send(s, (v ? out : in) + sent * p.segment, length(&p, sent), rank + 1);
        if (gets) {
            char *sum = out + got * p.segment;
            cm_schedule_copy(s, in + got * p.segment, sum, length(&p, got));
            cm_schedule_reduce(s, before, sum, length(&p, got) / element);
        }
    }
    if (!v) cm_schedule_copy(s, in, out, call->bytes);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_chain_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {0, "a barrier has no data to cut into segments"},
    [CM_COLLECTIVE_BCAST] = {chain_bcast, 0},
    [CM_COLLECTIVE_REDUCE] = {chain_reduce, 0},
    [CM_COLLECTIVE_ALLREDUCE] = {cm_chain_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {chain_scan, 0},
    [CM_COLLECTIVE_GATHER] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_GATHERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_SCATTER] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_SCATTERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_ALLGATHER] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_ALLGATHERV] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_ALLTOALL] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_ALLTOALLV] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {0, CM_WHY_FOLDED},
};
