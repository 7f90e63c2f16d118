/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c: comm.h: waiting for, testing and cancelling requests, one and thousands. */
#include "subject.h"

static void test_null(void)
{
    cm_request *none[3] = {NULL, NULL, NULL};
    int indices[3];
    point("requests that are NULL are complete");
    cm_wait(&none[0], NULL);
    cm_waitall(3, none, NULL);
    cm_waitall(0, NULL, NULL);
    EXPECT(cm_waitany(3, none, NULL) == -1);
    EXPECT(cm_waitany(0, NULL, NULL) == -1);
    EXPECT(cm_waitsome(3, none, indices, NULL) == -1);
    EXPECT(cm_test(&none[0], NULL));

    point("completion sets the pointer to NULL");
    int out = rank, in = -1;
    cm_request *r[2] = {cm_irecv(world, &in, sizeof in, left_of(rank), 1),
                        cm_isend(world, &out, sizeof out, right_of(rank), 1)};
    EXPECT(r[0] && r[1], "a request is NULL from the start");
    cm_status status;
    cm_wait(&r[0], &status);
    cm_wait(&r[1], NULL);
    EXPECT(!r[0] && !r[1]);
    EXPECT(in == left_of(rank) && status.source == left_of(rank) && status.tag == 1
               && status.bytes == sizeof in,
           "%d from %d", in, status.source);

    point("waitall passes over the NULL among its requests");
    in = -1;
    cm_request *mixed[4] = {NULL, cm_irecv(world, &in, sizeof in, left_of(rank), 2), NULL,
                            cm_isend(world, &out, sizeof out, right_of(rank), 2)};
    cm_waitall(4, mixed, NULL);
    EXPECT(in == left_of(rank) && !mixed[1] && !mixed[3], "%d", in);
}

static void test_all(void)
{
    enum { N = 20 };
    point("waitall gives each request its status, and passes over NULL");
    int out[N], in[N];
    cm_request *requests[2 * N + 1];
    cm_status statuses[2 * N + 1];
    for (int k = 0; k <= 2 * N; k++) statuses[k] = (cm_status){-7, -7, 77, -7};
    for (int k = 0; k < N; k++)
        requests[k] =
            cm_irecv(world, in, k == 0 ? sizeof in : 0, k % 2 ? CM_ANY : left_of(rank), k);
    requests[N] = NULL;
    for (int k = 0; k < N; k++) out[k] = 500 * rank + k;
    for (int k = N - 1; k >= 0; k--)
        requests[N + 1 + k] = cm_isend(world, out, k == 0 ? 3 * sizeof *out : 0, right_of(rank), k);
    cm_waitall(2 * N + 1, requests, statuses);
    for (int k = 0; k < N; k++) {
        EXPECT(!requests[k] && statuses[k].source == left_of(rank) && statuses[k].tag == k
                   && statuses[k].bytes == (k ? 0 : 3 * sizeof *in) && statuses[k].failed == -1,
               "%d: source %d, tag %d, %zu bytes, failed %d", k, statuses[k].source,
               statuses[k].tag, statuses[k].bytes, statuses[k].failed);
        EXPECT(!requests[N + 1 + k] && statuses[N + 1 + k].failed == -1, "send %d: failed %d", k,
               statuses[N + 1 + k].failed);
    }
    EXPECT(statuses[N].bytes == 77 && statuses[N].failed == -7, "the status of NULL was written");
    EXPECT(in[2] == 500 * left_of(rank) + 2, "%d", in[2]);

    point("waitall with a collective among its requests");
    int64_t one = 1, sum = 0;
    statuses[0] = statuses[1] = statuses[2] = (cm_status){-7, -7, 77, -7};
    requests[0] = cm_irecv(world, in, sizeof in, left_of(rank), 1);
    requests[1] = cm_iallreduce(world, &one, &sum, 1, CM_INT64, CM_SUM, CM_LINEAR);
    requests[2] = cm_isend(world, out, sizeof *out, right_of(rank), 1);
    cm_waitall(3, requests, statuses);
    EXPECT(sum == size && statuses[1].failed == -1, "%lld, failed %d", (long long)sum,
           statuses[1].failed);
    EXPECT(statuses[0].bytes == sizeof *out && statuses[0].source == left_of(rank), "%zu bytes",
           statuses[0].bytes);
}

