/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_doubling.c: collective operations in ceil(log2 p) rounds, each over twice the
   distance of the one before. Scan by doubling is cm_binomial_scan. */
#include "comm/collective.h"

/* Dissemination (Hensgen, Finkel and Manber 1988): after the round of distance d a rank knows that
   the 2d - 1 ranks before it have come. */
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

/* Of a cm_pairing's places neighbours, then pairs, then fours exchange what they have, lower ranks'
   part always the left operand: any operator's order is kept, and both sides compute the same
   bits. */
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

/* Bruck et al. 1997: before the round of distance d a rank has its own block and those of the d - 1
   ranks after it. They lie at their final places, in two pieces when they pass the last rank; both
   ends know. */
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

/* A block that has i ranks to go goes by the powers of two that i is the sum of, from the
   lowest: in the round of distance d all blocks with bit d in their i go together, in order of
   i. */

/* How many numbers below i have bit d; so where block i, which has it, lies among them. */
static int64_t with_bit(int64_t i, int64_t d)
{
    const int64_t rest = i % (2 * d) - d;
    return i / (2 * d) * d + (rest > 0 ? rest : 0);
}

typedef struct {
    const char *in;
    char *came; /* what each round brought, one behind the other */
    size_t bytes;
    int rank, size;
} bruck;

/* Where block i lies before the round of distance d: where the last round that moved it put it. */
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

/* ---- Which collectives have it --------------------------------------------------------------- */

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
};
