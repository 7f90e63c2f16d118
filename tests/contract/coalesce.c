/* SPDX-License-Identifier: BSD-3-Clause */
/* coalesce.c: comm.h, cm_coalesce: which messages wait, and when they leave; nothing else changes.
   Rank 0 sends to rank 1. They report their progress in shared memory, because a message might
   change the outcome. */
#include "contract.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

enum { TAG = 5, ANSWER = 6, OTHER = 7, LAST = 8, HEADER = 32, FULL = CM_COALESCE_BYTES - HEADER };

static bool waits;       /* this backend coalesces */
static atomic_int *mark; /* [2]: how far ranks 0 and 1 are */
static int step;
static char data[2 * CM_COALESCE_BYTES];

/* ---- Without messages ------------------------------------------------------------------------ */

static void share(void)
{
    char path[1000];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/contract_coalesce.%ld", folder ? folder : "/tmp",
             (long)getpid());
    cm_bcast(world, path, sizeof path, 0, CM_AUTO);
    if (rank > 1) return;
    if (rank == 1) cm_recv(world, NULL, 0, 0, TAG, NULL); /* it is there */
    int fd = open(path, rank ? O_RDWR : O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0 || (rank == 0 && ftruncate(fd, sizeof *mark * 2) != 0))
        cm_abort(CM_EXIT_SYSTEM, "%s cannot be made", path);
    mark = mmap(NULL, sizeof *mark * 2, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mark == MAP_FAILED) cm_abort(CM_EXIT_SYSTEM, "no shared memory");
    close(fd);
    if (rank == 0 && size > 1) {
        cm_send(world, NULL, 0, 1, TAG);
        cm_recv(world, NULL, 0, 1, TAG, NULL);
    }
    if (rank == 1) cm_send(world, NULL, 0, 0, TAG);
    if (rank == 0) unlink(path);
}

static void say(void) { atomic_store(&mark[rank], ++step); }

static bool late(time_t begun) { return time(NULL) - begun > 20; }

/* The other one is as far; false: it does not come. */
static bool hear(void)
{
    for (time_t begun = time(NULL); atomic_load(&mark[1 - rank]) < step; usleep(200))
        if (late(begun)) return false;
    return true;
}

/* ---- What waits, and until when -------------------------------------------------------------- */

static void progress(void) { cm_progress(); }
static void once_more(void) { cm_coalesce(true); }
static void off(void) { cm_coalesce(false); }
static void iprobe(void) { EXPECT(!cm_iprobe(world, 1, OTHER, NULL)); }
static void probe(void) { cm_probe(world, 1, ANSWER, NULL); }
static void receive(void) { cm_recv(world, NULL, 0, 1, ANSWER, NULL); }

static void test(void)
{
    cm_request *r = cm_irecv(world, NULL, 0, 1, OTHER);
    EXPECT(!cm_test(&r, NULL));
    cm_cancel(&r);
}

static void wait(void)
{
    cm_request *r = cm_irecv(world, NULL, 0, 1, ANSWER);
    cm_wait(&r, NULL);
}

static void waitsome(void)
{
    cm_request *r[2] = {cm_irecv(world, NULL, 0, 1, OTHER), cm_irecv(world, NULL, 0, 1, ANSWER)};
    int index[2];
    EXPECT(cm_waitsome(2, r, index, NULL) == 1 && index[0] == 1);
    cm_cancel(&r[0]);
}

static void sendrecv(void) { cm_sendrecv(world, data, 3, 1, OTHER, NULL, 0, 1, ANSWER, NULL); }
static void send_it(void) { cm_send(world, data, 3, 1, OTHER); }
static void send_another(void) { cm_send(world, data, 3, size - 1, OTHER); }

static void send_long(void)
{
    cm_request *r = cm_isend(world, data, FULL + 1, 1, OTHER);
    cm_wait(&r, NULL);
}

static void bcast(void) { cm_bcast(world, data, 1, 0, CM_LINEAR); }

