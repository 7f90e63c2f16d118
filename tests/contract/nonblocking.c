/* SPDX-License-Identifier: BSD-3-Clause */
/* nonblocking.c: comm.h: the non-blocking form of every collective, alone by every algorithm, and
   several at once that complete in another order, with messages between them. */
#include "algorithms.h"
#include "subject.h"

enum { SLOTS = 2 * CM_COLLECTIVES };

/* An operation under way: number j of a batch, with its arrays. Blocks have n elements, or, in the
   forms with a length for each rank, n * (r % 3) between this rank and rank r. */
typedef struct {
    cm_collective collective;
    int j, root;
    size_t n;
    int64_t *in, *out;
    size_t *counts, *bytes, *offsets; /* of n * (r % 3) elements */
    size_t *alike, *places;           /* alltoallv: what goes to this rank */
    cm_request *request;
} operation;

/* Element i of the block that rank from has for rank to. */
static int64_t element(const operation *o, int from, int to, size_t i)
{
    return ((int64_t)from * 131 + (int64_t)to * 17 + o->j) * 10007 + (int64_t)i;
}

static size_t varied(const operation *o, int r) { return o->n * (size_t)(r % 3); }

static void prepare(operation *o, cm_collective collective, int j, size_t n)
{
    const size_t p = (size_t)size, room = p * (2 * n + 1) * sizeof(int64_t);
    *o = (operation){.collective = collective, .j = j, .root = j % size, .n = n};
    o->in = memory(room);
    o->out = memory(room);
    o->counts = memory(p * sizeof(size_t));
    o->bytes = memory(p * sizeof(size_t));
    o->offsets = memory(p * sizeof(size_t));
    o->alike = memory(p * sizeof(size_t));
    o->places = memory(p * sizeof(size_t));
    memset(o->in, 0x5a, room);
    memset(o->out, 0x5a, room);
    for (int r = 0; r < size; r++) {
        o->counts[r] = varied(o, r);
        o->bytes[r] = o->counts[r] * sizeof(int64_t);
        o->offsets[r] = (size_t)r * 2 * n * sizeof(int64_t);
        o->alike[r] = varied(o, rank) * sizeof(int64_t);
        o->places[r] = (size_t)(size - 1 - r) * 2 * n * sizeof(int64_t);
    }
}

static void give(int64_t *at, const operation *o, int to, size_t n)
{
    for (size_t i = 0; i < n; i++) at[i] = element(o, rank, to, i);
}

