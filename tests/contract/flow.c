/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.c: senders that are faster than their receiver. `contract/flow [MANY [LARGE]]`:
   messages of 8 bytes from each sender, and of 64 KiB and 1 MiB. Every message arrives, in order
   where that is promised; nobody hangs; and where the backend bounds what it keeps (credits), it
   keeps no more, and no rank's memory grows by much more. */
#include "config.h"
#include <stdint.h>
#include "contract.h"

enum {
    BLOCK = 64,       /* messages that a sender has under way, and a receiver permutes */
    SENDERS = 3,      /* at most, beside rank 0 */
    SLOW_US = 200000, /* the receiver is elsewhere at first */
    MIB = 1 << 20
};

/* Beyond the pool: the allocator's own, requests, lanes, collectives; and the copies of messages
   that a sender may take for sent (send.c). */
static const size_t CONSTANT_BYTES = (size_t)24 * MIB, COPIES_BYTES = (size_t)64 * MIB;

static bool mpi, in_memory, bounded;         /* bounded: the backend says how much it kept */
static size_t kept, pool_bytes, share_bytes; /* share: what each sender has at the start */

/* ---- Memory ---------------------------------------------------------------------------------- */

static void take_description(const char *key, const char *value, void *context)
{
    (void)context;
    if (!strcmp(key, "comm")) mpi = !strcmp(value, "mpi");
    if (!strcmp(key, "transport")) in_memory = !strcmp(value, "shm");
    if (!strcmp(key, "credit_bytes_per_peer")) share_bytes = (size_t)strtoull(value, NULL, 10);
    if (!strcmp(key, "pool_bytes")) pool_bytes = (size_t)strtoull(value, NULL, 10);
    if (!strcmp(key, "unexpected_bytes_most")) {
        bounded = true;
        kept = (size_t)strtoull(value, NULL, 10);
    }
}

/* A line of /proc/self/status; 0: there is none. */
static size_t status_bytes(const char *name)
{
    char line[256];
    unsigned long long kib = 0;
    size_t length = strlen(name);
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, length)) sscanf(line + length, ": %llu", &kib);
    if (file) fclose(file);
    return (size_t)kib << 10;
}

static size_t base_bytes; /* resident before the traffic, own buffers included */

static void traffic_starts(const char *name)
{
    point("%s", name);
    /* Writing 5 here makes the peak start anew. */
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    base_bytes = status_bytes("VmRSS");
    meet();
}

static void traffic_ends(double start_s, bool sends)
{
    meet();
    double seconds = cm_time() - start_s;
    cm_describe(take_description, NULL);
    size_t peak = status_bytes("VmHWM");
    size_t grown = peak > base_bytes ? peak - base_bytes : 0;
    double mine[3] = {(double)kept, (double)grown, (double)peak}, most[3];
    cm_allreduce(world, mine, most, 3, CM_DOUBLE, CM_MAX, CM_AUTO);
    if (rank == 0)
        printf("#   %.2f s; kept at most %.0f of %zu bytes; memory grew by %.1f to %.1f MiB\n",
               seconds, most[0], pool_bytes, most[1] / MIB, most[2] / MIB);
    if (!bounded) return;
    EXPECT(kept <= pool_bytes, "%zu kept, the pool has %zu", kept, pool_bytes);
    size_t most_bytes = pool_bytes + pool_bytes / 8 + CONSTANT_BYTES + (sends ? COPIES_BYTES : 0);
    EXPECT(grown <= most_bytes, "grown by %zu, the pool has %zu", grown, pool_bytes);
}

/* ---- Small messages -------------------------------------------------------------------------- */

static int n_senders(void) { return size - 1 < SENDERS ? size - 1 : SENDERS; }
static bool is_sender(int senders) { return rank >= 1 && rank <= senders; }

/* Blocks of messages with a tag each, received in another order and from the senders in turn. */
static void scrambled(int senders, int64_t many)
{
    char name[80];
    int64_t out[BLOCK];
    cm_request *requests[BLOCK];
    snprintf(name, sizeof name, "%ld messages of 8 bytes from each of %d to a slow receiver",
             (long)many, senders);
    traffic_starts(name);
    double start_s = cm_time();
    if (is_sender(senders))
        for (int64_t i = 0; i < many; i += BLOCK) {
            for (int k = 0; k < BLOCK; k++) {
                out[k] = (i + k) * size + rank;
                requests[k] = cm_isend(world, &out[k], sizeof out[k], 0, k);
            }
            cm_waitall(BLOCK, requests, NULL);
        }
    if (rank == 0) {
        usleep(SLOW_US);
        for (int64_t i = 0; i < many; i += BLOCK)
            for (int k = 0; k < BLOCK * senders; k++) {
                int source = 1 + (k + k / senders) % senders, tag = k / senders * 37 % BLOCK;
                int64_t in = -1;
                cm_recv(world, &in, sizeof in, source, tag, NULL);
                EXPECT(in == (i + tag) * size + source, "%ld", (long)in);
            }
    }
    traffic_ends(start_s, rank > 0);
}

