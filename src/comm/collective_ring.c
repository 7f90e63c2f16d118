/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_ring.c: collective operations in which every rank sends and receives one block at a
   time in p - 1 rounds: to its neighbours on a ring or, if each pair has its own block, to ranks at
   distance 1, 2, ... (pairwise exchange). */
#include "comm/collective.h"

/* A round with one message in each direction. Empty blocks are not sent; both ranks know which ones
   are empty. */
static void exchange(cm_schedule *s, const void *out, size_t out_bytes, int to, void *in,
                     size_t in_bytes, int from)
{
    cm_schedule_round(s);
    if (in_bytes) cm_schedule_recv(s, in, in_bytes, from);
    if (out_bytes) cm_schedule_send(s, out, out_bytes, to);
}

/* ---- Gathering ------------------------------------------------------------------------------- */

static void ring_allgather(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    cm_schedule_copy(s, call->in, cm_block(call->out, (size_t)rank * bytes), bytes);
    for (int i = 1; i < size; i++) {
        const int mine = cm_rank_before(rank, i - 1, size), next = cm_rank_before(rank, i, size);
        exchange(s, cm_block(call->out, (size_t)mine * bytes), bytes, cm_rank_after(rank, 1, size),
                 cm_block(call->out, (size_t)next * bytes), bytes, cm_rank_before(rank, 1, size));
    }
}

static void ring_allgatherv(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                            int64_t parameter)
{
    (void)parameter;
    const size_t *bytes = call->out_bytes, *offsets = call->out_offsets;
    cm_schedule_copy(s, call->in, cm_block(call->out, offsets[rank]), call->bytes);
    for (int i = 1; i < size; i++) {
        const int mine = cm_rank_before(rank, i - 1, size), next = cm_rank_before(rank, i, size);
        exchange(s, cm_block(call->out, offsets[mine]), bytes[mine], cm_rank_after(rank, 1, size),
                 cm_block(call->out, offsets[next]), bytes[next], cm_rank_before(rank, 1, size));
    }
}

/* ---- Reduction ------------------------------------------------------------------------------- */

/* The vector is cut into p chunks, which go round twice (Patarasuk and Yuan 2009). Chunk c starts
   at rank c and contains all operands when it arrives at rank c - 1; then the chunks go round as in
   allgather. Operands are taken in the order c, c + 1, ..., c - 1 from right to left, which is the
   same every time. An operator whose operands must stay in rank order cannot begin at rank c. Its
   chunks all go along the chain of ranks and back, which takes the same number of messages on each
   link. */
static void ring_allreduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    (void)parameter;
    const size_t element = cm_type_bytes(call->type), count = call->count;
    if (size == 1) {
        cm_schedule_copy(s, call->in, call->out, call->bytes);
        return;
    }
    if (!call->op.commutative) {
        const size_t largest = cm_chunk_start(count, size, 1) * element;
        cm_chain_allreduce(s, call, rank, size, (int64_t)largest);
        return;
    }
    const int to = cm_rank_after(rank, 1, size), from = cm_rank_before(rank, 1, size);
    const char *in = call->in;
    char *out = call->out;
    char *aside =
        in == out ? cm_schedule_stage(s, 1, cm_chunk_start(count, size, 1) * element) : NULL;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 1; i < size; i++) {
            const int sent = cm_rank_before(turn ? to : rank, i - 1, size);
            const int got = cm_rank_before(turn ? to : rank, i, size);
            const size_t a = cm_chunk_start(count, size, sent);
            const size_t n = cm_chunk_start(count, size, sent + 1) - a;
            const size_t b = cm_chunk_start(count, size, got);
            const size_t m = cm_chunk_start(count, size, got + 1) - b;
            char *place = out + b * element, *into = aside && !turn ? aside : place;
            exchange(s, (turn || i > 1 ? out : in) + a * element, n * element, to, into,
                     m * element, from);
            if (turn) continue;
            cm_schedule_reduce(s, in + b * element, into, m);
            cm_schedule_copy(s, into, place, m * element);
        }
}

