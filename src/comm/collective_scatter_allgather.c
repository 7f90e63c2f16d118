/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_scatter_allgather.c: collective operations on long vectors that first give each rank a
   part of the work and then gather the parts on all ranks. Each rank sends about twice the vector,
   however many ranks there are. */
#include "comm/collective.h"

/* Van de Geijn (Barnett et al. 1994): a binomial tree scatters the data in p chunks by place v,
   counted from the root, and a ring gathers them. The chunks of a subtree are contiguous
   (collective_binomial.c), so no other memory is needed. All ranks know which chunks are empty;
   these are not sent. */
static void scatter_allgather_bcast(cm_schedule *s, const cm_collective_call *call, int rank,
                                    int size, int64_t parameter)
{
    (void)parameter;
    const size_t bytes = call->bytes;
    const int root = call->root, v = cm_rank_before(rank, root, size);
    char *data = call->out;
    int64_t b = 1; /* the subtree of v has places v to v + b - 1 */
    while (b < size && !(v & b)) b *= 2;
    if (v) {
        const int end = v + b < size ? (int)(v + b) : size;
        const size_t a = cm_chunk_start(bytes, size, v), z = cm_chunk_start(bytes, size, end);
        if (z > a) cm_schedule_recv(s, data + a, z - a, cm_rank_after((int)(v - b), root, size));
    }
    for (int64_t m = b / 2; m; m /= 2) {
        if (v + m >= size) continue;
        const int end = v + 2 * m < size ? (int)(v + 2 * m) : size;
        const size_t a = cm_chunk_start(bytes, size, (int)(v + m));
        const size_t z = cm_chunk_start(bytes, size, end);
        cm_schedule_round(s);
        if (z > a) cm_schedule_send(s, data + a, z - a, cm_rank_after((int)(v + m), root, size));
    }
    for (int i = 1; i < size; i++) {
        const int mine = cm_rank_before(v, i - 1, size), next = cm_rank_before(v, i, size);
        const size_t a = cm_chunk_start(bytes, size, mine), c = cm_chunk_start(bytes, size, next);
        const size_t n = cm_chunk_start(bytes, size, mine + 1) - a;
        const size_t m = cm_chunk_start(bytes, size, next + 1) - c;
        cm_schedule_round(s);
        if (m) cm_schedule_recv(s, data + c, m, cm_rank_before(rank, 1, size));
        if (n) cm_schedule_send(s, data + a, n, cm_rank_after(rank, 1, size));
    }
}

/* Rabenseifner 2004. Among the places of a cm_pairing, neighbours, then pairs, then groups of four
   halve their common part: each keeps one half and adds the other rank's data to it. The way back
   exchanges the halves. Because near ranks come first, each part is the result of consecutive
   ranks, with the lower ranks' as the left operand. This keeps the order for any operator. */
static void scatter_allgather_allreduce(cm_schedule *s, const cm_collective_call *call, int rank,
                                        int size, int64_t parameter)
{
    (void)parameter;
    const size_t element = cm_type_bytes(call->type), count = call->count, bytes = call->bytes;
    char *out = call->out;
    const cm_pairing p = cm_pairing_of(rank, size);
    if (p.paired && rank % 2 == 0) {
        cm_schedule_send(s, call->in, bytes, rank + 1);
        cm_schedule_round(s);
        cm_schedule_recv(s, out, bytes, rank + 1);
        return;
    }
    cm_schedule_copy(s, call->in, out, bytes);
    if (size == 1) return;
    char *aside = cm_schedule_stage(s, p.paired ? count : count - count / 2, element);
    if (p.paired) {
        cm_schedule_recv(s, aside, bytes, rank - 1);
        cm_schedule_reduce(s, aside, out, count);
    }

    /* The common part is elements a to z - 1. It was begin[k] to end[k] - 1 before the round of
       distance 2^k. */
    enum { ROUNDS = 31 };
    size_t a = 0, z = count, begin[ROUNDS], end[ROUNDS];
    int k = 0;
    for (int d = 1; d < p.places; d *= 2, k++) {
        const int w = p.place ^ d, peer = cm_pairing_rank(&p, w);
        const size_t half = a + (z - a) / 2;
        begin[k] = a;
        end[k] = z;
        cm_schedule_round(s);
        char *upper = out + half * element, *lower = out + a * element;
        const size_t n_upper = z - half, n_lower = half - a;
        if (w < p.place) { /* keeps the upper half */
            if (n_upper) cm_schedule_recv(s, aside, n_upper * element, peer);
            if (n_lower) cm_schedule_send(s, lower, n_lower * element, peer);
            cm_schedule_reduce(s, aside, upper, n_upper);
            a = half;
        } else {
            if (n_lower) cm_schedule_recv(s, aside, n_lower * element, peer);
            if (n_upper) cm_schedule_send(s, upper, n_upper * element, peer);
            cm_schedule_reduce(s, lower, aside, n_lower);
            cm_schedule_copy(s, aside, lower, n_lower * element);
            z = half;
        }
    }
    for (int d = p.places / 2; d; d /= 2) {
        const int w = p.place ^ d, peer = cm_pairing_rank(&p, w);
        k--;
        const bool below = w < p.place;
        const size_t b = below ? begin[k] : z, e = below ? a : end[k]; /* the missing part */
        cm_schedule_round(s);
        if (e > b) cm_schedule_recv(s, out + b * element, (e - b) * element, peer);
        if (z > a) cm_schedule_send(s, out + a * element, (z - a) * element, peer);
        a = begin[k];
        z = end[k];
    }
    cm_schedule_round(s);
    if (p.paired) cm_schedule_send(s, out, bytes, rank - 1);
}

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_scatter_allgather_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {0, "a barrier has no data to scatter"},
    [CM_COLLECTIVE_BCAST] = {scatter_allgather_bcast, 0},
    [CM_COLLECTIVE_REDUCE] = {0, "one rank alone gets the result, nothing to allgather"},
    [CM_COLLECTIVE_ALLREDUCE] = {scatter_allgather_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {0, "every rank has its own result"},
    [CM_COLLECTIVE_GATHER] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_GATHERV] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_SCATTER] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_SCATTERV] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_ALLGATHER] = {0, "blocks are already scattered; the second half is ring"},
    [CM_COLLECTIVE_ALLGATHERV] = {0, "blocks are already scattered; the second half is ring"},
    [CM_COLLECTIVE_ALLTOALL] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_ALLTOALLV] = {0, CM_WHY_BLOCKS},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {0, "its first half alone is doubling"},
};
