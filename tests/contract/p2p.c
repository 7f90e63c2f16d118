/* SPDX-License-Identifier: BSD-3-Clause */
/* p2p.c: comm.h: sends and receives of all lengths, their order, any source and any tag,
   self-sends. */
#include "subject.h"

enum { GUARD = 64, LARGE = 5000011 };

static size_t lengths[64];
static int n_lengths;

static void choose_lengths(void)
{
    static const size_t fixed[] = {0,     1,     7,     8,     9,       63,   64,
                                   65,    1023,  1024,  1025,  4095,    4096, 4097,
                                   16384, 65535, 65536, 65537, 1 << 20, LARGE};
    size_t eager = eager_limit();
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) lengths[n_lengths++] = fixed[i];
    for (int d = -1; d <= 1; d++) lengths[n_lengths++] = eager + (size_t)d;
}

/* Checks a received message, in a buffer followed by guard bytes. */
static void expect_message(const unsigned char *data, size_t bytes, unsigned seed)
{
    size_t at = wrong_at(data, bytes, seed);
    EXPECT(at == bytes, "byte %zu of %zu", at, bytes);
    at = other_than(data + bytes, GUARD, 0xa5);
    EXPECT(at == GUARD, "%zu bytes behind a message of %zu", at, bytes);
}

static void test_lengths(void)
{
    unsigned char *out = memory(LARGE), *in = memory(LARGE + GUARD);
    int partner = rank ^ 1;
    cm_status status;

    point("messages of all lengths arrive; receives with room to spare leave the rest alone");
    for (int i = 0; partner < size && i < n_lengths; i++) {
        size_t bytes = lengths[i], spare = i % 2 ? GUARD : 0;
        fill(out, bytes, (unsigned)(10 * i + rank));
        memset(in, 0xa5, bytes + GUARD);
        for (int turn = 0; turn < 2; turn++) {
            if (turn == rank % 2) {
                cm_send(world, bytes ? out : NULL, bytes, partner, i);
            } else {
                cm_recv(world, bytes + spare ? in : NULL, bytes + spare, partner, i, &status);
                EXPECT(status.source == partner && status.tag == i && status.bytes == bytes,
                       "from %d tag %d, %zu bytes instead of %zu", status.source, status.tag,
                       status.bytes, bytes);
                expect_message(in, bytes, (unsigned)(10 * i + partner));
            }
        }
    }

    point("a ring of cm_sendrecv with all lengths");
    for (int i = 0; i < n_lengths; i++) {
        size_t bytes = lengths[i];
        fill(out, bytes, (unsigned)(10 * i + rank));
        memset(in, 0xa5, bytes + GUARD);
        cm_sendrecv(world, out, bytes, right_of(rank), 2 * i, in, bytes + GUARD, left_of(rank),
                    2 * i, i % 2 ? &status : NULL);
        if (i % 2)
            EXPECT(status.source == left_of(rank) && status.bytes == bytes, "%zu", status.bytes);
        expect_message(in, bytes, (unsigned)(10 * i + left_of(rank)));
    }

    point("cm_sendrecv with different lengths and tags each way");
    fill(out, LARGE, (unsigned)rank);
    memset(in, 0xa5, LARGE + GUARD);
    /* Even ranks send much and get little. */
    size_t mine = rank % 2 ? 3 : LARGE, theirs = left_of(rank) % 2 ? 3 : LARGE;
    cm_sendrecv(world, out, mine, right_of(rank), 100 + rank, in, LARGE, left_of(rank),
                100 + left_of(rank), &status);
    EXPECT(status.bytes == theirs && status.tag == 100 + left_of(rank), "%zu bytes, tag %d",
           status.bytes, status.tag);
    expect_message(in, theirs, (unsigned)left_of(rank));

    point("large cm_isend both ways at once");
    unsigned char *in2 = memory(LARGE + GUARD);
    memset(in, 0xa5, LARGE + GUARD);
    memset(in2, 0xa5, LARGE + GUARD);
    cm_request *r[4];
    r[0] = cm_isend(world, out, LARGE, right_of(rank), 1);
    r[1] = cm_isend(world, out, LARGE, left_of(rank), 2);
    r[2] = cm_irecv(world, in, LARGE, left_of(rank), 1);
    r[3] = cm_irecv(world, in2, LARGE, right_of(rank), 2);
    cm_waitall(4, r, NULL);
    expect_message(in, LARGE, (unsigned)left_of(rank));
    expect_message(in2, LARGE, (unsigned)right_of(rank));
    free(in2);
    free(in);
    free(out);
}

/* Message k of a stream with mixed sizes: some empty, some above the eager limit. */
static size_t stream_bytes(int k, size_t eager)
{
    static const size_t small[] = {8, 0, 1000, 4, 16, 60000, 1, 5000};
    return k % 10 == 9 ? eager + (size_t)k : small[k % 8];
}

