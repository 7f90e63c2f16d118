/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c: comm.h: groups split off others, and their message spaces. */
#include "subject.h"

static void expect_group(cm_group *group, int want_rank, int want_size)
{
    EXPECT(cm_rank(group) == want_rank && cm_size(group) == want_size,
           "%d of %d instead of %d of %d", cm_rank(group), cm_size(group), want_rank, want_size);
}

/* A ring in group, in which each rank passes on its rank in the world. */
static int left_in(cm_group *group, int tag)
{
    int r = cm_rank(group), p = cm_size(group), mine = rank, got = -1;
    cm_status status;
    cm_sendrecv(group, &mine, sizeof mine, (r + 1) % p, tag, &got, sizeof got, (r + p - 1) % p, tag,
                &status);
    EXPECT(status.source == (r + p - 1) % p, "source %d in the group", status.source);
    return got;
}

static void test_split(void)
{
    point("a split by parity with reversed keys");
    int color = rank % 2, members = (size - color + 1) / 2, place = members - 1 - rank / 2;
    cm_group *g = cm_split(world, color, -rank);
    expect_group(g, place, members);
    /* The left neighbour in the group: the next higher world rank of the same parity,
       cyclically. */
    int want = place > 0 ? rank + 2 : color;
    int got = left_in(g, 3);
    EXPECT(got == want, "%d instead of %d", got, want);
    for (int r = 0; r < members; r++)
        EXPECT(!strcmp(cm_host(g, r), cm_host(world, color + 2 * (members - 1 - r))));

    point("a split of a split");
    cm_group *h = cm_split(g, place / 2, 0);
    int place2 = place % 2, members2 = place - place2 + 1 < members ? 2 : 1;
    expect_group(h, place2, members2);
    want = members2 == 1 ? rank : place2 ? rank + 2 : rank - 2;
    got = left_in(h, 3);
    EXPECT(got == want, "%d instead of %d", got, want);
    cm_group_free(h);
    cm_group_free(g);

    point("equal keys keep the order of ranks");
    g = cm_split(world, 5, 42);
    expect_group(g, rank, size);
    cm_group_free(g);

    point("a negative color makes a member of nothing");
    g = cm_split(world, rank == size - 1 ? -1 : 0, 0);
    EXPECT((g == NULL) == (rank == size - 1));
    if (g) {
        expect_group(g, rank, size - 1);
        left_in(g, 4);
    }
    cm_group_free(g);

    point("one rank a group");
    g = cm_split(world, rank, 0);
    expect_group(g, 0, 1);
    got = left_in(g, 5);
    EXPECT(got == rank);
    cm_barrier(g, CM_AUTO);
    cm_group_free(g);
}

static void test_hosts(void)
{
    point("a split by hosts");
    cm_group *g = cm_split_host(world);
    int members = 0, place = 0;
    for (int r = 0; r < size; r++) {
        if (strcmp(cm_host(world, r), cm_host(world, rank)) != 0) continue;
        if (r < rank) place++;
        EXPECT(!strcmp(cm_host(g, members), cm_host(world, rank)), "%s", cm_host(g, members));
        members++;
    }
    expect_group(g, place, members);
    int got = left_in(g, 3);
    EXPECT(!strcmp(cm_host(world, got), cm_host(world, rank)), "rank %d", got);

    point("a split by hosts of a group of one host, and of groups of single ranks");
    cm_group *again = cm_split_host(g), *single = cm_split(world, rank, 0);
    expect_group(again, place, members);
    cm_group *alone = cm_split_host(single);
    expect_group(alone, 0, 1);
    cm_group_free(alone);
    cm_group_free(single);
    cm_group_free(again);
    cm_group_free(g);
}

