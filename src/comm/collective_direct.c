/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_direct.c: collective operations in which ranks of a host copy blocks themselves, from
   buffer to buffer. Every block is copied once and by one rank, in one call of the system, after
   one short message; what ranks exchange at the end says that buffers are free again. Blocks that
   are too short for this are messages, and so is everything between hosts (linear). */
#include <stdint.h>
#include "comm/collective_direct.h"

size_t cm_direct_least(const cm_schedule *s, int rank, int size)
{
    size_t least = size > 1 ? 0 : SIZE_MAX;
    for (int k = 0; k < size; k++) {
        if (k == rank) continue;
        const size_t bytes = cm_backend_direct_bytes(cm_schedule_group(s), cm_schedule_rank(s, k));
        if (bytes > least) least = bytes;
    }
    return least;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void set(cm_direct_block *b, const cm_schedule *s, void *data, size_t bytes, int peer,
                bool out)
{
    *b = (cm_direct_block){.collective = cm_schedule_collective(s),
                           .peer = cm_schedule_rank(s, peer),
                           .data = data,
                           .bytes = bytes,
                           .out = out};
}

void cm_direct_own(cm_direct_block *b, const cm_schedule *s, void *data, size_t bytes, int peer,
                   bool written)
{
    set(b, s, data, bytes, peer, false);
    b->offer.bytes = bytes;
    cm_backend_offer(cm_schedule_group(s), b->peer, data, bytes, written, &b->offer.place);
}

void cm_direct_foreign(cm_direct_block *b, const cm_schedule *s, void *data, size_t bytes, int peer,
                       bool out)
{
    set(b, s, data, bytes, peer, out);
}

void cm_direct_check(const cm_direct_block *b)
{
    if (b->offer.bytes != b->bytes)
        cm_abort(CM_EXIT_USAGE,
                 "cm_%s: rank %d has %llu bytes for this rank but %zu were expected; "
                 "the lengths must match on all ranks",
                 cm_collective_name(b->collective), b->peer, (unsigned long long)b->offer.bytes,
                 b->bytes);
}

void cm_direct_move(cm_group *group, void *context)
{
    cm_direct_block *b = context;
    cm_direct_check(b);
    const bool moved =
        cm_backend_move(group, b->peer, &b->offer.place, 0, b->data, b->bytes, b->out);
    b->moved = moved ? b->bytes : 0;
    b->rest = (cm_schedule_part){b->data, moved ? 0 : b->bytes};
}

void cm_direct_owe(cm_group *group, void *context)
{
    cm_direct_block *b = context;
    (void)group;
    if (b->moved > b->bytes)
        cm_abort(CM_EXIT_SYSTEM, "cm_%s: rank %d says that it moved %llu of %zu bytes",
                 cm_collective_name(b->collective), b->peer, (unsigned long long)b->moved,
                 b->bytes);
    b->rest = (cm_schedule_part){b->data + b->moved, b->bytes - (size_t)b->moved};
}

/* ---- Exchanges of blocks --------------------------------------------------------------------- */

/* A block that rank gives peer (out) or gets from it, with its length; 0: none. Both may be the
   same rank. */
typedef struct {
    char *data;
    size_t bytes;
} block;
typedef block block_of(const cm_collective_call *call, int rank, int peer, bool out);

/* The four parts of an exchange between this rank and its peers. */
typedef struct {
    cm_schedule *s;
    const cm_collective_call *call;
    int rank, size;
    block_of *of;
    bool pushes;                    /* who has the data copies them, not who wants them */
    size_t least;                   /* bytes of a block that is offered */
    cm_direct_block *own, *foreign; /* by peer: offered by this rank, moved by this rank */
} exchange;

static block offered(const exchange *x, int k) { return x->of(x->call, x->rank, k, !x->pushes); }
static block moved(const exchange *x, int k) { return x->of(x->call, x->rank, k, x->pushes); }

/* A short block goes as a message at the time of the offer or, if the mover has it, of the
   answer. */
static void add_offers(const exchange *x)
{
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_after(x->rank, i, x->size);
        const block b = offered(x, k);
        cm_direct_block *own = &x->own[k];
        if (b.bytes >= x->least) {
            cm_direct_own(own, x->s, b.data, b.bytes, k, x->pushes);
            cm_schedule_send(x->s, &own->offer, sizeof own->offer, k);
        } else if (b.bytes && !x->pushes) {
            cm_schedule_send(x->s, b.data, b.bytes, k);
        }
    }
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_before(x->rank, i, x->size);
        const block b = moved(x, k);
        cm_direct_block *foreign = &x->foreign[k];
        if (b.bytes >= x->least) {
            cm_direct_foreign(foreign, x->s, b.data, b.bytes, k, x->pushes);
            cm_schedule_recv(x->s, &foreign->offer, sizeof foreign->offer, k);
        } else if (b.bytes && !x->pushes) {
            cm_schedule_recv(x->s, b.data, b.bytes, k);
        }
    }
}