static void ibcast(void)
{
    cm_request *r = cm_ibcast(world, data, 1, 0, CM_LINEAR);
    cm_wait(&r, NULL);
}

typedef struct {
    const char *name;
    void (*release)(void);
    bool answered;      /* rank 1 sends an answer when it has them */
    bool others;        /* a call of all ranks */
    size_t other_bytes; /* of a message besides */
} way;
static const way ways[] = {
    {"cm_progress", progress, .answered = false},
    {"cm_coalesce(true)", once_more, .answered = false},
    {"cm_coalesce(false)", off, .answered = false},
    {"a cm_iprobe that finds nothing", iprobe, .answered = false},
    {"a cm_test of what is not done", test, .answered = false},
    {"cm_probe", probe, .answered = true},
    {"cm_recv", receive, .answered = true},
    {"cm_wait", wait, .answered = true},
    {"cm_waitsome", waitsome, .answered = true},
    {"cm_sendrecv", sendrecv, .answered = true, .other_bytes = 3},
    {"cm_send to it", send_it, .other_bytes = 3},
    {"cm_send to another", send_another, .other_bytes = 3},
    {"a long cm_isend", send_long, .other_bytes = FULL + 1},
    {"cm_bcast", bcast, .others = true},
    {"cm_ibcast", ibcast, .others = true},
};

static bool comes(int number)
{
    bool there = false;
    for (time_t begun = time(NULL); !there && !late(begun);) there = cm_iprobe(world, 0, TAG, NULL);
    return EXPECT(there, "message %d does not come", number);
}

/* Before anything from rank 0 is received, this number of messages arrives by itself, in order. */
static void expect_messages(int first, int n)
{
    for (int k = first; k < first + n; k++) {
        cm_status status;
        int got = -1;
        if (!comes(k)) return;
        cm_recv(world, &got, sizeof got, 0, TAG, &status);
        EXPECT(got == k && status.bytes == sizeof got, "%d instead of %d", got, k);
    }
}

static void expect_nothing(void)
{
    for (int k = 0; k < 300 && waits; k++)
        if (!EXPECT(!cm_iprobe(world, 0, TAG, NULL), "something came too early")) return;
}

static void receive_other(void) { cm_recv(world, data, sizeof data, 0, OTHER, NULL); }

static void test_way(const way *w)
{
    enum { N = 3 };
    cm_request *r[N];
    int number[N] = {0, 1, 2};
    const int other = w->release == send_another ? size - 1 : 1;
    bool to_receive = w->other_bytes && rank == other;
    meet();
    if (rank == 0) {
        cm_coalesce(true);
        for (int k = 0; k < N; k++) {
            r[k] = cm_isend(world, &number[k], sizeof number[k], 1, TAG);
            cm_wait(&r[k], NULL);
            number[k] = -1; /* the buffer is free, also of what waits */
        }
        say();
        EXPECT(hear(), "rank 1 has not looked");
        w->release();
        say();
        EXPECT(hear(), "rank 1 has not received");
        if (w->release == probe) receive();
        cm_coalesce(false);
    } else if (rank == 1) {
        ++step;
        EXPECT(hear(), "rank 0 has not sent");
        --step;
        expect_nothing();
        say();
        expect_messages(0, N);
        if (w->answered) cm_send(world, NULL, 0, 0, ANSWER);
        if (to_receive && !waits) { /* above an MPI's eager limit rank 0 waits for it */
            receive_other();
            to_receive = false;
        }
        ++step;
        EXPECT(hear(), "rank 0 has not gone on");
        --step;
        say();
    }
    if (w->others && rank) w->release();
    if (to_receive) receive_other();
}

/* ---- The limit ------------------------------------------------------------------------------- */

/* After sends of messages of these lengths, one after the other, all but the last `waiting` have
   left. */
typedef struct {
    int n;
    size_t bytes[8];
    int waiting;
} heap;
static const heap heaps[] = {
    {4, {1000, 1000, 1000, 1000}, 1},
    {3, {1000, 1000, 1000}, 3},
    {1, {FULL}, 1},
    {1, {FULL + 1}, 0},
    {2, {FULL, 0}, 1},
    {3, {100, 0, FULL + 1}, 0},
    {2, {FULL - HEADER, 0}, 2},
    {3, {FULL - HEADER, 0, 0}, 1},
};