static void begin(operation *o, cm_algorithm a)
{
    const size_t n = o->n, block = n * sizeof(int64_t), own = varied(o, rank);
    const bool roots = rank == o->root;
    size_t at = 0;
    switch (o->collective) {
    case CM_COLLECTIVE_BARRIER:
        o->request = cm_ibarrier(world, a);
        break;
    case CM_COLLECTIVE_BCAST:
        if (roots) give(o->out, o, 0, n);
        o->request = cm_ibcast(world, o->out, block, o->root, a);
        break;
    case CM_COLLECTIVE_REDUCE: /* every second one in place */
        give(o->j % 2 && roots ? o->out : o->in, o, 0, n);
        o->request = cm_ireduce(world, o->j % 2 && roots ? o->out : o->in, roots ? o->out : NULL, n,
                                CM_INT64, CM_SUM, o->root, a);
        break;
    case CM_COLLECTIVE_ALLREDUCE:
        give(o->in, o, 0, n);
        o->request = cm_iallreduce(world, o->in, o->out, n, CM_INT64, CM_SUM, a);
        break;
    case CM_COLLECTIVE_SCAN:
        give(o->out, o, 0, n);
        o->request = cm_iscan(world, o->out, o->out, n, CM_INT64, CM_SUM, a);
        break;
    case CM_COLLECTIVE_REDUCE_SCATTER:
        for (int r = 0; r < size; at += varied(o, r++)) give(o->in + at, o, r, varied(o, r));
        o->request = cm_ireduce_scatter(world, o->in, o->out, o->counts, CM_INT64, CM_SUM, a);
        break;
    case CM_COLLECTIVE_GATHER:
        give(o->in, o, 0, n);
        o->request = cm_igather(world, o->in, block, roots ? o->out : NULL, o->root, a);
        break;
    case CM_COLLECTIVE_GATHERV:
        give(o->in, o, 0, own);
        o->request = cm_igatherv(world, o->in, o->bytes[rank], roots ? o->out : NULL,
                                 roots ? o->bytes : NULL, roots ? o->offsets : NULL, o->root, a);
        break;
    case CM_COLLECTIVE_SCATTER:
        for (int r = 0; r < size; r++) give(o->in + (size_t)r * n, o, r, n);
        o->request = cm_iscatter(world, roots ? o->in : NULL, block, o->out, o->root, a);
        break;
    case CM_COLLECTIVE_SCATTERV:
        for (int r = 0; r < size; r++) give(o->in + (size_t)r * 2 * n, o, r, varied(o, r));
        o->request = cm_iscatterv(world, roots ? o->in : NULL, roots ? o->bytes : NULL,
                                  roots ? o->offsets : NULL, o->out, o->bytes[rank], o->root, a);
        break;
    case CM_COLLECTIVE_ALLGATHER:
        give(o->in, o, 0, n);
        o->request = cm_iallgather(world, o->in, block, o->out, a);
        break;
    case CM_COLLECTIVE_ALLGATHERV:
        give(o->in, o, 0, own);
        o->request = cm_iallgatherv(world, o->in, o->bytes[rank], o->out, o->bytes, o->offsets, a);
        break;
    case CM_COLLECTIVE_ALLTOALL:
        for (int r = 0; r < size; r++) give(o->in + (size_t)r * n, o, r, n);
        o->request = cm_ialltoall(world, o->in, block, o->out, a);
        break;
    default:
        for (int r = 0; r < size; r++) give(o->in + (size_t)r * 2 * n, o, r, varied(o, r));
        o->request =
            cm_ialltoallv(world, o->in, o->bytes, o->offsets, o->out, o->alike, o->places, a);
        break;
    }
    EXPECT(o->request != NULL, "a request is NULL from the start");
}

/* Out begins with the sum over ranks 0 to last of their blocks for rank to. */
static void expect_sum(const operation *o, int last, int to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t want = 0;
        for (int r = 0; r <= last; r++) want += element(o, r, to, i);
        if (!EXPECT(o->out[i] == want, "%s, number %d: element %zu is %lld, not %lld",
                    cm_collective_name(o->collective), o->j, i, (long long)o->out[i],
                    (long long)want))
            return;
    }
}

static void expect_block(const operation *o, size_t at, int from, int to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!EXPECT(o->out[at + i] == element(o, from, to, i), "%s, number %d: element %zu of %d's",
                    cm_collective_name(o->collective), o->j, i, from))
            return;
}

static void end(operation *o)
{
    const size_t n = o->n;
    const bool roots = rank == o->root;
    EXPECT(o->request == NULL, "%s: the request is not NULL", cm_collective_name(o->collective));
    switch (o->collective) {
    case CM_COLLECTIVE_BARRIER:
        break;
    case CM_COLLECTIVE_BCAST:
        expect_block(o, 0, o->root, 0, n);
        break;
    case CM_COLLECTIVE_REDUCE:
        if (roots) expect_sum(o, size - 1, 0, n);
        break;
    case CM_COLLECTIVE_ALLREDUCE:
        expect_sum(o, size - 1, 0, n);
        break;
    case CM_COLLECTIVE_SCAN:
        expect_sum(o, rank, 0, n);
        break;
    case CM_COLLECTIVE_REDUCE_SCATTER:
        expect_sum(o, size - 1, rank, varied(o, rank));
        break;
    case CM_COLLECTIVE_GATHER:
    case CM_COLLECTIVE_ALLGATHER:
        for (int r = 0; r < size; r++)
            if (roots || o->collective == CM_COLLECTIVE_ALLGATHER)
                expect_block(o, (size_t)r * n, r, 0, n);
        break;
    case CM_COLLECTIVE_GATHERV:
    case CM_COLLECTIVE_ALLGATHERV:
        for (int r = 0; r < size; r++)
            if (roots || o->collective == CM_COLLECTIVE_ALLGATHERV)
                expect_block(o, (size_t)r * 2 * n, r, 0, varied(o, r));
        break;
    case CM_COLLECTIVE_SCATTER:
        expect_block(o, 0, o->root, rank, n);
        break;
    case CM_COLLECTIVE_SCATTERV:
        expect_block(o, 0, o->root, rank, varied(o, rank));
        break;
    case CM_COLLECTIVE_ALLTOALL:
        for (int r = 0; r < size; r++) expect_block(o, (size_t)r * n, r, rank, n);
        break;
    default:
        for (int r = 0; r < size; r++)
            expect_block(o, (size_t)(size - 1 - r) * 2 * n, r, rank, varied(o, rank));
        break;
    }
    free(o->in);
    free(o->out);
    free(o->counts);
    free(o->bytes);
    free(o->offsets);
    free(o->alike);
    free(o->places);
}