static void add_moves(const exchange *x)
{
    const block from = x->of(x->call, x->rank, x->rank, true);
    const block to = x->of(x->call, x->rank, x->rank, false);
    cm_schedule_copy(x->s, from.data, to.data, to.bytes);
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_before(x->rank, i, x->size);
        if (moved(x, k).bytes >= x->least) cm_schedule_call(x->s, cm_direct_move, &x->foreign[k]);
    }
}

static void add_answers(const exchange *x)
{
    cm_schedule_round(x->s);
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_before(x->rank, i, x->size);
        const block b = moved(x, k);
        if (b.bytes >= x->least)
            cm_schedule_send(x->s, &x->foreign[k].moved, sizeof x->foreign[k].moved, k);
        else if (b.bytes && x->pushes) cm_schedule_send(x->s, b.data, b.bytes, k);
    }
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_after(x->rank, i, x->size);
        const block b = offered(x, k);
        if (b.bytes >= x->least)
            cm_schedule_recv(x->s, &x->own[k].moved, sizeof x->own[k].moved, k);
        else if (b.bytes && x->pushes) cm_schedule_recv(x->s, b.data, b.bytes, k);
    }
    for (int k = 0; k < x->size; k++)
        if (k != x->rank && offered(x, k).bytes >= x->least)
            cm_schedule_call(x->s, cm_direct_owe, &x->own[k]);
}

static void add_rests(const exchange *x)
{
    cm_schedule_round(x->s);
    for (int k = 0; k < x->size; k++) {
        if (k == x->rank) continue;
        const cm_schedule_part *own = &x->own[k].rest, *foreign = &x->foreign[k].rest;
        const bool owes = offered(x, k).bytes >= x->least, wants = moved(x, k).bytes >= x->least;
        if (owes && x->pushes) cm_schedule_recv_part(x->s, own, k);
        if (owes && !x->pushes) cm_schedule_send_part(x->s, own, k);
        if (wants && x->pushes) cm_schedule_send_part(x->s, foreign, k);
        if (wants && !x->pushes) cm_schedule_recv_part(x->s, foreign, k);
    }
}

static void add_exchange(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                         block_of *of, bool pushes)
{
    const size_t least = cm_direct_least(s, rank, size);
    if (least == SIZE_MAX) {
        cm_linear_builders[call->collective].build(s, call, rank, size, 0);
        return;
    }
    const size_t n = (size_t)size;
    cm_direct_block *blocks = (void *)cm_schedule_stage(s, 2 * n, sizeof *blocks);
    const exchange x = {.s = s,
                        .call = call,
                        .rank = rank,
                        .size = size,
                        .of = of,
                        .pushes = pushes,
                        .least = least,
                        .own = blocks,
                        .foreign = blocks + n};
    add_offers(&x);
    add_moves(&x);
    add_answers(&x);
    add_rests(&x);
}

/* ---- Which blocks ---------------------------------------------------------------------------- */

static const block none = {NULL, 0};

static block numbered(const void *data, int k, size_t bytes)
{
    return (block){cm_block(data, (size_t)k * bytes), bytes};
}

static block placed(const void *data, const size_t *bytes, const size_t *offsets, int k)
{
    return (block){cm_block(data, offsets[k]), bytes[k]};
}

static block of_bcast(const cm_collective_call *call, int rank, int peer, bool out)
{
    const bool moves = peer != rank && (out ? rank : peer) == call->root;
    return moves ? numbered(call->out, 0, call->bytes) : none;
}

