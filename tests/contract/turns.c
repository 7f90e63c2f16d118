/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.c: comm.h: receives from any source take turns between the sources. The test makes sure
   that messages wait: a later message of their sender has been received, or the kernel reports the
   number of unread bytes. */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include "subject.h"

enum { GO = 80, FLOOD, LAST };

/* Afterwards this many messages of every rank wait on rank 0, those of rank 0 first. */
static void let_wait(int each)
{
    for (int source = 0; source < size; source++) {
        if (rank == 0 && source) cm_send(world, NULL, 0, source, GO);
        if (rank == source) {
            if (source) cm_recv(world, NULL, 0, 0, GO, NULL);
            for (int k = 0; k < each; k++) cm_send(world, &k, sizeof k, 0, FLOOD);
            if (source) cm_send(world, NULL, 0, 0, LAST);
        }
        if (rank == 0 && source) cm_recv(world, NULL, 0, source, LAST, NULL);
    }
}

/* The others send nothing more to rank 0 before it has them all. */
static void let_go(void)
{
    for (int other = 1; rank == 0 && other < size; other++) cm_send(world, NULL, 0, other, GO);
    if (rank) cm_recv(world, NULL, 0, 0, GO, NULL);
}

typedef enum { RECEIVE, ANY_TAG, PROBE } way;

static void take_one(way how, int *value, cm_status *status)
{
    const int tag = how == ANY_TAG ? CM_ANY : FLOOD;
    if (how == PROBE) {
        cm_probe(world, CM_ANY, tag, status);
        cm_recv(world, value, sizeof *value, status->source, status->tag, status);
    } else {
        cm_recv(world, value, sizeof *value, CM_ANY, tag, status);
    }
}

static void test_turns(way how, int each, const char *what)
{
    const bool native = cm_comm_has(CM_HAS_PMI);
    point(what);
    let_wait(each);
    int *taken = memory((size_t)size * sizeof *taken);
    memset(taken, 0, (size_t)size * sizeof *taken);
    for (int k = 0; rank == 0 && k < each * size; k++) {
        cm_status status;
        int value = -1;
        take_one(how, &value, &status);
        EXPECT(value == taken[status.source], "message %d of rank %d instead of %d", value,
               status.source, taken[status.source]);
        EXPECT(!native || taken[status.source] == k / size,
               "receive %d takes message %d of rank %d while others wait", k, value, status.source);
        taken[status.source]++;
    }
    free(taken);
    let_go();
}

static void test_probed(void)
{
    point("what a probe from any source finds is what the next receive gets");
    if (size > 1 && rank == size - 1) cm_send(world, &rank, sizeof rank, 0, FLOOD);
    if (size > 1 && rank == 0 && cm_comm_has(CM_HAS_PMI)) {
        cm_status found, got;
        int value = -1;
        cm_probe(world, CM_ANY, CM_ANY, &found);
        for (int k = 0; k < 100; k++) cm_send(world, &k, sizeof k, 0, FLOOD);
        EXPECT(cm_iprobe(world, CM_ANY, CM_ANY, &got) && got.source == found.source);
        cm_recv(world, &value, sizeof value, CM_ANY, FLOOD, &got);
        EXPECT(got.source == found.source && value == size - 1, "a message of rank %d", got.source);
        for (int k = 0; k < 100; k++) {
            cm_recv(world, &value, sizeof value, CM_ANY, FLOOD, &got);
            EXPECT(value == k && got.source == 0, "message %d of rank %d", value, got.source);
        }
    } else if (size > 1 && rank == 0) {
        int value;
        cm_recv(world, &value, sizeof value, size - 1, FLOOD, NULL);
    }
    let_go();
}

/* ---- Messages that are still in the kernel --------------------------------------------------- */

static void is_tcp(const char *key, const char *value, void *yes)
{
    if (!strcmp(key, "transport")) *(bool *)yes = !strcmp(value, "tcp");
}

/* Waits until this number of sockets have at least this number of unread bytes. */
static void until_unread(int sockets, int bytes)
{
    enum { DESCRIPTORS = 256 };
    for (int found = 0; found < sockets; usleep(1000)) {
        found = 0;
        for (int fd = 3; fd < DESCRIPTORS; fd++) {
            int type = 0, unread = 0;
            socklen_t length = sizeof type;
            if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM
                && ioctl(fd, FIONREAD, &unread) == 0 && unread >= bytes)
                found++;
        }
    }
}

/* Rank 0 reads several hundred messages of rank 1 at once. Rank 2 sends one only then, and rank 1
   some more. */
static void test_kernel(void)
{
    enum { N = 3000, MORE = 100, MANY_BYTES = 16000, FEW_BYTES = 1000, MOST = 70 };
    bool tcp = false;
    char block[FEW_BYTES] = "";
    cm_describe(is_tcp, &tcp);
    if (!tcp || size < 3) return;
    point("a message that has arrived is received among the next 70 from any source");
    meet();
    if (rank == 1 || rank == 2) {
        cm_recv(world, NULL, 0, 0, GO, NULL);
        for (int k = 0; k < (rank == 1 ? N : 1); k++)
            cm_send(world, block, rank == 1 ? sizeof k : FEW_BYTES, 0, FLOOD);
        if (rank == 1) cm_recv(world, NULL, 0, 0, GO, NULL);
        for (int k = 0; rank == 1 && k < MORE; k++) cm_send(world, block, sizeof k, 0, FLOOD);
    } else if (rank == 0) {
        cm_status status;
        int before = 0;
        cm_send(world, NULL, 0, 1, GO);
        until_unread(1, MANY_BYTES);
        cm_recv(world, block, sizeof block, CM_ANY, FLOOD, &status);
        cm_send(world, NULL, 0, 1, GO);
        cm_send(world, NULL, 0, 2, GO);
        until_unread(2, FEW_BYTES);
        for (int k = 0; k < N + MORE; k++) {
            cm_recv(world, block, sizeof block, CM_ANY, FLOOD, &status);
            if (status.source == 2) before = k;
        }
        EXPECT(before < MOST, "after %d messages of rank 1", before);
    }
    meet();
}

SUBJECT(turns)
{
    test_turns(RECEIVE, 5, "a few messages of each rank wait: one of each in turn");
    test_turns(RECEIVE, 500, "many messages of each rank wait: one of each in turn");
    test_turns(ANY_TAG, 500, "the same with any tag");
    test_turns(PROBE, 100, "the same with a probe from any source before each receive");
    test_probed();
    test_kernel();
}
