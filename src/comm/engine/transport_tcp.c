/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_tcp.c: lanes over TCP. Every rank listens; a connection is made on first use and
   carries both directions. When two ranks connect to each other at the same time both connections
   live, each written by the one who made it. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/limits.h"
#include "comm/engine/transport.h"
#include "comm/engine/transport_rails.h"

/* Linux 6.15: the longest time between two retransmissions, or two probes of a full receiver. */
#ifndef TCP_RTO_MAX_MS
#define TCP_RTO_MAX_MS 44
#endif

/* Beside one connection of every peer and rail so many may be open whose greeting has not come.
   Polls that do not wait look after failures when they are so many, for a busy rank may never
   wait. */
enum { EVENTS = 64, STRANGERS = 64, POLLS_A_LOOK = 1024 };

/* A peer greets as soon as its core lets it: before then nobody has to make room for others. */
static const double GRACE_S = 0.1;

static struct {
    int listener[CM_RAILS_MOST], listeners, events;
    unsigned polls;
    int strangers; /* lanes whose greeting has not come: so many at most */
    double due_s;  /* none of them has to leave before */
    bool one_host;
    cm_transport_rails rails;
    char congestion[64];
    /* their addresses tell events apart from lanes */
    char listener_mark[CM_RAILS_MOST], launcher_mark;
} tcp = {.events = -1};

/* ---- Opening
   ----------------------------------------------------------------------------------- */

static void watch(int fd, void *mark, uint32_t events, int how)
{
    struct epoll_event event = {.events = events, .data.ptr = mark};
    if (epoll_ctl(tcp.events, how, fd, &event) != 0)
        cm_engine_fail(-1, "cannot watch a connection: %s", strerror(errno));
}

/* Before the connection is made, for the window's scale is agreed on then. The kernel has a least
   size. */
static void set_buffers(int fd)
{
    int bytes = (int)engine.environment.buffer_bytes;
    if (!bytes) return;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

static const cm_machine_interface *interface_of(int rail)
{
    return &tcp.rails.interface[rail < tcp.rails.interfaces ? rail : 0];
}

const char *cm_transport_interface(int rail) { return interface_of(rail)->name; }

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

/* Its port. */
static int listen_on(const cm_machine_interface *interface)
{
    struct sockaddr_storage address = interface->address;
    socklen_t length = interface->length;
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) open_failed("cannot create a socket");
    set_port(&address, 0);
    set_buffers(fd); /* connections inherit them */
    if (bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, SOMAXCONN) != 0
        || getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        open_failed("cannot listen");
    watch(fd, &tcp.listener_mark[tcp.listeners], EPOLLIN, EPOLL_CTL_ADD);
    tcp.listener[tcp.listeners++] = fd;
    return ntohs(port_of(&address));
}

int cm_transport_open(bool one_host, char *card, size_t capacity, int *rails)
{
    int port = 0;
    tcp.one_host = one_host;
    cm_transport_rails_choose(one_host, &tcp.rails);
    *rails = tcp.rails.rails;
    cm_limits_files(tcp.rails.interfaces, tcp.rails.rails, STRANGERS);
    tcp.events = epoll_create1(EPOLL_CLOEXEC);
    if (tcp.events < 0) open_failed("cannot create an event queue");
    for (int rail = 0; rail < tcp.rails.rails; rail++) {
        const cm_machine_interface *interface = interface_of(rail);
        if (rail < tcp.rails.interfaces) port = listen_on(interface);
        int n = snprintf(card, capacity, "%s%s;%d", rail ? "," : "", interface->text, port);
        if (n < 0 || (size_t)n >= capacity)
            cm_engine_fail(-1, "no room for the addresses of %d rails", *rails);
        card += n;
        capacity -= (size_t)n;
    }
    if (engine.pmi) watch(cm_pmi_fd(engine.pmi), &tcp.launcher_mark, EPOLLIN, EPOLL_CTL_ADD);
    return 0;
}

void cm_transport_close(void)
{
    while (engine.lanes) cm_lane_close(engine.lanes);
    while (tcp.listeners > 0) close(tcp.listener[--tcp.listeners]);
    if (tcp.events >= 0) close(tcp.events);
    tcp.events = -1;
}

static void set_option(int fd, int option, int value)
{
    setsockopt(fd, IPPROTO_TCP, option, &value, sizeof value);
}

double cm_silence_limit_s(void)
{
    return engine.environment.timeout_s > 2 ? engine.environment.timeout_s : 2;
}

/* A host that is gone answers nothing; without this the kernel would wait for a quarter of an hour.
   Keep-alive is for connections on which nothing is under way; vigil.c looks after the others, and
   needs a kernel that asks often whether the host is there. */
static void notice_dead_hosts(int fd)
{
    int on = 1, seconds = (int)cm_silence_limit_s();
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    set_option(fd, TCP_KEEPIDLE, 1);
    set_option(fd, TCP_KEEPINTVL, 1);
    set_option(fd, TCP_KEEPCNT, seconds - 1);
    set_option(fd, TCP_RTO_MAX_MS, seconds > 5 ? 200 * seconds : 1000);
}

