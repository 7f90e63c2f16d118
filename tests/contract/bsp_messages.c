/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_messages.c: what Hill et al. (1998) promise about BSPlib's messages, one point for each
   promise. */
#include "bsp/bsp_group.h"
#include "subject.h"

static void messages(void)
{
    point("messages arrive in the next superstep with their tags, and go when it ends");
    int tag_bytes = sizeof(int), n, bytes, status;
    bsp_set_tagsize(&tag_bytes);
    EXPECT(tag_bytes == 0, "%d before", tag_bytes);
    bsp_sync();
    double payload[3] = {rank, 2 * rank, 3 * rank};
    for (int pid = 0; pid < size; pid++) bsp_send(pid, &rank, payload, (int)sizeof payload - 8);
    bsp_qsize(&n, &bytes);
    EXPECT(n == 0 && bytes == 0, "%d of %d bytes too early", n, bytes);
    bsp_sync();
    int seen = 0;
    for (int left = size; left > 0; left--) {
        int tag = -1;
        double got[3] = {-1, -1, -1};
        bsp_qsize(&n, &bytes);
        EXPECT(n == left && bytes == 16 * left, "%d of %d bytes, %d left", n, bytes, left);
        bsp_get_tag(&status, &tag);
        EXPECT(status == 16, "%d", status);
        bsp_move(got, sizeof got);
        EXPECT(got[0] == tag && got[1] == 2 * tag && got[2] == -1, "%g %g %g", got[0], got[1],
               got[2]);
        seen += 1 + tag;
    }
    EXPECT(seen == size * (size + 1) / 2, "%d", seen);
    bsp_get_tag(&status, &seen);
    EXPECT(status == -1, "%d of an empty queue", status);
    void *at, *where;
    EXPECT(bsp_hpmove(&at, &where) == -1);

    point("payloads are cut to the room there is, hpmove copies nothing");
    bsp_send(right_of(rank), &rank, "abcdef", 7);
    bsp_send(right_of(rank), &rank, "", 0);
    for (int k = 0; k < 500; k++) bsp_send(right_of(rank), &k, &k, sizeof k);
    bsp_sync();
    char text[4] = "xyz";
    bsp_move(text, 2);
    EXPECT(memcmp(text, "abz", 3) == 0, "%.3s", text);
    EXPECT(bsp_hpmove(&at, &where) == 0 && *(int *)at == left_of(rank));
    for (int k = 0; k < 500; k++) {
        EXPECT(bsp_hpmove(&at, &where) == sizeof k && *(int *)at == k && *(int *)where == k, "%d",
               k);
        EXPECT((uintptr_t)where % 8 == 0);
    }
    bsp_send(right_of(rank), &rank, NULL, 0);
    bsp_sync();
    tag_bytes = 0;
    bsp_set_tagsize(&tag_bytes);
    EXPECT(tag_bytes == sizeof(int), "%d", tag_bytes);
    bsp_sync();
    bsp_qsize(&n, NULL);
    EXPECT(n == 0, "%d messages of an older superstep", n);
}

/* Of sizes 0, 6, 2, 0: each in its superstep. */
static void tags(void)
{
    point("a size of tags holds for what is sent from the next superstep on");
    const char *sent = "abcdef";
    char tag[8] = "xxxxxxx";
    int bytes = 6, status;
    bsp_set_tagsize(&bytes);
    EXPECT(bytes == 0, "%d", bytes);
    bsp_send(right_of(rank), sent, sent, 1);
    bsp_sync();
    bsp_get_tag(&status, tag);
    EXPECT(status == 1 && strcmp(tag, "xxxxxxx") == 0, "%d %s", status, tag);
    bytes = 2;
    bsp_set_tagsize(&bytes);
    EXPECT(bytes == 6, "%d", bytes);
    bsp_send(right_of(rank), sent, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, tag);
    EXPECT(status == 0 && strcmp(tag, "abcdefx") == 0, "%d %s", status, tag);
    bsp_send(right_of(rank), sent + 4, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, tag);
    EXPECT(status == 0 && strcmp(tag, "efcdefx") == 0, "%d %s", status, tag);

    point("each call says what the one before it said, also in one superstep");
    bytes = 9;
    bsp_set_tagsize(&bytes);
    EXPECT(bytes == 2, "%d", bytes);
    bytes = 0;
    bsp_set_tagsize(&bytes);
    EXPECT(bytes == 9, "%d", bytes);
    bsp_sync();
    bsp_send(right_of(rank), NULL, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, tag);
    EXPECT(status == 0 && strcmp(tag, "efcdefx") == 0, "%d %s", status, tag);
    bsp_sync();
}

static void wide(void)
{
    point("messages by the calls with 64-bit sizes");
    int64_t status;
    size_t n, bytes;
    uint64_t payload[2] = {(uint64_t)rank, ~(uint64_t)rank}, got[2] = {0, 0};
    void *tag_at, *payload_at;
    bsp_send64(right_of(rank), NULL, payload, sizeof payload);
    bsp_send64(right_of(rank), NULL, payload + 1, 8);
    bsp_sync();
    bsp_qsize64(&n, &bytes);
    EXPECT(n == 2 && bytes == 24, "%zu of %zu", n, bytes);
    bsp_get_tag64(&status, NULL);
    EXPECT(status == 16, "%lld", (long long)status);
    bsp_move64(got, sizeof got);
    EXPECT(got[0] == (uint64_t)left_of(rank) && got[1] == ~got[0]);
    bsp_qsize64(&n, NULL);
    EXPECT(n == 1, "%zu", n);
    EXPECT(bsp_hpmove64(&tag_at, &payload_at) == 8
           && *(uint64_t *)payload_at == ~(uint64_t)left_of(rank));
    bsp_qsize64(NULL, &bytes);
    EXPECT(bytes == 0, "%zu", bytes);
    bsp_get_tag64(&status, NULL);
    EXPECT(status == -1 && bsp_hpmove64(&tag_at, &payload_at) == -1);
    bsp_sync();
}

/* The last superstep of a part is as even as the first one of the next, where a process may be
   while others still leave this one. */
static void parts(void)
{
    point("what is sent in a part arrives in that part");
    const int far = size > 3 ? size / 2 - 1 : 0;
    for (int part = 0; part < 200; part++) {
        int in = -1, n, got = -1, value = 10 * part;
        cm_bsp_begin(world);
        bsp_send(right_of(rank), NULL, &value, sizeof value);
        bsp_sync();
        bsp_qsize(&n, NULL);
        if (n) bsp_move(&got, sizeof got);
        EXPECT(n == 1 && got == value, "part %d: %d messages, %d", part, n, got);
        bsp_push_reg(&in, sizeof in);
        bsp_sync();
        value = 100 * part + rank;
        bsp_put((rank + far) % size, &value, &in, 0, sizeof value);
        cm_bsp_end();
        EXPECT(in == 100 * part + (rank + size - far) % size, "part %d: put %d", part, in);
    }
}

SUBJECT(bsp_messages)
{
    cm_bsp_begin(world);
    messages();
    tags();
    wide();
    cm_bsp_end();
    parts();
}
