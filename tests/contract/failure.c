/* SPDX-License-Identifier: BSD-3-Clause */
/* failure.c: comm.h, cm_on_failure(CM_RETURN): the last rank dies by SIGKILL, and all calls of the
   others that involve it return. contract/failure.sh runs it. */
#include "failure.h"

static const size_t LARGE = 48 << 20; /* more than two sockets' buffers */

/* Its messages: kept by the layer (acknowledged), unread, or even on a connection that nobody has
   accepted. */
static void received(void)
{
    size_t eager = strcmp(how, "kept") ? 2000 : eager_limit();
    char *data = memory(eager), token = 1;
    long pid = 0;
    if (strcmp(how, "unaccepted") == 0) meet_quietly();
    else meet();
    if (rank == victim) {
        fill(data, eager, 7);
        if (strcmp(how, "kept")) leave_file("dies");
        for (int r = 0; r < victim; r++) {
            cm_send(world, data, 0, r, 1);
            cm_send(world, data, 100, r, 1);
            cm_send(world, data, eager, r, 2);
            cm_send(world, &token, 1, r, 9);
            if (strcmp(how, "kept") == 0) cm_recv(world, &token, 1, r, 9, NULL);
        }
        die();
    }
    point("what a rank sent before it failed is received (%s)", how);
    cm_status status;
    if (strcmp(how, "kept")) {
        pid = await_file("dies", victim);
        await_end(pid);
    } else {
        cm_recv(world, &token, 1, victim, 9, NULL);
        cm_send(world, &token, 1, victim, 9);
        while (!cm_failed(world, victim)) cm_progress();
    }
    cm_recv(world, data, 0, victim, 1, &status);
    EXPECT(status.failed == -1 && status.bytes == 0);
    cm_recv(world, data, eager, victim, 2, &status);
    EXPECT(status.failed == -1 && wrong_at(data, status.bytes, 7) == eager, "%zu", status.bytes);
    cm_recv(world, data, 100, CM_ANY, 1, &status);
    EXPECT(status.failed == -1 && status.source == victim && wrong_at(data, status.bytes, 7) == 100,
           "failed %d, %zu bytes", status.failed, status.bytes);
    if (pid) {
        cm_recv(world, &token, 1, victim, 9, &status);
        EXPECT(status.failed == -1);
    }

    point("then every receive from it ends");
    recv_failed(victim, 1);
    recv_failed(victim, CM_ANY);
    cm_sendrecv(world, data, 100, victim, 1, buffer, sizeof buffer, victim, 1, &status);
    expect_failed(&status, victim);
    cm_request *request = cm_irecv(world, buffer, sizeof buffer, victim, 4);
    cm_wait(&request, &status);
    expect_failed(&status, victim);
    EXPECT(cm_failed(world, victim) && !cm_failed(world, rank) && cm_failures(world) == 1);
    free(data);
    go_on(victim);
}

static void any_source(void)
{
    cm_group *turned = cm_split(world, 0, -rank);
    cm_request *r[2] = {cm_irecv(world, buffer, sizeof buffer, CM_ANY, 6),
                        cm_irecv(world, buffer, sizeof buffer, CM_ANY, 7)};
    meet();
    if (rank == victim) die();
    point("of two receives from any source the first is told");
    cm_status status;
    cm_wait(&r[0], &status);
    expect_failed(&status, victim);
    if (victim > 1) {
        int right = (rank + 1) % victim, left = (rank + victim - 1) % victim;
        cm_send(world, buffer, 10, right, 7);
        cm_wait(&r[1], &status);
        EXPECT(status.failed == -1 && status.source == left && status.bytes == 10);
        EXPECT(!cm_iprobe(world, CM_ANY, 8, &status), "told again");
    } else {
        cm_wait(&r[1], &status);
        expect_failed(&status, victim);
        recv_failed(CM_ANY, CM_ANY);
    }
    point("another group is told by its own rank");
    cm_recv(turned, buffer, sizeof buffer, CM_ANY, CM_ANY, &status);
    expect_failed(&status, size - 1 - victim);
    EXPECT(cm_failed(turned, 0) && cm_failures(turned) == 1);
    go_on(victim);
    cm_group_free(turned);
}

