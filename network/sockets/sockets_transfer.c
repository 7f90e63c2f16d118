/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_transfer.c: sends and receives bytes through the sockets that are measured. */
#include "config.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include "measure/clock.h"
#include "sockets.h"

const char *const sockets_waits[] = {"sleep", "spin", NULL};

_Noreturn static void fail(const sockets_end *end, const char *what, int cause)
{
    const char *why = strerror(cause);
    if (cause == EAGAIN || cause == EWOULDBLOCK) why = "nothing was taken within --timeout";
    cm_abort(CM_EXIT_SYSTEM, "%s: %s rank %d on %s: %s", sockets_kind_names[end->now->kind], what,
             end->peer, end->other->host, why);
}

/* Continues a transfer that a signal or the time limit interrupted. */
void sockets_send(const sockets_end *end, const void *data, size_t bytes)
{
    const unsigned char *next = data;
    while (bytes > 0) {
        ssize_t n = send(end->fd, next, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(end, "cannot send to", errno);
        next += n;
        bytes -= (size_t)n;
    }
}

void sockets_send_gathered(const sockets_end *end, const void *data, size_t bytes, int writes)
{
    struct iovec part[SOCKETS_MOST_WRITES];
    for (int k = 0; k < writes; k++) {
        part[k].iov_base = (unsigned char *)data + (size_t)k * bytes;
        part[k].iov_len = bytes;
    }
    struct msghdr message = {.msg_iov = part, .msg_iovlen = (size_t)writes};
    ssize_t n;
    do n = sendmsg(end->fd, &message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n < 0) fail(end, "cannot send to", errno);
    sockets_send(end, (const unsigned char *)data + n, (size_t)writes * bytes - (size_t)n);
}

/* TCP_QUICKACK is set before each receive, because the kernel resets it. */
static void acknowledge_at_once(const sockets_end *end)
{
    int on = 1;
    setsockopt(end->fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

static ssize_t spin(const sockets_end *end, void *data, size_t capacity, int flags)
{
    static const double alone_s = 50e-6; /* gives the core to whoever waits for it */
    double begin_s = cm_clock_now_s(), spent_s = 0;
    ssize_t n;
    for (;;) {
        n = recv(end->fd, data, capacity, flags | MSG_DONTWAIT);
        if (n >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK) || spent_s > SOCKETS_SLICE_S)
            return n;
        spent_s = cm_clock_now_s() - begin_s;
        if (spent_s > alone_s) sched_yield();
    }
}

bool sockets_receive(const sockets_end *end, void *data, size_t capacity, size_t *bytes)
{
    int flags = sockets_is_udp(end->now) ? MSG_TRUNC : 0;
    ssize_t n = end->options->wait ? spin(end, data, capacity, flags)
                                   : recv(end->fd, data, capacity, flags);
    if (n < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return false;
        /* The error is that of an empty datagram sent before the other end was there. */
        if (errno == ECONNREFUSED && sockets_is_udp(end->now)) return false;
        fail(end, "cannot receive from", errno);
    }
    if (end->now->quickack) acknowledge_at_once(end);
    *bytes = (size_t)n;
    return true;
}

bool sockets_receive_all(const sockets_end *end, void *data, size_t bytes)
{
    size_t got = 0, n;
    double end_s = 0;
    while (got < bytes) {
        if (sockets_receive(end, (unsigned char *)data + got, bytes - got, &n)) {
            if (n == 0 && got == 0) return false;
            if (n == 0) fail(end, "cannot receive from", ECONNRESET);
            got += n;
            end_s = 0;
            continue;
        }
        double now_s = cm_clock_now_s();
        if (end_s == 0) end_s = now_s + end->options->timeout_s;
        if (now_s > end_s) fail(end, "cannot receive from", ETIMEDOUT);
    }
    return true;
}