static void test_many(void)
{
    enum { N = 3000 };
    static int64_t out[N], in[N];
    static cm_request *requests[2 * N];
    point("%d receives and as many sends outstanding, in opposite orders", N);
    for (int k = 0; k < N; k++) {
        out[k] = rank * 100000 + k;
        in[k] = -1;
        requests[k] = cm_irecv(world, &in[k], sizeof in[k], left_of(rank), k);
    }
    for (int k = N - 1; k >= 0; k--)
        requests[N + k] = cm_isend(world, &out[k], sizeof out[k], right_of(rank), k);
    cm_waitall(2 * N, requests, NULL);
    int wrong = 0;
    for (int k = 0; k < N; k++) wrong += in[k] != left_of(rank) * 100000 + k;
    for (int k = 0; k < 2 * N; k++) wrong += requests[k] != NULL;
    EXPECT(wrong == 0, "%d of %d", wrong, N);

    point("thousands of receives of any source, sends first");
    int64_t sum = 0;
    for (int k = 0; k < N; k++)
        requests[k] = cm_isend(world, &out[k], sizeof out[k], right_of(rank), 1);
    for (int k = 0; k < N; k++) requests[N + k] = cm_irecv(world, &in[k], sizeof in[k], CM_ANY, 1);
    cm_waitall(2 * N, requests, NULL);
    wrong = 0;
    for (int k = 0; k < N; k++) sum += in[k], wrong += in[k] != left_of(rank) * 100000 + k;
    EXPECT(wrong == 0, "%d, sum %lld", wrong, (long long)sum);
}

/* The left neighbour sends one message, then waits for word that the right one has received it. */
static void send_one(const int *value, int tag)
{
    cm_send(world, value, sizeof *value, right_of(rank), tag);
}

static void acknowledge(void)
{
    cm_sendrecv(world, NULL, 0, left_of(rank), 99, NULL, 0, right_of(rank), 99, NULL);
}

static void test_any(void)
{
    enum { N = 5 };
    static const int order[N] = {3, 0, 4, 1, 2};
    int in[N];
    cm_request *requests[N];
    cm_status status;

    point("waitany returns what completed, in whatever order that happens");
    for (int k = 0; k < N; k++)
        requests[k] = cm_irecv(world, &in[k], sizeof in[k], left_of(rank), 10 + k);
    for (int k = 0; k < N; k++) {
        int value = 1000 * rank + order[k];
        send_one(&value, 10 + order[k]);
        int i = cm_waitany(N, requests, &status);
        if (EXPECT(i == order[k], "%d instead of %d", i, order[k])) {
            EXPECT(!requests[i] && in[i] == 1000 * left_of(rank) + i, "%d", in[i]);
            EXPECT(status.source == left_of(rank) && status.tag == 10 + i
                       && status.bytes == sizeof(int),
                   "from %d, tag %d", status.source, status.tag);
        }
        acknowledge();
    }
    EXPECT(cm_waitany(N, requests, &status) == -1);

    point("waitany among sends and receives completes each once");
    cm_request *both[2 * N];
    int out[N], seen[2 * N] = {0};
    for (int k = 0; k < N; k++) {
        out[k] = 2000 * rank + k;
        both[2 * k] = cm_isend(world, &out[k], sizeof out[k], right_of(rank), 20 + k);
        both[2 * k + 1] = cm_irecv(world, &in[k], sizeof in[k], left_of(rank), 20 + k);
    }
    for (int k = 0; k < 2 * N; k++) {
        int i = cm_waitany(2 * N, both, NULL);
        if (EXPECT(i >= 0 && i < 2 * N, "%d", i)) seen[i]++;
    }
    for (int k = 0; k < 2 * N; k++) EXPECT(seen[k] == 1 && !both[k], "%d: %d times", k, seen[k]);
    for (int k = 0; k < N; k++) EXPECT(in[k] == 2000 * left_of(rank) + k, "%d", in[k]);
}

