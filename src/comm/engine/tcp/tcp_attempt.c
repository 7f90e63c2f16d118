/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_attempt.c: makes connections, again and again if need be; see tcp_attempt.h. */
#include "config.h"
#include <errno.h>
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
#include "comm/engine/pending.h"
#include "comm/engine/tcp/tcp.h"
#include "comm/engine/tcp/tcp_addresses.h"
#include "comm/engine/tcp/tcp_attempt.h"
#include "comm/engine/tcp/tcp_lane.h"
#include "comm/engine/tcp/tcp_rails.h"

/* The kernel asks after 1 s and, the time doubling, ever more rarely; from 3 s on a new connection
   asks sooner. A connection that was reset so early was reset by the peer's process. */
static const double AGAIN_S = 4, EARLY_S = 2;

/* An address that has not answered after this time gives way to the next one. */
static const double NEXT_S = 1;

/* A port on which hardly any host listens: it refuses the connection at once, or accepts it. */
enum { UNUSED_PORT = 1 };

/* So often a connection is made again in cm_finalize. */
enum { AT_END_MOST = 3 };

/* Bytes that may be written before the peer has answered: an eager message. */
static const size_t COPY_MOST = ((size_t)256 << 10) + 2 * CM_FRAME_BYTES;

struct cm_tcp_attempt {
    cm_tcp_addresses to; /* of the peer, the best first */
    int at;              /* the one that is tried */
    unsigned failed;     /* bits of those of which the last try failed with an error */
    double since_s;      /* when this connection was begun */
    bool waited_long;    /* this has been said */
    int at_end;          /* connections that were made again in cm_finalize */
    int probe;           /* a connection to another port of the peer's host; -1: none */
    char *copy;          /* what was written so far, */
    size_t bytes, sent;  /* its length, and how much of it on this connection */
};

static bool nothing_now(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/* ---- Making a connection --------------------------------------------------------------------- */

static cm_tcp_attempt *attempt_new(int peer, const char *card, int rail)
{
    cm_tcp_attempt *attempt = cm_engine_allocate(sizeof *attempt, "a connection");
    memset(attempt, 0, sizeof *attempt);
    attempt->probe = -1;
    if (!cm_tcp_addresses_read(card, rail, &attempt->to))
        cm_engine_fail(peer, "its address '%s' is malformed", card);
    cm_tcp_addresses_order(peer, &attempt->to);
    return attempt;
}

static const cm_tcp_address *tried_now(const cm_tcp_attempt *attempt)
{
    return &attempt->to.address[attempt->at];
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

static int begin(int fd, cm_tcp_attempt *attempt)
{
    const cm_tcp_address *to = tried_now(attempt);
    int cause = 0;
    attempt->failed &= ~(1u << attempt->at);
    if (connect(fd, (const struct sockaddr *)&to->address, to->length) != 0)
        cause = errno == EINPROGRESS || errno == EINTR ? outcome(fd) : errno;
    if (cause && cause != EINPROGRESS) attempt->failed |= 1u << attempt->at;
    return cause;
}

/* Goes on to the next address that did not fail. Returns false if all did. */
static bool next(cm_tcp_attempt *attempt)
{
    for (int k = 1; k <= attempt->to.n; k++) {
        const int at = (attempt->at + k) % attempt->to.n;
        if (attempt->failed >> at & 1) continue;
        attempt->at = at;
        return true;
    }
    return false;
}

/* Begins at the address that is tried now, and goes on to the next one until one does not fail at
   once. Returns the descriptor, and 0, EINPROGRESS or the last cause in *cause; -1 with the cause
   0: there is no descriptor, see errno. socket_of makes one. */
static int begin_any(cm_tcp_attempt *attempt, int socket_of(int family), int *cause)
{
    do {
        int fd = socket_of(tried_now(attempt)->address.ss_family);
        *cause = 0;
        if (fd < 0) return -1;
        cm_tcp_set_buffers(fd);
        *cause = begin(fd, attempt);
        if (!*cause || *cause == EINPROGRESS) return fd;
        close(fd);
    } while (next(attempt));
    return -1;
}

/* Returns true for errors of this host, which say nothing about the peer. */
static bool own_fault(int cause)
{
    return cause == EADDRNOTAVAIL || cause == ENOBUFS || cause == ENOMEM || cause == EACCES
           || cause == EPERM || cause == EAFNOSUPPORT;
}

/* "10.0.0.1 port 4001, 10.1.0.1 port 4002" */
static const char *all_tried(const cm_tcp_attempt *attempt, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; i < attempt->to.n; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s port %s", i ? ", " : "",
                 attempt->to.address[i].name, attempt->to.address[i].port);
    }
    return text;
}

