/* SPDX-License-Identifier: BSD-3-Clause */
/* attempt.c: connections over TCP (src/comm/engine/tcp): one that is made again carries all that
   was written before, and an idle one to a silent host ends in time. */
#include "config.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/limits.h"
#include "comm/engine/pending.h"
#include "comm/engine/tcp/tcp.h"
#include "comm/engine/tcp/tcp_addresses.h"
#include "comm/engine/tcp/tcp_attempt.h"
#include "comm/engine/tcp/tcp_lane.h"
#include "tap.h"

/* The kernel's buffers hold less than is written before the answer. */
enum { BUFFER_BYTES = 4096, BEFORE = 200000, AFTER = 1000, WAIT_MS = 20000 };

/* ---- All that the two files need of the engine ----------------------------------------------- */

cm_engine engine;
static double now_s = 1, silence_s;
static struct sockaddr_in listening = {.sin_family = AF_INET};

static void must(bool well, const char *what)
{
    if (well) return;
    perror(what);
    exit(99);
}

double cm_engine_now(void) { return now_s; }
double cm_liveness_silence_s(void) { return silence_s; }
void *cm_engine_allocate(size_t bytes, const char *what)
{
    void *memory = malloc(bytes);
    must(memory, what);
    return memory;
}
void cm_engine_fail(int peer, const char *format, ...)
{
    (void)peer;
    must(false, format);
    abort();
}
bool cm_failure_lose(int peer, const char *format, ...)
{
    (void)peer;
    must(false, format);
    return true;
}
void cm_events_add(int fd, cm_watch *watch) { (void)fd, (void)watch; }
void cm_events_want_room(int fd, cm_watch *watch, bool want) { (void)fd, (void)watch, (void)want; }
const char *cm_limits_advice(int cause, int no_port)
{
    (void)cause, (void)no_port;
    return "";
}
int cm_pending_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0); }
const char *cm_rail_name(int rail)
{
    (void)rail;
    return "";
}
void cm_tcp_rails_use(int fd) { (void)fd; }
cm_lane *cm_lane_add(const cm_transport *by, int peer)
{
    cm_lane *lane = aligned_alloc(CM_STAGE_ALIGNMENT, sizeof *lane);
    must(lane, "a lane");
    memset(lane, 0, sizeof *lane);
    lane->by = by;
    lane->peer = peer;
    lane->since_s = now_s;
    return lane;
}
bool cm_tcp_addresses_read(const char *card, int rail, cm_tcp_addresses *to)
{
    (void)card, (void)rail;
    to->n = 1;
    to->address[0] = (cm_tcp_address){.length = sizeof listening};
    memcpy(&to->address[0].address, &listening, sizeof listening);
    return true;
}
void cm_tcp_addresses_order(int peer, cm_tcp_addresses *to) { (void)peer, (void)to; }

/* ---- A connection that is made again --------------------------------------------------------- */

static char written[BEFORE + AFTER], got[BEFORE + AFTER];
static size_t n_got;

static int new_listener(void)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0), bytes = BUFFER_BYTES;
    socklen_t length = sizeof listening;
    listening.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes); /* accepted ones inherit it */
    must(bind(fd, (struct sockaddr *)&listening, length) == 0 && listen(fd, 8) == 0, "listen");
    must(getsockname(fd, (struct sockaddr *)&listening, &length) == 0, "getsockname");
    return fd;
}

static void read_some(int fd, size_t most)
{
    ssize_t some;
    while (most > 0 && (some = recv(fd, got + n_got, most, MSG_DONTWAIT)) > 0) {
        n_got += (size_t)some;
        most -= (size_t)some;
    }
}

