/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_flight.c: how many bytes a busy connection has on their way, from the kernel's own
   measurements of its rate and round trip. In a file of its own because the C library's header has
   only the beginning of struct tcp_info. */
#include "config.h"
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include "comm/engine/transport.h"

size_t cm_tcp_in_flight(const cm_lane *lane)
{
    enum { GROWTH = 2 }; /* the rate so far may have been limited by what was in flight */
    struct tcp_info info;
    socklen_t length = sizeof info;
    const socklen_t needed =
        offsetof(struct tcp_info, tcpi_delivery_rate) + sizeof info.tcpi_delivery_rate;
    if (getsockopt(lane->own.number, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || length < needed)
        return 0;
    const double round_trip_s = 1e-6 * info.tcpi_min_rtt; /* UINT32_MAX: not measured yet */
    if (info.tcpi_min_rtt == UINT32_MAX) return 0;
    return (size_t)(GROWTH * (double)info.tcpi_delivery_rate * round_trip_s);
}