static void receive_some(const heap *h, int from, int to)
{
    for (int k = from; k < to; k++) {
        cm_status status;
        if (!comes(k)) return;
        cm_recv(world, data, sizeof data, 0, TAG, &status);
        EXPECT(status.bytes == h->bytes[k]
                   && wrong_at(data, status.bytes, (unsigned)k) == status.bytes,
               "%zu bytes instead of %zu", status.bytes, h->bytes[k]);
    }
}

/* A waiting message is complete for its sender. Without coalescing, FULL bytes may be above the
   eager limit (Open MPI's in shared memory is 4096, headers included): such a message is complete
   when rank 1 has received it, and rank 0 must wait in a call that moves messages. */
static void send_heap(const heap *h)
{
    cm_request *r[sizeof h->bytes / sizeof *h->bytes];
    char *end = data;
    for (int k = 0; k < h->n; end += h->bytes[k++]) {
        fill(end, h->bytes[k], (unsigned)k);
        r[k] = cm_isend(world, end, h->bytes[k], 1, TAG);
        if (waits) cm_wait(&r[k], NULL);
    }
    say();
    cm_waitall(h->n, r, NULL);
}

static void test_heap(const heap *h)
{
    meet();
    /* Without credit nothing would wait. Rank 0 may not have read yet what rank 1 gave it; a
       message from there comes after it. */
    if (rank == 0) cm_recv(world, NULL, 0, 1, ANSWER, NULL);
    if (rank == 1) cm_send(world, NULL, 0, 0, ANSWER);
    if (rank == 0) {
        cm_coalesce(true);
        send_heap(h);
        EXPECT(hear(), "rank 1 has not received");
        cm_coalesce(false);
    } else if (rank == 1) {
        ++step;
        EXPECT(hear(), "rank 0 has not sent");
        --step;
        receive_some(h, 0, h->n - h->waiting);
        expect_nothing();
        say();
        receive_some(h, h->n - h->waiting, h->n);
    }
}

/* ---- Nothing else changes -------------------------------------------------------------------- */

/* Messages to both neighbours and to the rank itself, with collectives between them; more than the
   credit. */
static void test_order(void)
{
    enum { N = 120, DIRECTIONS = 3, LONGEST = 20000 };
    static const size_t bytes[] = {4, 0, 300, FULL, 17, FULL + 1, 8, LONGEST, 1, 4};
    enum { KINDS = sizeof bytes / sizeof *bytes };
    const int to[DIRECTIONS] = {right_of(rank), left_of(rank), rank};
    const int from[DIRECTIONS] = {left_of(rank), right_of(rank), rank};
    unsigned char *out = memory(N * LONGEST), *in = memory(LONGEST);
    cm_request *sends[DIRECTIONS * N];
    point("order and contents, with long messages, collective operations and more than the credit");
    meet();
    cm_coalesce(true);
    for (int k = 0; k < N; k++)
        fill(out + (size_t)k * LONGEST, bytes[k % KINDS], (unsigned)(rank + k));
    for (int k = 0; k < N; k++) {
        for (int d = 0; d < DIRECTIONS; d++)
            sends[DIRECTIONS * k + d] =
                cm_isend(world, out + (size_t)k * LONGEST, bytes[k % KINDS], to[d], d);
        if (k % 40) continue;
        int64_t one = rank + k, sum = 0;
        cm_allreduce(world, &one, &sum, 1, CM_INT64, CM_SUM, CM_AUTO);
        EXPECT(sum == (int64_t)size * (size - 1) / 2 + (int64_t)k * size, "%lld", (long long)sum);
    }
    for (int k = 0; k < N; k++)
        for (int d = 0; d < DIRECTIONS; d++) {
            cm_status status;
            cm_recv(world, in, LONGEST, from[d], d, &status);
            EXPECT(status.bytes == bytes[k % KINDS]
                       && wrong_at(in, status.bytes, (unsigned)(from[d] + k)) == status.bytes,
                   "message %d from rank %d: %zu bytes", k, from[d], status.bytes);
        }
    cm_waitall(DIRECTIONS * N, sends, NULL);
    cm_coalesce(false);
    free(out);
    free(in);
}

