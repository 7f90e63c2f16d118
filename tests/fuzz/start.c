/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c: what a launcher answers while a rank joins a job and leaves it again: PMI's lines,
   then the cards of the other ranks and the job's secret in them. An input: size and rank, the
   lengths of pieces, the lines.

   Wrong: a rank starts that lacks something, memory is lost, anything crashes. Refusing is
   right. */
#include "wire_transport.h"
#include "comm/pmi/pmi_line.h"
#include <sys/socket.h>
#include <sys/stat.h>

static void set_number(const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

static void ignore(const char *key, const char *value, void *context)
{
    FUZZ_CHECK(*key && value);
    (void)context;
}

/* Joins, looks round, leaves. */
static void play(void *context)
{
    (void)context;
    if (cm_init(NULL, NULL) != 0) {
        fuzz_memory_forget(); /* a process that ends here frees nothing */
        return;
    }
    FUZZ_CHECK(engine.world && engine.size >= 1 && engine.rank < engine.size);
    for (int rank = 0; rank < engine.size; rank++) {
        const char *host = cm_host(cm_world(), rank);
        FUZZ_CHECK(host && strlen(host) < CM_PMI_VALUE_BYTES);
        FUZZ_CHECK(engine.size == 1 || engine.peer[rank].card);
    }
    cm_describe(ignore, NULL);
    cm_finalize();
    FUZZ_CHECK(fuzz_memory_blocks() == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_input input = {data, bytes};
    int ends[2], head = fuzz_byte(&input), size = 1 + head % 4, rank = fuzz_byte(&input) % size;
    size_t piece = 1 + fuzz_byte(&input) * 16u;
    /* Every write is one read there. */
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0) abort();
    while (input.left) {
        size_t n = piece;
        const char *some = fuzz_bytes(&input, &n);
        if (send(ends[1], some, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) break;
    }
    shutdown(ends[1], SHUT_WR);
    set_number("PMI_FD", ends[0]);
    struct stat socket;
    fstat(ends[0], &socket);
    if (head & 128) set_number("PMI_SOCKET", (int)socket.st_ino);
    else unsetenv("PMI_SOCKET");
    if (head & 64) setenv("PMI_JOBID", "1.0", 1);
    else unsetenv("PMI_JOBID");
    set_number("PMI_SIZE", size);
    set_number("PMI_RANK", rank);
    set_number("CM_LOCAL_RANKS", size);
    fuzz_run(play, NULL);
    fuzz_memory_forget();
    memset(&engine, 0, sizeof engine);
    wire_reset();
    close(ends[0]);
    close(ends[1]);
    return 0;
}
