/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_stream.c: the floor for messages one way over sockets. Two processes, one loopback connection,
   TCP_NODELAY, sends of at most 32768 bytes, both ends polling; every batch is answered by a byte. Usage:
   plain_stream SECONDS BYTES... Prints a line a size: bytes, median and least over the batches in us a message. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/pingpong.h"

enum { PIECE_BYTES = 32768 };
/* As long as a trial of cm-netpipe, and at least as many messages. */
static const double BATCH_S = 1e-3;
enum { LEAST = 4, MOST_BATCHES = 10000 };

static void put(int connection, const char *data, size_t bytes)
{
    while (bytes) {
        ssize_t sent = send(connection, data, bytes < PIECE_BYTES ? bytes : PIECE_BYTES, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) exit(3);
        if (sent > 0) data += sent, bytes -= (size_t)sent;
    }
}

static void get(int connection, char *data, size_t bytes)
{
    while (bytes) {
        ssize_t got = recv(connection, data, bytes, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN)) exit(3);
        if (got > 0) data += got, bytes -= (size_t)got;
    }
}

/* Both ends know how many messages follow: the sender says it first; 0 ends a size. */
static void receive(int connection, char *data, size_t bytes)
{
    for (;;) {
        int64_t messages;
        get(connection, (char *)&messages, sizeof messages);
        if (messages == 0) return;
        for (int64_t i = 0; i < messages; i++) get(connection, data, bytes);
        put(connection, "", 1);
    }
}

static double batch_s(int connection, char *data, size_t bytes, int64_t messages)
{
    char answer;
    put(connection, (const char *)&messages, sizeof messages);
    double start_s = bench_now_s();
    for (int64_t i = 0; i < messages; i++) put(connection, data, bytes);
    get(connection, &answer, 1);
    return (bench_now_s() - start_s) / (double)messages;
}

static void transmit(int connection, char *data, size_t bytes, double seconds)
{
    static double sample[MOST_BATCHES];
    const int64_t end = 0;
    int64_t messages = LEAST;
    for (int i = 0; i < 20; i++) {
        double each_s = batch_s(connection, data, bytes, messages);
        messages = (int64_t)(BATCH_S / each_s) + 1;
        if (messages < LEAST) messages = LEAST;
    }
    size_t n = 0;
    for (double stop_s = bench_now_s() + seconds; n < MOST_BATCHES && bench_now_s() < stop_s; n++)
        sample[n] = batch_s(connection, data, bytes, messages);
    put(connection, (const char *)&end, sizeof end);
    qsort(sample, n, sizeof *sample, bench_compare);
    if (n) printf("%zu %.4f %.4f\n", bytes, 1e6 * sample[n / 2], 1e6 * sample[0]);
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int on = 1, connection, listener = socket(AF_INET, SOCK_STREAM, 0);
    if (argc < 3) {
        fprintf(stderr, "plain_stream: usage: SECONDS BYTES...\n");
        return 2;
    }
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address)
        || listen(listener, 1) || getsockname(listener, (struct sockaddr *)&address, &length)) {
        perror("plain_stream");
        return 3;
    }
    pid_t child = fork();
    if (child < 0) return 3;
    if (child == 0) {
        connection = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(connection, (struct sockaddr *)&address, sizeof address)) return 3;
    } else {
        connection = accept(listener, NULL, NULL);
    }
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(connection, F_SETFL, O_NONBLOCK);
    bench_pin(child == 0);
    for (int k = 2; k < argc; k++) {
        size_t bytes = (size_t)strtoull(argv[k], NULL, 10);
        char *data = bench_allocate(bytes);
        if (!data) return 3;
        memset(data, 7, bytes);
        if (child) transmit(connection, data, bytes, atof(argv[1]));
        else receive(connection, data, bytes);
        bench_free(data);
    }
    if (child) waitpid(child, NULL, 0);
    return 0;
}