static block of_gather(const cm_collective_call *call, int rank, int peer, bool out)
{
    if ((out ? peer : rank) != call->root) return none;
    return out ? numbered(call->in, 0, call->bytes) : numbered(call->out, peer, call->bytes);
}

static block of_gatherv(const cm_collective_call *call, int rank, int peer, bool out)
{
    if ((out ? peer : rank) != call->root) return none;
    return out ? numbered(call->in, 0, call->bytes)
               : placed(call->out, call->out_bytes, call->out_offsets, peer);
}

static block of_scatter(const cm_collective_call *call, int rank, int peer, bool out)
{
    if ((out ? rank : peer) != call->root) return none;
    return out ? numbered(call->in, peer, call->bytes) : numbered(call->out, 0, call->bytes);
}

static block of_scatterv(const cm_collective_call *call, int rank, int peer, bool out)
{
    if ((out ? rank : peer) != call->root) return none;
    return out ? placed(call->in, call->in_bytes, call->in_offsets, peer)
               : numbered(call->out, 0, call->bytes);
}

static block of_allgather(const cm_collective_call *call, int rank, int peer, bool out)
{
    (void)rank;
    return out ? numbered(call->in, 0, call->bytes) : numbered(call->out, peer, call->bytes);
}

static block of_allgatherv(const cm_collective_call *call, int rank, int peer, bool out)
{
    (void)rank;
    return out ? numbered(call->in, 0, call->bytes)
               : placed(call->out, call->out_bytes, call->out_offsets, peer);
}

static block of_alltoall(const cm_collective_call *call, int rank, int peer, bool out)
{
    (void)rank;
    return numbered(out ? call->in : call->out, peer, call->bytes);
}

static block of_alltoallv(const cm_collective_call *call, int rank, int peer, bool out)
{
    (void)rank;
    return out ? placed(call->in, call->in_bytes, call->in_offsets, peer)
               : placed(call->out, call->out_bytes, call->out_offsets, peer);
}

/* The root of a gather would copy the blocks of all others one after the other, so they write. */
#define EXCHANGE(name, pushes)                                                                    \
    static void direct_##name(cm_schedule *s, const cm_collective_call *call, int rank, int size, \
                              int64_t parameter)                                                  \
    {                                                                                             \
        (void)parameter;                                                                          \
        add_exchange(s, call, rank, size, of_##name, pushes);                                     \
    }
EXCHANGE(bcast, false)
EXCHANGE(gather, true)
EXCHANGE(gatherv, true)
EXCHANGE(scatter, false)
EXCHANGE(scatterv, false)
EXCHANGE(allgather, false)
EXCHANGE(allgatherv, false)
EXCHANGE(alltoall, false)
EXCHANGE(alltoallv, false)

/* ---- Table of the collectives ---------------------------------------------------------------- */

const cm_algorithm_entry cm_direct_builders[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = {0, "a barrier has no data that could be read"},
    [CM_COLLECTIVE_BCAST] = {direct_bcast, 0},
    [CM_COLLECTIVE_REDUCE] = {cm_direct_reduce, 0},
    [CM_COLLECTIVE_ALLREDUCE] = {cm_direct_allreduce, 0},
    [CM_COLLECTIVE_SCAN] = {0, "each rank needs the prefix of the one before it"},
    [CM_COLLECTIVE_GATHER] = {direct_gather, 0},
    [CM_COLLECTIVE_GATHERV] = {direct_gatherv, 0},
    [CM_COLLECTIVE_SCATTER] = {direct_scatter, 0},
    [CM_COLLECTIVE_SCATTERV] = {direct_scatterv, 0},
    [CM_COLLECTIVE_ALLGATHER] = {direct_allgather, 0},
    [CM_COLLECTIVE_ALLGATHERV] = {direct_allgatherv, 0},
    [CM_COLLECTIVE_ALLTOALL] = {direct_alltoall, 0},
    [CM_COLLECTIVE_ALLTOALLV] = {direct_alltoallv, 0},
    [CM_COLLECTIVE_REDUCE_SCATTER] = {cm_direct_reduce_scatter, 0},
};
