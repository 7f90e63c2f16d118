/* SPDX-License-Identifier: BSD-3-Clause */
/* allocate.c: comm.h: memory of cm_allocate, and messages from it, into it and between such
   memory. */
#include "subject.h"
#include <dirent.h>
#include <stdint.h>
#include <unistd.h>

enum { GUARD = 64, LARGE = 3000017, MANY = 80, PAGE = 4096, TAG = 5 };

static void *shared(size_t bytes)
{
    void *data = cm_allocate(bytes);
    if (!data) cm_abort(CM_EXIT_SYSTEM, "no memory for %zu bytes", bytes);
    return data;
}

static int descriptors(void)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) n++;
    if (folder) closedir(folder);
    return n;
}

/* Mappings of shared memory, of this rank and of others. */
static int mappings(void)
{
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        n += strstr(line, "memfd:clustermark-memory") != NULL;
    if (maps) fclose(maps);
    return n;
}

static void test_memory(void)
{
    const size_t bytes[] = {0, 1, PAGE - 1, 16384, 65537, LARGE};
    void *all[MANY];

    point("memory is zero, begins at a page, and can be written");
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
        unsigned char *data = shared(bytes[k]);
        EXPECT((uintptr_t)data % PAGE == 0, "%zu bytes at %p", bytes[k], (void *)data);
        EXPECT(other_than(data, bytes[k], 0) == bytes[k], "%zu bytes", bytes[k]);
        memset(data, 0xff, bytes[k]);
        cm_free(data);
    }
    cm_free(NULL);

    point("more than the ranks can share: all of them are memory; too much is refused");
    const int open = descriptors(), mapped = mappings();
    for (int k = 0; k < MANY; k++) {
        all[k] = shared(20000);
        EXPECT(other_than(all[k], 20000, 0) == 20000, "number %d", k);
        fill(all[k], 20000, (unsigned)k);
    }
    for (int k = 0; k < MANY; k++) EXPECT(wrong_at(all[k], 20000, (unsigned)k) == 20000, "%d", k);
    for (int k = MANY; k--;) cm_free(all[k]);
    EXPECT(descriptors() == open && mappings() == mapped, "%d more descriptors, %d mappings",
           descriptors() - open, mappings() - mapped);
    EXPECT(!cm_allocate(SIZE_MAX) && !cm_allocate(SIZE_MAX / 2));

    point("more than the host has is refused, before the kernel ends the process");
    /* A mapping as large as the computer's memory costs only its page table. */
    const size_t more = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) + PAGE;
    EXPECT(!cm_allocate(more) && !cm_allocate((size_t)1 << 44));
    EXPECT(descriptors() == open && mappings() == mapped, "%d more descriptors, %d mappings",
           descriptors() - open, mappings() - mapped);
}

/* A message right round, with the guard behind it. */
static void pass_on(unsigned char *out, unsigned char *in, size_t bytes, unsigned seed, int tag)
{
    cm_status status;
    fill(out, bytes, seed + (unsigned)rank);
    memset(in, 0xa5, bytes + GUARD);
    cm_sendrecv(world, out, bytes, right_of(rank), tag, in, bytes + (tag % 2 ? GUARD : 0),
                left_of(rank), tag, &status);
    const size_t at = wrong_at(in, bytes, seed + (unsigned)left_of(rank));
    EXPECT(at == bytes && status.bytes == bytes, "byte %zu of %zu, %zu came", at, bytes,
           status.bytes);
    EXPECT(other_than(in + bytes, GUARD, 0xa5) == GUARD, "behind %zu bytes", bytes);
    EXPECT(wrong_at(out, bytes, seed + (unsigned)rank) == bytes, "%zu bytes sent", bytes);
}

static void test_lengths(void)
{
    const size_t eager = eager_limit();
    const size_t lengths[] = {0,     1,      4096,      16383, 16384,     16385,   32768, 32769,
                              65536, 100001, eager - 1, eager, eager + 1, 1 << 20, LARGE};
    unsigned char *out[2] = {memory(LARGE + GUARD), shared(LARGE + GUARD)};
    unsigned char *in[2] = {memory(LARGE + GUARD + 1), shared(LARGE + GUARD + 1)};
    const char *const names[] = {"ordinary", "shared"};

    for (int kind = 0; kind < 4; kind++) {
        const int from = kind & 1, to = kind >> 1;
        point("messages of all lengths from %s to %s memory", names[from], names[to]);
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
            for (int odd = 0; odd < 2; odd++)
                pass_on(out[from] + 3 * odd, in[to] + odd, lengths[k],
                        (unsigned)(40 * kind) + 2 * (unsigned)k, 2 * (int)k + odd);
    }

    point("ranks of a host have mapped each other's memory, where the backend has that");
    meet();
    if (size > 1 && cm_comm_has(CM_HAS_SHARED)) {
        const int mapped = mappings();
        bool here = strcmp(cm_host(world, left_of(rank)), cm_host(world, rank)) == 0;
        meet();
        unsigned char *more = shared(LARGE);
        for (int k = 0; k < 2; k++)
            cm_sendrecv(world, more, LARGE, right_of(rank), TAG, in[1], LARGE, left_of(rank), TAG,
                        NULL);
        EXPECT(mappings() == mapped + (here ? 2 : 1), "%d of %d", mappings(), mapped);
        meet();
        cm_free(more);
        meet();
        for (int k = 0; k < 10; k++) cm_progress();
        EXPECT(mappings() == mapped, "%d of %d", mappings(), mapped);
        meet();
    }
    free(out[0]);
    free(in[0]);
    cm_free(out[1]);
    cm_free(in[1]);
}

/* A send within the eager limit completes before the receive is posted, and its buffer is used
   again. */