static void test_spaces(void)
{
    cm_group *a = cm_split(world, 0, rank), *b = cm_split(world, 0, rank);
    int in_a = -1, in_b = -1, in_world = -1, to_a = 100 + rank, to_b = 200 + rank,
        to_world = 300 + rank;
    cm_request *s[3];
    cm_status status;

    point("messages of different groups with one tag do not mix");
    s[0] = cm_isend(world, &to_world, sizeof(int), right_of(rank), 6);
    s[1] = cm_isend(a, &to_a, sizeof(int), right_of(rank), 6);
    s[2] = cm_isend(b, &to_b, sizeof(int), right_of(rank), 6);
    cm_recv(b, &in_b, sizeof(int), CM_ANY, CM_ANY, &status);
    EXPECT(in_b == 200 + left_of(rank) && status.source == left_of(rank), "%d", in_b);
    cm_probe(a, CM_ANY, CM_ANY, &status);
    EXPECT(status.tag == 6 && status.source == left_of(rank), "%d", status.tag);
    cm_recv(a, &in_a, sizeof(int), left_of(rank), 6, NULL);
    EXPECT(in_a == 100 + left_of(rank), "%d", in_a);
    EXPECT(!cm_iprobe(a, CM_ANY, CM_ANY, NULL) && !cm_iprobe(b, CM_ANY, CM_ANY, NULL));
    cm_recv(world, &in_world, sizeof(int), left_of(rank), 6, NULL);
    EXPECT(in_world == 300 + left_of(rank), "%d", in_world);
    cm_waitall(3, s, NULL);
    meet();

    point("receives posted for any message of one group get none of another");
    cm_request *r = cm_irecv(a, &in_a, sizeof(int), CM_ANY, CM_ANY);
    cm_sendrecv(b, &to_b, sizeof(int), right_of(rank), 7, &in_b, sizeof(int), left_of(rank), 7,
                NULL);
    EXPECT(!cm_test(&r, NULL));
    meet(); /* nobody sends in a before everybody has tested */
    cm_send(a, &to_a, sizeof(int), right_of(rank), 8);
    if (r) cm_wait(&r, &status);
    EXPECT(status.tag == 8 && in_a == 100 + left_of(rank) && in_b == 200 + left_of(rank), "%d, %d",
           in_a, in_b);

    point("collectives of a group do not meet its messages");
    r = cm_irecv(a, &in_a, sizeof(int), CM_ANY, CM_ANY);
    int sum = -1;
    cm_allreduce(a, &rank, &sum, 1, CM_INT32, CM_SUM, CM_AUTO);
    EXPECT(sum == size * (size - 1) / 2, "%d", sum);
    if (cm_algorithm_available(CM_COLLECTIVE_ALLREDUCE, CM_LINEAR)) {
        sum = -1;
        cm_allreduce(a, &rank, &sum, 1, CM_INT32, CM_SUM, CM_LINEAR);
        EXPECT(sum == size * (size - 1) / 2, "%d", sum);
    }
    EXPECT(!cm_test(&r, NULL));
    meet();
    cm_send(a, &to_a, sizeof(int), right_of(rank), 9);
    if (r) cm_wait(&r, NULL);
    EXPECT(in_a == 100 + left_of(rank), "%d", in_a);
    cm_group_free(b);
    cm_group_free(a);
}

static void test_parts(void)
{
    point("groups work on their own: each half its own number of collectives");
    int half = rank < (size + 1) / 2 ? 0 : 1;
    cm_group *g = cm_split(world, half, rank);
    for (int k = 0; k < (half ? 5 : 2); k++) {
        int root = k % cm_size(g), value = cm_rank(g) == root ? 10 * k + half : -1;
        cm_bcast(g, &value, sizeof value, root, CM_AUTO);
        EXPECT(value == 10 * k + half, "%d", value);
    }
    cm_group_free(g);

    int times = oversubscribed() ? 5 : 100;
    point("groups made and freed again and again");
    for (int k = 0; k < times; k++) {
        g = cm_split(world, 0, k % 2 ? -rank : rank);
        EXPECT(cm_rank(g) == (k % 2 ? size - 1 - rank : rank), "%d", cm_rank(g));
        cm_group_free(g);
    }
}

SUBJECT(groups)
{
    test_split();
    test_hosts();
    test_spaces();
    test_parts();
}
