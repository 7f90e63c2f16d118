/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.c: lanes over TCP. Every rank listens. A connection is made on first use and carries both
   directions. If two ranks connect to each other at the same time, they agree on one
   (handshake.c). */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/events.h"
#include "comm/engine/limits.h"
#include "comm/engine/pending.h"
#include "comm/engine/tcp/tcp.h"
#include "comm/engine/tcp/tcp_attempt.h"
#include "comm/engine/tcp/tcp_lane.h"
#include "comm/engine/tcp/tcp_rails.h"

/* Up to this size header and payload are joined for one plain write: copying costs less than a
   vector. */
enum { JOINED_BYTES = 4096 };

static struct {
    int listener[CM_RAILS_MOST], listeners;
    cm_watch watch[CM_RAILS_MOST]; /* of the listeners */
} tcp;

/* ---- Opening --------------------------------------------------------------------------------- */

static cm_lane *stranger(int fd) { return cm_tcp_lane_new(fd, -1); }

static bool accept_all(cm_watch *watch)
{
    return cm_pending_accept(tcp.listener[watch - tcp.watch], stranger);
}

static const char *interface(int rail)
{
    static char text[32 * CM_RAILS_MOST];
    const cm_tcp_rails *rails = cm_tcp_rails_own();
    if (!rails->alternatives) return rails->interface[rail].name;
    cm_tcp_rails_names(text, sizeof text);
    return text;
}

static _Noreturn void open_failed(const char *what)
{
    cm_engine_fail(-1, "%s: %s%s", what, strerror(errno), cm_limits_advice(errno, EADDRINUSE));
}

static void set_port(struct sockaddr_storage *address, in_port_t port)
{
    if (address->ss_family == AF_INET6) ((struct sockaddr_in6 *)address)->sin6_port = port;
    else ((struct sockaddr_in *)address)->sin_port = port;
}

static in_port_t port_of(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port
                                          : ((const struct sockaddr_in *)address)->sin_port;
}

/* Binds to a port of CM_PORTS, or to any, and listens. A port whose job has ended may be taken
   again at once. Returns false if it is taken by somebody else. */
static bool take_port(int fd, struct sockaddr_storage *address, socklen_t length, int port)
{
    int on = 1;
    set_port(address, htons((in_port_t)port));
    if (port) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)address, length) == 0 && listen(fd, SOMAXCONN) == 0)
        return true;
    if (port && errno == EACCES)
        cm_abort(CM_EXIT_SYSTEM,
                 "CM_PORTS=%d-%d: this user may not listen at port %d; expected ports from "
                 "net.ipv4.ip_unprivileged_port_start on, which is usually 1024",
                 engine.environment.ports.low, engine.environment.ports.high, port);
    if (!port || errno != EADDRINUSE) open_failed("cannot listen");
    return false;
}

static int new_listener(int family)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) open_failed("cannot create a socket");
    cm_tcp_set_buffers(fd); /* accepted connections inherit them */
    return fd;
}

/* Ranks of a host begin at different ports of the range, so that few of them find one taken. */
static int listen_in_range(struct sockaddr_storage *address, socklen_t length, const char *text)
{
    const cm_ports ports = engine.environment.ports;
    const int n = ports.high - ports.low + 1;
    for (int k = 0; k < n; k++) {
        const int fd = new_listener(address->ss_family);
        if (take_port(fd, address, length, ports.low + (engine.rank + k) % n)) return fd;
        close(fd);
    }
    cm_abort(CM_EXIT_SYSTEM,
             "CM_PORTS=%d-%d: rank %d on %s finds no free port at %s, %d of %d in use; every rank "
             "of a host needs one for each of its addresses",
             ports.low, ports.high, engine.rank, engine.host, text, n, n);
}

/* Returns the port. */
static int listen_on(const cm_machine_interface *interface)
{
    struct sockaddr_storage address = interface->address;
    socklen_t length = interface->length;
    int fd;
    if (engine.environment.ports.low) {
        fd = listen_in_range(&address, length, interface->text);
    } else {
        fd = new_listener(address.ss_family);
        take_port(fd, &address, length, 0);
    }
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) open_failed("cannot listen");
    tcp.watch[tcp.listeners] = (cm_watch){.ready = accept_all, .last = true};
    cm_events_add(fd, &tcp.watch[tcp.listeners]);
    tcp.listener[tcp.listeners++] = fd;
    return ntohs(port_of(&address));
}

/* The addresses of a rail are separated by slashes, rails by commas. A rail without an address has
   those of rail 0. */
static void open_tcp(bool one_host, char *card, size_t capacity, int *rails)
{
    cm_tcp_lanes_open(&cm_tcp, one_host);
    const cm_tcp_rails *own = cm_tcp_rails_choose(one_host);
    *rails = own->rails;
    size_t used = 0;
    for (int i = 0; i < own->interfaces; i++) {
        const char *between = !i ? "" : own->alternatives ? "/" : ",";
        const int port = listen_on(&own->interface[i]);
        used += (size_t)snprintf(card + used, capacity - used, "%s%s;%d", between,
                                 own->interface[i].text, port);
        if (used >= capacity) break;
    }
    for (int rail = 1; own->alternatives && rail < *rails && used + 1 < capacity; rail++)
        used += (size_t)snprintf(card + used, capacity - used, ",");
    if (used >= capacity) cm_engine_fail(-1, "no room for the addresses of %d rails", *rails);
}