/* Plain sends, received from any source: in the order sent by each. */
static void in_order(int senders, int64_t many)
{
    char name[80];
    int64_t next[SENDERS + 1] = {0};
    snprintf(name, sizeof name, "%ld plain sends from each of %d to any source", (long)many,
             senders);
    traffic_starts(name);
    double start_s = cm_time();
    for (int64_t i = 0; i < many && is_sender(senders); i++) cm_send(world, &i, sizeof i, 0, 5);
    if (rank == 0) {
        usleep(SLOW_US);
        for (int64_t i = 0; i < many * senders; i++) {
            int64_t in = -1;
            cm_status status;
            cm_recv(world, &in, sizeof in, CM_ANY, 5, &status);
            EXPECT(in == next[status.source]++, "%ld from %d", (long)in, status.source);
        }
    }
    traffic_ends(start_s, rank > 0);
}

/* All messages of one tag before all of the next: the receiver looks behind many others. */
static void by_tag(int64_t many)
{
    enum { TAGS = 4 };
    char name[80];
    snprintf(name, sizeof name, "%ld messages received tag by tag, the last first", (long)many);
    traffic_starts(name);
    double start_s = cm_time();
    int64_t *out = memory((size_t)many * sizeof *out);
    cm_request **requests = memory((size_t)many * sizeof *requests);
    if (is_sender(1)) {
        for (int64_t i = 0; i < many; i++) {
            out[i] = i;
            requests[i] = cm_isend(world, &out[i], sizeof out[i], 0, (int)(i % TAGS));
        }
        cm_waitall((int)many, requests, NULL);
    }
    if (rank == 0)
        for (int tag = TAGS - 1; tag >= 0; tag--)
            for (int64_t i = tag; i < many; i += TAGS) {
                int64_t in = -1;
                cm_recv(world, &in, sizeof in, 1, tag, NULL);
                EXPECT(in == i, "%ld instead of %ld", (long)in, (long)i);
            }
    free(out);
    free(requests);
    traffic_ends(start_s, rank > 0);
}

/* ---- Large messages -------------------------------------------------------------------------- */

/* Each message has its number at its beginning and its end. */
static void windows(int senders, int64_t many, size_t bytes)
{
    enum { WINDOW = 16 };
    char name[80], *buffer = memory(WINDOW * bytes);
    cm_request *requests[WINDOW] = {NULL};
    memset(buffer, 1, WINDOW * bytes);
    snprintf(name, sizeof name, "%ld messages of %zu bytes from each of %d, %d at a time",
             (long)many, bytes, senders, WINDOW);
    traffic_starts(name);
    double start_s = cm_time();
    if (is_sender(senders)) {
        for (int64_t i = 0; i < many; i++) {
            char *own = buffer + (size_t)(i % WINDOW) * bytes;
            cm_wait(&requests[i % WINDOW], NULL);
            memcpy(own, &i, sizeof i);
            memcpy(own + bytes - sizeof i, &i, sizeof i);
            requests[i % WINDOW] = cm_isend(world, own, bytes, 0, 6);
        }
        cm_waitall(WINDOW, requests, NULL);
    }
    if (rank == 0) {
        int64_t next[SENDERS + 1] = {0}, first, last;
        usleep(SLOW_US);
        for (int64_t i = 0; i < many * senders; i++) {
            cm_status status;
            cm_recv(world, buffer, bytes, CM_ANY, 6, &status);
            memcpy(&first, buffer, sizeof first);
            memcpy(&last, buffer + bytes - sizeof last, sizeof last);
            EXPECT(status.bytes == bytes && first == next[status.source] && last == first,
                   "%ld and %ld, number %ld of %d", (long)first, (long)last,
                   (long)next[status.source], status.source);
            next[status.source]++;
        }
    }
    free(buffer);
    traffic_ends(start_s, rank > 0);
}

/* Long messages that come before their receive wait at the sender where the answer costs nothing,
   which is in memory: the receiver would have to copy what came. A probe finds a message when all
   before it have arrived or been announced. */
