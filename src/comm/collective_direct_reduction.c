/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_direct_reduction.c: reductions in which ranks of a host read each other's operands.
   Each rank reduces one part of the vectors, in pieces that stay in the cache, in the order of
   ranks; then whoever wants the result reads the parts. Nothing is copied before it is added.

   If the system refuses a read, the rank asks all others for what is left of its part. So the order
   of operands, and with it every bit of the result, is the same in any case. */
#include <stdlib.h>
#include <string.h>
#include "comm/block_copy.h"
#include "comm/collective_direct.h"

/* Bytes of a piece: two of them and the result stay in the cache near a core. */
enum { PIECE_BYTES = 65536, ALIGNMENT = 64 };

/* The answer to a rank whose operand was read, and an offer of this rank's part of the result. */
typedef struct {
    uint64_t moved;
    cm_direct_offer result;
} answer;

/* What there is for each peer. */
typedef struct {
    cm_direct_block in;      /* the peer's part of this rank's operand, which it reads */
    cm_direct_block operand; /* this rank's part of the peer's operand */
    cm_direct_block given;   /* this rank's part of the result, for the peer */
    cm_direct_block result;  /* the peer's part of the result */
    answer said, heard;
    char *late;                     /* what came of the operand as a message */
    cm_schedule_part ready, awaits; /* if a part was late: that it is there now */
} side;

typedef struct {
    cm_op op;
    cm_type type;
    cm_collective collective;
    int rank, size;
    size_t element, count;   /* bytes of an element, elements of this rank's part */
    const char *in;          /* this rank's part of its operand */
    char *out;               /* and of the result; it may be the same memory */
    size_t done;             /* elements reduced so far */
    cm_direct_offer *offers; /* of the peers' operands, with room up to the pieces' end */
    char *piece[2], *late;
    side *side; /* by peer */
} reduction;

/* ---- Reducing -------------------------------------------------------------------------------- */

/* Returns n elements of a rank's operand from element `at` on, which may be overwritten. They are
   in `to`, or where they came late. Returns NULL if they cannot be read. */
static char *operand(const reduction *r, cm_group *group, int k, size_t at, size_t n, char *to)
{
    const size_t begin = at * r->element, bytes = n * r->element;
    side *other = &r->side[k];
    if (k == r->rank) {
        if (to != r->in + begin) cm_block_copy(to, r->in + begin, bytes);
        return to;
    }
    if (r->late) return other->late + (at - r->done) * r->element;
    const bool moved = cm_backend_move(group, other->operand.peer, &other->operand.offer->place,
                                       begin, to, bytes, false);
    return moved ? to : NULL;
}

/* Reduces n elements from element `at` on. Writes none of the result if an operand is missing. */
static bool reduce_piece(const reduction *r, cm_group *group, size_t at, size_t n)
{
    char *out = r->out + at * r->element;
    const bool in_place = r->in == r->out;
    const char *left =
        r->rank == 0 ? r->in + at * r->element : operand(r, group, 0, at, n, r->piece[0]);
    for (int k = 1; k < r->size && left; k++) {
        const bool straight = k == r->size - 1 && (!in_place || k == r->rank);
        char *right = operand(r, group, k, at, n, straight ? out : r->piece[k % 2]);
        if (right) cm_operator_apply(r->op, r->type, left, right, n);
        left = right;
    }
    if (left && left != out) cm_block_copy(out, left, n * r->element);
    return left != NULL;
}

/* Returns the number of elements, up to `end`, that are reduced. */
static size_t reduce_from(const reduction *r, cm_group *group, size_t at, size_t end)
{
    const size_t most = r->element < PIECE_BYTES ? PIECE_BYTES / r->element : 1;
    while (at < end) {
        const size_t n = end - at < most ? end - at : most;
        if (!reduce_piece(r, group, at, n)) break;
        at += n;
    }
    return at;
}

static bool reduce_part(cm_group *group, void *context)
{
    reduction *r = context;
    for (int k = 0; k < r->size; k++)
        if (k != r->rank) cm_direct_check(&r->side[k].operand);
    const size_t look = (CM_SCHEDULE_LOOK_BYTES + r->element - 1) / r->element;
    const size_t end = r->count - r->done < look ? r->count : r->done + look;
    r->done = reduce_from(r, group, r->done, end);
    for (int k = 0; k < r->size; k++) r->side[k].said.moved = r->done * r->element;
    return r->done < end || r->done == r->count;
}

