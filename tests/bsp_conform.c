/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_conform.c: what Hill et al. (1998) promise of BSPlib's calls, a point a promise. */
#include "bsp/bsp_group.h"
#include "contract.h"

enum { LARGE = 300000 };   /* bytes: beyond every limit between ways of transport */

static void buffered_put(void)
{
    point("a put takes its source at once and arrives at the end of the superstep");
    int got = -1, source = rank;
    bsp_push_reg(&got, sizeof got);
    bsp_sync();
    bsp_put(right_of(rank), &source, &got, 0, sizeof source);
    source = -2;
    EXPECT(got == -1, "%d before bsp_sync", got);
    bsp_sync();
    EXPECT(got == left_of(rank), "%d", got);
    bsp_pop_reg(&got);
    bsp_sync();
}

static void gets_first(void)
{
    point("a get reads what was there before the puts of the superstep, and delivers afterwards");
    int value = 100 + rank, got = -1, new = 200 + rank;
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    bsp_put(left_of(rank), &new, &value, 0, sizeof new);
    bsp_get(right_of(rank), &value, 0, &got, sizeof got);
    EXPECT(got == -1, "%d before bsp_sync", got);
    bsp_sync();
    EXPECT(got == 100 + right_of(rank), "got %d", got);
    EXPECT(value == 200 + right_of(rank), "put %d", value);

    point("a get into what another reads does not disturb it");
    int mine = 300 + rank;
    bsp_push_reg(&mine, sizeof mine);
    bsp_sync();
    bsp_get(right_of(rank), &mine, 0, &mine, sizeof mine);
    bsp_sync();
    EXPECT(mine == 300 + right_of(rank), "%d", mine);
    bsp_pop_reg(&value);
    bsp_pop_reg(&mine);
    bsp_sync();
}

static void late_source(void)
{
    point("a get reads its source at the end of the superstep, not when it is called");
    int value = -1, got = -1;
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    bsp_get(right_of(rank), &value, 0, &got, sizeof got);
    value = 7 * rank;
    bsp_sync();
    EXPECT(got == 7 * right_of(rank), "%d", got);
    bsp_pop_reg(&value);
    bsp_sync();
}

static void registrations(void)
{
    point("the newest registration of an address counts, from the next superstep on");
    int area[2] = {-1, -1}, one = 1 + rank, other;
    bsp_push_reg(area, sizeof area);
    bsp_push_reg(&other, sizeof other);
    bsp_sync();
    /* area of this rank belongs to other of rank 0 from now on */
    bsp_push_reg(rank ? (void *)area : (void *)&other, sizeof(int));
    bsp_put(0, &one, area, rank ? 4 : 0, rank == size - 1 ? sizeof one : 0);
    bsp_sync();
    if (rank == 0) EXPECT(area[size > 1] == size, "%d %d", area[0], area[1]);
    other = -1;
    bsp_sync();
    if (rank == size - 1) bsp_put(0, &one, rank ? (void *)area : (void *)&other, 0, sizeof one);
    bsp_sync();
    if (rank == 0) EXPECT(other == size, "%d", other);

    point("a pop takes the newest away, and the older one counts again");
    bsp_pop_reg(rank ? (void *)area : (void *)&other);
    bsp_sync();
    area[0] = -1;
    bsp_sync();
    if (rank == size - 1) bsp_put(0, &one, area, 0, sizeof one);
    bsp_sync();
    if (rank == 0) EXPECT(area[0] == size, "%d", area[0]);

    point("a popped registration can be used until the end of the superstep");
    if (rank == size - 1) bsp_put(0, &size, area, 4, sizeof size);
    bsp_pop_reg(area);
    bsp_pop_reg(&other);
    bsp_sync();
    if (rank == 0) EXPECT(area[1] == size, "%d", area[1]);

    point("pops in another order than the pushes");
    int a = -1, b = -1, c = -1;
    bsp_push_reg(&a, sizeof a);
    bsp_push_reg(&b, sizeof b);
    bsp_push_reg(&c, sizeof c);
    bsp_sync();
    bsp_pop_reg(&a);
    bsp_sync();
    bsp_put(right_of(rank), &rank, &c, 0, sizeof rank);
    bsp_put(right_of(rank), &rank, &b, 0, sizeof rank);
    bsp_pop_reg(&c);
    bsp_sync();
    EXPECT(b == left_of(rank) && c == left_of(rank) && a == -1, "%d %d %d", a, b, c);
    b = -1;
    bsp_sync();
    bsp_put(right_of(rank), &rank, &b, 0, sizeof rank);
    bsp_pop_reg(&b);
    bsp_sync();
    EXPECT(b == left_of(rank), "%d", b);

    point("a registration that is pushed and popped in one superstep leaves the older one");
    bsp_push_reg(&a, sizeof a);
    bsp_sync();
    bsp_push_reg(&a, 0);
    bsp_pop_reg(&a);
    bsp_sync();
    bsp_put(right_of(rank), &rank, &a, 0, sizeof rank);
    bsp_pop_reg(&a);
    bsp_sync();
    EXPECT(a == left_of(rank), "%d", a);

    point("processes without an area register NULL");
    bsp_push_reg(rank ? NULL : (void *)&b, rank ? 0 : sizeof b);
    bsp_sync();
    b = -1;
    bsp_sync();
    if (rank == size - 1) bsp_put(0, &size, rank ? NULL : (void *)&b, 0, sizeof size);
    bsp_sync();
    if (rank == 0) EXPECT(b == size, "%d", b);
    bsp_pop_reg(rank ? NULL : (void *)&b);
    bsp_sync();
}