static void early(void)
{
    enum { MESSAGES = 16, ANNOUNCEMENT_BYTES = 4096, DATA = 11, SENT = 12 };
    const size_t bytes = 2 * eager_limit();
    cm_request *requests[MESSAGES] = {NULL};
    unsigned char *data = memory(MESSAGES * bytes);
    point("%d messages of %zu bytes that nobody waits for yet", MESSAGES, bytes);
    meet();
    if (is_sender(1)) {
        fill(data, bytes, 1);
        for (int i = 0; i < MESSAGES; i++) requests[i] = cm_isend(world, data, bytes, 0, DATA);
        cm_send(world, NULL, 0, 0, SENT);
        cm_waitall(MESSAGES, requests, NULL);
    }
    if (rank == 0) {
        cm_recv(world, NULL, 0, 1, SENT, NULL);
        cm_describe(take_description, NULL);
        EXPECT(!bounded || !in_memory || kept <= (size_t)MESSAGES * ANNOUNCEMENT_BYTES,
               "%zu bytes kept", kept);
        for (int i = 0; i < MESSAGES; i++) {
            unsigned char *own = data + (size_t)i * bytes;
            cm_recv(world, own, bytes, 1, DATA, NULL);
            EXPECT(wrong_at(own, bytes, 1) == bytes, "number %d", i);
        }
    }
    free(data);
    meet();
}

/* ---- Idle senders ---------------------------------------------------------------------------- */

/* One sender uses what the others leave: it runs out of credit, and after the receiver has seen
   that, more of its messages are kept than it had credit for at the start. A probe finds a message
   when all before it have arrived or been announced. Finally the shares go round: each sender in
   turn gets what the one before it no longer needs, or it could not send all before the receiver
   takes any. */
static void unevenly(int sender)
{
    enum { DATA = 13, SENT = 14, SEEN = 15 };
    const size_t bytes = share_bytes / 4 < 8192 ? share_bytes / 4 : 8192;
    const int many = bytes < 512 ? 0 : (int)(share_bytes / bytes) + 2;
    char name[80], *data = memory(bytes + 1);
    snprintf(name, sizeof name, "%d messages of %zu bytes from rank %d, the others idle", 2 * many,
             bytes, sender);
    traffic_starts(name);
    double start_s = cm_time();
    fill(data, bytes, (unsigned)sender);
    for (int half = 0; half < 2 && rank == sender; half++) {
        for (int i = 0; i < many; i++) cm_send(world, data, bytes, 0, DATA);
        cm_send(world, NULL, 0, 0, SENT);
        cm_recv(world, NULL, 0, 0, SEEN, NULL);
    }
    for (int half = 0; half < 2 && rank == 0; half++) {
        cm_recv(world, NULL, 0, sender, SENT, NULL);
        cm_send(world, NULL, 0, sender, SEEN);
    }
    cm_describe(take_description, NULL);
    EXPECT(rank || !many || kept > share_bytes, "%zu kept, each had %zu", kept, share_bytes);
    for (int i = 0; i < 2 * many && rank == 0; i++) {
        memset(data, 0, bytes);
        cm_recv(world, data, bytes, sender, DATA, NULL);
        EXPECT(wrong_at(data, bytes, (unsigned)sender) == bytes, "number %d", i);
    }
    free(data);
    traffic_ends(start_s, true);
}

/* ---- Everything at once ---------------------------------------------------------------------- */

static size_t mixed_bytes(int i, size_t eager)
{
    const size_t lengths[] = {0, 8, 100, 4000, 20000, eager - 8, eager, eager + 1, 3 * eager / 2};
    return lengths[(size_t)i % (sizeof lengths / sizeof lengths[0])];
}

/* Everybody sends everything to everybody, and only then receives, the last first. */
static void everything(int messages)
{
    size_t eager = eager_limit();
    int n = messages * (size - 1), k = 0;
    unsigned char *out = memory(2 * eager), *in = memory(2 * eager);
    cm_request **requests = memory((size_t)n * sizeof *requests);
    fill(out, 2 * eager, (unsigned)rank);
    memset(in, 0, 2 * eager);
    traffic_starts("everybody sends mixed lengths to everybody before receiving");
    double start_s = cm_time();
    for (int i = 0; i < messages; i++)
        for (int step = 1; step < size; step++)
            requests[k++] = cm_isend(world, out, mixed_bytes(i, eager), (rank + step) % size, i);
    for (int i = messages - 1; i >= 0; i--)
        for (int step = 1; step < size; step++) {
            int source = (rank + size - step) % size;
            size_t bytes = mixed_bytes(i, eager);
            cm_status status;
            in[bytes ? bytes - 1 : 0] ^= 255;
            cm_recv(world, in, 2 * eager, source, i, &status);
            EXPECT(status.bytes == bytes, "%zu bytes instead of %zu", status.bytes, bytes);
            EXPECT(wrong_at(in, bytes, (unsigned)source) == bytes, "of %zu bytes from %d", bytes,
                   source);
        }
    cm_waitall(n, requests, NULL);
    free(out);
    free(in);
    free(requests);
    traffic_ends(start_s, true);
}