static bool all_loopback(const cm_tcp_attempt *attempt)
{
    for (int i = 0; i < attempt->to.n; i++) {
        const char *name = attempt->to.address[i].name;
        if (strncmp(name, "127.", 4) != 0 && strcmp(name, "::1") != 0) return false;
    }
    return true;
}

static const char *advice_on(const cm_tcp_attempt *attempt, int peer, int cause)
{
    if (cause == EACCES || cause == EPERM)
        return " (a firewall or a route of this host forbids it; see CM_PORTS and CM_INTERFACE)";
    if (cause == ECONNREFUSED && all_loopback(attempt)
        && strcmp(engine.peer[peer].host, engine.host) != 0)
        return " (no other host reaches a loopback address; see CM_INTERFACE)";
    return cm_limits_advice(cause, EADDRNOTAVAIL);
}

static void refused(const cm_tcp_attempt *attempt, int peer, int rail, int cause)
{
    char tried[512];
    const char *advice = advice_on(attempt, peer, cause);
    all_tried(attempt, tried, sizeof tried);
    if (own_fault(cause))
        cm_engine_fail(peer, "cannot connect to %s%s: %s%s", tried, cm_rail_name(rail),
                       strerror(cause), advice);
    cm_failure_lose(peer, "cannot connect to %s%s: %s%s", tried, cm_rail_name(rail),
                    strerror(cause), advice);
}

/* Does not wait: a peer that waits in the same way for this rank must be let in meanwhile. */
cm_lane *cm_tcp_connect(int peer, int rail, const char *card)
{
    cm_tcp_attempt *attempt = attempt_new(peer, card, rail);
    int cause;
    const int fd = begin_any(attempt, cm_pending_socket, &cause);
    if (fd < 0 && !cause)
        cm_engine_fail(peer, "cannot create a socket: %s%s", strerror(errno),
                       cm_limits_advice(errno, 0));
    if (fd < 0) {
        refused(attempt, peer, rail, cause);
        cm_tcp_attempt_free(attempt);
        return NULL;
    }
    cm_lane *lane = cm_tcp_lane_new(fd, peer);
    lane->own.state = attempt;
    lane->connecting = cause == EINPROGRESS;
    attempt->since_s = lane->since_s;
    return lane;
}

/* ---- Again ----------------------------------------------------------------------------------- */

static int plain_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Returns false if there is no descriptor for it now, or none of this host's networks takes it.
   Strangers stay: the event loop may have events of theirs. */
static bool again(cm_lane *lane)
{
    cm_tcp_attempt *attempt = lane->own.state;
    int cause;
    const int fd = begin_any(attempt, plain_socket, &cause);
    if (fd < 0 && (!cause || own_fault(cause))) return false;
    attempt->since_s = cm_engine_now();
    if (fd < 0 && engine.finalizing) return false;
    if (fd < 0) {
        refused(attempt, lane->peer, lane->rail, cause);
        return true;
    }
    close(lane->own.number);
    lane->own.number = fd;
    lane->connecting = true;
    attempt->sent = 0;
    lane->begin = lane->end = 0; /* the first part of an answer */
    cm_tcp_rails_use(fd);
    cm_tcp_set_options(fd);
    cm_events_add(fd, &lane->watch);
    if (lane->wants_room) cm_events_want_room(fd, &lane->watch, true);
    return true;
}

/* A rank that has not answered before its end has left, and refuses connections, or has not read
   what was written to it. */
static bool again_at_end(cm_lane *lane, int cause)
{
    cm_tcp_attempt *attempt = lane->own.state;
    return attempt->bytes && cause != ECONNREFUSED && attempt->at_end++ < AT_END_MOST
           && again(lane);
}

/* Finally the kernel drops a connection for which its queue had no room. It resets what the other
   side takes for a connection, without the process's knowledge. */