static void shut(void)
{
    while (tcp.listeners > 0) close(tcp.listener[--tcp.listeners]);
}

/* ---- Moving bytes ---------------------------------------------------------------------------- */

static bool nothing_now(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

static ssize_t write_one(int fd, const void *data, size_t bytes)
{
    return send(fd, data, bytes, MSG_NOSIGNAL);
}

/* Header and payload. */
static ssize_t write_both(int fd, const struct iovec *header, const struct iovec *payload)
{
    if (payload->iov_len <= JOINED_BYTES && header->iov_len <= CM_FRAME_BYTES) {
        _Alignas(CM_STAGE_ALIGNMENT) char joined[CM_FRAME_BYTES + JOINED_BYTES];
        memcpy(joined, header->iov_base, header->iov_len);
        memcpy(joined + header->iov_len, payload->iov_base, payload->iov_len);
        return write_one(fd, joined, header->iov_len + payload->iov_len);
    }
    struct iovec parts[2] = {*header, *payload};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(fd, &message, MSG_NOSIGNAL);
}

static ssize_t write_lane(cm_lane *lane, const struct iovec *parts, int n)
{
    const size_t most = engine.environment.piece_bytes;
    const int fd = lane->own.number;
    struct iovec payload = parts[n - 1];
    ssize_t written;
    if (__builtin_expect(lane->own.state != NULL, 0)
        && cm_tcp_attempt_write(lane, parts, n, &written))
        return written;
    if (payload.iov_len > most) payload.iov_len = most;
    written = n == 1 ? write_one(fd, payload.iov_base, payload.iov_len)
                     : write_both(fd, &parts[0], &payload);
    if (written >= 0) return written;
    return nothing_now() ? 0 : -1;
}

static ssize_t read_lane(cm_lane *lane, const struct iovec *parts, int n)
{
    const int fd = lane->own.number;
    ssize_t got = n == 1 ? recv(fd, parts[0].iov_base, parts[0].iov_len, 0) : readv(fd, parts, n);
    if (got > 0) return got;
    if (got == 0) errno = 0;
    else if (nothing_now()) return 0;
    return lane->own.state && cm_tcp_attempt_broke(lane) ? 0 : -1;
}

/* The kernel copies several times more slowly if the target's offset in its page is less than 64
   bytes above the source's (`rep movsb` then assumes an overlap). If all earlier data was read, a
   message begins at a page of the kernel's. So a payload that would follow 32 bytes behind is moved
   away from the offset of the data on this side and, because senders' and receivers' arrays are
   usually aligned alike, on the other side. Short payloads are joined instead. */
static uint8_t pad_units(const char *data, size_t bytes)
{
    enum { PAGE_BYTES = 4096, NEAR_BYTES = 64, FIRST = 128 };
    size_t offset = (uintptr_t)data % PAGE_BYTES;
    if (bytes <= JOINED_BYTES) return 0;
    bool near = offset > FIRST - NEAR_BYTES && offset < FIRST + NEAR_BYTES;
    return (uint8_t)(((near ? CM_FRAME_BYTES : FIRST) - sizeof(cm_wire_header)) / CM_PAD_UNIT);
}

static void want_room(cm_lane *lane, bool want)
{
    cm_events_want_room(lane->own.number, &lane->watch, want && !cm_tcp_attempt_full(lane));
}

static void close_lane(cm_lane *lane)
{
    close(lane->own.number);
    cm_tcp_attempt_free(lane->own.state);
    cm_lane_remove(lane);
}

/* ---- Description ----------------------------------------------------------------------------- */

static void describe(cm_describe_each *each, void *context)
{
    char text[32 * CM_RAILS_MOST];
    cm_tcp_rails_names(text, sizeof text);
    if (text[0]) each("interface", text, context);
    if (*cm_tcp_congestion()) each("tcp_congestion_control", cm_tcp_congestion(), context);
    char bytes[32] = "auto";
    if (engine.environment.buffer_bytes)
        snprintf(bytes, sizeof bytes, "%zu", engine.environment.buffer_bytes);
    each("socket_buffer_bytes", bytes, context);
    snprintf(bytes, sizeof bytes, "%zu", engine.environment.piece_bytes);
    each("piece_bytes", bytes, context);
    each("nodelay", engine.environment.nodelay ? "1" : "0", context);
}

/* It reaches every rank, as far as is known before the first attempt. */
const cm_transport cm_tcp = {
    .name = "tcp",
    .has = 1u << CM_HAS_SOCKET_BUFFERS | 1u << CM_HAS_RAILS,
    .open = open_tcp,
    .shut = shut,
    .connect = cm_tcp_connect,
    .write = write_lane,
    .read = read_lane,
    .close = close_lane,
    .want_room = want_room,
    .pad_units = pad_units,
    .in_flight = cm_tcp_in_flight,
    .unanswered = cm_tcp_unanswered,
    .pursue = cm_tcp_pursue,
    .interface = interface,
    .describe = describe,
};