static void test_order(void)
{
    enum { N = 100 };
    size_t eager = eager_limit(), most = eager + 60000 + N;
    unsigned char *out[N], *in = memory(most + GUARD);
    cm_request *sends[N];

    point("messages of mixed sizes with one tag do not overtake");
    for (int k = 0; k < N; k++) {
        size_t bytes = stream_bytes(k, eager);
        out[k] = memory(bytes);
        fill(out[k], bytes, (unsigned)(k + 1000 * rank));
        sends[k] = cm_isend(world, out[k], bytes, right_of(rank), 7);
    }
    for (int k = 0; k < N; k++) {
        cm_status status;
        memset(in, 0xa5, stream_bytes(k, eager) + GUARD);
        cm_recv(world, in, most, k % 3 == 1 ? CM_ANY : left_of(rank), k % 3 == 2 ? CM_ANY : 7,
                &status);
        EXPECT(status.bytes == stream_bytes(k, eager), "message %d: %zu bytes, not %zu", k,
               status.bytes, stream_bytes(k, eager));
        expect_message(in, stream_bytes(k, eager), (unsigned)(k + 1000 * left_of(rank)));
    }
    cm_waitall(N, sends, NULL);

    point("receives posted first are matched in the order posted");
    unsigned char *slot[N];
    cm_request *receives[N];
    for (int k = 0; k < N; k++) {
        slot[k] = memory(most + GUARD);
        memset(slot[k], 0xa5, stream_bytes(k, eager) + GUARD);
        receives[k] = cm_irecv(world, slot[k], most, k % 2 ? CM_ANY : left_of(rank), 8);
    }
    meet();
    for (int k = 0; k < N; k++)
        sends[k] = cm_isend(world, out[k], stream_bytes(k, eager), right_of(rank), 8);
    cm_waitall(N, receives, NULL);
    cm_waitall(N, sends, NULL);
    for (int k = 0; k < N; k++) {
        expect_message(slot[k], stream_bytes(k, eager), (unsigned)(k + 1000 * left_of(rank)));
        free(slot[k]);
        free(out[k]);
    }
    free(in);
}

static void test_selection(void)
{
    enum { N = 12 };
    int value, tags[N];
    cm_request *sends[N];
    cm_status status;

    /* MPICH 4.0 over UCX carries no tag of 2^28 or more, so this is as far as the contract can be
     * held. */
    enum { HIGHEST = CM_TAG_LIMIT - 1 };
    point("tags choose among messages that have arrived; %d is a tag", (int)HIGHEST);
    for (int k = 0; k < N; k++) {
        tags[k] = k == 0 ? HIGHEST : k;
        sends[k] = cm_isend(world, &tags[k], sizeof(int), right_of(rank), tags[k]);
    }
    meet();
    for (int k = N - 1; k >= 0; k--) {
        cm_recv(world, &value, sizeof value, left_of(rank), tags[k], &status);
        EXPECT(value == tags[k] && status.tag == tags[k], "%d, tag %d", value, status.tag);
    }
    cm_waitall(N, sends, NULL);

    point("any source: all messages come, each sender's in order");
    enum { EACH = 20 };
    int mine[EACH][2];
    cm_request *to_zero[EACH];
    for (int k = 0; k < EACH; k++) {
        mine[k][0] = rank;
        mine[k][1] = k;
        to_zero[k] = cm_isend(world, mine[k], sizeof mine[k], 0, rank);
    }
    if (rank == 0) {
        int *next = memory((size_t)size * sizeof *next);
        memset(next, 0, (size_t)size * sizeof *next);
        for (int k = 0; k < EACH * size; k++) {
            int got[2];
            cm_recv(world, got, sizeof got, CM_ANY, CM_ANY, &status);
            bool sane = status.source >= 0 && status.source < size && status.bytes == sizeof got;
            if (!EXPECT(sane, "source %d, %zu bytes", status.source, status.bytes)) continue;
            EXPECT(got[0] == status.source && status.tag == status.source, "%d from %d, tag %d",
                   got[0], status.source, status.tag);
            EXPECT(got[1] == next[status.source], "message %d from %d, expected its %d", got[1],
                   status.source, next[status.source]);
            next[status.source]++;
        }
        free(next);
    }
    cm_waitall(EACH, to_zero, NULL);
    /* Nothing else may go to rank 0 before it has them all. */
    for (int r = 1; rank == 0 && r < size; r++) cm_send(world, NULL, 0, r, 33);
    if (rank) cm_recv(world, NULL, 0, 0, 33, NULL);

    point("any source with a tag, and any tag with a source");
    int wide[2] = {rank, 1}, narrow[2] = {rank, 2};
    to_zero[0] = cm_isend(world, wide, sizeof wide, 0, 31);
    to_zero[1] = cm_isend(world, narrow, sizeof narrow, 0, 32);
    if (rank == 0) {
        int got[2];
        for (int r = 0; r < size; r++) {
            cm_recv(world, got, sizeof got, CM_ANY, 32, &status);
            EXPECT(got[1] == 2 && got[0] == status.source && status.tag == 32, "tag %d",
                   status.tag);
        }
        for (int r = size - 1; r >= 0; r--) {
            cm_recv(world, got, sizeof got, r, CM_ANY, &status);
            EXPECT(got[1] == 1 && got[0] == r && status.source == r && status.tag == 31,
                   "from %d, tag %d", status.source, status.tag);
        }
    }
    cm_waitall(2, to_zero, NULL);
}

