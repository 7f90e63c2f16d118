/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_standard.c: tests sentences of Hill et al. (1998) that no other test covers; the table
   bsp_sentences.tab says which test covers which sentence. */
#include <time.h>
#include "bsp/bsp_group.h"
#include "subject.h"

static void sleep_s(double s)
{
    const struct timespec nap = {.tv_nsec = (long)(1e9 * s)};
    nanosleep(&nap, NULL);
}

static void clock_of_the_part(void)
{
    point("the clock begins with the part, and does not go back");
    double first_s = bsp_time(), last_s = first_s;
    EXPECT(first_s >= 0 && first_s < 100, "%g", first_s);
    for (int k = 0; k < 1000; k++) {
        double now_s = bsp_time();
        EXPECT(now_s >= last_s, "%g after %g", now_s, last_s);
        last_s = now_s;
    }
    sleep_s(0.01);
    EXPECT(bsp_time() - last_s >= 0.0099, "%g s", bsp_time() - last_s);
}

/* Areas at addresses and of sizes that differ between the processes. */
static void extents(void)
{
    point("areas that correspond may differ in address and size");
    size_t mine = 8 + 16 * (size_t)rank, theirs = 8 + 16 * (size_t)right_of(rank);
    unsigned char *before = memory(100 * (size_t)(rank + 1)), *area = memory(mine);
    unsigned char *out = memory(theirs), *got = memory(theirs);
    memset(area, 0, mine);
    bsp_push_reg64(area, mine);
    bsp_sync();
    fill(out, theirs, (unsigned)rank);
    bsp_put64(right_of(rank), out, area, 0, theirs);
    bsp_sync();
    EXPECT(wrong_at(area, mine, (unsigned)left_of(rank)) == mine);
    bsp_get64(right_of(rank), area, 0, got, theirs);
    bsp_sync();
    EXPECT(wrong_at(got, theirs, (unsigned)rank) == theirs);

    point("the size of the newest registration counts, the older one's when that has gone");
    bsp_push_reg64(area, 0);
    bsp_sync();
    bsp_put64(right_of(rank), out, area, 0, 0);
    bsp_pop_reg(area);
    bsp_sync();
    memset(area, 0, mine);
    bsp_sync();
    bsp_put64(right_of(rank), out, area, theirs - 1, 1);
    bsp_sync();
    EXPECT(area[mine - 1] == contract_byte(0, (unsigned)left_of(rank)), "%d", area[mine - 1]);

    point("an address that is popped and pushed in one superstep has its new size afterwards");
    bsp_pop_reg(area);
    bsp_push_reg64(area, 4);
    bsp_put64(right_of(rank), out, area, theirs - 1, 1); /* still the old one */
    bsp_sync();
    bsp_put64(right_of(rank), out, area, 0, 4);
    bsp_pop_reg(area);
    bsp_sync();
    EXPECT(wrong_at(area, 4, (unsigned)left_of(rank)) == 4);
    free(before);
    free(area);
    free(out);
    free(got);
}

/* Memory is freed before the pops take effect, and may be allocated again at the same address. */
static void reused(void)
{
    point("memory that is freed behind its pop, and is registered again at once");
    for (int turn = 0; turn < 20; turn++) {
        size_t n = (size_t)(1 + turn % 3);
        long *area = memory(n * sizeof *area), value = turn * size + rank;
        bsp_push_reg64(area, n * sizeof *area);
        bsp_sync();
        bsp_put64(right_of(rank), &value, area, (n - 1) * sizeof *area, sizeof value);
        bsp_sync();
        EXPECT(area[n - 1] == turn * size + left_of(rank), "%ld in turn %d", area[n - 1], turn);
        bsp_pop_reg(area);
        free(area);
    }
    bsp_sync();
}

static void writes_and_reads(void)
{
    point("of writes to one place one remains");
    int area[2] = {-1, -1};
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    int value[2] = {10 * rank, 10 * rank + 1};
    bsp_put(0, &value[0], area, 0, sizeof(int));
    bsp_put(0, &value[1], area, 0, sizeof(int));
    bsp_sync();
    EXPECT(rank || (area[0] >= 0 && area[0] % 10 <= 1 && area[0] / 10 < size), "%d", area[0]);
    EXPECT(area[1] == -1, "%d", area[1]);

    point("all read from one process, each several times");
    int got[3] = {-1, -1, -1};
    area[0] = 100 + rank;
    area[1] = 200 + rank;
    for (int k = 0; k < 3; k++) bsp_get(size - 1, area, 4 * (k & 1), &got[k], sizeof got[k]);
    bsp_sync();
    EXPECT(got[0] == 100 + size - 1 && got[1] == 200 + size - 1 && got[2] == got[0], "%d %d %d",
           got[0], got[1], got[2]);

    point("a put of what a get will deliver sends what is there when it is called");
    int from = 300 + rank;
    bsp_get(right_of(rank), area, 0, &from, sizeof from);
    bsp_put(right_of(rank), &from, area, 4, sizeof from);
    bsp_sync();
    EXPECT(from == 100 + right_of(rank) && area[1] == 300 + left_of(rank), "%d %d", from, area[1]);

    point("a get delivers to the end of a superstep in which its source is popped");
    bsp_get(right_of(rank), area, 4, &from, sizeof from);
    bsp_pop_reg(area);
    bsp_sync();
    EXPECT(from == 300 + rank, "%d", from);
}

