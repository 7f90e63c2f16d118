/* SPDX-License-Identifier: BSD-3-Clause */
/* transport.h: the seam below the engine. A transport moves ordered bytes between this rank and its
   peers over lanes and says where there is something to read. transport_tcp.c is the first. */
#ifndef CM_TRANSPORT_H
#define CM_TRANSPORT_H

#include <sys/uio.h>
#include "comm/engine/engine.h"

/* Listens, on the loopback interface alone when all ranks are on this host; writes this rank's
   address for others (printable, no blanks, no '|'), one for each rail with commas between them,
   into card, and sets *rails. 0 or one line and an exit status. */
int cm_transport_open(bool one_host, char *card, size_t capacity, int *rails);
void cm_transport_close(void);

/* A new lane on this rail to the peer whose card the engine holds, usable at once. NULL: it is not
   there, and lost. */
cm_lane *cm_transport_connect(int peer, int rail);

/* The name of the interface that a rail of this rank's runs over. */
const char *cm_transport_interface(int rail);

/* Without blocking: bytes moved, 0 when nothing can move now, -1 when the peer is gone (errno; 0:
   it closed in good order). */
ssize_t cm_lane_write(cm_lane *lane, const struct iovec *parts, int n);
ssize_t cm_lane_read(cm_lane *lane, const struct iovec *parts, int n);
void cm_lane_close(cm_lane *lane);

/* lane.c, for transports: a new lane in the engine's list, whose fd stays the transport's; and
   takes it out of the list, and frees it. */
cm_lane *cm_lane_add(int fd, int peer);
void cm_lane_remove(cm_lane *lane);

/* Whether something sent over it is not acknowledged and nothing has come back for so long. */
bool cm_lane_unanswered(const cm_lane *lane, double seconds);
/* A host that has not answered for so long is lost. */
double cm_silence_limit_s(void);

/* Calls cm_receive_lane for every lane with something to read and takes new lanes in. timeout_ms
   -1: waits for the first such event, for room on lanes that want it, or for the launcher. Whether
   there was one. */
bool cm_transport_poll(int timeout_ms);
/* Asks the next waiting poll to return when this lane can be written. */
void cm_transport_want_room(cm_lane *lane, bool want);

void cm_transport_describe(void (*each)(const char *key, const char *value, void *context),
                           void *context);

#endif
