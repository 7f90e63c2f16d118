/* SPDX-License-Identifier: BSD-3-Clause */
/* copies.c: long messages of ordinary memory between ranks of a host, whichever way they go.
   Arguments: the way that the results must name (ring or halves; "-": this backend has none), and a
   file that is created when short sends are complete; with a further one, RANK:IN:OUT, the kernel
   refuses that rank (-1: all) copies after IN bytes out of a peer's memory, or OUT bytes into it.
   With RANK:IN:OUT:c collective operations are the first that it refuses.
   contract/copies.sh runs it. */
#include "contract.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

enum { TAG = 3, LONGEST = 20000001, TURNS = 12, SHORT = 65536, SHORTS = 40 };

/* ---- The kernel refuses ---------------------------------------------------------------------- */

/* The linker sends the engine's calls here. Words by which ranks ask are always copied. */
typedef bool copy_call(pid_t process, uint64_t there, char *here, size_t bytes, bool out);
copy_call __real_cm_copy_bytes, __wrap_cm_copy_bytes;
#pragma weak __real_cm_copy_bytes

static struct {
    bool on;
    unsigned long long left[2]; /* by out */
} refusing;

bool __wrap_cm_copy_bytes(pid_t process, uint64_t there, char *here, size_t bytes, bool out)
{
    if (!refusing.on || bytes == sizeof(uint64_t))
        return __real_cm_copy_bytes(process, there, here, bytes, out);
    const size_t some = bytes < refusing.left[out] ? bytes : (size_t)refusing.left[out];
    if (some && !__real_cm_copy_bytes(process, there, here, some, out)) return false;
    refusing.left[out] -= some;
    errno = EPERM;
    return some == bytes;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void verify(const unsigned char *data, size_t bytes, unsigned seed, const char *what)
{
    unsigned char *right = memory(bytes);
    fill(right, bytes, seed);
    EXPECT(memcmp(data, right, bytes) == 0, "%s of %zu bytes", what, bytes);
    free(right);
}

/* To the right and from the left, with buffers at odd addresses. */
static void shift(size_t bytes, bool posted, int turn)
{
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    unsigned char *out = memory(bytes + 16), *in = memory(bytes + 16);
    unsigned char *from = out + turn % 16, *to = in + 5 * turn % 16;
    fill(from, bytes, (unsigned)(rank + turn));
    memset(in, 0, bytes + 16);
    if (posted) {
        cm_sendrecv(world, from, bytes, right, TAG, to, bytes, left, TAG, NULL);
    } else {
        cm_request *send = cm_isend(world, from, bytes, right, TAG);
        cm_status status;
        cm_probe(world, CM_ANY, TAG, &status);
        cm_recv(world, to, bytes, CM_ANY, TAG, &status);
        EXPECT(status.source == left && status.bytes == bytes, "from %d", status.source);
        cm_wait(&send, NULL);
    }
    verify(to, bytes, (unsigned)(left + turn), posted ? "expected" : "unexpected");
    free(out);
    free(in);
}

static void all_sizes(void)
{
    static const size_t sizes[] = {32767, 32768, 40001, 65536, 100000, 262144, 262145, LONGEST};
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (sizes[i] < LONGEST || turn % 4 == 0) shift(sizes[i], turn % 3 != 2, turn);
}

/* One buffer of the two is memory that the ranks share, if they share any. */
static void mixed(bool sender)
{
    enum { BYTES = 500000 };
    unsigned char *shared = cm_allocate(BYTES), *own = memory(BYTES);
    if (!shared) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    for (int turn = 0; turn < 3; turn++) {
        unsigned char *out = sender ? shared : own, *in = sender ? own : shared;
        fill(out, BYTES, (unsigned)(rank + turn));
        cm_sendrecv(world, out, BYTES, (rank + 1) % size, TAG, in, BYTES, (rank + size - 1) % size,
                    TAG, NULL);
        verify(in, BYTES, (unsigned)((rank + size - 1) % size + turn), "mixed");
    }
    cm_free(shared);
    free(own);
}

/* Collective operations in which ranks read or write each other's buffers: ordinary memory at odd
   addresses, memory that the ranks share, or one of each. */
static void directly(bool in_shared, bool out_shared)
{
    enum { BYTES = 200000, SHIFT = 7 };
    const size_t n = (size_t)size, room = n * BYTES + SHIFT;
    unsigned char *in_memory = in_shared ? cm_allocate(room) : memory(room);
    unsigned char *out_memory = out_shared ? cm_allocate(room) : memory(room);
    if (!in_memory || !out_memory) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    unsigned char *in = in_memory + SHIFT, *out = out_memory;
    for (int turn = 0; turn < 3; turn++) {
        const int root = turn % size;
        const unsigned seed = (unsigned)(100 * turn);
        for (size_t k = 0; k < n; k++) fill(in + k * BYTES, BYTES, seed + (unsigned)rank);
        memset(out, 0, n * BYTES);
        cm_allgather(world, in, BYTES, out, CM_DIRECT);
        for (int k = 0; k < size; k++)
            verify(out + (size_t)k * BYTES, BYTES, seed + (unsigned)k, "allgather");
        memset(out, 0, n * BYTES);
        cm_request *request = cm_ialltoall(world, in, BYTES, out, CM_DIRECT);
        cm_wait(&request, NULL);
        for (int k = 0; k < size; k++)
            verify(out + (size_t)k * BYTES, BYTES, seed + (unsigned)k, "alltoall");
        memset(out, 0, n * BYTES);
        cm_gather(world, in, BYTES, rank == root ? out : NULL, root, CM_DIRECT);
        for (int k = 0; k < size && rank == root; k++)
            verify(out + (size_t)k * BYTES, BYTES, seed + (unsigned)k, "gather");
        cm_scatter(world, rank == root ? in : NULL, BYTES, out, root, CM_DIRECT);
        verify(out, BYTES, seed + (unsigned)root, "scatter");
        cm_bcast(world, rank == root ? in : out, BYTES, root, CM_DIRECT);
        verify(rank == root ? in : out, BYTES, seed + (unsigned)root, "bcast");
    }
    int64_t *sums = (int64_t *)(void *)out_memory, *own = (int64_t *)(void *)in_memory;
    const size_t count = BYTES / sizeof *sums;
    for (int in_place = 0; in_place < 2; in_place++) {
        for (size_t i = 0; i < count; i++) own[i] = sums[i] = (int64_t)i * (rank + 1);
        cm_allreduce(world, in_place ? sums : own, sums, count, CM_INT64, CM_SUM, CM_DIRECT);
        size_t wrong = 0;
        for (size_t i = 0; i < count; i++) wrong += sums[i] != (int64_t)i * (size * (size + 1) / 2);
        EXPECT(!wrong, "%zu sums, in place: %d", wrong, in_place);
    }
    if (in_shared) cm_free(in_memory);
    else free(in_memory);
    if (out_shared) cm_free(out_memory);
    else free(out_memory);
}

/* Blocks that take several looks, some of them a whole number of looks long. */
static void directly_in_looks(void)
{
    enum { LOOK = 4 << 20 };
    static const size_t lengths[] = {LOOK, 2 * LOOK, 2 * LOOK + 4096 + 3};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t n = lengths[i], ranks = (size_t)size;
        unsigned char *in = memory(n), *out = memory(ranks * n);
        fill(in, n, (unsigned)(i + 10 * (size_t)rank));
        cm_request *requests[2];
        int next = -1;
        requests[0] = cm_iallgather(world, in, n, out, CM_DIRECT);
        requests[1] = cm_irecv(world, &next, sizeof next, (rank + 1) % size, TAG);
        cm_send(world, &rank, sizeof rank, (rank + size - 1) % size, TAG);
        cm_waitall(2, requests, NULL);
        EXPECT(next == (rank + 1) % size, "a message of rank %d", next);
        for (size_t k = 0; k < ranks; k++)
            verify(out + k * n, n, (unsigned)(i + 10 * k), "in looks");
        int64_t *sums = (int64_t *)(void *)out;
        const size_t count = n / sizeof *sums;
        for (size_t j = 0; j < count; j++) sums[j] = (int64_t)j + rank;
        cm_allreduce(world, sums, sums, count, CM_INT64, CM_MAX, CM_DIRECT);
        size_t wrong = 0;
        for (size_t j = 0; j < count; j++) wrong += sums[j] != (int64_t)j + size - 1;
        EXPECT(!wrong, "%zu maxima of %zu bytes", wrong, n);
        free(in);
        free(out);
    }
}

