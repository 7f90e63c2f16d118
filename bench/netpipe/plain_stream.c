/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_stream.c: the lower bound for messages one way over sockets. One connection, TCP_NODELAY,
   sends of at most 32768 bytes, both ends polling; a byte answers every batch. plain_stream SECONDS
   BYTES... starts both processes on loopback. Between two hosts run plain_stream receive PORT
   BYTES... on one and plain_stream transmit ADDRESS PORT SECONDS BYTES... on the other. The
   transmitting one prints a line for each size: bytes, median and minimum over the batches in us
   per message. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/pingpong.h"

enum { PIECE_BYTES = 32768 };
/* The duration of a trial of cm-netpipe; a batch also has at least as many messages as a trial. */
static const double BATCH_S = 1e-3;
enum { LEAST = 4, MOST_BATCHES = 10000 };

static void put(int connection, const char *data, size_t bytes)
{
    while (bytes) {
        ssize_t sent =
            send(connection, data, bytes < PIECE_BYTES ? bytes : PIECE_BYTES, MSG_NOSIGNAL);
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

/* The sender first sends the number of messages that follow; 0 ends a size. */
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

static void fail(const char *what)
{
    perror(what);
    exit(3);
}

static int listen_on(struct sockaddr_in *address)
{
    socklen_t length = sizeof *address;
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on)
        || bind(listener, (struct sockaddr *)address, sizeof *address) || listen(listener, 1)
        || getsockname(listener, (struct sockaddr *)address, &length))
        fail("plain_stream: listening");
    return listener;
}

/* The other end may not listen yet, so connecting is repeated. */
static int connect_to(const struct sockaddr_in *address)
{
    for (double end_s = bench_now_s() + 10;;) {
        int connection = socket(AF_INET, SOCK_STREAM, 0);
        if (connection < 0) fail("plain_stream: a socket");
        if (connect(connection, (const struct sockaddr *)address, sizeof *address) == 0)
            return connection;
        if (errno != ECONNREFUSED || bench_now_s() > end_s) fail("plain_stream: connecting");
        close(connection);
        usleep(10000);
    }
}

static void run(int connection, bool transmits, double seconds, char **sizes)
{
    int on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(connection, F_SETFL, O_NONBLOCK);
    bench_pin(!transmits);
    for (; *sizes; sizes++) {
        size_t bytes = (size_t)strtoull(*sizes, NULL, 10);
        char *data = bench_allocate(bytes);
        if (!data) fail("plain_stream: memory");
        memset(data, 7, bytes);
        if (transmits) transmit(connection, data, bytes, seconds);
        else receive(connection, data, bytes);
        bench_free(data);
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (argc > 3 && strcmp(argv[1], "receive") == 0) {
        address.sin_addr.s_addr = htonl(INADDR_ANY);
        address.sin_port = htons((uint16_t)atoi(argv[2]));
        run(accept(listen_on(&address), NULL, NULL), false, 0, argv + 3);
        return 0;
    }
    if (argc > 5 && strcmp(argv[1], "transmit") == 0
        && inet_pton(AF_INET, argv[2], &address.sin_addr) == 1) {
        address.sin_port = htons((uint16_t)atoi(argv[3]));
        run(connect_to(&address), true, atof(argv[4]), argv + 5);
        return 0;
    }
    if (argc < 3 || atof(argv[1]) <= 0) {
        fprintf(stderr, "plain_stream: usage: SECONDS BYTES... | receive PORT BYTES... | "
                        "transmit ADDRESS PORT SECONDS BYTES...\n");
        return 2;
    }
    int listener = listen_on(&address);
    pid_t child = fork();
    if (child < 0) fail("plain_stream: fork");
    if (child == 0) run(connect_to(&address), false, 0, argv + 2);
    else run(accept(listener, NULL, NULL), true, atof(argv[1]), argv + 2);
    if (child) waitpid(child, NULL, 0);
    return 0;
}