/* Every process sends its own number of messages plus one. */
static void queue(void)
{
    point("messages of all processes are there, each once");
    int tag_bytes = sizeof(int), status, n, bytes, *seen = memory(sizeof(int) * (size_t)size);
    memset(seen, 0, sizeof(int) * (size_t)size);
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    for (int k = 0; k <= rank; k++)
        for (int pid = 0; pid < size; pid++) {
            int tag = 100 * rank + k;
            bsp_send(pid, &tag, &k, sizeof k);
            tag = -1;
        }
    bsp_sync();
    bsp_qsize(&n, &bytes);
    EXPECT(n == size * (size + 1) / 2 && bytes == 4 * n, "%d of %d bytes", n, bytes);
    for (int left = n; left > 0; left--) {
        int tag = -1, payload = -1;
        bsp_get_tag(&status, &tag);
        bsp_get_tag(&status, &tag); /* looks only */
        bsp_move(&payload, sizeof payload);
        if (EXPECT(tag >= 0 && tag / 100 < size && tag % 100 == payload, "%d %d", tag, payload))
            seen[tag / 100]++;
    }
    for (int pid = 0; pid < size; pid++) EXPECT(seen[pid] == pid + 1, "%d of %d", seen[pid], pid);
    free(seen);

    point("a message is taken without its payload, with room for none of it");
    for (int k = 0; k < 2; k++) bsp_send(right_of(rank), &k, &k, sizeof k);
    bsp_sync();
    bsp_move(NULL, 0);
    bsp_get_tag(&status, &n);
    EXPECT(status == sizeof n && n == 1, "%d %d", status, n);
    bsp_qsize(&n, &bytes);
    EXPECT(n == 1 && bytes == 4, "%d of %d bytes", n, bytes);

    point("what bsp_hpmove points to stays until the end of the superstep");
    enum { MESSAGES = 64 };
    int *tag[MESSAGES], *payload[MESSAGES];
    for (int k = 0; k < MESSAGES; k++) bsp_send(right_of(rank), &k, &k, sizeof k);
    bsp_sync();
    for (int k = 0; k < MESSAGES; k++) {
        void *tag_at, *payload_at;
        EXPECT(bsp_hpmove(&tag_at, &payload_at) == sizeof(int));
        tag[k] = tag_at, payload[k] = payload_at;
        bsp_send(right_of(rank), &k, &k, sizeof k); /* for the next superstep */
        bsp_send(rank, &k, &k, sizeof k);
    }
    for (int k = 0; k < MESSAGES; k++)
        EXPECT(*tag[k] == k && *payload[k] == k, "%d %d in %d", *tag[k], *payload[k], k);

    point("messages may have a tag alone, a payload alone, or neither");
    tag_bytes = 0;
    bsp_set_tagsize(&tag_bytes);
    bsp_send(right_of(rank), &rank, NULL, 0);
    bsp_sync();
    bsp_qsize(&n, &bytes);
    EXPECT(n == 1 + 2 * MESSAGES && bytes == 2 * MESSAGES * (int)sizeof n, "%d %d", n, bytes);
    bsp_send(right_of(rank), NULL, &rank, sizeof rank);
    bsp_send(right_of(rank), NULL, NULL, 0);
    bsp_sync();
    bsp_qsize(&n, &bytes);
    EXPECT(n == 2 && bytes == sizeof n, "%d of %d bytes", n, bytes);
    bsp_move(&n, sizeof n);
    EXPECT(n == left_of(rank), "%d", n);
    bsp_get_tag(&status, NULL);
    EXPECT(status == 0, "%d", status);
}

SUBJECT(bsp_standard)
{
    int left_over = 0;
    for (int turn = 0; turn < 2; turn++) {
        cm_bsp_begin(world);
        if (turn == 0) {
            clock_of_the_part();
            extents();
            reused();
            writes_and_reads();
            queue();
            bsp_push_reg(&left_over, sizeof left_over);
            bsp_sync();
        } else {
            point("a part may end with registered areas; the next one begins without");
            bsp_push_reg(&left_over, sizeof left_over);
            bsp_sync();
            bsp_put(right_of(rank), &size, &left_over, 0, sizeof size);
            bsp_pop_reg(&left_over);
            bsp_sync();
            EXPECT(left_over == size, "%d", left_over);
        }
        cm_bsp_end();
    }
}
