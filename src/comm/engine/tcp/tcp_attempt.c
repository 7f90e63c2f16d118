/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_attempt.c: makes connections, again and again if need be; see tcp_attempt.h. */
#include "config.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/events.h"
#include "comm/engine/limits.h"
#include "comm/engine/strangers.h"
#include "comm/engine/tcp/tcp.h"
#include "comm/engine/tcp/tcp_attempt.h"

/* The kernel asks after 1 s and, the time doubling, ever more rarely; from 3 s on a new connection
   asks sooner. A connection that was reset so early was reset by the peer's process. */
static const double AGAIN_S = 4, EARLY_S = 2;

/* A port on which hardly any host listens: it refuses the connection at once, or accepts it. */
enum { UNUSED_PORT = 1 };

/* Bytes that may be written before the peer has answered: an eager message. */
static const size_t COPY_MOST = ((size_t)256 << 10) + 2 * CM_FRAME_BYTES;

struct cm_tcp_attempt {
    struct sockaddr_storage address;
    socklen_t length;
    char name[64], port[16];
    double since_s;     /* when this connection was begun */
    bool waited_long;   /* this has been said */
    int probe;          /* a connection to another port of the peer's host; -1: none */
    char *copy;         /* what was written so far, */
    size_t bytes, sent; /* its length, and how much of it on this connection */
};

static bool nothing_now(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/* ---- Making a connection --------------------------------------------------------------------- */

/* Returns the address of this rail on a peer's card. */
static const char *address_on(const char *card, int rail)
{
    for (; rail > 0; rail--) card = strchr(card, ',') + 1;
    return card;
}

static cm_tcp_attempt *attempt_new(int peer, const char *card, int rail)
{
    struct addrinfo *address,
        hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    cm_tcp_attempt *attempt = cm_engine_allocate(sizeof *attempt, "a connection");
    memset(attempt, 0, sizeof *attempt);
    attempt->probe = -1;
    if (sscanf(address_on(card, rail), "%63[^;];%15[0-9]", attempt->name, attempt->port) != 2
        || getaddrinfo(attempt->name, attempt->port, &hints, &address) != 0)
        cm_engine_fail(peer, "its address '%s' is malformed", card);
    memcpy(&attempt->address, address->ai_addr, address->ai_addrlen);
    attempt->length = address->ai_addrlen;
    freeaddrinfo(address);
    return attempt;
}

void cm_tcp_attempt_free(cm_tcp_attempt *attempt)
{
    if (!attempt) return;
    if (attempt->probe >= 0) close(attempt->probe);
    free(attempt->copy);
    free(attempt);
}

/* Returns the state of a connection that was begun: 0, EINPROGRESS, or what it failed of. */
static int outcome(int fd)
{
    struct pollfd event = {.fd = fd, .events = POLLOUT};
    int cause = 0;
    socklen_t length = sizeof cause;
    if (poll(&event, 1, 0) <= 0) return EINPROGRESS;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &length) ? errno : cause;
}

static int begin(int fd, const struct sockaddr_storage *address, socklen_t length)
{
    if (connect(fd, (const struct sockaddr *)address, length) == 0) return 0;
    return errno == EINPROGRESS || errno == EINTR ? outcome(fd) : errno;
}

/* Returns true for errors of this host, which say nothing about the peer. */
static bool own_fault(int cause)
{
    return cause == EADDRNOTAVAIL || cause == ENOBUFS || cause == ENOMEM || cause == EACCES
           || cause == EPERM || cause == EAFNOSUPPORT;
}

static void refused(const cm_tcp_attempt *attempt, int peer, int rail, int cause)
{
    const char *advice = cm_limits_advice(cause, EADDRNOTAVAIL);
    if (own_fault(cause))
        cm_engine_fail(peer, "cannot connect to %s port %s%s: %s%s", attempt->name, attempt->port,
                       cm_rail_name(rail), strerror(cause), advice);
    cm_failure_lose(peer, "cannot connect to %s port %s%s: %s%s", attempt->name, attempt->port,
                    cm_rail_name(rail), strerror(cause), advice);
}

/* Does not wait: a peer that waits in the same way for this rank must be let in meanwhile. */
cm_lane *cm_tcp_connect(int peer, int rail, const char *card)
{
    cm_tcp_attempt *attempt = attempt_new(peer, card, rail);
    int fd = cm_strangers_socket(attempt->address.ss_family);
    if (fd < 0)
        cm_engine_fail(peer, "cannot create a socket: %s%s", strerror(errno),
                       cm_limits_advice(errno, 0));
    cm_tcp_set_buffers(fd);
    const int cause = begin(fd, &attempt->address, attempt->length);
    if (cause && cause != EINPROGRESS) {
        refused(attempt, peer, rail, cause);
        cm_tcp_attempt_free(attempt);
        close(fd);
        return NULL;
    }
    cm_lane *lane = cm_tcp_lane_new(fd, peer);
    lane->own.state = attempt;
    lane->connecting = cause == EINPROGRESS;
    attempt->since_s = lane->since_s;
    return lane;
}

/* ---- Again ----------------------------------------------------------------------------------- */

/* Returns false if there is no descriptor for it now. Strangers stay: the event loop may have
   events of theirs. */
