/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_lane.h: the options of every connection, before and after it is made, and its lane. */
#ifndef CM_TCP_LANE_H
#define CM_TCP_LANE_H

#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Before any lane: the transport that they are of, and whether all ranks are on this host. */
void cm_tcp_lanes_open(const cm_transport *transport, bool one_host);

void cm_tcp_set_buffers(int fd);
void cm_tcp_set_options(int fd);
cm_lane *cm_tcp_lane_new(int fd, int peer);

bool cm_tcp_unanswered(const cm_lane *lane, double seconds); /* as in transport_table.h */
/* The congestion control of the first connection; "": there was none, or it is not told. */
const char *cm_tcp_congestion(void);

#pragma GCC visibility pop
#endif