static void give(int worker, int64_t number)
{
    cm_request *r = cm_isend(world, &number, sizeof number, worker, TAG);
    cm_wait(&r, NULL);
}

/* A farm: each rank answers the messages that it has got, several at a time, until all are done. */
static void test_farm(void)
{
    enum { EACH = 400, FLYING = 8 };
    point("many short answers to many short messages");
    meet();
    cm_coalesce(true);
    int64_t sum = 0;
    if (rank == 0) {
        for (int w = 1; w < size; w++)
            for (int k = 0; k < FLYING; k++) give(w, k);
        for (int left = EACH * (size - 1); left > 0; left--) {
            int64_t got[2];
            cm_status status;
            cm_recv(world, got, sizeof got, CM_ANY, TAG, &status);
            EXPECT(got[1] == 3 * got[0] + 1, "%lld", (long long)got[1]);
            sum += got[0];
            if (got[0] + FLYING < EACH) give(status.source, (int)got[0] + FLYING);
        }
        EXPECT(sum == (int64_t)(size - 1) * EACH * (EACH - 1) / 2, "%lld", (long long)sum);
    }
    for (int k = 0; rank && k < EACH; k++) {
        int64_t got[2];
        cm_recv(world, got, sizeof *got, 0, TAG, NULL);
        EXPECT(got[0] == k, "%lld instead of %d", (long long)got[0], k);
        got[1] = 3 * got[0] + 1;
        cm_request *r = cm_isend(world, got, sizeof got, 0, TAG);
        cm_wait(&r, NULL);
    }
    cm_coalesce(false);
}

/* ---- The end --------------------------------------------------------------------------------- */

/* Ranks leave with something waiting; contract_done's message goes before it. */
static int leave(void)
{
    const int64_t word = 4711 + rank;
    point("what waits when a rank leaves arrives");
    for (int r = 1; rank == 0 && r < size; r++) {
        int64_t got = 0;
        cm_recv(world, &got, sizeof got, r, LAST, NULL);
        EXPECT(got == 4711 + r, "%lld", (long long)got);
    }
    if (rank == 0) return contract_done();
    /* The message may be above an MPI's eager limit, and waiting must be the last action of this
       rank. */
    size_t bytes = (size_t)contract_count * sizeof *contract_points;
    cm_request *points = cm_isend(world, contract_points, bytes, 0, CONTRACT_TAG);
    if (waits) cm_wait(&points, NULL);
    cm_coalesce(true);
    cm_request *r = cm_isend(world, &word, sizeof word, 0, LAST);
    cm_wait(&r, NULL);
    cm_wait(&points, NULL);
    cm_finalize();
    return CM_EXIT_PASS;
}

int main(int argc, char **argv)
{
    setenv("CM_UNEXPECTED_BYTES", "400000", 1); /* less than test_order needs */
    contract_start(&argc, &argv);
    point("a backend says whether it coalesces");
    const bool native = cm_comm_has(CM_HAS_PMI);
    waits = cm_coalesce(true);
    EXPECT(waits == native && cm_coalesce(false) == native, "%d", waits);
    share();
    for (size_t k = 0; size > 1 && k < sizeof ways / sizeof *ways; k++) {
        point("what waits leaves with %s", ways[k].name);
        test_way(&ways[k]);
    }
    for (size_t k = 0; size > 1 && k < sizeof heaps / sizeof *heaps; k++) {
        point("of heap %zu, %d of %d messages wait", k, heaps[k].waiting, heaps[k].n);
        test_heap(&heaps[k]);
    }
    test_order();
    test_farm();
    meet();
    return leave();
}
