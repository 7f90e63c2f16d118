/* SPDX-License-Identifier: BSD-3-Clause */
/* pending.h: connections whose handshake has not arrived: how many a rank lets in, and how long
   they may stay. For transports. */
#ifndef CM_PENDING_H
#define CM_PENDING_H

#include "comm/engine/engine.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Number of connections that may be open before their handshake has arrived, in addition to one
   connection of every peer and rail. */
enum { CM_PENDING = 64 };

/* Accepts the connections that wait at a socket, as far as there is room but no more than there may
   be pending ones and peers, and reads each at once, because a peer's handshake has usually
   arrived. lane_of makes the lane, with peer -1; it returns NULL, and closes the descriptor, to
   refuse. Returns true if anyone was let in. */
bool cm_pending_accept(int listener, cm_lane *(*lane_of)(int fd));

/* Creates a stream socket that does not block, and disconnects pending ones if the limits leave no
   room for it. Returns -1 on failure; see errno. */
int cm_pending_socket(int family);

/* Disconnects pending connections that have not sent a handshake within cm_cards_start_limit_s. The
   limit is long because one of a thousand ranks on a few cores may get no core for seconds between
   its connection and its handshake. */
void cm_pending_dismiss_late(void);
/* Returns the time until that may be necessary; INT_MAX if there are no pending. */
int cm_pending_ms(void);

#pragma GCC visibility pop
#endif