/* ---- Pairwise exchange ----------------------------------------------------------------------- */

static void ring_alltoall(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                          int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes, own = (size_t)rank * bytes;
    cm_schedule_copy(s, cm_block(call->in, own), cm_block(call->out, own), bytes);
    for (int i = 1; i < size; i++) {
        const int from = cm_rank_before(rank, i, size), to = cm_rank_after(rank, i, size);
        exchange(s, cm_block(call->in, (size_t)to * bytes), bytes, to,
                 cm_block(call->out, (size_t)from * bytes), bytes, from);
    }
}

static void ring_alltoallv(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                           int64_t parameter)
{
    (void)parameter;
    cm_schedule_copy(s, cm_block(call->in, call->in_offsets[rank]),
                     cm_block(call->out, call->out_offsets[rank]), call->in_bytes[rank]);
    for (int i = 1; i < size; i++) {
        const int from = cm_rank_before(rank, i, size), to = cm_rank_after(rank, i, size);
        exchange(s, cm_block(call->in, call->in_offsets[to]), call->in_bytes[to], to,
                 cm_block(call->out, call->out_offsets[from]), call->out_bytes[from], from);
    }
}

/* In round i a rank sends rank + i its block and receives its own block of rank - i. Ranks rank - 1
   to 0 come first, in this order, then the last rank down to rank + 1. So two partial results keep
   the order of operands for every operator: that of ranks 0 to rank, and that of the ranks after
   it, which is in out. out may be this rank's block in in. */
void cm_ring_reduce_scatter(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                            int64_t parameter)
{
    (void)parameter;
    const size_t element = cm_type_bytes(call->type), count = call->counts[rank];
    const size_t bytes = count * element, own = cm_counts_sum(call->counts, 0, rank) * element;
    const bool last = rank == size - 1;
    const char *in = call->in;
    char *upper = call->out, *lower = upper, *came = NULL;
    if (size > 1) {
        came = cm_schedule_stage(s, last ? 1 : 2, bytes);
        if (!last) lower = came + bytes;
    }
    cm_schedule_copy(s, cm_block(in, own), lower, bytes);
    size_t at = own + bytes; /* where the block of rank + i begins */
    for (int i = 1; i < size; i++) {
        const int to = cm_rank_after(rank, i, size), from = cm_rank_before(rank, i, size);
        const size_t sent = call->counts[to] * element;
        if (to == 0) at = 0;
        const bool first = i == rank + 1; /* of the ranks after this one */
        exchange(s, cm_block(in, at), sent, to, first ? upper : came, bytes, from);
        if (!first) cm_schedule_reduce(s, came, i <= rank ? lower : upper, count);
        at += sent;
    }
    if (!last) cm_schedule_reduce(s, lower, upper, count);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_ring_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {0, "a barrier has no blocks to pass round"},
    [CM_COLLECTIVE_BCAST] = {0, CM_WHY_ONE_WAY},
    [CM_COLLECTIVE_REDUCE] = {0, CM_WHY_ONE_WAY},
    [CM_COLLECTIVE_ALLREDUCE] = {ring_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {0, "a prefix ends at the last rank; what is left is a chain"},
    [CM_COLLECTIVE_GATHER] = {0, CM_WHY_ONE_WAY},
    [CM_COLLECTIVE_GATHERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_SCATTER] = {0, CM_WHY_ONE_WAY},
    [CM_COLLECTIVE_SCATTERV] = {0, CM_WHY_LENGTHS},
    [CM_COLLECTIVE_ALLGATHER] = {ring_allgather, 0},
    [CM_COLLECTIVE_ALLGATHERV] = {ring_allgatherv, 0},
    [CM_COLLECTIVE_ALLTOALL] = {ring_alltoall, 0},
    [CM_COLLECTIVE_ALLTOALLV] = {ring_alltoallv, 0},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {cm_ring_reduce_scatter, 0},
};