bool cm_tcp_attempt_broke(cm_lane *lane)
{
    const int cause = errno;
    const bool reset = cause == ECONNRESET || cause == EPIPE || cause == ETIMEDOUT;
    const bool early = cm_engine_now() - ((cm_tcp_attempt *)lane->own.state)->since_s < EARLY_S;
    if (lane->proven) return false;
    if (engine.finalizing) return again_at_end(lane, cause);
    if (!cause) return false;
    if (reset && !early && again(lane)) return true;
    if (lane->connecting) {
        cm_tcp_attempt *attempt = lane->own.state;
        attempt->failed |= 1u << attempt->at;
        if (next(attempt) && again(lane)) return true;
    }
    if (lane->connecting) refused(lane->own.state, lane->peer, lane->rail, cause);
    errno = cause;
    return false;
}

/* ---- Signs of life --------------------------------------------------------------------------- */

/* Returns true if the peer's host has answered the probe of the last call. Sends another one. */
static bool host_answers(cm_tcp_attempt *attempt)
{
    struct sockaddr_storage address = tried_now(attempt)->address;
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
    if (attempt->probe >= 0)
        connect(attempt->probe, (struct sockaddr *)&address, tried_now(attempt)->length);
    return answered;
}

static bool established(const cm_lane *lane)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    return getsockopt(lane->own.number, IPPROTO_TCP, TCP_INFO, &info, &length) != 0
           || info.tcpi_state != TCP_SYN_SENT;
}

/* A firewall that drops what it does not let through may be the reason, too. */
static void say_once(cm_lane *lane)
{
    cm_tcp_attempt *attempt = lane->own.state;
    char tried[512];
    const double waited_s = cm_engine_now() - lane->since_s;
    if (attempt->waited_long || waited_s < cm_liveness_silence_s()) return;
    attempt->waited_long = true;
    fprintf(
        stderr,
        "clustermark: rank %d on %s: rank %d on %s has not accepted a connection to %s "
        "for %g s, though its host answers (that rank is busy, or a firewall drops what comes to "
        "these ports; CM_PORTS sets them); trying again\n",
        engine.rank, engine.host, lane->peer, engine.peer[lane->peer].host,
        all_tried(attempt, tried, sizeof tried), cm_liveness_silence_s());
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

/* Returns true if a part of what was written before is not on this connection yet. The peer may
   have answered the handshake, which is the beginning. */
static bool is_behind(const cm_tcp_attempt *attempt) { return attempt->sent < attempt->bytes; }

/* Returns true if another address may be tried. */
static bool has_others(const cm_tcp_attempt *attempt)
{
    const unsigned all = (1u << attempt->to.n) - 1, others = all & ~(1u << attempt->at);
    return (attempt->failed & others) != others;
}

bool cm_tcp_pursue(cm_lane *lane, bool silent)
{
    cm_tcp_attempt *attempt = lane->own.state;
    if (!attempt || (lane->proven && !is_behind(attempt))) return false;
    const bool answers = silent && !lane->proven && host_answers(attempt);
    if (established(lane)) {
        if (catch_up(lane) < 0) cm_failure_lose(lane->peer, "connection lost: %s", strerror(errno));
    } else if (cm_engine_now() - attempt->since_s >= (has_others(attempt) ? NEXT_S : AGAIN_S)) {
        next(attempt);
        again(lane);
    }
    if (answers) say_once(lane);
    return answers;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Appends the beginning of parts, as much as there is room for, after what was written. Returns its
   length. */
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

static ssize_t write_copied(cm_lane *lane, const struct iovec *parts, int n)
{
    cm_tcp_attempt *attempt = lane->own.state;
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

bool cm_tcp_attempt_write(cm_lane *lane, const struct iovec *parts, int n, ssize_t *written)
{
    if (!lane->proven || is_behind(lane->own.state)) {
        *written = write_copied(lane, parts, n);
        return true;
    }
    cm_tcp_attempt_free(lane->own.state);
    lane->own.state = NULL;
    return false;
}

bool cm_tcp_attempt_full(const cm_lane *lane)
{
    const cm_tcp_attempt *attempt = lane->own.state;
    return attempt && !lane->proven && attempt->bytes == COPY_MOST;
}