static bool again(cm_lane *lane)
{
    cm_tcp_attempt *attempt = lane->own.state;
    int fd = socket(attempt->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return false;
    cm_tcp_set_buffers(fd);
    const int cause = begin(fd, &attempt->address, attempt->length);
    if (own_fault(cause)) {
        close(fd);
        return false;
    }
    close(lane->own.number);
    lane->own.number = fd;
    lane->connecting = true;
    attempt->since_s = cm_engine_now();
    attempt->sent = 0;
    cm_tcp_set_options(fd);
    cm_events_add(fd, &lane->watch);
    if (lane->wants_room) cm_events_want_room(fd, &lane->watch, true);
    if (cause && cause != EINPROGRESS && !engine.finalizing)
        refused(attempt, lane->peer, lane->rail, cause);
    return true;
}

/* In the end a kernel forgets a connection for which its queue had no room. It resets what the
   other side takes for a connection, without the process's knowledge. */
bool cm_tcp_attempt_broke(cm_lane *lane)
{
    const int cause = errno;
    const bool reset = cause == ECONNRESET || cause == EPIPE || cause == ETIMEDOUT;
    const bool early = cm_engine_now() - ((cm_tcp_attempt *)lane->own.state)->since_s < EARLY_S;
    if (engine.finalizing || lane->proven || lane->retired || !cause) return false;
    if (reset && !early && again(lane)) return true;
    if (lane->connecting) refused(lane->own.state, lane->peer, lane->rail, cause);
    errno = cause;
    return false;
}

/* ---- Signs of life --------------------------------------------------------------------------- */

/* Returns true if the peer's host has answered the probe of the last call. Sends another one. */
static bool host_answers(cm_tcp_attempt *attempt)
{
    struct sockaddr_storage address = attempt->address;
    bool answered = false;
    if (attempt->probe >= 0) {
        const int cause = outcome(attempt->probe);
        answered = cause == 0 || cause == ECONNREFUSED;
        close(attempt->probe);
    }
    if (address.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&address)->sin6_port = htons(UNUSED_PORT);
    else ((struct sockaddr_in *)&address)->sin_port = htons(UNUSED_PORT);
    attempt->probe = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (attempt->probe >= 0) connect(attempt->probe, (struct sockaddr *)&address, attempt->length);
    return answered;
}

static bool established(const cm_lane *lane)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    return getsockopt(lane->own.number, IPPROTO_TCP, TCP_INFO, &info, &length) != 0
           || info.tcpi_state != TCP_SYN_SENT;
}

/* A firewall between both hosts may be the reason, too. */
static void say_once(cm_lane *lane)
{
    cm_tcp_attempt *attempt = lane->own.state;
    const double waited_s = cm_engine_now() - lane->since_s;
    if (attempt->waited_long || waited_s < cm_vigil_silence_s()) return;
    attempt->waited_long = true;
    fprintf(stderr,
            "clustermark: rank %d on %s: rank %d on %s has not accepted a connection to %s port %s "
            "for %g s, though its host answers; trying again\n",
            engine.rank, engine.host, lane->peer, engine.peer[lane->peer].host, attempt->name,
            attempt->port, cm_vigil_silence_s());
}

/* Writes on this connection what was written before. Returns 1 once that is done, 0 if it is not
   yet, -1 if the connection broke for good. */
static int catch_up(cm_lane *lane)
{
    cm_tcp_attempt *attempt = lane->own.state;
    const size_t left = attempt->bytes - attempt->sent;
    if (!left) return 1;
    ssize_t n = send(lane->own.number, attempt->copy + attempt->sent, left, MSG_NOSIGNAL);
    if (n < 0) return nothing_now() || cm_tcp_attempt_broke(lane) ? 0 : -1;
    lane->connecting = false;
    attempt->sent += (size_t)n;
    return (size_t)n == left;
}

bool cm_tcp_pursue(cm_lane *lane, bool silent)
{
    cm_tcp_attempt *attempt = lane->own.state;
    if (!attempt || lane->proven) return false;
    const bool answers = silent && host_answers(attempt);
    if (established(lane)) {
        if (catch_up(lane) < 0) cm_failure_lose(lane->peer, "connection lost: %s", strerror(errno));
    } else if (cm_engine_now() - attempt->since_s >= AGAIN_S) {
        again(lane);
    }
    if (answers) say_once(lane);
    return answers;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Appends the beginning of parts, as much as there is room for, behind what was written. Returns
   its length. */
static size_t append(cm_tcp_attempt *attempt, const struct iovec *parts, int n)
{
    size_t total = 0, added = 0;
    for (int i = 0; i < n; i++) total += parts[i].iov_len;
    if (total > COPY_MOST - attempt->bytes) total = COPY_MOST - attempt->bytes;
    if (!total) return 0;
    char *copy = realloc(attempt->copy, attempt->bytes + total);
    if (!copy) return 0;
    attempt->copy = copy;
    for (int i = 0; i < n && added < total; i++) {
        const size_t some = parts[i].iov_len < total - added ? parts[i].iov_len : total - added;
        memcpy(copy + attempt->bytes + added, parts[i].iov_base, some);
        added += some;
    }
    return added;
}

ssize_t cm_tcp_attempt_write(cm_lane *lane, const struct iovec *parts, int n)
{
    cm_tcp_attempt *attempt = lane->own.state;
    if (lane->proven) {
        cm_tcp_attempt_free(attempt);
        lane->own.state = NULL;
        return cm_tcp_write(lane, parts, n);
    }
    const int ready = catch_up(lane);
    if (ready <= 0) return ready;
    const size_t more = append(attempt, parts, n);
    if (!more) return 0;
    ssize_t written = send(lane->own.number, attempt->copy + attempt->bytes, more, MSG_NOSIGNAL);
    if (written > 0) {
        lane->connecting = false;
        attempt->sent = attempt->bytes += (size_t)written;
        return written;
    }
    return nothing_now() || cm_tcp_attempt_broke(lane) ? 0 : -1;
}

bool cm_tcp_attempt_full(const cm_lane *lane)
{
    const cm_tcp_attempt *attempt = lane->own.state;
    return attempt && !lane->proven && attempt->bytes == COPY_MOST;
}