static void waits(void)
{
    enum { N = 5 };
    char *large = memory(LARGE);
    int right = (rank + 1) % victim, left = (rank + victim - 1) % victim, done = 0;
    cm_status status[N];
    int indices[N], seen[N] = {0};
    meet();
    if (rank == victim) die();
    point("waitsome, waitany, test: receives and sends end by the failure, others as ever");
    cm_request *r[N] = {cm_irecv(world, buffer, 100, victim, 1),
                        cm_irecv(world, buffer + 100, 100, left, 1),
                        cm_isend(world, large, LARGE, victim, 1), NULL,
                        cm_irecv(world, buffer + 200, 100, victim, CM_ANY)};
    cm_send(world, buffer + 300, 50, right, 1);
    for (int n; (n = cm_waitsome(N, r, indices, status)) > 0; done += n)
        for (int k = 0; k < n; k++) {
            seen[indices[k]]++;
            EXPECT(status[k].failed == (indices[k] == 1 ? -1 : victim), "request %d: %d",
                   indices[k], status[k].failed);
        }
    EXPECT(done == 4 && seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && seen[4] == 1);
    r[0] = cm_irecv(world, buffer, 100, victim, 1);
    EXPECT(cm_waitany(N, r, status) == 0);
    expect_failed(status, victim);
    r[3] = cm_isend(world, buffer, 100, victim, 1);
    while (!cm_test(&r[3], status)) continue;
    EXPECT(status->failed == victim, "an eager send: %d", status->failed);
    cm_send(world, large, LARGE, victim, 1);
    r[0] = cm_irecv(world, buffer, 100, victim, 1);
    cm_cancel(&r[0]);
    EXPECT(!r[0]);
    free(large);
    go_on(victim);
}

static void probes(void)
{
    meet();
    if (rank == victim) die();
    point("probes end, the one from any source once");
    cm_status status = {0};
    cm_probe(world, victim, 1, &status);
    expect_failed(&status, victim);
    while (!cm_iprobe(world, victim, CM_ANY, &status)) continue;
    expect_failed(&status, victim);
    cm_probe(world, CM_ANY, 1, NULL);
    cm_probe(world, CM_ANY, 1, &status);
    expect_failed(&status, victim);
    if (victim > 1) EXPECT(!cm_iprobe(world, CM_ANY, 1, &status), "told again");
    else EXPECT(cm_iprobe(world, CM_ANY, 1, &status) && status.failed == victim);
    EXPECT(!cm_iprobe(world, rank, CM_ANY, &status));
    go_on(victim);
}

/* A large message that has partly arrived, for a receive from this source, from any source, or not
   posted yet. */
static void half(void)
{
    char token = 1, *large = rank && rank != victim ? NULL : memory(LARGE);
    bool posted = strcmp(how, "unexpected") != 0, any = strcmp(how, "any") == 0;
    cm_request *receive = NULL, *other = NULL;
    meet();
    if (rank == 0 && posted) {
        receive = cm_irecv(world, large, LARGE, any ? CM_ANY : victim, 1);
        other = cm_irecv(world, buffer, sizeof buffer, CM_ANY, 2);
        cm_send(world, &token, 1, victim, 9);
    }
    if (rank == victim) {
        if (posted) cm_recv(world, &token, 1, 0, 9, NULL);
        leave_file("dies");
        cm_request *send = cm_isend(world, large, LARGE, 0, 1);
        for (int k = 0; k < 5; k++) cm_progress();
        (void)send;
        die();
    }
    point("half a message (%s) was never sent", how);
    await_end(await_file("dies", victim)); /* reads nothing meanwhile: the message cannot become
                                                whole */
    cm_status status;
    if (receive) {
        cm_wait(&receive, &status);
        expect_failed(&status, victim);
        if (any) { /* that was the one report, and where there is nobody else, others follow */
            EXPECT(cm_test(&other, &status) == (victim == 1));
            if (other) cm_cancel(&other);
        } else {
            cm_wait(&other, &status);
            expect_failed(&status, victim);
        }
    } else if (rank == 0) {
        while (!cm_failed(world, victim)) cm_progress();
        EXPECT(cm_iprobe(world, victim, 1, &status) && status.failed == victim, "%zu bytes",
               status.bytes);
        cm_recv(world, large, LARGE, CM_ANY, 1, &status);
        expect_failed(&status, victim);
    }
    recv_failed(victim, 1);
    free(large);
    go_on(victim);
}

/* A message from the victim's shared memory that no rank has taken, and one to the victim that it
   will not take. Where the memory can be read after the sender's end, its message is whole. */
static void shared(void)
{
    unsigned char *large = cm_allocate(LARGE), *in = cm_allocate(LARGE);
    cm_status status;
    if (!large || !in) cm_abort(CM_EXIT_SYSTEM, "no memory");
    fill(large, LARGE, (unsigned)rank);
    meet();
    if (rank == 0 || rank == victim) /* both know each other's memory */
        cm_sendrecv(world, large, LARGE, victim - rank, 1, in, LARGE, victim - rank, 1, NULL);
    /* Rank 0 stays in the layer until the victim has all of that; below it makes no progress. */
    if (rank == 0) cm_recv(world, NULL, 0, victim, 5, NULL);
    if (rank == victim) {
        cm_send(world, NULL, 0, 0, 5);
        cm_request *send = cm_isend(world, large, LARGE, 0, 2);
        for (int k = 0; k < 5; k++) cm_progress();
        (void)send;
        leave_file("dies");
        die();
    }
    point("messages in shared memory, from and to a rank that died");
    cm_request *send = rank == 0 ? cm_isend(world, large, LARGE, victim, 3) : NULL;
    await_end(await_file("dies", victim));
    if (rank == 0) {
        memset(in, 0, LARGE);
        cm_recv(world, in, LARGE, victim, 2, &status);
        EXPECT(status.failed == victim || wrong_at(in, LARGE, (unsigned)victim) == LARGE,
               "failed %d, byte %zu", status.failed, wrong_at(in, LARGE, (unsigned)victim));
        cm_wait(&send, &status);
        EXPECT(status.failed == victim, "failed %d", status.failed);
    }
    recv_failed(victim, 1);
    point("survivors use the memory that messages to the dead one were in");
    for (int k = 0; k < 2 && victim > 1; k++) {
        const int right = (rank + 1) % victim, left = (rank + victim - 1) % victim;
        fill(large, LARGE, (unsigned)(rank + k));
        cm_sendrecv(world, large, LARGE, right, 4, in, LARGE, left, 4, &status);
        EXPECT(wrong_at(in, LARGE, (unsigned)(left + k)) == LARGE, "turn %d", k);
    }
    cm_free(large);
    cm_free(in);
    go_on(victim);
}

