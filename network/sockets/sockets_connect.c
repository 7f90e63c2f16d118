/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_connect.c: opens and closes a socket at either end for each case. Rank 1 listens. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "measure/clock.h"
#include "sockets.h"

enum { LISTENER = 1 }; /* rank */

typedef union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} address;

/* ---- Addresses ------------------------------------------------------------------------------ */

/* A link-local address needs the interface of this host, whose name on the other host may differ.
   */
static socklen_t make_address(const sockets_end *end, const sockets_place *place, int port,
                              address *made)
{
    char text[sizeof place->address];
    memcpy(text, place->address, sizeof text);
    text[strcspn(text, "%")] = 0;
    memset(made, 0, sizeof *made);
    if (place->family == 4) {
        made->four.sin_family = AF_INET;
        made->four.sin_port = htons((uint16_t)port);
        if (inet_pton(AF_INET, text, &made->four.sin_addr) == 1) return sizeof made->four;
    } else {
        made->six.sin6_family = AF_INET6;
        made->six.sin6_port = htons((uint16_t)port);
        if (inet_pton(AF_INET6, text, &made->six.sin6_addr) == 1) {
            if (IN6_IS_ADDR_LINKLOCAL(&made->six.sin6_addr))
                made->six.sin6_scope_id = if_nametoindex(end->own->interface);
            return sizeof made->six;
        }
    }
    cm_abort(CM_EXIT_SYSTEM, "'%s' is not an address", place->address);
}

static int port_of(const address *of)
{
    return ntohs(of->any.sa_family == AF_INET6 ? of->six.sin6_port : of->four.sin_port);
}

static bool same_address(const address *a, const address *b)
{
    if (a->any.sa_family != b->any.sa_family || port_of(a) != port_of(b)) return false;
    return a->any.sa_family == AF_INET6
               ? memcmp(&a->six.sin6_addr, &b->six.sin6_addr, sizeof a->six.sin6_addr) == 0
               : a->four.sin_addr.s_addr == b->four.sin_addr.s_addr;
}

/* ---- A socket ------------------------------------------------------------------------------- */

_Noreturn static void fail(const sockets_end *end, const char *what, int cause)
{
    cm_abort(CM_EXIT_SYSTEM, "%s: %s: %s (interface %s, address %s)",
             sockets_kind_names[end->now->kind], what, strerror(cause), end->own->interface,
             end->own->address);
}

static void set(const sockets_end *end, int fd, int level, int option, int value, const char *name)
{
    if (setsockopt(fd, level, option, &value, sizeof value) != 0) fail(end, name, errno);
}

static void set_time(const sockets_end *end, int fd, int option, double s, const char *name)
{
    struct timeval limit = {.tv_sec = (time_t)s,
                            .tv_usec = (suseconds_t)(1e6 * (s - (double)(time_t)s))};
    if (setsockopt(fd, SOL_SOCKET, option, &limit, sizeof limit) != 0) fail(end, name, errno);
}

/* Returns a socket that is bound to the address of this rank. The buffers are set before it is
   connected, because the window that TCP announces depends on them. */