/* After the answers: what is still to be sent, and where what is missing will arrive. */
static bool settle(cm_group *group, void *context)
{
    reduction *r = context;
    const size_t missing = (r->count - r->done) * r->element;
    char *to = NULL;
    if (missing) {
        to = r->late = malloc(missing * (size_t)r->size);
        if (!to)
            cm_abort(CM_EXIT_SYSTEM, "cm_%s: out of memory: %zu bytes of operands",
                     cm_collective_name(r->collective), missing * (size_t)r->size);
    }
    for (int k = 0; k < r->size; k++) {
        if (k == r->rank) continue;
        side *other = &r->side[k];
        other->in.moved = other->heard.moved;
        cm_direct_owe(group, &other->in);
        other->result.offer = &other->heard.result;
        other->late = to;
        other->operand.rest = (cm_schedule_part){to, missing};
        if (to) to += missing;
        other->ready = (cm_schedule_part){(char *)&other->said.moved, missing ? 1 : 0};
        other->awaits =
            (cm_schedule_part){(char *)&other->heard.moved, other->in.rest.bytes ? 1 : 0};
    }
    return true;
}

static bool reduce_late(cm_group *group, void *context)
{
    reduction *r = context;
    if (r->late) reduce_from(r, group, r->done, r->count);
    free(r->late);
    r->late = NULL;
    return true;
}

/* ---- The schedule ---------------------------------------------------------------------------- */

/* Where the parts lie in an operand: part k begins at element start[k]. */
typedef struct {
    const size_t *counts; /* NULL: equal parts of count elements */
    size_t count;
    int size;
} parts;

static size_t part_start(const parts *p, int k)
{
    return p->counts ? cm_counts_sum(p->counts, 0, k) : cm_chunk_start(p->count, p->size, k);
}

