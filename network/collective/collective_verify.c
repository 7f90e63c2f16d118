/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_verify.c: compares an operation's result with one that is computed from ranks, places
   and size alone. */
#include <stdlib.h>
#include <string.h>
#include "collective.h"

/* ---- Data ------------------------------------------------------------------------------------ */

/* Returns byte i of the block that rank from has for rank to. */
static unsigned char byte_at(uint64_t from, uint64_t to, uint64_t size, uint64_t i)
{
    uint64_t x = i + (from << 20) + (to << 42) + size * 0x632be59bd9b4e019u;
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return (unsigned char)((x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 56);
}

/* Element i of a rank's vector is w(rank) f(i), where w is 1 to 16 in turn. The sum over the first
   n ranks is f(i) times the sum of their w: whole numbers, which f keeps so small that each type
   has them exactly. */
enum { WEIGHTS = 16 };
static int64_t weight(int64_t rank) { return rank % WEIGHTS + 1; }

static int64_t weights_of(int64_t ranks)
{
    int64_t turns = ranks / WEIGHTS, rest = ranks % WEIGHTS;
    return turns * WEIGHTS * (WEIGHTS + 1) / 2 + rest * (rest + 1) / 2;
}

/* p is the number of all ranks. */
static int64_t factor_at(const collective_call *call, int64_t p, size_t i)
{
    const cm_type type = collective_types[call->type].type;
    int64_t exact = type == CM_FLOAT ? 1 << 24 : type == CM_INT32 ? INT32_MAX : INT64_MAX;
    int64_t most = exact / weights_of(p) < 1000003 ? exact / weights_of(p) : 1000003;
    return (int64_t)((i * 2654435761u + call->bytes) % (uint64_t)(most > 0 ? most : 1)) + 1;
}

/* Byte at of a vector whose elements are times f(i). */
static unsigned char sum_byte(const collective_call *call, int64_t p, size_t at, int64_t times)
{
    const collective_type *type = &collective_types[call->type];
    int64_t value = times * factor_at(call, p, at / type->bytes);
    const int32_t as_int32 = (int32_t)value;
    const float as_float = (float)value;
    const double as_double = (double)value;
    const void *from = type->type == CM_INT32    ? (const void *)&as_int32
                       : type->type == CM_FLOAT  ? (const void *)&as_float
                       : type->type == CM_DOUBLE ? (const void *)&as_double
                                                 : (const void *)&value;
    unsigned char b[sizeof value];
    memcpy(b, from, type->bytes);
    return b[at % type->bytes];
}

/* Returns the byte that this rank reads at position at of in. */
static unsigned char given(const collective_operation *o, const collective_call *call, int rank,
                           int64_t p, size_t at)
{
    const size_t bytes = call->bytes;
    if (o->reduction) return sum_byte(call, p, at, weight(rank));
    return byte_at((uint64_t)rank, o->in_all ? at / bytes : 0, bytes, at % bytes);
}

/* Returns the byte that rank of p must find in out. */
static unsigned char wanted(const collective_operation *o, const collective_call *call, int rank,
                            int64_t p, size_t at)
{
    const size_t bytes = call->bytes;
    if (o->reduction)
        return sum_byte(call, p, o->in_all ? (size_t)rank * bytes + at : at,
                        weights_of(o->prefix ? rank + 1 : p));
    uint64_t from = o->out_all ? at / bytes : COLLECTIVE_ROOT;
    return byte_at(from, o->in_all ? (uint64_t)rank : 0, bytes, at % bytes);
}

/* Some results of the dummy's peers cannot be verified. A barrier has no data. A result that a peer
   sends back to rank 0 consists of the peer's zeros. This does not happen with algorithms in which
   all operands come to rank 0, or in which rank 0 has the data of the broadcast. */
static bool verifiable(collective_others others, const collective_operation *o,
                       const collective_call *call)
{
    cm_algorithm_kind kind = call->algorithm.kind;
    if (others == COLLECTIVE_RANKS) return true;
    if (o->collective == CM_COLLECTIVE_BCAST || o->collective == CM_COLLECTIVE_ALLREDUCE)
        return cm_algorithm_has(kind, CM_WHOLE_AT_ROOT);
    if (o->collective == CM_COLLECTIVE_REDUCE_SCATTER)
        return !cm_algorithm_has(kind, CM_SUMS_BETWEEN);
    return o->collective != CM_COLLECTIVE_BARRIER && o->collective != CM_COLLECTIVE_SCAN;
}

/* The byte that rank 0 must find if the others are the dummy's peers. The backend's own operations
   return copies of rank 0's data, or the sum of p of its vectors; the layer's algorithms return
   zeros. */
static unsigned char wanted_of_peers(const collective_operation *o, const collective_call *call,
                                     int64_t p, size_t at)
{
    bool zeros = call->algorithm.kind != CM_KIND_AUTO && call->algorithm.kind != CM_KIND_NATIVE;
    if (o->data_of_root) return wanted(o, call, COLLECTIVE_ROOT, p, at);
    if (o->reduction) return sum_byte(call, p, at, zeros ? 1 : p);
    if (zeros && at >= call->bytes) return 0;
    return given(o, call, COLLECTIVE_ROOT, p, at % call->bytes);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

/* All zero, each page touched, and from a page on: copies between blocks that begin at different
   places of their cache lines take up to 1.4 times as long, and what malloc gives hangs on what was
   allocated before. Not cm_memory_open, whose huge pages the arrays of most programs lack. */
static unsigned char *zeros(size_t bytes)
{
    enum { PAGE_BYTES = 4096 };
    const size_t whole = bytes / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
    if (whole < bytes) return NULL;
    unsigned char *memory = aligned_alloc(PAGE_BYTES, whole);
    return memory ? memset(memory, 0, whole) : NULL;
}

bool collective_buffers_open(collective_buffers *buffers, const collective_room *room)
{
    buffers->in = zeros(room->in);
    buffers->out = zeros(room->out);
    buffers->counts = calloc((size_t)cm_size(cm_world()), sizeof *buffers->counts);
    buffers->lengths = calloc((size_t)cm_size(cm_world()), sizeof *buffers->lengths);
    buffers->offsets = calloc((size_t)cm_size(cm_world()), sizeof *buffers->offsets);
    if (buffers->in && buffers->out && buffers->counts && buffers->lengths && buffers->offsets)
        return true;
    collective_buffers_close(buffers);
    return false;
}

void collective_buffers_close(collective_buffers *buffers)
{
    free(buffers->in);
    free(buffers->out);
    free(buffers->counts);
    free(buffers->lengths);
    free(buffers->offsets);
}

collective_call collective_call_of(const collective_operation *operation,
                                   const collective_buffers *buffers, size_t bytes, int type,
                                   cm_algorithm algorithm)
{
    for (int k = 0; k < cm_size(cm_world()); k++) {
        buffers->counts[k] = bytes / collective_types[type].bytes;
        buffers->lengths[k] = bytes;
        buffers->offsets[k] = (size_t)k * bytes;
    }
    return (collective_call){.bytes = bytes,
                             .in = buffers->in,
                             .counts = buffers->counts,
                             .lengths = buffers->lengths,
                             .offsets = buffers->offsets,
                             .type = type,
                             .algorithm = algorithm,
                             .out = operation->in_place ? buffers->in : buffers->out};
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static void note(collective_damage *damage, size_t at, unsigned char expected, unsigned char got)
{
    if (damage->wrong_bytes++ > 0) return;
    damage->position = (int64_t)at;
    damage->expected = expected;
    damage->got = got;
}

static void verify_data(cm_group *group, collective_others others, const collective_operation *o,
                        const collective_call *call, collective_damage *damage)
{
    int rank = cm_rank(group), p = cm_size(group);
    bool root = rank == COLLECTIVE_ROOT, peers = others == COLLECTIVE_PEERS;
    bool reads = o->in_place || o->in_root ? root : true, writes = !o->out_root || root;
    size_t n_in = o->in_all ? call->bytes * (size_t)p : call->bytes;
    size_t n_out = o->out_all ? call->bytes * (size_t)p : call->bytes;

    /* Before the call every byte of out differs from its expected value. */
    for (size_t i = 0; i < n_out; i++)
        call->out[i] =
            (unsigned char)~(peers ? wanted_of_peers(o, call, p, i) : wanted(o, call, rank, p, i));
    memset(call->out + n_out, 0xa5, COLLECTIVE_GUARD_BYTES);
    for (size_t i = 0; reads && i < n_in; i++) call->in[i] = given(o, call, rank, p, i);
    collective_perform(group, o, call);

    for (size_t i = 0; writes && i < n_out; i++) {
        unsigned char expected =
            peers ? wanted_of_peers(o, call, p, i) : wanted(o, call, rank, p, i);
        if (call->out[i] != expected) note(damage, i, expected, call->out[i]);
    }
    for (size_t i = n_out; i < n_out + COLLECTIVE_GUARD_BYTES; i++)
        if (call->out[i] != 0xa5) note(damage, i, 0xa5, call->out[i]);
    for (size_t i = 0; reads && !o->in_place && i < n_in; i++) {
        unsigned char expected = given(o, call, rank, p, i);
        if (call->in[i] != expected) note(damage, i, expected, call->in[i]);
    }
}

/* No rank may leave a barrier before the last has entered. Each rank in turn comes late; the others
   send it a message when they have left. A message that arrives before it enters was sent too
   early. This needs no common clock, and a slow machine cannot make it fail. A simulator's clock
   hardly moves while a rank looks: what the rank waits is then said, a part at each look. */
static void verify_barrier(cm_group *group, const collective_operation *o,
                           const collective_call *call, collective_damage *damage)
{
    enum { TAG = 1, MOST_LATE = 16, SIMULATED_LATE = 4, SIMULATED_LOOKS = 16 };
    static const double late_s = 2e-3;
    int rank = cm_rank(group), size = cm_size(group);
    const int most = cm_comm_has(CM_HAS_SIMULATOR) ? SIMULATED_LATE : MOST_LATE;
    int step = (size + most - 1) / most;
    for (int late = 0; late < size && size > 1; late += step) {
        char word = 0;
        if (rank == late) {
            bool early = false;
            double begin_s = cm_time();
            while (!early && cm_time() - begin_s < late_s) {
                cm_status status;
                cm_compute(0, late_s / SIMULATED_LOOKS);
                early = cm_iprobe(group, CM_ANY, TAG, &status);
                if (early) note(damage, (size_t)status.source, 0, 1);
            }
        }
        collective_perform(group, o, call);
        if (rank != late) cm_send(group, &word, 1, late, TAG);
        for (int k = 0; rank == late && k < size; k++)
            if (k != late) cm_recv(group, &word, 1, k, TAG, NULL);
        cm_barrier(group, CM_NATIVE);
    }
}

bool collective_verify(cm_group *group, collective_others others,
                       const collective_operation *operation, const collective_call *call,
                       collective_damage *damage)
{
    int size = cm_size(group), rank = cm_rank(group);
    collective_damage mine = {.rank = rank};
    if (!verifiable(others, operation, call)) return true;
    if (operation->collective == CM_COLLECTIVE_BARRIER)
        verify_barrier(group, operation, call, &mine);
    else verify_data(group, others, operation, call, &mine);
    if (others == COLLECTIVE_PEERS) {
        *damage = mine;
        return mine.wrong_bytes == 0;
    }

    collective_damage *all = rank == 0 ? calloc((size_t)size, sizeof *all) : NULL;
    if (rank == 0 && !all)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the reports of %d ranks", size);
    cm_gather(group, &mine, sizeof mine, all, 0, CM_NATIVE);
    memset(damage, 0, sizeof *damage);
    for (int k = size - 1; rank == 0 && k >= 0; k--) {
        int64_t before = damage->wrong_bytes;
        if (all[k].wrong_bytes) *damage = all[k];
        else continue;
        damage->wrong_bytes += before;
    }
    free(all);
    cm_bcast(group, &damage->wrong_bytes, sizeof damage->wrong_bytes, 0, CM_NATIVE);
    return damage->wrong_bytes == 0;
}
