/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.c: comm.h: collectives that run at the same time as each other and as messages. */
#include "algorithms.h"
#include "subject.h"

enum { N = 12, ELEMENTS = 5000 };

static int64_t vector[N][ELEMENTS], sums[N][ELEMENTS];

/* Operation k of a batch: a broadcast from changing roots, or a sum. */
static cm_request *begin(cm_group *group, int k, size_t count, cm_algorithm algorithm)
{
    int p = cm_size(group), r = cm_rank(group), root = k % p;
    for (size_t i = 0; i < count; i++) {
        vector[k][i] = k % 2 ? r * 1000 + (int64_t)i + k : r == root ? (int64_t)i * 3 + k : -1;
        sums[k][i] = -1;
    }
    if (k % 2) return cm_iallreduce(group, vector[k], sums[k], count, CM_INT64, CM_SUM, algorithm);
    return cm_ibcast(group, vector[k], count * sizeof(int64_t), root, algorithm);
}

static void check(const cm_group *group, int k, size_t count)
{
    int64_t p = cm_size(group);
    for (size_t i = 0; i < count; i++) {
        int64_t got = k % 2 ? sums[k][i] : vector[k][i];
        int64_t want = k % 2 ? p * ((int64_t)i + k) + 1000 * (p * (p - 1) / 2) : (int64_t)i * 3 + k;
        if (!EXPECT(got == want, "operation %d, element %zu: %lld, not %lld", k, i, (long long)got,
                    (long long)want))
            return;
    }
}

static size_t elements(int k) { return k % 3 == 0 ? ELEMENTS : k % 3 == 1 ? 1 : 100; }

static void test_alone(cm_collective collective, cm_algorithm algorithm, const char *name)
{
    int first = collective == CM_COLLECTIVE_ALLREDUCE;
    point("i%s by %s completes by wait and by test, with and without data",
          cm_collective_name(collective), name);
    for (int k = first; k < 6; k += 2) {
        size_t count = k < 2 ? 0 : elements(k);
        cm_request *r = begin(world, k, count, algorithm);
        EXPECT(r != NULL, "a request is NULL from the start");
        if (k % 4 < 2) cm_wait(&r, NULL);
        else
            while (!cm_test(&r, NULL)) cm_progress();
        EXPECT(!r);
        check(world, k, count);
    }
}

static void test_many(void)
{
    cm_request *requests[N];
    point("%d collectives under way at once, waited for in the opposite order", (int)N);
    for (int k = 0; k < N; k++) requests[k] = begin(world, k, elements(k), CM_AUTO);
    for (int k = N - 1; k >= 0; k--) cm_wait(&requests[k], NULL);
    for (int k = 0; k < N; k++) check(world, k, elements(k));

    point("the same by waitall, of different algorithms");
    for (int k = 0; k < N; k++) {
        cm_algorithm a = k % 4 < 2 ? CM_LINEAR : CM_BINOMIAL;
        cm_collective c = k % 2 ? CM_COLLECTIVE_ALLREDUCE : CM_COLLECTIVE_BCAST;
        requests[k] = begin(world, k, elements(k), cm_algorithm_available(c, a) ? a : CM_AUTO);
    }
    cm_waitall(N, requests, NULL);
    for (int k = 0; k < N; k++) {
        EXPECT(!requests[k]);
        check(world, k, elements(k));
    }

    point("blocking collectives between them");
    int64_t one = 1, all = 0;
    for (int k = 0; k < 4; k++) {
        requests[k] = begin(world, k, elements(k), k < 2 ? CM_AUTO : CM_LINEAR);
        cm_allreduce(world, &one, &all, 1, CM_INT64, CM_SUM, k % 2 ? CM_LINEAR : CM_AUTO);
        EXPECT(all == size, "%lld", (long long)all);
    }
    cm_barrier(world, CM_LINEAR);
    cm_waitall(4, requests, NULL);
    for (int k = 0; k < 4; k++) check(world, k, elements(k));
}

static void test_messages(void)
{
    enum { M = 4 };
    size_t bytes = 400000;
    unsigned char *out = memory(M * bytes), *in = memory(M * bytes);
    cm_request *requests[2 * M + 4];
    int seen[2 * M + 4] = {0};

    point("collectives and large messages in one waitany");
    fill(out, M * bytes, (unsigned)rank);
    for (int k = 0; k < M; k++) {
        requests[k] = cm_irecv(world, in + (size_t)k * bytes, bytes, left_of(rank), k);
        if (k % 2 == 0) requests[2 * M + k] = begin(world, k, elements(k), CM_AUTO);
        requests[M + k] = cm_isend(world, out + (size_t)k * bytes, bytes, right_of(rank), k);
        if (k % 2) requests[2 * M + k] = begin(world, k, elements(k), CM_LINEAR);
    }
    for (int k = 0; k < 2 * M + 4; k++) {
        int i = cm_waitany(2 * M + 4, requests, NULL);
        if (EXPECT(i >= 0 && i < 2 * M + 4, "%d", i)) seen[i]++;
    }
    for (int k = 0; k < 2 * M + 4; k++)
        EXPECT(seen[k] == 1 && !requests[k], "%d: %d times", k, seen[k]);
    EXPECT(wrong_at(in, M * bytes, (unsigned)left_of(rank)) == M * bytes);
    for (int k = 0; k < 4; k++) check(world, k, elements(k));

    point("a collective goes on while a rank waits for a message");
    /* Rank 0 learns of the last rank's end of the collective before it waits for its own. */
    cm_request *r = begin(world, 1, 100, CM_LINEAR);
    if (rank == 0 && size > 1) cm_recv(world, NULL, 0, size - 1, 9, NULL);
    cm_wait(&r, NULL);
    if (rank == size - 1 && size > 1) cm_send(world, NULL, 0, 0, 9);
    check(world, 1, 100);

    point("cm_progress alone moves a collective on");
    r = begin(world, 1, 100, CM_LINEAR);
    bool last = rank == size - 1;
    if (!last) {
        while (!cm_iprobe(world, size - 1, 10, NULL)) cm_progress();
        cm_recv(world, NULL, 0, size - 1, 10, NULL);
    }
    cm_wait(&r, NULL);
    for (int k = 0; last && k < size - 1; k++) cm_send(world, NULL, 0, k, 10);
    check(world, 1, 100);
    free(out);
    free(in);
}

static void test_groups(void)
{
    point("collectives of several groups at once");
    cm_group *twin = cm_split(world, 0, -rank), *part = cm_split(world, rank % 2, rank);
    cm_group *groups[3] = {world, twin, part};
    cm_request *requests[9];
    for (int k = 0; k < 9; k++)
        requests[k] = begin(groups[k % 3], k, elements(k), k < 6 ? CM_AUTO : CM_LINEAR);
    for (int k = 0; k < 9; k++) cm_wait(&requests[(k * 5) % 9], NULL);
    for (int k = 0; k < 9; k++) check(groups[k % 3], k, elements(k));
    cm_group_free(part);
    cm_group_free(twin);
}

SUBJECT(overlap)
{
    each_algorithm(CM_COLLECTIVE_BCAST, test_alone);
    each_algorithm(CM_COLLECTIVE_ALLREDUCE, test_alone);
    test_many();
    test_messages();
    test_groups();
}
