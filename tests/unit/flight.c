/* SPDX-License-Identifier: BSD-3-Clause */
/* flight.c: what src/comm/engine/tcp/tcp_flight.c says of connections, against the definition:
   twice the rate times the round trip. */
#include "config.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/tcp/tcp.h"
#include "tap.h"

enum { BURST_BYTES = 32768, BURSTS = 200 };

static size_t in_flight(int fd)
{
    const cm_lane lane = {.own.number = fd};
    return cm_tcp_in_flight(&lane);
}

static void must(bool well, const char *what)
{
    if (well) return;
    perror(what);
    exit(99);
}

/* Two ends of a connection over loopback. */
static void connect_ends(int end[2])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    must(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
    must(listen(listener, 1) == 0, "listen");
    must(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
    end[0] = socket(AF_INET, SOCK_STREAM, 0);
    must(connect(end[0], (struct sockaddr *)&address, length) == 0, "connect");
    end[1] = accept(listener, NULL, NULL);
    must(end[1] >= 0, "accept");
    close(listener);
}

/* One burst there, one byte back. */
static void turn(const int end[2])
{
    static char burst[BURST_BYTES];
    char back = 0;
    must(write(end[0], burst, sizeof burst) == sizeof burst, "write");
    for (size_t got = 0; got < sizeof burst;) {
        const ssize_t some = read(end[1], burst, sizeof burst - got);
        must(some > 0, "read");
        got += (size_t)some;
    }
    must(write(end[1], &back, 1) == 1 && read(end[0], &back, 1) == 1, "answer");
}

/* The kernel's figures, as the C library's structure and the whole, which is longer. */
typedef union {
    struct tcp_info info;
    char bytes[512];
} figures;
enum { MIN_RTT_AT = 148, RATE_AT = 160, LEAST_BYTES = 168 };

/* Returns how many bytes there are. An emulator of processors (qemu) may give four. */
static socklen_t read_figures(int fd, figures *all)
{
    socklen_t length = sizeof *all;
    must(getsockopt(fd, IPPROTO_TCP, TCP_INFO, all, &length) == 0, "TCP_INFO");
    return length;
}

/* The same from the C library's view of the kernel's figures: its structure ends before the rate,
   so this takes the rate from the whole, at the place that the kernel's header documents. */
static double expected(int fd)
{
    figures all;
    uint64_t rate;
    uint32_t least;
    must(read_figures(fd, &all) >= LEAST_BYTES, "TCP_INFO");
    memcpy(&least, all.bytes + MIN_RTT_AT, sizeof least);
    memcpy(&rate, all.bytes + RATE_AT, sizeof rate);
    return 2 * 1e-6 * least * (double)rate;
}

int main(void)
{
    int end[2], none[2];
    figures all;
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, none) == 0, "socketpair");
    ok(in_flight(none[0]) == 0, "what is no TCP connection: unknown");
    connect_ends(end);
    if (read_figures(end[0], &all) >= LEAST_BYTES) {
        for (int k = 0; k < BURSTS; k++) turn(end);
        const double before = expected(end[0]);
        const size_t said = in_flight(end[0]);
        const double after = expected(end[0]);
        ok(said > 0 && (double)said >= before - 1 && (double)said <= after + 1,
           "twice the rate times the round trip: %zu bytes, expected %.0f", said, before);
    } else {
        tap_skip("twice the rate times the round trip", "the system does not tell");
        ok(in_flight(end[0]) == 0, "what the system does not tell: unknown");
    }
    shutdown(end[1], SHUT_RDWR);
    close(end[0]);
    ok(in_flight(end[0]) == 0, "a closed descriptor: unknown");
    return tap_done();
}
