/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_exchange.c: the messages of a bsp_sync. It sends every other process one message with counts
   and the first bytes of data, a second one if the data do not fit, and nothing else, not even a
   barrier. In rounds it sends one message a round, and data only to processes that get any. The
   layer's calls that bsp/ could use are counted on their way (the linker's --wrap). */
#include "bsp/bsp_group.h"
#include "subject.h"

static struct {
    int messages, collectives, tag, direct;
    size_t bytes;
} sent;
static const void *watched; /* memory that is sent from where it lies */

static void note(const void *data, size_t bytes, int tag)
{
    sent.direct += data == watched;
    sent.messages++;
    sent.bytes += bytes;
    sent.tag = tag;
}

void __real_cm_send(cm_group *, const void *, size_t, int, int);
void __wrap_cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    note(data, bytes, tag);
    __real_cm_send(group, data, bytes, dest, tag);
}

cm_request *__real_cm_isend(cm_group *, const void *, size_t, int, int);
cm_request *__wrap_cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    note(data, bytes, tag);
    return __real_cm_isend(group, data, bytes, dest, tag);
}

void __real_cm_sendrecv(cm_group *, const void *, size_t, int, int, void *, size_t, int, int,
                        cm_status *);
void __wrap_cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                        void *in, size_t capacity, int source, int in_tag, cm_status *status)
{
    note(out, out_bytes, out_tag);
    __real_cm_sendrecv(group, out, out_bytes, dest, out_tag, in, capacity, source, in_tag, status);
}

void __real_cm_barrier(cm_group *, cm_algorithm);
void __wrap_cm_barrier(cm_group *group, cm_algorithm algorithm)
{
    sent.collectives++;
    __real_cm_barrier(group, algorithm);
}

void __real_cm_allreduce(cm_group *, const void *, void *, size_t, cm_type, cm_op, cm_algorithm);
void __wrap_cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                         cm_op op, cm_algorithm algorithm)
{
    sent.collectives++;
    __real_cm_allreduce(group, in, out, count, type, op, algorithm);
}

void __real_cm_alltoall(cm_group *, const void *, size_t, void *, cm_algorithm);
void __wrap_cm_alltoall(cm_group *group, const void *in, size_t bytes, void *out,
                        cm_algorithm algorithm)
{
    sent.collectives++;
    __real_cm_alltoall(group, in, bytes, out, algorithm);
}

/* bsp_sync, and what it sent to each other process. */
static void expect_sync(int messages, size_t least, size_t most)
{
    bsp_sync();
    EXPECT(sent.messages == messages * (size - 1), "%d messages", sent.messages);
    EXPECT(sent.bytes >= least * (size_t)(size - 1) && sent.bytes <= most * (size_t)(size - 1),
           "%zu bytes", sent.bytes);
    EXPECT(sent.collectives == 0, "%d collective calls", sent.collectives);
    memset(&sent, 0, sizeof sent);
}

static void put_everywhere(unsigned char *area, size_t bytes)
{
    for (int pid = 0; pid < size; pid++) bsp_put64(pid, area + bytes, area, 0, bytes);
}

/* The same in rounds, with `data` messages in addition to those of the rounds. */
static void expect_rounds(int data)
{
    int rounds = 0;
    for (int step = 1; step < size; step *= 2) rounds++;
    bsp_sync();
    EXPECT(sent.messages == rounds + data, "%d messages instead of %d", sent.messages,
           rounds + data);
    EXPECT(sent.collectives == 0, "%d collective calls", sent.collectives);
    memset(&sent, 0, sizeof sent);
}

