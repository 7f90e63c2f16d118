/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c: comm.h: asking for messages before receiving them. */
#include "subject.h"

static void test_nothing(void)
{
    point("cm_iprobe finds nothing where nothing was sent");
    cm_status status = {-7, -7, 7, -7};
    for (int k = 0; k < 10; k++) EXPECT(!cm_iprobe(world, CM_ANY, 1, &status));
    EXPECT(!cm_iprobe(world, rank, CM_ANY, NULL));
    meet();
}

static void test_sizes(void)
{
    size_t eager = eager_limit();
    const size_t bytes[] = {0, 1, 100, eager, eager + 1, 2000003};
    enum { N = sizeof bytes / sizeof *bytes };
    unsigned char *out = memory(bytes[N - 1]);
    cm_request *sends[N];
    fill(out, bytes[N - 1], (unsigned)rank);

    point("a probe says source, tag and length, in the order sent, and takes nothing away");
    for (int k = 0; k < N; k++) sends[k] = cm_isend(world, out, bytes[k], right_of(rank), 40 + k);
    for (int k = 0; k < N; k++) {
        cm_status status, again, got;
        cm_probe(world, k % 2 ? CM_ANY : left_of(rank), 40 + k, &status);
        EXPECT(status.source == left_of(rank) && status.tag == 40 + k && status.bytes == bytes[k],
               "from %d, tag %d, %zu bytes instead of %zu", status.source, status.tag, status.bytes,
               bytes[k]);
        EXPECT(cm_iprobe(world, left_of(rank), 40 + k, &again) && again.bytes == status.bytes);
        unsigned char *in = memory(status.bytes);
        cm_recv(world, in, status.bytes, status.source, status.tag, &got);
        EXPECT(got.bytes == status.bytes
                   && wrong_at(in, got.bytes, (unsigned)left_of(rank)) == got.bytes,
               "%zu", got.bytes);
        EXPECT(!cm_iprobe(world, left_of(rank), 40 + k, NULL), "the message is still there");
        free(in);
    }
    cm_waitall(N, sends, NULL);

    point("cm_iprobe sees a message without other calls");
    cm_request *s = cm_isend(world, out, eager + 1, right_of(rank), 60);
    cm_status status;
    while (!cm_iprobe(world, left_of(rank), 60, &status)) continue;
    EXPECT(status.bytes == eager + 1, "%zu", status.bytes);
    unsigned char *in = memory(eager + 1);
    cm_recv(world, in, eager + 1, left_of(rank), 60, NULL);
    cm_wait(&s, NULL);
    free(in);
    free(out);
}

static void test_order(void)
{
    int value[4] = {0, 1, 2, 3}, in = -1;
    cm_status status;
    point("a probe for any tag sees the oldest message, one for a tag passes over others");
    for (int k = 0; k < 4; k++)
        cm_send(world, &value[k], sizeof(int), right_of(rank), k == 2 ? 71 : 70);
    cm_probe(world, left_of(rank), 71, &status);
    EXPECT(status.tag == 71);
    cm_probe(world, left_of(rank), CM_ANY, &status);
    EXPECT(status.tag == 70, "tag %d", status.tag);
    cm_recv(world, &in, sizeof in, left_of(rank), 71, NULL);
    EXPECT(in == 2, "%d", in);
    for (int k = 0; k < 3; k++) {
        static const int want[3] = {0, 1, 3};
        cm_probe(world, left_of(rank), CM_ANY, &status);
        cm_recv(world, &in, sizeof in, status.source, status.tag, NULL);
        EXPECT(in == want[k], "%d instead of %d", in, want[k]);
    }

    point("a message that a posted receive takes is not for a probe");
    int posted = -1;
    cm_request *r = cm_irecv(world, &posted, sizeof posted, rank, 72);
    cm_send(world, &value[1], sizeof(int), rank, 72);
    cm_send(world, &value[2], sizeof(int), rank, 72);
    cm_probe(world, rank, 72, &status);
    cm_recv(world, &in, sizeof in, rank, 72, NULL);
    cm_wait(&r, NULL);
    EXPECT(posted == 1 && in == 2, "%d and %d", posted, in);
    EXPECT(!cm_iprobe(world, rank, 72, NULL));
    meet();
}

/* All ranks send to rank 0, which knows nothing beforehand. */
static void test_any(void)
{
    enum { EACH = 5 };
    point("any source, any tag: probe, then receive just that message");
    unsigned char *out[EACH];
    cm_request *sends[EACH];
    for (int k = 0; k < EACH; k++) {
        size_t bytes = (size_t)(1000 * rank + 37 * k);
        out[k] = memory(bytes);
        fill(out[k], bytes, (unsigned)(rank + k));
        sends[k] = cm_isend(world, out[k], bytes, 0, 1000 + k);
    }
    if (rank == 0) {
        int *next = calloc((size_t)size, sizeof *next);
        for (int k = 0; next && k < EACH * size; k++) {
            cm_status status, got;
            if (k % 2) cm_probe(world, CM_ANY, CM_ANY, &status);
            else
                while (!cm_iprobe(world, CM_ANY, CM_ANY, &status)) cm_progress();
            if (!EXPECT(status.source >= 0 && status.source < size, "%d", status.source)) break;
            int i = status.tag - 1000;
            EXPECT(i == next[status.source], "message %d of rank %d instead of %d", i,
                   status.source, next[status.source]);
            next[status.source]++;
            size_t bytes = (size_t)(1000 * status.source + 37 * i);
            EXPECT(status.bytes == bytes, "%zu instead of %zu", status.bytes, bytes);
            unsigned char *in = memory(status.bytes);
            cm_recv(world, in, status.bytes, status.source, status.tag, &got);
            EXPECT(got.source == status.source && got.tag == status.tag
                   && got.bytes == status.bytes);
            EXPECT(wrong_at(in, got.bytes, (unsigned)(got.source + i)) == got.bytes);
            free(in);
        }
        free(next);
    }
    cm_waitall(EACH, sends, NULL);
    for (int k = 0; k < EACH; k++) free(out[k]);
    /* Rank 0 must have them all before anything else is sent to it. */
    for (int r = 1; rank == 0 && r < size; r++) cm_send(world, NULL, 0, r, 33);
    if (rank) cm_recv(world, NULL, 0, 0, 33, NULL);
}

SUBJECT(probe)
{
    test_nothing();
    test_sizes();
    test_order();
    test_any();
}