static int open_socket(const sockets_end *end, int port)
{
    address own;
    socklen_t length = make_address(end, end->own, port, &own);
    int type = sockets_is_udp(end->now) ? SOCK_DGRAM : SOCK_STREAM;
    int fd = socket(own.any.sa_family, type | SOCK_CLOEXEC, 0);
    if (fd < 0) fail(end, "cannot create a socket", errno);
    set_time(end, fd, SO_RCVTIMEO, SOCKETS_SLICE_S, "SO_RCVTIMEO");
    set_time(end, fd, SO_SNDTIMEO, end->options->timeout_s, "SO_SNDTIMEO");
    int buffer_bytes = (int)end->options->buffer_bytes;
    if (buffer_bytes > 0) {
        set(end, fd, SOL_SOCKET, SO_SNDBUF, buffer_bytes, "SO_SNDBUF");
        set(end, fd, SOL_SOCKET, SO_RCVBUF, buffer_bytes, "SO_RCVBUF");
    }
    if (port > 0) set(end, fd, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");
    if (bind(fd, &own.any, length) != 0)
        cm_abort(CM_EXIT_SYSTEM, "%s: cannot bind %s port %d: %s",
                 sockets_kind_names[end->now->kind], end->own->address, port, strerror(errno));
    return fd;
}

static int own_port(const sockets_end *end, int fd)
{
    address own;
    socklen_t length = sizeof own;
    if (getsockname(fd, &own.any, &length) != 0) fail(end, "getsockname", errno);
    return port_of(&own);
}

static void connect_socket(const sockets_end *end, int fd, int port)
{
    address other;
    socklen_t length = make_address(end, end->other, port, &other);
    int flags = fcntl(fd, F_GETFL), cause = 0;
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    if (connect(fd, &other.any, length) != 0) cause = errno;
    double end_s = cm_clock_now_s() + end->options->timeout_s;
    while (cause == EINPROGRESS || cause == EINTR) {
        struct pollfd event = {.fd = fd, .events = POLLOUT};
        double left_s = end_s - cm_clock_now_s();
        int n = left_s > 0 ? poll(&event, 1, (int)(1000 * left_s) + 1) : 0;
        socklen_t size = sizeof cause;
        if (n == 0) cause = ETIMEDOUT;
        else if (n > 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &size) != 0) cause = errno;
    }
    if (cause)
        cm_abort(CM_EXIT_SYSTEM,
                 "%s: cannot connect from %s (%s) to rank %d on %s, %s port %d: %s "
                 "(--interface chooses the network)",
                 sockets_kind_names[end->now->kind], end->own->address, end->own->interface,
                 end->peer, end->other->host, end->other->address, port, strerror(cause));
    fcntl(fd, F_SETFL, flags);
}

/* ---- Control messages ----------------------------------------------------------------------- */

static void tell_port(const sockets_end *end, int port)
{
    int32_t word = port;
    cm_send(cm_world(), &word, sizeof word, end->peer, SOCKETS_TAG_CONTROL);
}

static int hear_port(const sockets_end *end)
{
    int32_t word;
    cm_recv(cm_world(), &word, sizeof word, end->peer, SOCKETS_TAG_CONTROL, NULL);
    return word;
}

/* ---- TCP ------------------------------------------------------------------------------------ */

/* Accepts the connection of rank 0 and refuses those of others. */
static int accept_peer(const sockets_end *end, int listener, int port)
{
    address wanted, came;
    make_address(end, end->other, port, &wanted);
    /* The connecting rank knows why it fails, so it must report first, even on a busy machine. */
    double end_s = cm_clock_now_s() + 2 * end->options->timeout_s;
    for (;;) {
        struct pollfd event = {.fd = listener, .events = POLLIN};
        double left_s = end_s - cm_clock_now_s();
        if (left_s <= 0) fail(end, "accept", ETIMEDOUT);
        if (poll(&event, 1, (int)(1000 * left_s) + 1) <= 0) continue;
        socklen_t length = sizeof came;
        int fd = accept4(listener, &came.any, &length, SOCK_CLOEXEC);
        if (fd < 0 && errno != ECONNABORTED && errno != EINTR) fail(end, "accept", errno);
        if (fd >= 0 && same_address(&came, &wanted)) return fd;
        if (fd >= 0) close(fd);
    }
}

static void connect_tcp(sockets_end *end)
{
    if (end->rank == LISTENER) {
        int listener = open_socket(end, (int)end->options->port);
        if (listen(listener, 8) != 0) fail(end, "cannot listen", errno);
        tell_port(end, own_port(end, listener));
        end->fd = accept_peer(end, listener, hear_port(end));
        close(listener);
    } else {
        end->fd = open_socket(end, 0);
        connect_socket(end, end->fd, hear_port(end));
        tell_port(end, own_port(end, end->fd));
    }
    if (end->now->nodelay) set(end, end->fd, IPPROTO_TCP, TCP_NODELAY, 1, "TCP_NODELAY");
    if (end->now->quickack) set(end, end->fd, IPPROTO_TCP, TCP_QUICKACK, 1, "TCP_QUICKACK");
}

