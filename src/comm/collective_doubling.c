/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_doubling.c: collective operations in ceil(log2 p) rounds, each over twice the distance
   of the previous one. Scan by doubling is cm_binomial_scan. */
#include "comm/collective.h"

/* Dissemination (Hensgen, Finkel and Manber 1988): after the round of distance d a rank knows that
   the 2d - 1 ranks before it have arrived. */
static void doubling_barrier(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                             int64_t parameter)
{
    (void)call, (void)parameter;
    for (int64_t d = 1; d < size; d *= 2) {
        cm_schedule_round(s);
        cm_schedule_recv(s, NULL, 0, cm_rank_before(rank, (int)d, size));
        cm_schedule_send(s, NULL, 0, cm_rank_after(rank, (int)d, size));
    }
}

/* Among the places of a cm_pairing, neighbours, then pairs, then groups of four exchange their
   partial results. The part of the lower ranks is always the left operand, which keeps the order
   for any operator, and both sides compute the same bits. */
static void doubling_allreduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                               int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    const cm_pairing p = cm_pairing_of(rank, size);
    if (p.paired && rank % 2 == 0) {
        cm_schedule_send(s, call->in, bytes, rank + 1);
        cm_schedule_round(s);
        cm_schedule_recv(s, call->out, bytes, rank + 1);
        return;
    }
    char *value = call->out;
    cm_schedule_copy(s, call->in, value, bytes);
    if (size == 1) return;
    char *other = cm_schedule_stage(s, 1, bytes);
    if (p.paired) {
        cm_schedule_recv(s, other, bytes, rank - 1);
        cm_schedule_reduce(s, other, value, call->count);
    }
    for (int d = 1; d < p.places; d *= 2) {
        const int w = p.place ^ d, peer = cm_pairing_rank(&p, w);
        cm_schedule_round(s);
        cm_schedule_recv(s, other, bytes, peer);
        cm_schedule_send(s, value, bytes, peer);
        if (w < p.place) {
            cm_schedule_reduce(s, other, value, call->count);
        } else {
            cm_schedule_reduce(s, value, other, call->count);
            char *t = value;
            value = other;
            other = t;
        }
    }
    cm_schedule_copy(s, value, call->out, bytes);
    cm_schedule_round(s);
    if (p.paired) cm_schedule_send(s, call->out, bytes, rank - 1);
}

/* Recursive halving: among the places of a cm_pairing, the two halves exchange, then the quarters,
   and so on, so that the blocks of a place stay together. Each sends the blocks of the other half
   and adds the received ones to its own. Far ranks come first, so operands change places; an
   operator that forbids this is passed to ring. The blocks of a place are those of both ranks of a
   pair. out may be this rank's block in in. */
static void doubling_reduce_scatter(cm_schedule *s, const cm_collective_call *call, int rank,
                                    int size, int64_t parameter)
{
    if (!call->op.commutative || size == 1) {
        cm_ring_reduce_scatter(s, call, rank, size, parameter);
        return;
    }
    const size_t element = cm_type_bytes(call->type), *counts = call->counts;
    const size_t own = counts[rank] * element;
    const cm_pairing p = cm_pairing_of(rank, size);
    if (p.paired && rank % 2 == 0) {
        cm_schedule_send(s, call->in, call->bytes, rank + 1);
        cm_schedule_round(s);
        if (own) cm_schedule_recv(s, call->out, own, rank + 1);
        return;
    }
    char *sum = cm_schedule_stage(s, 2, call->bytes), *came = sum + call->bytes;
    const char *value = call->in;
    if (p.paired) {
        cm_schedule_recv(s, sum, call->bytes, rank - 1);
        cm_schedule_reduce(s, value, sum, call->count);
        value = sum;
    }
    /* The common part is the blocks of places a to z - 1. */
    int a = 0, z = p.places;
    for (int d = p.places / 2; d; d /= 2) {
        const int w = p.place ^ d, peer = cm_pairing_rank(&p, w), middle = a + d;
        const int cut[] = {cm_pairing_first(&p, a), cm_pairing_first(&p, middle),
                           cm_pairing_first(&p, z)};
        const bool upper = w < p.place;
        const size_t begin = cm_counts_sum(counts, 0, cut[0]) * element;
        const size_t lower_count = cm_counts_sum(counts, cut[0], cut[1]);
        const size_t upper_count = cm_counts_sum(counts, cut[1], cut[2]);
        const size_t half = begin + lower_count * element;
        const size_t keeps = upper ? upper_count : lower_count, at = upper ? half : begin;
        const size_t sent = upper ? lower_count : upper_count, from = upper ? begin : half;
        cm_schedule_round(s);
        if (keeps) cm_schedule_recv(s, value == sum ? came : sum + at, keeps * element, peer);
        if (sent) cm_schedule_send(s, value + from, sent * element, peer);
        cm_schedule_reduce(s, value == sum ? came : value + at, sum + at, keeps);
        value = sum;
        *(upper ? &a : &z) = middle;
    }
    const size_t at = cm_counts_sum(counts, 0, rank) * element;
    cm_schedule_copy(s, value + at, call->out, own);
    cm_schedule_round(s);
    const size_t before = p.paired ? counts[rank - 1] * element : 0;
    if (before) cm_schedule_send(s, value + at - before, before, rank - 1);
}

