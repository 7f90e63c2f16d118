/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_now.c: bsp_direct_get, a read that is complete when it returns, anywhere in a superstep and
   whatever the others do; and bsp_hpsend. */
#include "bsp/bsp_group.h"
#include "subject.h"

enum { WORDS = 40000, STEPS = 200 };

static void test_one_reads(long *area)
{
    point("one process reads from all, which are in bsp_sync");
    for (int k = 0; k < 3; k++) {
        const int reader = (k + 1) % size;
        area[0] = 100 * k + rank;
        bsp_sync(); /* before this, the last reader may still read */
        if (rank == reader)
            for (int pid = 0; pid < size; pid++) {
                long got = -1;
                bsp_direct_get(pid, area, 0, &got, sizeof got);
                EXPECT(got == 100 * k + pid, "%ld of process %d", got, pid);
            }
        bsp_sync();
    }
}

static void test_all_read(long *area)
{
    point("all read from all at the same time, one word and many");
    long *got = memory(WORDS * sizeof *got);
    for (size_t k = 0; k < WORDS; k++) area[k] = 1000000L * rank + (long)k;
    bsp_sync();
    for (int k = 0; k < size; k++) {
        const int pid = (rank + k) % size;
        size_t wrong = 0;
        bsp_direct_get(pid, area, 8, got, 8);
        EXPECT(got[0] == 1000000L * pid + 1, "%ld of process %d", got[0], pid);
        bsp_direct_get64(pid, area, 0, got, WORDS * sizeof *got);
        for (size_t i = 0; i < WORDS; i++) wrong += got[i] != 1000000L * pid + (long)i;
        EXPECT(!wrong, "%zu words of process %d", wrong, pid);
    }
    bsp_direct_get(rank, area, 0, NULL, 0);
    bsp_sync();
    free(got);
}

/* A reader may be a superstep ahead. */
static void test_after_writes(long *area)
{
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    point("what was written in the superstep before is there");
    for (long step = 0; step < STEPS; step++) {
        const long value = 10 * step + rank;
        long got = -1;
        bsp_put(right, &value, area, 0, sizeof value);
        bsp_sync();
        const int pid = (rank + 1 + (int)step % size) % size;
        bsp_direct_get(pid, area, 0, &got, sizeof got);
        EXPECT(got == 10 * step + (pid + size - 1) % size, "%ld in step %ld", got, step);
        EXPECT(area[0] == 10 * step + left, "%ld", area[0]);
    }
    bsp_sync();
}

static void test_hpsend(void)
{
    point("bsp_hpsend sends as bsp_send does");
    int got = -1, bytes = -2;
    bsp_hpsend((rank + 1) % size, NULL, &rank, sizeof rank);
    bsp_sync();
    bsp_get_tag(&bytes, NULL);
    bsp_move(&got, sizeof got);
    EXPECT(bytes == sizeof got && got == (rank + size - 1) % size, "%d, %d bytes", got, bytes);
    bsp_sync();
}

SUBJECT(bsp_now)
{
    long *area = memory(WORDS * sizeof *area);
    cm_bsp_begin(world);
    bsp_push_reg64(area, WORDS * sizeof *area);
    bsp_sync();
    test_one_reads(area);
    test_all_read(area);
    test_after_writes(area);
    cm_bsp_in_rounds(true);
    test_one_reads(area);
    test_after_writes(area);
    test_hpsend();
    cm_bsp_end();
    free(area);
}