static void test_self(void)
{
    enum { N = 50 };
    size_t big = 1 << 20;
    unsigned char *out = memory(big), *in = memory(big + GUARD);
    cm_status status;
    fill(out, big, 5);

    point("eager self-sends come back in order");
    int number[N], got;
    for (int k = 0; k < N; k++) {
        number[k] = k;
        cm_send(world, &number[k], k % 5 ? sizeof(int) : 0, rank, 3);
    }
    for (int k = 0; k < N; k++) {
        cm_recv(world, &got, sizeof got, rank, 3, &status);
        EXPECT(status.bytes == (k % 5 ? sizeof(int) : 0), "message %d: %zu bytes", k, status.bytes);
        if (status.bytes) EXPECT(got == k, "%d instead of %d", got, k);
    }

    point("a large self-send with its receive posted");
    memset(in, 0xa5, big + GUARD);
    cm_request *r = cm_irecv(world, in, big + GUARD, rank, 4);
    cm_send(world, out, big, rank, 4);
    cm_wait(&r, &status);
    EXPECT(status.source == rank && status.tag == 4 && status.bytes == big, "%zu", status.bytes);
    expect_message(in, big, 5);

    point("a large self-send begun before its receive");
    memset(in, 0xa5, big + GUARD);
    cm_request *s = cm_isend(world, out, big, rank, 5);
    cm_recv(world, in, big, CM_ANY, 5, &status);
    cm_wait(&s, NULL);
    EXPECT(status.source == rank && status.bytes == big, "%zu", status.bytes);
    expect_message(in, big, 5);

    point("cm_sendrecv with oneself");
    memset(in, 0xa5, big + GUARD);
    cm_sendrecv(world, out, big, rank, 6, in, big, rank, 6, &status);
    EXPECT(status.source == rank && status.bytes == big, "%zu", status.bytes);
    expect_message(in, big, 5);

    point("cm_sendrecv to oneself, from another; what it sent is received later");
    for (int turn = 0; turn < 2; turn++) {
        int mine = 100 * rank + turn, theirs = -1, own = -1;
        cm_request *collective = turn ? cm_ibcast(world, &got, sizeof got, 0, CM_LINEAR) : NULL;
        cm_request *send = cm_isend(world, &mine, sizeof mine, right_of(rank), 8);
        cm_sendrecv(world, &mine, sizeof mine, rank, 7, &theirs, sizeof theirs, left_of(rank), 8,
                    &status);
        EXPECT(theirs == 100 * left_of(rank) + turn && status.source == left_of(rank), "%d from %d",
               theirs, status.source);
        cm_recv(world, &own, sizeof own, rank, 7, &status);
        EXPECT(own == mine && status.source == rank, "%d from %d", own, status.source);
        cm_wait(&send, NULL);
        cm_wait(&collective, NULL);
    }
    free(out);
    free(in);
    meet();
}

static void test_unexpected(void)
{
    /* 8 MB of payload, far more than credits hold for one peer, all before the message asked for
     * first. */
    enum { N = 2000, BYTES = 4000, BIG = 4 };
    size_t big = (1 << 20) + 1;
    unsigned char *out = memory((size_t)N * BYTES), *in = memory(BYTES + GUARD),
                  *large = memory(big * BIG), *large_in = memory(big + GUARD);
    static cm_request *sends[N + BIG + 1];

    point("thousands of messages that nobody awaits yet do not stop a later one");
    for (int k = 0; k < N; k++) {
        fill(out + (size_t)k * BYTES, BYTES, (unsigned)(k + rank));
        sends[k] = cm_isend(world, out + (size_t)k * BYTES, BYTES, right_of(rank), 1);
    }
    sends[N] = cm_isend(world, NULL, 0, right_of(rank), 2);
    cm_recv(world, NULL, 0, left_of(rank), 2, NULL);
    for (int k = 0; k < N; k++) {
        memset(in, 0xa5, BYTES + GUARD);
        cm_recv(world, in, BYTES, left_of(rank), 1, NULL);
        expect_message(in, BYTES, (unsigned)(k + left_of(rank)));
    }
    cm_waitall(N + 1, sends, NULL);

    point("large messages that nobody awaits yet, received in reverse");
    fill(large, big * BIG, (unsigned)rank);
    for (int k = 0; k < BIG; k++) {
        fill(large + (size_t)k * big, big, (unsigned)(k + 50 * rank));
        sends[k] = cm_isend(world, large + (size_t)k * big, big, right_of(rank), 10 + k);
    }
    for (int k = BIG - 1; k >= 0; k--) {
        memset(large_in, 0xa5, big + GUARD);
        cm_recv(world, large_in, big, left_of(rank), 10 + k, NULL);
        expect_message(large_in, big, (unsigned)(k + 50 * left_of(rank)));
    }
    cm_waitall(BIG, sends, NULL);
    free(out);
    free(in);
    free(large);
    free(large_in);
}

SUBJECT(p2p)
{
    choose_lengths();
    test_lengths();
    test_order();
    test_selection();
    test_self();
    test_unexpected();
}