static void test_reuse(void)
{
    const size_t eager = eager_limit(), lengths[] = {16384, 20000, eager};
    unsigned char *out = shared(eager + 1), *in = shared(eager + 1);
    point("short sends complete without their receives, and keep what they had");
    for (size_t k = 0; k < 3; k++) {
        const size_t bytes = lengths[k];
        for (int how = 0; how < 3; how++) {
            fill(out, bytes, (unsigned)(rank + how));
            if (how == 0) {
                cm_send(world, out, bytes, right_of(rank), TAG);
            } else {
                cm_request *send = cm_isend(world, out, bytes, right_of(rank), TAG);
                if (how == 1) cm_wait(&send, NULL);
                while (!cm_test(&send, NULL)) {}
            }
            memset(out, 0xee, bytes);
        }
        meet();
        for (int how = 0; how < 3; how++) {
            cm_recv(world, in, bytes, left_of(rank), TAG, NULL);
            const size_t at = wrong_at(in, bytes, (unsigned)(left_of(rank) + how));
            EXPECT(at == bytes, "byte %zu of %zu, way %d", at, bytes, how);
        }
    }
    cm_free(out);
    cm_free(in);
}

static void test_many(void)
{
    enum { BYTES = 50000, N = 150 };
    unsigned char *out = shared((size_t)N * BYTES), *in = shared((size_t)N * BYTES);
    cm_request *sends[N], *receives[N];
    cm_status status;
    point("more sends at once than an area has words; receives in another order, from anyone");
    fill(out, (size_t)N * BYTES, (unsigned)rank);
    for (int k = 0; k < N; k++)
        sends[k] = cm_isend(world, out + (size_t)k * BYTES, BYTES, right_of(rank), k);
    for (int k = 0; k < N; k++) {
        const int tag = N - 1 - k;
        receives[k] =
            cm_irecv(world, in + (size_t)tag * BYTES, BYTES, k % 2 ? CM_ANY : left_of(rank), tag);
    }
    cm_waitall(N, receives, NULL);
    cm_waitall(N, sends, NULL);
    const size_t all = (size_t)N * BYTES, at = wrong_at(in, all, (unsigned)left_of(rank));
    EXPECT(at == all, "byte %zu of %zu", at, all);

    point("long and short messages with one tag keep their order");
    for (int k = 0; k < N; k++) {
        const size_t bytes = k % 3 ? 8 : BYTES;
        out[(size_t)k * BYTES] = (unsigned char)k;
        sends[k] = cm_isend(world, out + (size_t)k * BYTES, bytes, right_of(rank), TAG);
    }
    for (int k = 0; k < N; k++) {
        cm_recv(world, in, BYTES, left_of(rank), CM_ANY, &status);
        EXPECT(in[0] == k && status.bytes == (k % 3 ? 8 : BYTES) && status.tag == TAG,
               "%d instead of %d, %zu bytes", in[0], k, status.bytes);
    }
    cm_waitall(N, sends, NULL);

    point("messages to oneself");
    fill(out, LARGE, 3);
    receives[0] = cm_irecv(world, in, LARGE, rank, TAG);
    cm_send(world, out, LARGE, rank, TAG);
    cm_wait(&receives[0], NULL);
    EXPECT(wrong_at(in, LARGE, 3) == LARGE);

    point("collectives on shared memory");
    double *a = (double *)out, *sum = (double *)in;
    for (int i = 0; i < LARGE / 8; i++) a[i] = i % 1000 + rank;
    cm_allreduce(world, a, sum, LARGE / 8, CM_DOUBLE, CM_SUM, CM_AUTO);
    int wrong = 0;
    for (int i = 0; i < LARGE / 8; i++) wrong += sum[i] != i % 1000 * size + size * (size - 1) / 2;
    EXPECT(wrong == 0, "%d sums", wrong);
    fill(in, LARGE, (unsigned)rank);
    cm_bcast(world, in, LARGE, size - 1, CM_AUTO);
    EXPECT(wrong_at(in, LARGE, (unsigned)size - 1) == LARGE);
    cm_free(out);
    cm_free(in);
}

static void test_turnover(void)
{
    enum { TURNS = 100, BYTES = 300000 };
    point("memory comes and goes; descriptors and mappings do not become more");
    unsigned char *in = shared(BYTES + GUARD);
    int open = 0, mapped = 0;
    for (int k = 0; k < TURNS; k++) {
        unsigned char *out = shared(BYTES);
        pass_on(out, in, BYTES, (unsigned)k, k);
        cm_free(out);
        if (k < 3) { /* connections are made, areas are first passed on */
            meet();
            open = descriptors();
            mapped = mappings();
        }
    }
    meet();
    EXPECT(descriptors() <= open && mappings() <= mapped + 2, "%d of %d descriptors, %d of %d",
           descriptors(), open, mappings(), mapped);
    cm_free(in);
}

static void *after;

/* Memory can be used, freed and allocated after cm_finalize, too. */
static void test_after(void)
{
    memset(after, 1, 100000);
    cm_free(after);
    after = cm_allocate(100000);
    if (!after) _exit(CM_EXIT_WRONG);
    cm_free(after);
}

SUBJECT(allocate)
{
    if (!cm_comm_has(CM_HAS_PROCESSES)) {
        point("memory of a backend without processes");
        test_memory();
        return;
    }
    test_memory();
    test_lengths();
    if (cm_comm_has(CM_HAS_PMI)) test_reuse(); /* an MPI has limits of its own */
    test_many();
    test_turnover();
    after = shared(100000);
    if (atexit(test_after)) cm_abort(CM_EXIT_SYSTEM, "atexit has no room");
}