/* Only where there is something to say. */
static void test_rounds(unsigned char *area)
{
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    point("in rounds: a sync without data is log2(p) messages");
    cm_bsp_in_rounds(true);
    memset(&sent, 0, sizeof sent);
    expect_rounds(0);
    expect_rounds(0);

    point("in rounds: data are a message more for each process that gets any");
    const int value = 1000 + rank;
    memset(area, 0, 8);
    bsp_put64(right, &value, area, 0, sizeof value);
    expect_rounds(size > 1);
    int got;
    memcpy(&got, area, sizeof got);
    EXPECT(got == 1000 + left, "%d", got);
    for (int k = 0; k < 3; k++) {
        if (rank == 0) put_everywhere(area, 1000);
        expect_rounds(rank == 0 ? size - 1 : 0);
        for (int pid = 1; pid < size; pid++)
            if (rank == pid) bsp_send(0, NULL, &value, sizeof value);
        expect_rounds(rank > 0);
        size_t messages, bytes;
        bsp_qsize64(&messages, &bytes);
        EXPECT(messages == (rank ? 0 : (size_t)size - 1), "%zu messages", messages);
    }
    cm_bsp_in_rounds(false);
    expect_sync(1, 1, 64);
}

SUBJECT(bsp_exchange)
{
    enum { LARGE = 100000 };
    unsigned char *area = memory(2 * LARGE);
    cm_bsp_begin(world);
    cm_bsp_in_rounds(false);

    memset(&sent, 0, sizeof sent);
    point("a sync without data is one message of counts to each other process");
    expect_sync(1, 1, 64);
    expect_sync(1, 1, 64);

    point("supersteps are told apart by the parity of the tag");
    int tag[4];
    for (int k = 0; k < 4; k++) {
        bsp_sync();
        tag[k] = sent.tag;
    }
    memset(&sent, 0, sizeof sent);
    EXPECT(size == 1 || (tag[0] != tag[1] && tag[0] == tag[2] && tag[1] == tag[3]), "%d %d %d %d",
           tag[0], tag[1], tag[2], tag[3]);

    point("registrations, puts and messages that fit travel with the counts");
    bsp_push_reg64(area, 2 * LARGE);
    expect_sync(1, 1, 100);
    put_everywhere(area, 1000);
    for (int pid = 0; pid < size; pid++) bsp_send(pid, NULL, area, 500);
    expect_sync(1, 1500, 1700);

    point("more is a second message");
    put_everywhere(area, LARGE);
    expect_sync(2, LARGE, LARGE + 200);

    point("many words are gathered");
    for (size_t k = 0; k < 5000; k++)
        for (int pid = 0; pid < size; pid++) bsp_put64(pid, &k, area, 8 * (2 * k + 1), 8);
    expect_sync(2, 5000 * 8, 5000 * 24 + 200);
    for (size_t k = 0; k < 5000; k++)
        for (int pid = 0; pid < size; pid++) bsp_put64(pid, &k, area, 8 * k, 8);
    expect_sync(2, 5000 * 8, 5000 * 8 + 300);

    point("answers to gets are one message more, however many there are");
    for (size_t k = 0; k < 100; k++)
        for (int pid = 0; pid < size; pid++) bsp_get64(pid, area, 8 * k, area + LARGE + 8 * k, 8);
    expect_sync(2 + (100 * 16 + 64 > 2048), 100 * 8, 100 * 24 + 200);

    point("a large unbuffered write is announced, and goes from where it lies");
    watched = area + LARGE;
    for (int pid = 0; pid < size; pid++) bsp_hpput64(pid, watched, area, 0, LARGE);
    EXPECT(sent.direct == size - 1, "%d from there", sent.direct);
    expect_sync(3, LARGE, LARGE + 200);

    point("and so does what a large unbuffered read fetches");
    unsigned char *got = memory((size_t)size * LARGE);
    for (int pid = 0; pid < size; pid++)
        bsp_hpget64(pid, area, LARGE, got + (size_t)pid * LARGE, LARGE);
    bsp_sync();
    EXPECT(sent.direct == size - 1 && sent.messages == 2 * (size - 1), "%d of %d", sent.direct,
           sent.messages);
    free(got);

    test_rounds(area);
    cm_bsp_end();
    free(area);
}
