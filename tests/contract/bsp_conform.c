/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_conform.c: what Hill et al. (1998) promise about BSPlib's calls, one point for each promise;
   bsp_messages.c has those about messages. */
#include "bsp/bsp_group.h"
#include "subject.h"

enum { LARGE = 300000 }; /* bytes: beyond every limit between ways of transport */

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

    point("what a get delivers, a put of the superstep may overwrite");
    bsp_get(right_of(rank), &mine, 0, &value, sizeof value);
    bsp_put(left_of(rank), &rank, &value, 0, sizeof rank);
    bsp_sync();
    EXPECT(value == right_of(rank), "%d", value);
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

/* x and y are areas of all processes but those that have NULL. */
static void nulls(void)
{
    point("a pop of NULL is of the area that the others name");
    int x = -1, y = -1, first = rank == 0;
    bsp_push_reg(first ? NULL : (void *)&x, first ? 0 : sizeof x);
    bsp_push_reg(NULL, 0);
    bsp_push_reg(first ? NULL : (void *)&y, first ? 0 : sizeof y);
    bsp_sync();
    bsp_pop_reg(first ? NULL : (void *)&x);
    bsp_sync();
    if (!first) bsp_put(size - 1, &rank, &y, 0, sizeof rank);
    bsp_sync();
    if (!first && rank == size - 1) EXPECT(y >= 1 && y < size && x == -1, "%d %d", x, y);

    point("a pop of NULL by all is of the newest area that nobody has");
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(NULL, 0);
    bsp_push_reg(first ? (void *)&y : NULL, first ? sizeof y : 0);
    bsp_pop_reg(NULL);
    bsp_pop_reg(NULL);
    bsp_pop_reg(first ? (void *)&y : NULL);
    bsp_sync();
    bsp_put(right_of(rank), &rank, &x, 0, sizeof rank);
    bsp_pop_reg(first ? NULL : (void *)&y);
    bsp_pop_reg(&x);
    bsp_sync();
    EXPECT(x == left_of(rank), "%d", x);
}