/* It never had a connection. */
static void never(void)
{
    meet_quietly();
    if (rank == victim) {
        leave_file("dies");
        die();
    }
    if (strcmp(how, "dead") == 0) await_end(await_file("dies", victim));
    point("a rank that nobody had a connection to is missed");
    if (rank % 3 == 0) recv_failed(CM_ANY, 1);
    if (rank % 3 == 1) {
        cm_request *send = cm_isend(world, buffer, 10, victim, 1);
        cm_wait(&send, NULL); /* the kernel may have taken it */
    }
    recv_failed(victim, 1);
    cm_send(world, buffer, 10, victim, 1);
    EXPECT(cm_failed(world, victim));
    go_on(victim);
}

/* More data than its credit and the sockets' buffers hold are on their way to a rank that receives
   nothing. */
static void flood(void)
{
    enum { N = 200 };
    const size_t bytes = eager_limit() + 1; /* shorter ones may be complete by being copied */
    cm_request *sends[N];
    cm_status statuses[N];
    int indices[N], done = 0, failed = 0, wrong = 0;
    char *data = memory(bytes), token = 1;
    meet();
    for (int k = 0; k < N && rank != victim; k++)
        sends[k] = cm_isend(world, data, k % 2 ? bytes : 100000, victim, 1);
    if (rank != victim) cm_send(world, &token, 1, victim, 2);
    if (rank == victim) {
        for (int r = 0; r < victim; r++) cm_recv(world, &token, 1, r, 2, NULL);
        die();
    }
    point("all of many sends to a rank end when it fails");
    for (int n; (n = cm_waitsome(N, sends, indices, statuses)) > 0; done += n)
        for (int k = 0; k < n; k++) {
            failed += statuses[k].failed == victim;
            wrong += statuses[k].failed != victim && statuses[k].failed != -1;
        }
    EXPECT(done == N && failed > N / 4 && !wrong, "%d ended, %d by the failure", done, failed);
    free(data);
    go_on(victim);
}

/* Messages to it and to the others wait (cm_coalesce) when it dies. */
static void coalesced(void)
{
    enum { N = 6 };
    cm_request *sends[2 * N];
    cm_status status;
    const int neighbour = (rank + 1) % victim;
    meet();
    if (rank == victim) {
        for (int r = 0; r < victim; r++) await_file("sent", r);
        leave_file("dies");
        die();
    }
    cm_coalesce(true);
    for (int k = 0; k < N; k++) {
        buffer[k] = (char)(10 * rank + k);
        sends[2 * k] = cm_isend(world, buffer + k, 1, victim, 1);
        sends[2 * k + 1] = cm_isend(world, buffer + k, 1, neighbour, 1);
    }
    leave_file("sent");
    await_end(await_file("dies", victim));
    point("what waits for a rank that is gone ends");
    for (int k = 0; k < N; k++) {
        cm_wait(&sends[2 * k], &status);
        EXPECT(status.failed == -1 || status.failed == victim, "%d", status.failed);
    }
    recv_failed(victim, 1);
    for (int k = 0; k < N; k++) {
        cm_request *send = cm_isend(world, buffer, 1, victim, 1);
        cm_wait(&send, &status);
        expect_failed(&status, victim);
    }
    point("what waits for others arrives");
    for (int k = 0; k < N; k++) {
        char got = -1;
        cm_recv(world, &got, 1, (rank + victim - 1) % victim, 1, &status);
        EXPECT(status.failed == -1 && got == 10 * status.source + k, "%d from %d", got,
               status.source);
    }
    for (int k = 0; k < N; k++) cm_wait(&sends[2 * k + 1], NULL);
    go_on(victim);
}

static const failure_case cases[] = {
    {"received", received, false}, {"any", any_source, false},      {"waits", waits, false},
    {"probes", probes, false},     {"half", half, false},           {"never", never, false},
    {"flood", flood, false},       {"coalesced", coalesced, false}, {"shared", shared, false}};

int main(int argc, char **argv)
{
    return failure_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
