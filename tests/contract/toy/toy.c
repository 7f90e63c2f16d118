/* SPDX-License-Identifier: BSD-3-Clause */
/* toy.c: a third transport, to show what it takes to add one: this file and a word of
   CM_TRANSPORTS. Its lanes are sockets of the UNIX domain with abstract names. An address is
   PID.PAIR.
   TOY_PAIRS=1: it reaches only the other rank of this rank's pair (0 and 1, 2 and 3, ...). */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "comm/engine/events.h"
#include "comm/engine/pending.h"
#include "comm/engine/transport_table.h"

CM_TRANSPORT_DECLARE(toy)

static struct {
    int listener;
    cm_watch watch;
} toy;

static int pair(void) { return getenv("TOY_PAIRS") ? engine.rank / 2 : 0; }

static socklen_t name_socket(long pid, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int n =
        snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "clustermark-toy-%ld", pid);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static cm_lane *lane_new(int fd, int peer)
{
    cm_lane *lane = cm_lane_add(&cm_toy, peer);
    lane->own.number = fd;
    cm_events_add(fd, &lane->watch);
    return lane;
}

static cm_lane *stranger(int fd) { return lane_new(fd, -1); }

static bool accept_all(cm_watch *watch)
{
    (void)watch;
    return cm_pending_accept(toy.listener, stranger);
}

static void open_toy(bool one_host, char *text, size_t capacity, int *rails)
{
    struct sockaddr_un address;
    const socklen_t length = name_socket(getpid(), &address);
    (void)one_host;
    toy.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (toy.listener < 0 || bind(toy.listener, (struct sockaddr *)&address, length) != 0
        || listen(toy.listener, SOMAXCONN) != 0)
        cm_engine_fail(-1, "toy: cannot listen: %s", strerror(errno));
    toy.watch = (cm_watch){.ready = accept_all, .last = true};
    cm_events_add(toy.listener, &toy.watch);
    snprintf(text, capacity, "%ld.%d", (long)getpid(), pair());
    *rails = 1;
}

static void shut(void) { close(toy.listener); }

static bool reaches(const char *text)
{
    int theirs;
    return sscanf(text, "%*d.%d", &theirs) == 1 && theirs == pair();
}

static cm_lane *connect_lane(int peer, int rail, const char *text)
{
    struct sockaddr_un address;
    const socklen_t length = name_socket(atol(text), &address);
    const int fd = cm_pending_socket(AF_UNIX);
    (void)rail;
    if (fd < 0) cm_engine_fail(peer, "toy: cannot create a socket: %s", strerror(errno));
    if (connect(fd, (struct sockaddr *)&address, length) == 0) return lane_new(fd, peer);
    cm_failure_lose(peer, "toy: cannot connect: %s", strerror(errno));
    close(fd);
    return NULL;
}

/* What has moved, as the table wants it. */
static ssize_t moved(ssize_t bytes)
{
    return bytes >= 0 ? bytes : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

static ssize_t write_lane(cm_lane *lane, const struct iovec *parts, int n)
{
    struct iovec all[2] = {parts[0], parts[n - 1]};
    struct msghdr message = {.msg_iov = all, .msg_iovlen = (size_t)n};
    return moved(sendmsg(lane->own.number, &message, MSG_NOSIGNAL));
}

static ssize_t read_lane(cm_lane *lane, const struct iovec *parts, int n)
{
    const ssize_t got = readv(lane->own.number, parts, n);
    if (got != 0) return moved(got);
    errno = 0;
    return -1;
}

static void close_lane(cm_lane *lane)
{
    close(lane->own.number);
    cm_lane_remove(lane);
}

static void want_room(cm_lane *lane, bool want)
{
    cm_events_want_room(lane->own.number, &lane->watch, want);
}

static uint8_t pad_units(const char *data, size_t bytes) { return (void)data, (void)bytes, 0; }
static size_t in_flight(const cm_lane *lane) { return (void)lane, 0; }
static bool unanswered(const cm_lane *lane, double seconds)
{
    return (void)lane, (void)seconds, false;
}
static bool pursue(cm_lane *lane, bool silent) { return (void)lane, (void)silent, false; }
static void describe(cm_describe_each *each, void *context) { each("toy", "works", context); }

const cm_transport cm_toy = {
    .name = "toy",
    .open = open_toy,
    .shut = shut,
    .reaches = reaches,
    .beyond = "is of another pair; expected one pair",
    .connect = connect_lane,
    .write = write_lane,
    .read = read_lane,
    .close = close_lane,
    .want_room = want_room,
    .pad_units = pad_units,
    .in_flight = in_flight,
    .unanswered = unanswered,
    .pursue = pursue,
    .describe = describe,
};
