/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.h: the transport TCP, and those of its functions that several files need;
   transport_table.h says what each does. */
#ifndef CM_TCP_H
#define CM_TCP_H

#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

extern const cm_transport cm_tcp;

cm_lane *cm_tcp_connect(int peer, int rail, const char *address); /* tcp_attempt.c */
bool cm_tcp_pursue(cm_lane *lane, bool silent);
size_t cm_tcp_in_flight(const cm_lane *lane); /* tcp_flight.c */

#pragma GCC visibility pop
#endif