/* Sends that complete at once do so although no receive is posted: rank 1 polls nothing before all
   sends to it are complete. */
static void complete_alone(const char *file)
{
    unsigned char *data = memory(SHORT);
    if (rank == 0) {
        fill(data, SHORT, 0);
        cm_request *send = cm_isend(world, data, SHORT, 1, TAG);
        while (!cm_test(&send, NULL)) {}
        for (int i = 1; i < SHORTS; i++) {
            fill(data, SHORT, (unsigned)i);
            cm_send(world, data, SHORT, 1, TAG);
        }
        const int fd = open(file, O_CREAT | O_WRONLY, 0600);
        EXPECT(fd >= 0, "cannot make %s", file);
        close(fd);
    } else if (rank == 1) {
        while (access(file, F_OK) != 0) usleep(1000);
        for (int i = 0; i < SHORTS; i++) {
            cm_recv(world, data, SHORT, 0, TAG, NULL);
            verify(data, SHORT, (unsigned)i, "kept");
        }
    }
    free(data);
}

/* Each rank sends two of the longest at the same time, and short ones meanwhile, so that several
   are being copied. */
static void several(void)
{
    enum { N = 4 };
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    static const size_t sizes[N] = {LONGEST, 40001, LONGEST - 70000, 300000};
    unsigned char *out[N], *in[N];
    cm_request *requests[2 * N];
    for (int i = 0; i < N; i++) {
        out[i] = memory(sizes[i]);
        in[i] = memory(sizes[i]);
        fill(out[i], sizes[i], (unsigned)(rank + i));
        requests[i] = cm_irecv(world, in[i], sizes[i], left, TAG + i);
    }
    for (int i = 0; i < N; i++) requests[N + i] = cm_isend(world, out[i], sizes[i], right, TAG + i);
    cm_waitall(2 * N, requests, NULL);
    for (int i = 0; i < N; i++) {
        verify(in[i], sizes[i], (unsigned)(left + i), "one of several");
        free(out[i]);
        free(in[i]);
    }
}

