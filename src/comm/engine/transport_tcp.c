/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_tcp.c: lanes over TCP. Every rank listens; a connection is made on first use and carries both
   directions. When two ranks connect to each other at the same time both connections live, each written by
   the one who made it. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/transport.h"

enum { EVENTS = 64 };

static struct {
    int listener, events;
    char congestion[64];
    char listener_mark, launcher_mark;   /* their addresses tell events apart from lanes              */
} tcp = {.listener = -1, .events = -1};

static void watch(int fd, void *mark, uint32_t events, int how)
{
    struct epoll_event event = {.events = events, .data.ptr = mark};
    if (epoll_ctl(tcp.events, how, fd, &event) != 0)
        cm_engine_fail(-1, "cannot watch a connection: %s", strerror(errno));
}

static int open_error(const char *what)
{
    fprintf(stderr, "clustermark: rank %d on %s: %s: %s\n", engine.rank, engine.host, what,
            strerror(errno));
    return CM_EXIT_SYSTEM;
}

int cm_transport_open(char *card, size_t capacity)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    tcp.events = epoll_create1(EPOLL_CLOEXEC);
    if (tcp.events < 0) return open_error("cannot create an event queue");
    tcp.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (tcp.listener < 0) return open_error("cannot create a socket");
    if (bind(tcp.listener, (struct sockaddr *)&address, sizeof address) != 0
        || listen(tcp.listener, SOMAXCONN) != 0
        || getsockname(tcp.listener, (struct sockaddr *)&address, &length) != 0)
        return open_error("cannot listen on 127.0.0.1");
    snprintf(card, capacity, "127.0.0.1|%d", ntohs(address.sin_port));
    watch(tcp.listener, &tcp.listener_mark, EPOLLIN, EPOLL_CTL_ADD);
    if (engine.pmi) watch(cm_pmi_fd(engine.pmi), &tcp.launcher_mark, EPOLLIN, EPOLL_CTL_ADD);
    return 0;
}

void cm_transport_close(void)
{
    while (engine.lanes) cm_lane_close(engine.lanes);
    if (tcp.listener >= 0) close(tcp.listener);
    if (tcp.events >= 0) close(tcp.events);
    tcp.listener = tcp.events = -1;
}

static cm_lane *lane_new(int fd, int peer)
{
    int on = 1;
    if (engine.environment.nodelay) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!tcp.congestion[0]) {
        socklen_t length = sizeof tcp.congestion - 1;
        if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, tcp.congestion, &length) != 0)
            tcp.congestion[0] = 0;
    }
    cm_lane *lane = cm_engine_allocate(sizeof *lane, "a connection");
    memset(lane, 0, offsetof(cm_lane, stage));
    lane->fd = fd;
    lane->peer = peer;
    lane->next = engine.lanes;
    engine.lanes = lane;
    engine.n_lanes++;
    watch(fd, lane, EPOLLIN, EPOLL_CTL_ADD);
    return lane;
}

/* EMFILE and its kin say what to do about them. */
static const char *advice(void)
{
    return errno == EMFILE ? " (raise the limit: ulimit -n)" : "";
}

cm_lane *cm_transport_connect(int peer)
{
    char name[64];
    int port;
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (sscanf(engine.peer[peer].card, "%63[^|]|%d", name, &port) != 2
        || inet_pton(AF_INET, name, &address.sin_addr) != 1)
        cm_engine_fail(peer, "its address '%s' makes no sense", engine.peer[peer].card);
    address.sin_port = htons((uint16_t)port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) cm_engine_fail(peer, "cannot create a socket: %s%s", strerror(errno), advice());
    int status;
    do status = connect(fd, (struct sockaddr *)&address, sizeof address);
    while (status != 0 && errno == EINTR);
    if (status != 0 && errno != EISCONN)
        cm_engine_fail(peer, "cannot connect to %s port %d: %s", name, port, strerror(errno));
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return lane_new(fd, peer);
}

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
    ssize_t got = n == 1 ? recv(lane->fd, parts[0].iov_base, parts[0].iov_len, 0)
                         : readv(lane->fd, parts, n);
    if (got > 0) return got;
    if (got < 0) return nothing_now() ? 0 : -1;
    errno = 0;
    return -1;
}

void cm_lane_close(cm_lane *lane)
{
    cm_lane **link = &engine.lanes;
    while (*link != lane) link = &(*link)->next;
    *link = lane->next;
    engine.n_lanes--;
    if (lane->peer >= 0) {
        cm_peer *peer = &engine.peer[lane->peer];
        if (peer->rx == lane) peer->rx = NULL;
        if (peer->tx == lane) peer->tx = NULL;
    }
    close(lane->fd);
    free(lane);
}

static void accept_all(void)
{
    for (;;) {
        int fd = accept4(tcp.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            lane_new(fd, -1);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            cm_engine_fail(-1, "cannot accept a connection: %s%s", strerror(errno), advice());
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return;
        }
    }
}

static void look_at_launcher(void)
{
    char byte;
    if (engine.finalizing) return;
    if (recv(cm_pmi_fd(engine.pmi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        cm_engine_fail(-1, "lost the launcher");
}

bool cm_transport_poll(int timeout_ms)
{
    struct epoll_event events[EVENTS];
    bool moved = false;
    int n = epoll_wait(tcp.events, events, EVENTS, timeout_ms);
    for (int i = 0; i < n; i++) {
        void *mark = events[i].data.ptr;
        if (mark == &tcp.listener_mark) {
            accept_all();
            moved = true;
        } else if (mark == &tcp.launcher_mark) {
            look_at_launcher();
        } else if (events[i].events & ~(uint32_t)EPOLLOUT) {
            moved |= cm_receive_lane(mark);
        }
    }
    return moved;
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
    each("transport", "tcp over loopback", context);
    if (tcp.congestion[0]) each("tcp_congestion_control", tcp.congestion, context);
}