static void self(void)
{
    point("a process writes to, reads from and writes messages to itself");
    int value = 1, got = 0, new = 2;
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    bsp_put(rank, &new, &value, 0, sizeof new);
    bsp_get(rank, &value, 0, &got, sizeof got);
    bsp_send(rank, NULL, &new, sizeof new);
    new = 3;
    EXPECT(value == 1 && got == 0);
    bsp_sync();
    EXPECT(value == 2 && got == 1, "%d %d", value, got);
    bsp_move(&new, sizeof new);
    EXPECT(new == 2, "%d", new);
    bsp_pop_reg(&value);
    bsp_sync();
}

static void many_sizes(void)
{
    point("writes and reads of all sizes, with and without buffers, everyone to everyone");
    static const size_t sizes[] = {1, 7, 8, 9, 1000, 40000, LARGE};
    unsigned char *out = memory(LARGE), *in = memory((size_t)size * LARGE), *got = memory(LARGE);
    unsigned char *hp = memory(LARGE);
    bsp_push_reg64(in, (size_t)size * LARGE);
    bsp_push_reg64(out, LARGE);
    fill(out, LARGE, (unsigned)rank);
    bsp_sync();
    int from = right_of(rank);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        memset(in, 0, (size_t)size * LARGE);
        memset(got, 0, LARGE);
        memset(hp, 0, LARGE);
        bsp_sync();
        for (int pid = 0; pid < size; pid++) {
            size_t offset = (size_t)rank * LARGE;
            if (k & 1) bsp_put64(pid, out, in, offset, sizes[k]);
            else bsp_hpput64(pid, out, in, offset, sizes[k]);
        }
        bsp_get64(from, out, 0, got, sizes[k]);
        bsp_hpget64(from, out, 0, hp, sizes[k]);
        if (k & 2) cm_bsp_progress();
        bsp_sync();
        for (int pid = 0; pid < size; pid++) {
            const unsigned char *area = in + (size_t)pid * LARGE;
            EXPECT(wrong_at(area, sizes[k], (unsigned)pid) == sizes[k], "%zu bytes from %d",
                sizes[k],
                   pid);
            EXPECT(sizes[k] == LARGE || area[sizes[k]] == 0, "beyond %zu bytes", sizes[k]);
        }
        EXPECT(wrong_at(got, sizes[k], (unsigned)from) == sizes[k], "get of %zu", sizes[k]);
        EXPECT(wrong_at(hp, sizes[k], (unsigned)from) == sizes[k], "hpget of %zu", sizes[k]);
    }
    bsp_pop_reg(out);
    bsp_pop_reg(in);
    bsp_sync();
    free(out);
    free(in);
    free(got);
    free(hp);
}

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

static void many_supersteps(void)
{
    point("many supersteps without and with few words, processes not in step");
    int rounds = crowded() ? 50 : 2000, *area = memory((size_t)size * sizeof(int));
    bsp_push_reg(area, size * (int)sizeof(int));
    bsp_sync();
    for (int k = 0; k < rounds; k++) {
        for (int pid = 0; pid < size; pid++)
            bsp_put(pid, &k, area, rank * (int)sizeof(int), sizeof k);
        bsp_sync();
        for (int pid = 0; pid < size; pid++) EXPECT(area[pid] == k, "%d of %d in %d", area[pid],
            pid, k);
        bsp_sync();
    }
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
}

static void sums(void)
{
    point("supersteps and what they moved are counted");
    cm_bsp_sums before = cm_bsp_total();
    double area[2];
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put(right_of(rank), area, area, 0, sizeof area);
    bsp_sync();
    bsp_pop_reg(area);
    bsp_sync();
    cm_bsp_sums after = cm_bsp_total();
    int others = size > 1;
    EXPECT(after.supersteps - before.supersteps == 3);
    EXPECT(after.out_bytes - before.out_bytes == 16 * others
           && after.in_bytes - before.in_bytes == 16 * others);
    EXPECT(after.out_messages - before.out_messages == others);
    EXPECT(after.work_s >= before.work_s && after.sync_s > before.sync_s);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    for (int turn = 0; turn < 2; turn++) {   /* the SPMD part can come again */
        cm_bsp_begin(world);
        if (turn == 0) point("processes are the ranks of the group");
        else point("and again after the end");
        EXPECT(bsp_pid() == rank && bsp_nprocs() == size && bsp_time() >= 0);
        buffered_put();
        if (turn == 0) {
            gets_first();
            late_source();
            registrations();
            self();
            many_sizes();
            messages();
            many_supersteps();
            sums();
        }
        cm_bsp_end();
    }
    return contract_done();
}