/* As write_lane does: what the attempt does not take any more goes to the socket. */
static size_t write_some(cm_lane *lane, const char *data, size_t bytes)
{
    const struct iovec part = {(char *)data, bytes};
    ssize_t n = 0;
    if (!lane->own.state || !cm_tcp_attempt_write(lane, &part, 1, &n))
        n = send(lane->own.number, data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    must(n >= 0 || errno == EAGAIN, "write");
    return n > 0 ? (size_t)n : 0;
}

static void write_all(cm_lane *lane, int there, const char *data, size_t bytes)
{
    for (size_t sent = 0; sent < bytes;) {
        sent += write_some(lane, data + sent, bytes - sent);
        read_some(there, sizeof got - n_got);
    }
}

/* Waits until that much has come. pursued: liveness.c looks at the lane meanwhile. */
static void read_all(cm_lane *lane, int there, size_t bytes, bool pursued)
{
    struct pollfd event = {.fd = there, .events = POLLIN};
    while (n_got < bytes) {
        if (pursued) cm_tcp_pursue(lane, false);
        if (poll(&event, 1, WAIT_MS) <= 0) return;
        read_some(there, bytes - n_got);
    }
}

/* Returns the other end of a connection that was broken after BEFORE bytes and made again. The peer
   has read the handshake, and answers it. */
static int broken_once(cm_lane *lane, int listener)
{
    const struct linger reset = {.l_onoff = 1};
    int there = accept(listener, NULL, NULL);
    n_got = 0;
    write_all(lane, there, written, BEFORE);
    setsockopt(there, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(there);
    now_s += 60;
    errno = ECONNRESET;
    ok(cm_tcp_attempt_broke(lane), "a connection that was reset late is made again");
    there = accept(listener, NULL, NULL);
    n_got = 0;
    cm_tcp_pursue(lane, false);
    read_all(lane, there, sizeof(cm_wire_handshake), false);
    lane->proven = true;
    return there;
}

static void close_lane(cm_lane *lane, int there)
{
    cm_tcp_attempt_free(lane->own.state);
    close(lane->own.number);
    close(there);
    free(lane);
}

static void again_tests(void)
{
    const int listener = new_listener();
    for (size_t i = 0; i < sizeof written; i++) written[i] = (char)(i * 2654435761u >> 13);
    engine.environment.buffer_bytes = BUFFER_BYTES;
    for (int more = 0; more < 2; more++) {
        const size_t bytes = BEFORE + (more ? AFTER : 0);
        cm_lane *lane = cm_tcp_connect(1, 0, "");
        const int there = broken_once(lane, listener);
        if (more) write_all(lane, there, written + BEFORE, AFTER);
        read_all(lane, there, bytes, true);
        ok(n_got == bytes && memcmp(got, written, bytes) == 0,
           "answered before all was written again%s: the peer gets all of it, in order",
           more ? ", and more is written" : "");
        close_lane(lane, there);
    }
    close(listener);
}

/* ---- Silent hosts ---------------------------------------------------------------------------- */

static int option_of(int fd, int option)
{
    int value = -1;
    socklen_t length = sizeof value;
    must(getsockopt(fd, IPPROTO_TCP, option, &value, &length) == 0, "getsockopt");
    return value;
}

/* The kernel ignores what is above its limits. */
static void silence_tests(void)
{
    static const int limit_s[] = {2, 3, 5, 127, 128, 129, 130, 600, 86400};
    cm_tcp_lanes_open(NULL, false);
    for (size_t i = 0; i < sizeof limit_s / sizeof *limit_s; i++) {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        silence_s = limit_s[i];
        cm_tcp_set_options(fd);
        const int interval_s = option_of(fd, TCP_KEEPINTVL),
                  total_s = option_of(fd, TCP_KEEPIDLE) + interval_s * option_of(fd, TCP_KEEPCNT);
        ok(total_s <= limit_s[i] && total_s > limit_s[i] - interval_s
               && interval_s <= 1 + limit_s[i] / 100,
           "an idle connection to a silent host ends after %d s, expected %d", total_s, limit_s[i]);
        close(fd);
    }
}

int main(void)
{
    silence_tests();
    again_tests();
    return tap_done();
}