/* Bruck et al. 1997: before the round of distance d a rank has its own block and those of the d - 1
   ranks after it. They are stored at their final places, in two pieces if they pass the last rank;
   both sides know this. */
static void doubling_allgather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                               int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    char *all = call->out;
    cm_schedule_copy(s, call->in, all + (size_t)rank * bytes, bytes);
    for (int64_t d = 1; d < size; d *= 2) {
        const int n = (int)(d < size - d ? d : size - d);
        const int to = cm_rank_before(rank, (int)d, size), from = cm_rank_after(rank, (int)d, size);
        const int in = n < size - from ? n : size - from, out = n < size - rank ? n : size - rank;
        cm_schedule_round(s);
        cm_schedule_recv(s, all + (size_t)from * bytes, (size_t)in * bytes, from);
        if (in < n) cm_schedule_recv(s, all, (size_t)(n - in) * bytes, from);
        cm_schedule_send(s, all + (size_t)rank * bytes, (size_t)out * bytes, to);
        if (out < n) cm_schedule_send(s, all, (size_t)(n - out) * bytes, to);
    }
}

/* ---- All to all (Bruck et al. 1997) ---------------------------------------------------------- */

/* A block that has to travel i ranks makes hops of the powers of two whose sum is i, the smallest
   first. In the round of distance d all blocks with bit d set in their i travel together, in order
   of i. */

/* Returns how many numbers below i have bit d set. If i has it set, this is the index of block i
   among the blocks of the round. */
static int64_t with_bit(int64_t i, int64_t d)
{
    const int64_t rest = i % (2 * d) - d;
    return i / (2 * d) * d + (rest > 0 ? rest : 0);
}

typedef struct {
    const char *in;
    char *came; /* the blocks of all rounds, one round after the other */
    size_t bytes;
    int rank, size;
} bruck;

/* Returns where block i is stored before the round of distance d: where the last round that moved
   it put it. */
static const char *place(const bruck *b, int64_t i, int64_t d)
{
    if (i % d == 0) return b->in + (size_t)cm_rank_after(b->rank, (int)i, b->size) * b->bytes;
    int64_t e = 1, blocks = 0;
    for (; 2 * e <= i % d; e *= 2) blocks += with_bit(b->size, e);
    return b->came + (size_t)(blocks + with_bit(i, e)) * b->bytes;
}

static void doubling_alltoall(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                              int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    int64_t d, blocks = 0, most = 0;
    for (d = 1; d < size; d *= 2) {
        const int64_t n = with_bit(size, d);
        blocks += n;
        most = n > most ? n : most;
    }
    char *pack = blocks ? cm_schedule_stage(s, (size_t)(most + blocks), bytes) : NULL;
    char *came = blocks ? pack + (size_t)most * bytes : NULL;
    const bruck b = {call->in, came, bytes, rank, size};
    for (d = 1; d < size; d *= 2) {
        size_t n = 0;
        for (int64_t i = d; i < size; i += i % d == d - 1 ? d + 1 : 1)
            cm_schedule_copy(s, place(&b, i, d), pack + n++ * bytes, bytes);
        cm_schedule_recv(s, came, n * bytes, cm_rank_before(rank, (int)d, size));
        cm_schedule_send(s, pack, n * bytes, cm_rank_after(rank, (int)d, size));
        came += n * bytes;
    }
    for (int i = 0; i < size; i++)
        cm_schedule_copy(s, place(&b, i, d),
                         (char *)call->out + (size_t)cm_rank_before(rank, i, size) * bytes, bytes);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_doubling_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {doubling_barrier, 0},
    [CM_COLLECTIVE_BCAST] = {0, CM_WHY_HALVING},
    [CM_COLLECTIVE_REDUCE] = {0, CM_WHY_HALVING},
    [CM_COLLECTIVE_ALLREDUCE] = {doubling_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {cm_binomial_scan, 0}, /* its distances double already */
    [CM_COLLECTIVE_GATHER] = {0, CM_WHY_HALVING},
    [CM_COLLECTIVE_GATHERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_SCATTER] = {0, CM_WHY_HALVING},
    [CM_COLLECTIVE_SCATTERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_ALLGATHER] = {doubling_allgather, 0},
    [CM_COLLECTIVE_ALLGATHERV] = {0, CM_WHY_OFFSETS},
    [CM_COLLECTIVE_ALLTOALL] = {doubling_alltoall, 0},
    [CM_COLLECTIVE_ALLTOALLV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {doubling_reduce_scatter, 0},
};