static void empty(void)
{
    point("0 bytes from nowhere to nowhere");
    int mine = rank, got = -1;
    bsp_push_reg(&mine, sizeof mine);
    bsp_sync();
    bsp_put(right_of(rank), NULL, NULL, 100, 0);
    bsp_hpput(right_of(rank), &got, &got, 0, 0);
    bsp_get(right_of(rank), NULL, 8, NULL, 0);
    bsp_hpget(right_of(rank), &got, 0, &got, 0);
    bsp_put(right_of(rank), &got, &mine, 4, 0);
    bsp_pop_reg(&mine);
    bsp_sync();
    EXPECT(mine == rank && got == -1, "%d %d", mine, got);
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

    point("and does so without buffers, also where source and destination overlap");
    unsigned char *area = memory(LARGE), *got_area = memory(LARGE / 2);
    fill(area, LARGE, (unsigned)rank);
    bsp_push_reg(area, LARGE);
    bsp_sync();
    bsp_hpput(rank, area, area, LARGE / 4, LARGE / 2);
    bsp_sync();
    bsp_hpget(rank, area, LARGE / 4, got_area, LARGE / 2);
    bsp_sync();
    EXPECT(wrong_at(got_area, LARGE / 2, (unsigned)rank) == LARGE / 2);
    EXPECT(wrong_at(area + LARGE / 4, LARGE / 2, (unsigned)rank) == LARGE / 2);
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(got_area);
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
    for (size_t turn = 0; turn < 2 * sizeof sizes / sizeof *sizes; turn++) {
        size_t k = turn / 2;
        memset(in, 0, (size_t)size * LARGE);
        memset(got, 0, LARGE);
        memset(hp, 0, LARGE);
        bsp_sync();
        for (int pid = 0; pid < size; pid++) {
            size_t offset = (size_t)rank * LARGE;
            if (turn & 1) bsp_put64(pid, out, in, offset, sizes[k]);
            else bsp_hpput64(pid, out, in, offset, sizes[k]);
        }
        bsp_get64(from, out, 0, got, sizes[k]);
        bsp_hpget64(from, out, 0, hp, sizes[k]);
        if (turn & 4) cm_bsp_progress();
        bsp_sync();
        for (int pid = 0; pid < size; pid++) {
            const unsigned char *area = in + (size_t)pid * LARGE;
            EXPECT(wrong_at(area, sizes[k], (unsigned)pid) == sizes[k], "%zu bytes from %d",
                   sizes[k], pid);
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

/* Process pid writes successive words of two areas, with other writes and messages between. With
   wanted it stores the words there instead. */
static void write_words(int pid, int64_t *const area[2], int64_t *const wanted[2], int n)
{
    uint64_t random = 88172645463325252u + (uint64_t)pid;
    /* In turn: each write begins where the previous one ended, in the other area. */
    for (int k = 0; k < 16; k++) {
        int64_t value = pid + k + 1;
        if (wanted) wanted[k & 1][k] = value;
        else bsp_put64(right_of(rank), &value, area[k & 1], 8 * (size_t)k, 8);
    }
    for (int at[2] = {16, 16}; at[0] < n - 8 || at[1] < n - 8;) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        int which = random & 1, run = (int)(random >> 8 & 7), gap = (int)(random >> 16 & 1);
        for (int k = 0; k < run && at[which] < n; k++) {
            int64_t value = (int64_t)(random >> 20) + k;
            size_t offset = 8 * (size_t)at[which];
            if (wanted) wanted[which][at[which]] = value;
            else if ((random >> 24 & 7) || k != 1)
                bsp_put64(right_of(rank), &value, area[which], offset, 8);
            else {
                bsp_put64(right_of(rank), &value, area[which], offset, 3);
                bsp_put64(right_of(rank), (char *)&value + 3, area[which], offset + 3, 5);
            }
            at[which]++;
        }
        if (!wanted && (random >> 32 & 3) == 0) bsp_send(right_of(rank), NULL, &random, 4);
        at[which] += gap;
    }
}

static void words(void)
{
    point("words that follow on each other, or do not, among other writes and messages");
    enum { N = 2000 };
    int64_t *area[2], *wanted[2];
    for (int k = 0; k < 2; k++) {
        area[k] = memory(N * 8);
        wanted[k] = memory(N * 8);
        memset(area[k], 0, N * 8);
        memset(wanted[k], 0, N * 8);
        bsp_push_reg64(area[k], N * 8);
    }
    bsp_sync();
    write_words(rank, area, NULL, N);
    write_words(left_of(rank), area, wanted, N);
    bsp_sync();
    for (int k = 0; k < 2; k++) {
        int wrong = 0, written = 0;
        for (int i = 0; i < N; i++) {
            wrong += area[k][i] != wanted[k][i];
            written += wanted[k][i] != 0;
        }
        EXPECT(wrong == 0 && written > N / 2, "area %d: %d wrong, %d written", k, wrong, written);
        bsp_pop_reg(area[k]);
    }
    bsp_sync();
    for (int k = 0; k < 2; k++) {
        free(area[k]);
        free(wanted[k]);
    }
}

static void many_supersteps(void)
{
    point("many supersteps without and with few words, processes not in step");
    int rounds = oversubscribed() ? 50 : 2000, *area = memory((size_t)size * sizeof(int));
    bsp_push_reg(area, size * (int)sizeof(int));
    bsp_sync();
    for (int k = 0; k < rounds; k++) {
        for (int pid = 0; pid < size; pid++)
            bsp_put(pid, &k, area, rank * (int)sizeof(int), sizeof k);
        bsp_sync();
        for (int pid = 0; pid < size; pid++)
            EXPECT(area[pid] == k, "%d of %d in %d", area[pid], pid, k);
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
    double area[2], got[3];
    cm_bsp_name("sums of it");
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put(right_of(rank), area, area, 0, sizeof area);
    bsp_sync();
    bsp_get(right_of(rank), area, 0, got, 8);
    bsp_get(right_of(rank), area, 0, got + 1, 16);
    bsp_pop_reg(area);
    double least_s = bsp_time();
    bsp_sync();
    cm_bsp_sums after = cm_bsp_total();
    double most_s = bsp_time(), all_s = after.work_s + after.sync_s;
    int others = size > 1;
    EXPECT(after.supersteps - before.supersteps == 3);
    EXPECT(after.out_bytes - before.out_bytes == 40 * others
           && after.in_bytes - before.in_bytes == 40 * others);
    EXPECT(after.out_messages - before.out_messages == 3 * others
           && after.in_messages - before.in_messages == 3 * others);
    EXPECT(after.work_s >= before.work_s && after.sync_s > before.sync_s);
    EXPECT(all_s > least_s - 1e-6 && all_s < most_s + 1e-6, "%g + %g s, not %g to %g", after.work_s,
           after.sync_s, least_s, most_s);
}

SUBJECT(bsp_conform)
{
    for (int turn = 0; turn < 2; turn++) { /* the SPMD part can come again */
        cm_bsp_begin(world);
        if (turn == 0) point("processes are the ranks of the group");
        else point("and again after the end");
        EXPECT(bsp_pid() == rank && bsp_nprocs() == size && bsp_time() >= 0);
        EXPECT(cm_bsp_group() == world);
        buffered_put();
        if (turn == 0) {
            gets_first();
            late_source();
            registrations();
            nulls();
            empty();
            self();
            many_sizes();
            words();
            many_supersteps();
            sums();
        }
        cm_bsp_end();
        point("outside of it there is no group");
        EXPECT(!cm_bsp_group());
    }
}
