/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.c: a rank of a job that unrelated processes disturb: `trust/rank FILE go|first|apart`. It
   writes to the board (trust.h) its rank and its handshake.

   go      each rank connects to all above it; then sums and messages until the test stops them
   first   the others send to rank 0, which stays outside the layer until it is released; then as go
   apart   the ranks are in the layer and have no connections
   takes   as apart, but rank 0 waits for a long message of rank 1 */
#include "config.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "comm/engine/engine.h"
#include "trust.h"

enum { SHORT = 100, LONG = 400000, TAG = 7, FIRST_TAG };

static trust_board *board;
static int rank, size;

/* The engine's calls of send() come here first. */
ssize_t send(int fd, const void *data, size_t bytes, int flags)
{
    if (board && rank < TRUST_RANKS && bytes >= sizeof(cm_wire_handshake)
        && memcmp(data, CM_WIRE_MAGIC, sizeof CM_WIRE_MAGIC - 1) == 0) {
        int n = board->rank[rank].handshakes;
        if (n < TRUST_HANDSHAKES) {
            memcpy(&board->rank[rank].handshake[n], data, sizeof(cm_wire_handshake));
            board->rank[rank].handshakes = n + 1;
        }
    }
    return syscall(SYS_sendto, fd, data, bytes, flags, NULL, 0);
}

static void expect(bool right)
{
    if (!right) board->wrong++;
}

static void meet_above(void)
{
    int number;
    for (int from = 0; from < size; from++)
        if (from == rank) {
            for (int to = rank + 1; to < size; to++)
                cm_send(cm_world(), &rank, sizeof rank, to, FIRST_TAG);
        } else if (from < rank) {
            cm_recv(cm_world(), &number, sizeof number, from, FIRST_TAG, NULL);
            expect(number == from);
        }
}

static void meet_first(void)
{
    int number;
    if (rank == 0) {
        while (!board->release) usleep(10000);
        for (int i = 1; i < size; i++) {
            cm_status status;
            cm_recv(cm_world(), &number, sizeof number, CM_ANY, FIRST_TAG, &status);
            expect(number == status.source);
        }
    } else {
        cm_send(cm_world(), &rank, sizeof rank, 0, FIRST_TAG);
        board->rank[rank].rounds = 1;
    }
}

/* Messages round the ring, short and by rendezvous, and a sum by which rank 0 tells the others
   whether to stop. */
static bool round_of_messages(long round, unsigned char *out, unsigned char *in)
{
    size_t bytes = round % 4 ? SHORT : LONG;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    memset(out, (int)(round + rank) & 255, bytes);
    cm_sendrecv(cm_world(), out, bytes, right, TAG, in, bytes, left, TAG, NULL);
    size_t same = 0;
    while (same < bytes && in[same] == (unsigned char)(round + left)) same++;
    expect(same == bytes);
    int64_t mine[2] = {round + rank, rank == 0 ? board->stop : 0}, sum[2];
    cm_allreduce(cm_world(), mine, sum, 2, CM_INT64, CM_SUM, CM_AUTO);
    expect(sum[0] == size * round + size * (size - 1) / 2);
    return sum[1] == 0;
}

int main(int argc, char **argv)
{
    int fd = argc == 3 ? open(argv[1], O_RDWR) : -1;
    trust_board *map = mmap(NULL, sizeof *map, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || map == MAP_FAILED) return 2;
    int status = cm_init(&argc, &argv);
    if (status) return status;
    rank = cm_rank(cm_world());
    size = cm_size(cm_world());
    board = map;
    if (size > TRUST_RANKS) cm_abort(2, "more than %d ranks", TRUST_RANKS);
    memcpy(board->rank[rank].secret, engine.secret, CM_SECRET_BYTES);
    memcpy(board->rank[rank].nonce, engine.nonce, CM_NONCE_BYTES);
    board->rank[rank].pid = getpid();
    if (strcmp(argv[2], "apart") == 0 || (strcmp(argv[2], "takes") == 0 && rank)) {
        while (!board->stop) {
            cm_progress();
            board->rank[rank].rounds++;
            usleep(1000);
        }
    } else if (strcmp(argv[2], "takes") == 0 && rank == 0) {
        static unsigned char in[TRUST_LONG];
        cm_recv(cm_world(), in, sizeof in, 1, TRUST_TAG, NULL);
    } else {
        unsigned char *out = malloc(LONG), *in = malloc(LONG);
        if (!out || !in) cm_abort(3, "out of memory");
        if (strcmp(argv[2], "first") == 0) meet_first();
        else meet_above();
        for (long round = 1; round_of_messages(round, out, in); round++)
            board->rank[rank].rounds = round;
        free(out);
        free(in);
    }
    cm_finalize();
    return 0;
}