/* Nobody receives before all is sent, by plain sends: these complete at once, credit or not. */
static void plainly(int messages)
{
    unsigned char out[1000], in[1000];
    traffic_starts("everybody sends short messages plainly to everybody before receiving");
    double start_s = cm_time();
    fill(out, sizeof out, (unsigned)rank);
    for (int i = 0; i < messages; i++)
        for (int step = 1; step < size; step++)
            cm_send(world, out, i % 2 ? sizeof out : 8, (rank + step) % size, 8);
    for (int i = 0; i < messages; i++)
        for (int step = 1; step < size; step++) {
            int source = (rank + size - step) % size;
            size_t bytes = i % 2 ? sizeof out : 8;
            cm_recv(world, in, sizeof in, source, 8, NULL);
            EXPECT(wrong_at(in, bytes, (unsigned)source) == bytes, "number %d from %d", i, source);
        }
    traffic_ends(start_s, true);
}

/* The same by sends that are tested, and by ones that are waited for in any order. */
static void patiently(void)
{
    enum { MESSAGES = 40 };
    cm_request *requests[MESSAGES];
    point("everybody waits for short sends before receiving");
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < MESSAGES; i++)
            requests[i] = cm_isend(world, &rank, sizeof rank, right_of(rank), i);
        for (int i = 0; i < MESSAGES && pass == 0; i++)
            while (!cm_test(&requests[i], NULL)) continue;
        while (pass == 1 && cm_waitany(MESSAGES, requests, NULL) >= 0) continue;
        if (pass == 2) cm_waitall(MESSAGES, requests, NULL);
        for (int i = MESSAGES - 1; i >= 0; i--) {
            int in = -1;
            cm_recv(world, &in, sizeof in, left_of(rank), i, NULL);
            EXPECT(in == left_of(rank), "%d", in);
        }
    }
}

/* The senders are on their way out while rank 0 takes the last messages, all at once. */
static void leaving(void)
{
    enum { MESSAGES = 20 };
    size_t bytes = eager_limit();
    int n = MESSAGES * n_senders();
    point("a sender may leave before its last messages are received");
    unsigned char *data = memory(rank ? bytes : (size_t)n * bytes);
    cm_request **requests = memory((size_t)n * sizeof *requests);
    if (rank == 0) {
        usleep(SLOW_US);
        for (int k = 0; k < n; k++)
            requests[k] = cm_irecv(world, data + (size_t)k * bytes, bytes, 1 + k / MESSAGES, 10);
        cm_waitall(n, requests, NULL);
        for (int k = 0; k < n; k++)
            EXPECT(wrong_at(data + (size_t)k * bytes, bytes, (unsigned)(k % MESSAGES)) == bytes,
                   "number %d from %d", k % MESSAGES, 1 + k / MESSAGES);
    }
    for (int i = 0; i < MESSAGES && is_sender(n_senders()); i++) {
        fill(data, bytes, (unsigned)i);
        cm_send(world, data, bytes, 0, 10);
    }
    free(data);
    free(requests);
}

static int64_t argument(int argc, char **argv, int i, int64_t otherwise)
{
    return i < argc ? strtoll(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    int64_t many = argument(argc, argv, 1, 6400) / BLOCK * BLOCK;
    int64_t large = argument(argc, argv, 2, 64);
    if (size == 1) {
        puts("1..0 # SKIP senders and receivers are needed");
        cm_finalize();
        return 0;
    }
    early(); /* first: the most that was kept is counted from the start of the job */
    cm_describe(take_description, NULL);
    for (int sender = 1; sender < size && size > 2 && bounded; sender++) unevenly(sender);
    scrambled(1, many);
    if (size > 2) scrambled(n_senders(), many);
    in_order(n_senders(), many / 4);
    by_tag(many < 10000 ? many : 10000);
    windows(1, large, 65536);
    windows(n_senders(), large, MIB);
    everything(27);
    plainly(200);
    patiently();
    leaving();
    /* What nobody receives does not keep a rank from leaving. */
    if (bounded && rank == 1) cm_send(world, &many, sizeof many, 0, 9);
    return contract_done();
}