bool cm_lane_unanswered(const cm_lane *lane, double seconds)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (tcp.one_host || getsockopt(lane->fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return false;
    /* One probe of a full receiver may get lost; then the next one comes late. */
    return (info.tcpi_unacked > 0 || info.tcpi_probes > 1)
           && info.tcpi_last_ack_recv >= 1000 * seconds;
}

static cm_lane *lane_new(int fd, int peer)
{
    if (engine.environment.nodelay) set_option(fd, TCP_NODELAY, 1);
    if (!tcp.one_host) notice_dead_hosts(fd);
    if (!tcp.congestion[0]) {
        socklen_t length = sizeof tcp.congestion - 1;
        if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, tcp.congestion, &length) != 0)
            tcp.congestion[0] = 0;
    }
    cm_lane *lane = cm_lane_add(fd, peer);
    watch(fd, lane, EPOLLIN, EPOLL_CTL_ADD);
    return lane;
}

/* ---- Strangers
   -------------------------------------------------------------------------------- */

/* Counts the strangers; the newest stand first in the list. */
static cm_lane *oldest_stranger(void)
{
    cm_lane *oldest = NULL;
    tcp.strangers = 0;
    for (cm_lane *lane = engine.lanes; lane; lane = lane->next)
        if (lane->peer < 0) {
            tcp.strangers++;
            oldest = lane;
        }
    return oldest;
}

/* Sends the oldest stranger away; false: it may stay yet, or there is none. */
static bool dismiss_oldest(void)
{
    cm_lane *oldest = oldest_stranger();
    if (!oldest || cm_engine_now() - oldest->since_s < GRACE_S) return false;
    cm_lane_close(oldest);
    tcp.strangers--;
    return true;
}

/* Those who have not greeted within the time-out. */
static void dismiss_late(void)
{
    const double now_s = cm_engine_now(), stay_s = engine.environment.timeout_s;
    if (now_s < tcp.due_s) return;
    for (cm_lane *oldest; (oldest = oldest_stranger()); cm_lane_close(oldest)) {
        tcp.due_s = oldest->since_s + stay_s;
        if (now_s < tcp.due_s) return;
    }
}

/* Is there room for one more? Who finds none waits in the kernel's queue. */
static bool has_room(void)
{
    const int most = STRANGERS + engine.size * engine.rails;
    if (tcp.strangers < most) return true;
    oldest_stranger();
    return tcp.strangers < most || dismiss_oldest();
}

static bool exhausted(void)
{
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
}

/* ---- Connecting
   -------------------------------------------------------------------------------- */

/* Waits for a connection under way; 0 or an errno. */
static int connected(int fd)
{
    struct pollfd event = {.fd = fd, .events = POLLOUT};
    double end_s = cm_engine_now() + engine.environment.timeout_s;
    for (;;) {
        double left_s = end_s - cm_engine_now();
        int n = left_s > 0 ? poll(&event, 1, (int)(1000 * left_s) + 1) : 0;
        if (n == 0) return ETIMEDOUT;
        if (n < 0 && errno == EINTR) continue;
        int cause = 0;
        socklen_t length = sizeof cause;
        return n < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &length) ? errno : cause;
    }
}

/* Strangers give way when there is nothing left for it; -1: errno. */
static int socket_for_peer(int family)
{
    for (;;) {
        int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 || !exhausted() || !oldest_stranger()) return fd;
        while (!dismiss_oldest()) sched_yield();
    }
}

/* What hinders a connection here, and says nothing about the peer. */
static bool own_fault(int cause)
{
    return cause == EADDRNOTAVAIL || cause == ENOBUFS || cause == ENOMEM || cause == EACCES
           || cause == EPERM || cause == EAFNOSUPPORT;
}

/* Of the addresses on a peer's card. */
static const char *address_on(const char *card, int rail)
{
    for (; rail > 0; rail--) card = strchr(card, ',') + 1;
    return card;
}

cm_lane *cm_transport_connect(int peer, int rail)
{
    char name[64], port[16];
    struct addrinfo *address,
        hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    if (sscanf(address_on(engine.peer[peer].card, rail), "%63[^;];%15[0-9]", name, port) != 2
        || getaddrinfo(name, port, &hints, &address) != 0)
        cm_engine_fail(peer, "its address '%s' makes no sense", engine.peer[peer].card);
    int fd = socket_for_peer(address->ai_family);
    if (fd < 0)
        cm_engine_fail(peer, "cannot create a socket: %s%s", strerror(errno),
                       cm_limits_advice(errno, 0));
    set_buffers(fd);
    int cause = connect(fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    freeaddrinfo(address);
    if (cause == EINPROGRESS || cause == EINTR) cause = connected(fd);
    if (cause) {
        const char *advice = cm_limits_advice(cause, EADDRNOTAVAIL);
        if (own_fault(cause))
            cm_engine_fail(peer, "cannot connect to %s port %s%s: %s%s", name, port,
                           cm_rail_name(rail), strerror(cause), advice);
        cm_failure_lose(peer, "cannot connect to %s port %s%s: %s%s", name, port,
                        cm_rail_name(rail), strerror(cause), advice);
        close(fd);
        return NULL;
    }
    return lane_new(fd, peer);
}

/* ---- Moving bytes
   ------------------------------------------------------------------------------ */

static bool nothing_now(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

ssize_t cm_lane_write(cm_lane *lane, const struct iovec *parts, int n)
{
    ssize_t written;
    if (n == 1) {
        written = send(lane->fd, parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL);
    } else {
        struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)n};
        written = sendmsg(lane->fd, &message, MSG_NOSIGNAL);
    }
    if (written >= 0) return written;
    return nothing_now() ? 0 : -1;
}

