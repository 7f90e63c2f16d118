/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_attempt.h: connections of this rank whose peer has not answered the handshake yet. The kernel
   of a peer that computes may drop them, because its queue is full; they are made again, and what
   was written is written again. Any other sign from the peer's host says that the peer lives: a
   dead process has no listening socket, and its host refuses the connection. */
#ifndef CM_TCP_ATTEMPT_H
#define CM_TCP_ATTEMPT_H

#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

typedef struct cm_tcp_attempt cm_tcp_attempt;

/* write of transport_table.h for a lane that has an attempt: sets *written. Returns false, with the
   attempt freed and nothing written, once the peer has proved itself and all that was written is on
   this connection. */
bool cm_tcp_attempt_write(cm_lane *lane, const struct iovec *parts, int n, ssize_t *written);
/* Handles an error of the connection (errno). Returns true if it was made again; otherwise the lane
   is as any other whose connection broke, but if there never was one, the peer is lost, and a line
   says why it could not be reached. */
bool cm_tcp_attempt_broke(cm_lane *lane);
/* Returns true if room to write is of no use before the peer has answered. */
bool cm_tcp_attempt_full(const cm_lane *lane);
void cm_tcp_attempt_free(cm_tcp_attempt *attempt); /* may be NULL */

#pragma GCC visibility pop
#endif