static void alone(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    static const size_t lengths[] = {0, 1, 50, 9000};
    (void)name;
    for (int k = 0; k < (oversubscribed() ? 3 : 4); k++) {
        operation o;
        prepare(&o, collective, k, lengths[k]);
        begin(&o, algorithm);
        if (k % 2) cm_wait(&o.request, NULL);
        else
            while (!cm_test(&o.request, NULL)) cm_progress();
        end(&o);
    }
}

/* Starts SLOTS operations. With linear every second one is by this algorithm, so that the layer's
   own schedules and the library's operations are under way together. */
static void begin_all(operation *o, bool linear)
{
    static const size_t lengths[] = {20, 3, 6000};
    for (int j = 0; j < SLOTS; j++) {
        prepare(&o[j], (cm_collective)((j * 5) % CM_COLLECTIVES), j, lengths[j % 3]);
        begin(&o[j], linear && j % 2 ? CM_LINEAR : CM_AUTO);
    }
}

static void test_together(bool linear)
{
    operation o[SLOTS];
    const char *how = linear ? "by two algorithms" : "by auto";
    point("all at once %s, waited for in the opposite order", how);
    begin_all(o, linear);
    for (int j = SLOTS - 1; j >= 0; j--) cm_wait(&o[j].request, NULL);
    for (int j = 0; j < SLOTS; j++) end(&o[j]);

    point("all at once %s, in another order on each rank, messages and a barrier between", how);
    begin_all(o, linear);
    for (int k = 0; k < SLOTS; k++) {
        const int j = (k * 3 + rank * 5) % SLOTS;
        int token = -1;
        if (k % 9 == 4)
            cm_sendrecv(world, &k, sizeof k, right_of(rank), k, &token, sizeof token, left_of(rank),
                        k, NULL);
        if (k % 9 == 4) EXPECT(token == k, "%d", token);
        if (k == SLOTS / 2) cm_barrier(world, linear ? CM_LINEAR : CM_AUTO);
        if (k % 2) cm_wait(&o[j].request, NULL);
        else
            while (!cm_test(&o[j].request, NULL)) cm_progress();
    }
    for (int j = 0; j < SLOTS; j++) end(&o[j]);

    point("all at once %s with long messages, by waitany", how);
    const size_t bytes = 300000;
    unsigned char *out = memory(bytes), *in = memory(bytes);
    cm_request *requests[SLOTS + 2];
    int seen[SLOTS + 2] = {0};
    fill(out, bytes, (unsigned)rank);
    requests[SLOTS] = cm_irecv(world, in, bytes, left_of(rank), 3);
    begin_all(o, linear);
    requests[SLOTS + 1] = cm_isend(world, out, bytes, right_of(rank), 3);
    for (int j = 0; j < SLOTS; j++) requests[j] = o[j].request;
    for (int k = 0; k < SLOTS + 2; k++) {
        const int i = cm_waitany(SLOTS + 2, requests, NULL);
        if (EXPECT(i >= 0 && i < SLOTS + 2, "%d", i)) seen[i]++;
    }
    for (int k = 0; k < SLOTS + 2; k++) EXPECT(seen[k] == 1, "%d: %d times", k, seen[k]);
    EXPECT(wrong_at(in, bytes, (unsigned)left_of(rank)) == bytes);
    for (int j = 0; j < SLOTS; j++) {
        o[j].request = requests[j];
        end(&o[j]);
    }
    free(out);
    free(in);
}

SUBJECT(nonblocking)
{
    for (int c = 0; c < CM_COLLECTIVES; c++) {
        point("i%s by every algorithm", cm_collective_name((cm_collective)c));
        each_algorithm((cm_collective)c, alone);
    }
    test_together(false);
    test_together(true);
}