/* ---- UDP ------------------------------------------------------------------------------------ */

/* An empty datagram goes to the other end and back. If that fails, nothing but losses would be
   measured. Handshakes that are still under way later are empty; measured datagrams never are. */
static void greet(const sockets_end *end)
{
    double end_s = cm_clock_now_s() + end->options->timeout_s;
    char nothing;
    size_t bytes;
    do {
        if (cm_clock_now_s() > end_s)
            cm_abort(CM_EXIT_SYSTEM,
                     "%s: no datagram comes back from rank %d on %s, %s, for %g s "
                     "(from %s, interface %s; --interface chooses the network)",
                     sockets_kind_names[end->now->kind], end->peer, end->other->host,
                     end->other->address, end->options->timeout_s, end->own->address,
                     end->own->interface);
        send(end->fd, &nothing, 0, MSG_NOSIGNAL);
    } while (!sockets_receive(end, &nothing, 1, &bytes));
}

static void answer_handshakes(const sockets_end *end)
{
    char nothing;
    size_t bytes;
    while (!cm_iprobe(cm_world(), end->peer, SOCKETS_TAG_CONTROL, NULL))
        if (sockets_receive(end, &nothing, 1, &bytes)) send(end->fd, &nothing, 0, MSG_NOSIGNAL);
}

static void connect_udp(sockets_end *end)
{
    end->fd = open_socket(end, end->rank == LISTENER ? (int)end->options->port : 0);
    int port = own_port(end, end->fd);
    if (end->rank == LISTENER) {
        tell_port(end, port);
        connect_socket(end, end->fd, hear_port(end));
        tell_port(end, port);
        answer_handshakes(end);
        hear_port(end);
        tell_port(end, port);
    } else {
        int theirs = hear_port(end);
        tell_port(end, port);
        hear_port(end);
        connect_socket(end, end->fd, theirs);
        greet(end);
        /* The measurement begins when neither end waits for a handshake. */
        tell_port(end, port);
        hear_port(end);
    }
}

/* ---- Both ----------------------------------------------------------------------------------- */

void sockets_connect(sockets_end *end)
{
    if (sockets_is_udp(end->now)) connect_udp(end);
    else connect_tcp(end);
}

void sockets_disconnect(sockets_end *end)
{
    close(end->fd);
    end->fd = -1;
}

void sockets_in_force(const sockets_end *end, sockets_report *report)
{
    int value;
    socklen_t length = sizeof value;
    if (getsockopt(end->fd, SOL_SOCKET, SO_SNDBUF, &value, &length) == 0)
        report->send_buffer_bytes = value;
    length = sizeof value;
    if (getsockopt(end->fd, SOL_SOCKET, SO_RCVBUF, &value, &length) == 0)
        report->receive_buffer_bytes = value;
    if (sockets_is_udp(end->now)) {
#ifdef SO_MEMINFO
        uint32_t memory[SK_MEMINFO_VARS] = {0};
        length = sizeof memory;
        if (getsockopt(end->fd, SOL_SOCKET, SO_MEMINFO, memory, &length) == 0)
            report->overrun = memory[SK_MEMINFO_DROPS];
#endif
        return;
    }
    length = sizeof value;
    if (getsockopt(end->fd, IPPROTO_TCP, TCP_MAXSEG, &value, &length) == 0)
        report->segment_bytes = value;
    length = sizeof report->congestion_control - 1;
    if (getsockopt(end->fd, IPPROTO_TCP, TCP_CONGESTION, report->congestion_control, &length) != 0)
        report->congestion_control[0] = 0;
}