static size_t padded(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Returns the reduction, in one piece of memory with all that belongs to it. Without `out` this
   rank's part of the result is in there, too. */
static reduction *reduction_new(cm_schedule *s, const cm_collective_call *call, int rank,
                                const parts *p, char *out)
{
    const size_t element = cm_type_bytes(call->type), sides = (size_t)p->size * sizeof(side);
    const size_t begin = part_start(p, rank), count = part_start(p, rank + 1) - begin;
    const size_t bytes = count * element;
    const size_t piece = element > PIECE_BYTES ? element : PIECE_BYTES;
    const size_t offers = (size_t)p->size * sizeof(cm_direct_offer);
    size_t need = padded(sizeof(reduction)) + padded(sides) + padded(offers) + 2 * padded(piece);
    if (!out && __builtin_add_overflow(need, padded(bytes), &need)) need = SIZE_MAX;
    char *memory = cm_schedule_stage(s, 1, need);
    reduction *r = (void *)memory;
    memory += padded(sizeof *r);
    *r = (reduction){.op = call->op,
                     .type = call->type,
                     .collective = call->collective,
                     .rank = rank,
                     .size = p->size,
                     .element = element,
                     .count = count,
                     .in = cm_block(call->in, begin * element),
                     .out = out,
                     .side = (void *)memory};
    memset(r->side, 0, sides);
    memory += padded(sides);
    r->offers = (void *)memory;
    memory += padded(offers);
    for (int i = 0; i < 2; i++, memory += padded(piece)) r->piece[i] = memory;
    if (!out) r->out = memory;
    return r;
}

static void add_reduction(cm_schedule *s, const cm_collective_call *call, const parts *p,
                          reduction *r, const bool *reads)
{
    for (int k = 0; k < p->size; k++) {
        if (k == r->rank) continue;
        side *other = &r->side[k];
        const size_t begin = part_start(p, k) * r->element, end = part_start(p, k + 1) * r->element;
        const size_t own = r->count * r->element;
        /* Without counts parts are equal if the vectors are. */
        cm_direct_own(&other->in, s, cm_block(call->in, begin), end - begin,
                      p->counts ? end - begin : call->bytes, k, false);
        cm_direct_foreign(&other->operand, s, NULL, own, p->counts ? own : call->bytes, k, false);
        if (reads[k]) {
            cm_direct_own(&other->given, s, r->out, own, own, k, false);
            other->said.result = other->given.own;
        }
        cm_direct_say(&other->in, s, k);
        cm_direct_hear(&other->operand, s, &r->offers[k], r->piece[1] + PIECE_BYTES, k);
    }
    cm_schedule_call(s, reduce_part, r);
    for (int k = 0; k < p->size; k++) {
        if (k == r->rank) continue;
        cm_schedule_send(s, &r->side[k].said, sizeof r->side[k].said, k);
        cm_schedule_recv(s, &r->side[k].heard, sizeof r->side[k].heard, k);
    }
    cm_schedule_call(s, settle, r);
    for (int k = 0; k < p->size; k++) {
        if (k == r->rank) continue;
        cm_schedule_send_part(s, &r->side[k].in.rest, k);
        cm_schedule_recv_part(s, &r->side[k].operand.rest, k);
    }
    cm_schedule_call(s, reduce_late, r);
}

/* The ranks that are marked in reads get the whole result in call->out. */
static void add_results(cm_schedule *s, const cm_collective_call *call, const parts *p,
                        reduction *r, const bool *reads)
{
    const bool here = reads[r->rank];
    for (int k = 0; k < p->size; k++) {
        if (k == r->rank) continue;
        if (reads[k]) cm_schedule_send_part(s, &r->side[k].ready, k);
        if (here) cm_schedule_recv_part(s, &r->side[k].awaits, k);
    }
    for (int i = 1; i < p->size && here; i++) {
        const int k = cm_rank_before(r->rank, i, p->size);
        const size_t begin = part_start(p, k) * r->element, end = part_start(p, k + 1) * r->element;
        cm_direct_foreign(&r->side[k].result, s, cm_block(call->out, begin), end - begin,
                          end - begin, k, false);
        cm_schedule_call(s, cm_direct_move, &r->side[k].result);
    }
    cm_schedule_round(s);
    for (int k = 0; k < p->size; k++) {
        if (k == r->rank) continue;
        cm_direct_block *given = &r->side[k].given, *result = &r->side[k].result;
        if (here) cm_schedule_send(s, &result->moved, sizeof result->moved, k);
        if (reads[k]) cm_schedule_recv(s, &given->moved, sizeof given->moved, k);
    }
    for (int k = 0; k < p->size; k++)
        if (k != r->rank && reads[k]) cm_schedule_call(s, cm_direct_owe, &r->side[k].given);
    cm_schedule_round(s);
    for (int k = 0; k < p->size; k++) {
        if (k == r->rank) continue;
        if (here) cm_schedule_recv_part(s, &r->side[k].result.rest, k);
        if (reads[k]) cm_schedule_send_part(s, &r->side[k].given.rest, k);
    }
}

/* ---- The collectives ------------------------------------------------------------------------- */

typedef enum { NOBODY, ROOT, ALL } readers;

/* Parts that are too short are not worth the rounds. */
static void add(cm_schedule *s, const cm_collective_call *call, int rank, int size, readers who)
{
    const parts p = {call->counts, call->count, size};
    const size_t least = cm_direct_least(s, rank, size);
    if (call->bytes / (size_t)size < least) {
        cm_linear_builders[call->collective].build(s, call, rank, size, 0);
        cm_schedule_offers(s, NULL);
        return;
    }
    bool *reads = malloc((size_t)size * sizeof *reads);
    if (!reads)
        cm_abort(CM_EXIT_SYSTEM, "cm_%s: out of memory for %d ranks",
                 cm_collective_name(call->collective), size);
    for (int k = 0; k < size; k++) reads[k] = who == ALL || (who == ROOT && k == call->root);
    char *out = who == NOBODY ? call->out : NULL;
    if (reads[rank]) out = (char *)call->out + part_start(&p, rank) * cm_type_bytes(call->type);
    reduction *r = reduction_new(s, call, rank, &p, out);
    add_reduction(s, call, &p, r, reads);
    if (who != NOBODY) add_results(s, call, &p, r, reads);
    cm_schedule_offers(s, NULL);
    free(reads);
}

void cm_direct_reduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                      int64_t parameter)
{
    (void)parameter;
    add(s, call, rank, size, ROOT);
}

void cm_direct_allreduce(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                         int64_t parameter)
{
    (void)parameter;
    add(s, call, rank, size, ALL);
}

void cm_direct_reduce_scatter(cm_schedule *s, const cm_collective_call *call, int rank, int size,
                              int64_t parameter)
{
    (void)parameter;
    add(s, call, rank, size, NOBODY);
}
