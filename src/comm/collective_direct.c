/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_direct.c: collective operations in which ranks of a host copy blocks themselves, from
   buffer to buffer. Every block is copied once and by one rank, in one call of the system, after
   one short message; what ranks exchange at the end says that buffers are free again. Blocks that
   are too short for this are messages, and so is everything between hosts (linear). */
#include <stddef.h>
#include <stdint.h>
#include "comm/collective_direct.h"

static cm_schedule_offered offered_bytes;

size_t cm_direct_least(cm_schedule *s, int rank, int size)
{
    size_t least = size > 1 ? 0 : SIZE_MAX;
    for (int k = 0; k < size; k++) {
        if (k == rank) continue;
        const size_t bytes = cm_backend_direct_bytes(cm_schedule_group(s), cm_schedule_rank(s, k));
        if (bytes > least) least = bytes;
    }
    if (least != SIZE_MAX) cm_schedule_offers(s, offered_bytes);
    return least;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

void cm_direct_foreign(cm_direct_block *b, const cm_schedule *s, void *data, size_t bytes,
                       size_t whole, int peer, bool out)
{
    *b = (cm_direct_block){.collective = cm_schedule_collective(s),
                           .peer = cm_schedule_rank(s, peer),
                           .data = data,
                           .bytes = bytes,
                           .whole = whole,
                           .out = out};
    for (size_t i = 0; i < sizeof b->own.bytes; i++) b->own.bytes[i] = (uint8_t)(whole >> 8 * i);
}

void cm_direct_own(cm_direct_block *b, const cm_schedule *s, void *data, size_t bytes, size_t whole,
                   int peer, bool written)
{
    cm_direct_foreign(b, s, data, bytes, whole, peer, false);
    cm_backend_offer(cm_schedule_group(s), b->peer, data, bytes, written, &b->own.place);
}

static size_t offered_bytes(const void *message)
{
    const uint8_t *at = (const uint8_t *)message + offsetof(cm_direct_offer, bytes);
    size_t bytes = 0;
    for (size_t i = CM_SCHEDULE_OFFER_BYTES - offsetof(cm_direct_offer, bytes); i-- > 0;)
        bytes = bytes << 8 | at[i];
    return bytes;
}

void cm_direct_say(const cm_direct_block *b, cm_schedule *s, int peer)
{
    cm_schedule_send_offer(s, &b->own, peer);
}

void cm_direct_hear(cm_direct_block *b, cm_schedule *s, cm_direct_offer *slot, const void *end,
                    int peer)
{
    b->offer = slot;
    cm_schedule_recv_offer(s, slot, (size_t)((const char *)end - (char *)slot), &b->whole, peer);
}

void cm_direct_check(const cm_direct_block *b)
{
    const size_t bytes = offered_bytes(b->offer);
    if (bytes == b->whole) return;
    if (!b->out) cm_schedule_mismatch(b->collective, b->peer, bytes, b->whole);
    cm_abort(CM_EXIT_USAGE,
             "cm_%s: rank %d expects %zu bytes of this rank, which has %zu; "
             "the lengths must match on all ranks",
             cm_collective_name(b->collective), b->peer, bytes, b->whole);
}

bool cm_direct_move(cm_group *group, void *context)
{
    cm_direct_block *b = context;
    cm_direct_check(b);
    const size_t at = (size_t)b->moved, left = b->bytes - at;
    const size_t n = left < CM_SCHEDULE_LOOK_BYTES ? left : CM_SCHEDULE_LOOK_BYTES;
    const bool moved =
        cm_backend_move(group, b->peer, &b->offer->place, at, b->data + at, n, b->out);
    if (moved) b->moved += n;
    b->rest = (cm_schedule_part){b->data + b->moved, b->bytes - (size_t)b->moved};
    return !moved || b->moved == b->bytes;
}

bool cm_direct_owe(cm_group *group, void *context)
{
    cm_direct_block *b = context;
    (void)group;
    if (b->moved > b->bytes)
        cm_abort(CM_EXIT_SYSTEM, "cm_%s: rank %d says that it moved %llu of %zu bytes",
                 cm_collective_name(b->collective), b->peer, (unsigned long long)b->moved,
                 b->bytes);
    b->rest = (cm_schedule_part){b->data + b->moved, b->bytes - (size_t)b->moved};
    return true;
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
    int eighths;  /* of a long block that whoever wants it copies; the rest is for who has it */
    bool pushes;  /* this exchange is of what is copied by those who have it */
    size_t least; /* bytes of a block that is offered */
    cm_direct_block *own, *foreign; /* by peer: offered by this rank, moved by this rank */
    cm_direct_offer *heard;         /* by peer, with room up to end */
    const void *end;
} exchange;

/* The part of a block that belongs to this exchange. Only long blocks have two parts. */
static block part_of(const exchange *x, int k, bool out)
{
    const block all = x->of(x->call, x->rank, k, out);
    const size_t page = 4096, wanted = all.bytes / 8 * (size_t)x->eighths / page * page;
    size_t cut = x->eighths < 4 ? 0 : all.bytes;
    if (x->eighths % 8 && all.bytes >= 4 * x->least) cut = wanted;
    return x->pushes ? (block){cm_block(all.data, cut), all.bytes - cut} : (block){all.data, cut};
}

static size_t whole(const exchange *x, int k, bool out)
{
    return x->of(x->call, x->rank, k, out).bytes;
}

static block offered(const exchange *x, int k) { return part_of(x, k, !x->pushes); }
static block moved(const exchange *x, int k) { return part_of(x, k, x->pushes); }

/* Returns true if whoever has the block first says in a message, without an offer, that it is long:
   the other, if its length is another one, waits for a short block. That message is needed only if
   no part of the block is offered by whoever has it. */
static bool announced(const exchange *x, int k, bool out)
{
    exchange pulled = *x;
    pulled.pushes = false;
    return x->pushes && part_of(x, k, out).bytes >= x->least
           && part_of(&pulled, k, out).bytes < x->least;
}

/* A short block goes as a message at the time of the offer or, if the mover has it, of the
   answer. */
static void add_offers(const exchange *x)
{
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_after(x->rank, i, x->size);
        const block b = offered(x, k);
        cm_direct_block *own = &x->own[k];
        if (b.bytes >= x->least) {
            cm_direct_own(own, x->s, b.data, b.bytes, whole(x, k, !x->pushes), k, x->pushes);
            cm_direct_say(own, x->s, k);
        } else if (b.bytes && !x->pushes) {
            cm_schedule_send(x->s, b.data, b.bytes, k);
        }
    }
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_before(x->rank, i, x->size);
        const block b = moved(x, k);
        cm_direct_block *foreign = &x->foreign[k];
        if (b.bytes >= x->least) {
            cm_direct_foreign(foreign, x->s, b.data, b.bytes, whole(x, k, x->pushes), k, x->pushes);
            cm_direct_hear(foreign, x->s, &x->heard[k], x->end, k);
            if (announced(x, k, true)) cm_direct_say(foreign, x->s, k);
        } else if (b.bytes && !x->pushes) {
            cm_schedule_recv(x->s, b.data, b.bytes, k);
        }
    }
}

