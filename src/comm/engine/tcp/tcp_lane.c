/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_lane.c: the options of connections, before and after they are made, and their lanes. */
#include "config.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include "comm/engine/events.h"
#include "comm/engine/tcp/tcp_lane.h"
#include "comm/engine/tcp/tcp_rails.h"

/* Linux 6.15: longest time between two retransmissions, or two probes of a receiver whose buffer is
   full. */
#ifndef TCP_RTO_MAX_MS
#define TCP_RTO_MAX_MS 44
#endif

static struct {
    const cm_transport *transport;
    bool one_host;
    char congestion[64]; /* of the first connection */
} lanes;

void cm_tcp_lanes_open(const cm_transport *transport, bool one_host)
{
    lanes.transport = transport;
    lanes.one_host = one_host;
}

const char *cm_tcp_congestion(void) { return lanes.congestion; }

/* Set before the connection is made, because the window scale is agreed on then. The kernel has a
   lower limit. */
void cm_tcp_set_buffers(int fd)
{
    int bytes = (int)engine.environment.buffer_bytes;
    if (!bytes) return;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

static void set_option(int fd, int option, int value)
{
    setsockopt(fd, IPPROTO_TCP, option, &value, sizeof value);
}

/* A dead host answers nothing; without this the kernel would wait for a quarter of an hour.
   Keep-alive covers connections that carry no data; the kernel allows up to 127 probes. liveness.c
   watches the others, and needs a kernel that asks often whether the host is alive. */
static void notice_dead_hosts(int fd)
{
    const int on = 1, seconds = (int)cm_liveness_silence_s(), interval_s = 1 + seconds / 128;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    set_option(fd, TCP_KEEPIDLE, 1);
    set_option(fd, TCP_KEEPINTVL, interval_s);
    set_option(fd, TCP_KEEPCNT, (seconds - 1) / interval_s);
    set_option(fd, TCP_RTO_MAX_MS, seconds > 5 ? 200 * seconds : 1000);
}

bool cm_tcp_unanswered(const cm_lane *lane, double seconds)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    /* A connection that is made again has another socket. */
    if (lane->connecting) return !lanes.one_host && cm_engine_now() - lane->since_s >= seconds;
    if (lanes.one_host || getsockopt(lane->own.number, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return false;
    /* One probe of a full receiver may get lost, which delays the next one. */
    return (info.tcpi_unacked > 0 || info.tcpi_probes > 1)
           && info.tcpi_last_ack_recv >= 1000 * seconds;
}

void cm_tcp_set_options(int fd)
{
    if (engine.environment.nodelay) set_option(fd, TCP_NODELAY, 1);
    if (!lanes.one_host) notice_dead_hosts(fd);
}

cm_lane *cm_tcp_lane_new(int fd, int peer)
{
    cm_tcp_set_options(fd);
    if (!lanes.congestion[0]) {
        socklen_t length = sizeof lanes.congestion - 1;
        if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, lanes.congestion, &length) != 0)
            lanes.congestion[0] = 0;
    }
    cm_tcp_rails_use(fd);
    cm_lane *lane = cm_lane_add(lanes.transport, peer);
    lane->own.number = fd;
    cm_events_add(fd, &lane->watch);
    return lane;
}