static void test_some(void)
{
    enum { N = 40 };
    int in[N], out[N], indices[N], seen[N] = {0}, total = 0;
    cm_request *requests[N], *sends[N];
    cm_status statuses[N];

    point("waitsome brings all, each once, with its own status");
    for (int k = 0; k < N; k++)
        requests[k] = cm_irecv(world, &in[k], sizeof in[k], left_of(rank), k);
    for (int k = 0; k < N; k++) {
        out[k] = 3000 * rank + k;
        sends[k] = cm_isend(world, &out[k], sizeof out[k], right_of(rank), (k * 7) % N);
    }
    int calls = 0, done;
    while ((done = cm_waitsome(N, requests, indices, statuses)) != -1 && calls++ < N) {
        EXPECT(done > 0 && done <= N, "%d", done);
        for (int k = 0; k < done; k++) {
            int i = indices[k];
            if (!EXPECT(i >= 0 && i < N, "%d", i)) continue;
            seen[i]++;
            EXPECT(statuses[k].tag == i && statuses[k].source == left_of(rank), "tag %d, not %d",
                   statuses[k].tag, i);
        }
        total += done;
    }
    EXPECT(total == N, "%d", total);
    for (int k = 0; k < N; k++) EXPECT(seen[k] == 1, "%d: %d times", k, seen[k]);
    for (int k = 0; k < N; k++) EXPECT(in[(k * 7) % N] == 3000 * left_of(rank) + k);
    cm_waitall(N, sends, NULL);

    point("waitsome without statuses");
    cm_request *one = cm_irecv(world, &in[0], sizeof in[0], left_of(rank), 1);
    send_one(&out[0], 1);
    EXPECT(cm_waitsome(1, &one, indices, NULL) == 1 && indices[0] == 0 && !one);
}

static void test_test(void)
{
    int in = -1, out = 50 + rank;
    cm_status status = {-5, -5, 0, -5};
    point("cm_test says no before the message is sent, and yes some time after");
    cm_request *r = cm_irecv(world, &in, sizeof in, left_of(rank), 5);
    cm_request *same = r;
    for (int k = 0; k < 20; k++)
        EXPECT(!cm_test(&r, &status) && r == same && in == -1, "round %d", k);
    meet(); /* nobody sends before everybody has tested */
    cm_request *s = cm_isend(world, &out, sizeof out, right_of(rank), 5);
    while (!cm_test(&r, &status)) cm_progress();
    EXPECT(!r && in == 50 + left_of(rank), "%d", in);
    EXPECT(status.source == left_of(rank) && status.tag == 5 && status.bytes == sizeof in);
    EXPECT(status.failed == -1, "%d", status.failed);
    status.failed = -5;
    while (!cm_test(&s, &status)) continue;
    EXPECT(status.failed == -1, "a send's: %d", status.failed);
    EXPECT(!s);

    point("large messages complete by cm_test alone");
    size_t bytes = 3 << 20;
    unsigned char *a = memory(bytes), *b = memory(bytes);
    fill(a, bytes, (unsigned)rank);
    memset(b, 0, bytes);
    r = cm_irecv(world, b, bytes, left_of(rank), 6);
    s = cm_isend(world, a, bytes, right_of(rank), 6);
    bool received = false, sent = false;
    while (!received || !sent) {
        received = received || cm_test(&r, &status);
        sent = sent || cm_test(&s, NULL);
    }
    EXPECT(status.bytes == bytes && wrong_at(b, bytes, (unsigned)left_of(rank)) == bytes);
    free(a);
    free(b);
}

static void test_cancel(void)
{
    int never = -1, in = -1, out = 70 + rank;
    point("a cancelled receive takes no message");
    cm_request *r = cm_irecv(world, &never, sizeof never, left_of(rank), 8);
    cm_cancel(&r);
    EXPECT(!r);
    cm_cancel(&r); /* NULL */
    meet();
    cm_sendrecv(world, &out, sizeof out, right_of(rank), 8, &in, sizeof in, left_of(rank), 8, NULL);
    EXPECT(in == 70 + left_of(rank) && never == -1, "%d, %d", in, never);

    point("cancelling one of several receives leaves the others their order");
    int slot[3] = {-1, -1, -1};
    cm_request *three[3];
    for (int k = 0; k < 3; k++)
        three[k] = cm_irecv(world, &slot[k], sizeof slot[k], left_of(rank), 9);
    cm_cancel(&three[1]);
    meet();
    for (int k = 0; k < 2; k++) {
        int value = 80 + k;
        send_one(&value, 9);
    }
    cm_waitall(3, three, NULL);
    EXPECT(slot[0] == 80 && slot[1] == -1 && slot[2] == 81, "%d %d %d", slot[0], slot[1], slot[2]);

    point("cancelling a receive that has its message completes it");
    cm_status status;
    in = -1;
    r = cm_irecv(world, &in, sizeof in, rank, 11);
    cm_send(world, &out, sizeof out, rank, 11);
    cm_cancel(&r);
    EXPECT(!r && in == out, "%d instead of %d", in, out);
    EXPECT(!cm_iprobe(world, rank, 11, &status), "the message is still there");
    meet();
}

SUBJECT(requests)
{
    test_null();
    test_all();
    test_many();
    test_any();
    test_some();
    test_test();
    test_cancel();
}