static void add_own(const exchange *x)
{
    const block from = x->of(x->call, x->rank, x->rank, true);
    const block to = x->of(x->call, x->rank, x->rank, false);
    cm_schedule_copy(x->s, from.data, to.data, to.bytes);
}

static void add_moves(const exchange *x)
{
    for (int i = 1; i < x->size; i++) {
        const int k = cm_rank_before(x->rank, i, x->size);
        if (moved(x, k).bytes >= x->least) cm_schedule_call(x->s, cm_direct_move, &x->foreign[k]);
    }
}

static void add_answers(const exchange *x)
{
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
        if (announced(x, k, false)) cm_direct_hear(&x->own[k], x->s, &x->heard[k], x->end, k);
        if (b.bytes >= x->least)
            cm_schedule_recv(x->s, &x->own[k].moved, sizeof x->own[k].moved, k);
        else if (b.bytes && x->pushes) cm_schedule_recv(x->s, b.data, b.bytes, k);
    }
}

static void add_debts(const exchange *x)
{
    for (int k = 0; k < x->size; k++)
        if (k != x->rank && offered(x, k).bytes >= x->least)
            cm_schedule_call(x->s, cm_direct_owe, &x->own[k]);
}

static void add_rests(const exchange *x)
{
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

static void each(const exchange *two, void add(const exchange *))
{
    add(&two[0]);
    add(&two[1]);
}

static void add_exchange(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                         block_of *of, int eighths)
{
    const size_t least = cm_direct_least(s, rank, size);
    if (least == SIZE_MAX) {
        cm_linear_builders[call->collective].build(s, call, rank, size, 0);
        return;
    }
    const size_t n = (size_t)size, heard_bytes = 2 * n * sizeof(cm_direct_offer) + least;
    cm_direct_block *blocks = (void *)cm_schedule_stage(s, 1, 4 * n * sizeof *blocks + heard_bytes);
    cm_direct_offer *heard = (void *)(blocks + 4 * n);
    const void *end = (char *)heard + heard_bytes;
    exchange two[2];
    for (int i = 0; i < 2; i++, blocks += 2 * n, heard += n)
        two[i] = (exchange){.s = s,
                            .call = call,
                            .rank = rank,
                            .size = size,
                            .of = of,
                            .eighths = eighths,
                            .pushes = i == 1,
                            .least = least,
                            .own = blocks,
                            .foreign = blocks + n,
                            .heard = heard,
                            .end = end};
    each(two, add_offers);
    add_own(two);
    each(two, add_moves);
    cm_schedule_round(s);
    each(two, add_answers);
    each(two, add_debts);
    cm_schedule_round(s);
    each(two, add_rests);
    cm_schedule_offers(s, NULL);
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

/* The number of eighths of a block that whoever wants it copies, among two ranks and among more.
   The root of a gather would copy the blocks of all others one after the other, so they write. Of
   two ranks one would be idle while the other copies; a root has its own block to copy, too. */
#define EXCHANGE(name, of_two, of_more)                                                           \
    static void direct_##name(cm_schedule *s, const cm_collective_call *call, int rank, int size, \
                              int64_t parameter)                                                  \
    {                                                                                             \
        (void)parameter;                                                                          \
        add_exchange(s, call, rank, size, of_##name, size == 2 ? of_two : of_more);               \
    }
EXCHANGE(bcast, 4, 8)
EXCHANGE(gather, 2, 0)
EXCHANGE(gatherv, 2, 0)
EXCHANGE(scatter, 6, 8)
EXCHANGE(scatterv, 6, 8)
EXCHANGE(allgather, 8, 8)
EXCHANGE(allgatherv, 8, 8)
EXCHANGE(alltoall, 8, 8)
EXCHANGE(alltoallv, 8, 8)

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