/* ---- What the results say -------------------------------------------------------------------- */

typedef struct {
    char way[16], cause[64];
} said;

static void look_for_way(const char *key, const char *value, void *context)
{
    said *said = context;
    if (strcmp(key, "copy") == 0) snprintf(said->way, sizeof said->way, "%s", value);
    if (strcmp(key, "copy_refused") == 0) snprintf(said->cause, sizeof said->cause, "%s", value);
}

static void look(const char *expected)
{
    said said = {"-", ""};
    cm_describe(look_for_way, &said);
    EXPECT(strcmp(said.way, expected) == 0, "they name '%s'", said.way);
    EXPECT(!refusing.on || strcmp(said.cause, strerror(EPERM)) == 0, "the cause is '%s'",
           said.cause);
}

/* The pair has agreed on copies before; the first message that is refused is one of several. */
static void begin_refusing(const char *text)
{
    int who = 0;
    char collectives = 0;
    if (sscanf(text, "%d:%llu:%llu:%c", &who, &refusing.left[0], &refusing.left[1], &collectives)
        < 3)
        cm_abort(CM_EXIT_USAGE, "expected RANK:IN:OUT");
    point("until the kernel refuses");
    for (int turn = 0; turn < 3; turn++) shift(100000, true, turn);
    refusing.on = who < 0 || who == rank;
    point("while it refuses");
    if (!collectives) {
        several();
        return;
    }
    directly(false, false);
    directly_in_looks();
    point("all ranks know it after collective operations");
    look("ring");
}

int main(int argc, char **argv)
{
    const char *expected = argc > 2 ? argv[1] : "", *file = argc > 2 ? argv[2] : "";
    contract_start(&argc, &argv);
    if (argc > 3) begin_refusing(argv[3]);
    point("several at the same time");
    several();
    point("long messages arrive as they were sent");
    all_sizes();
    point("from shared memory into ordinary memory");
    mixed(true);
    point("from ordinary memory into shared memory");
    mixed(false);
    point("operations that read others' buffers");
    directly(false, false);
    point("... a part in each look");
    directly_in_looks();
    point("... in shared memory");
    directly(true, true);
    directly(true, false);
    directly(false, true);
    if (size > 1) {
        point("sends within the eager limit complete before anyone receives them");
        complete_alone(file);
        point("the results name the way: %s", expected);
        look(expected);
    }
    return contract_done();
}