ssize_t cm_lane_read(cm_lane *lane, const struct iovec *parts, int n)
{
    ssize_t got =
        n == 1 ? recv(lane->fd, parts[0].iov_base, parts[0].iov_len, 0) : readv(lane->fd, parts, n);
    if (got > 0) return got;
    if (got < 0) return nothing_now() ? 0 : -1;
    errno = 0;
    return -1;
}

void cm_lane_close(cm_lane *lane)
{
    close(lane->fd);
    cm_lane_remove(lane);
}

/* ---- Looking
   ----------------------------------------------------------------------------------- */

/* Takes connections in and reads each at once: the greeting of a peer is mostly there. */
static bool accept_all(int listener)
{
    bool moved = false;
    while (has_room()) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            cm_lane *lane = lane_new(fd, -1);
            if (!tcp.strangers++) tcp.due_s = lane->since_s + engine.environment.timeout_s;
            cm_receive_lane(lane);
            moved = true;
        } else if (exhausted()) {
            int cause = errno;
            if (dismiss_oldest()) continue;
            if (tcp.strangers) break;
            cm_engine_fail(-1, "cannot accept a connection: %s%s", strerror(cause),
                           cm_limits_advice(cause, 0));
        } else if (errno != EINTR && errno != ECONNABORTED) {
            break;
        }
    }
    return moved;
}

static void look_at_launcher(void)
{
    char byte;
    if (engine.finalizing) return;
    if (recv(cm_pmi_fd(engine.pmi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        cm_engine_fail(-1, "lost the launcher");
}

/* Until there is something to look after though no event comes. */
static int patience_ms(void)
{
    const int vigil_ms = cm_vigil_ms();
    if (!tcp.strangers) return vigil_ms;
    const double left_s = tcp.due_s - cm_engine_now();
    const int due_ms = left_s > 0 ? (int)(1000 * left_s) + 1 : 0;
    return due_ms < vigil_ms ? due_ms : vigil_ms;
}

bool cm_transport_poll(int timeout_ms)
{
    struct epoll_event events[EVENTS];
    bool moved = false, knock[CM_RAILS_MOST] = {false}, lost = false;
    const bool waits = timeout_ms < 0;
    int n;
    do {
        n = epoll_wait(tcp.events, events, EVENTS, waits ? patience_ms() : timeout_ms);
        if (waits || ++tcp.polls % POLLS_A_LOOK == 0) lost = cm_vigil_look();
        if (n == 0 && tcp.strangers) dismiss_late();
    } while (waits && n == 0 && !lost);
    for (int i = 0; i < n; i++) {
        char *mark = events[i].data.ptr;
        if (mark >= tcp.listener_mark && mark < tcp.listener_mark + CM_RAILS_MOST) {
            knock[mark - tcp.listener_mark] = true;
        } else if (mark == &tcp.launcher_mark) {
            look_at_launcher();
        } else if (events[i].events & ~(uint32_t)EPOLLOUT) {
            moved |= cm_receive_lane(events[i].data.ptr);
        }
    }
    /* Now that no event names a lane that they close. */
    if (tcp.strangers) dismiss_late();
    for (int i = 0; i < tcp.listeners; i++)
        if (knock[i]) moved |= accept_all(tcp.listener[i]);
    return moved || lost;
}

void cm_transport_want_room(cm_lane *lane, bool want)
{
    if (!lane || lane->wants_room == want) return;
    lane->wants_room = want;
    watch(lane->fd, lane, want ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
}

void cm_transport_describe(void (*each)(const char *key, const char *value, void *context),
                           void *context)
{
    each("transport", "tcp", context);
    char text[32 * CM_RAILS_MOST];
    cm_transport_rails_names(&tcp.rails, text, sizeof text);
    if (text[0]) each("interface", text, context);
    if (tcp.congestion[0]) each("tcp_congestion_control", tcp.congestion, context);
    char bytes[32] = "auto";
    if (engine.environment.buffer_bytes)
        snprintf(bytes, sizeof bytes, "%zu", engine.environment.buffer_bytes);
    each("socket_buffer_bytes", bytes, context);
}
