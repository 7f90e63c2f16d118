/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_table.h: what a transport defines; see transport.h. */
#ifndef CM_TRANSPORT_TABLE_H
#define CM_TRANSPORT_TABLE_H

#include <sys/uio.h>
#include "comm/engine/engine.h"
#include "comm/engine/shm/area.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

typedef void cm_describe_each(const char *key, const char *value, void *context);

typedef struct cm_transport {
    const char *name;
    bool in_memory; /* reading and looking take no system call */

    /* Listens, only for ranks on this host if one_host. Writes this rank's addresses for other
       ranks (printable, no blanks, no '|' or '+'; one for each rail, separated by commas) into
       card, and sets *rails. Addresses begin with '@' if and only if the transport is in_memory.
       Ends the job on failure. */
    void (*open)(bool one_host, char *card, size_t capacity, int *rails);
    /* Stops listening. All lanes are closed. */
    void (*shut)(void);

    /* Returns true if the rank with this address can be reached. Both ranks get the same answer. */
    bool (*reaches)(const char *address);
    /* Returns a new lane on this rail to the peer at this address, usable at once: while it is
       connecting, nothing moves. Does not wait. Returns NULL if the peer is not there; it is then
       lost, as it is if that turns out later. */
    cm_lane *(*connect)(int peer, int rail, const char *address);

    /* Do not block. Return the number of bytes moved, 0 if nothing can move now, or -1 if the peer
       is gone (see errno; 0 means that it closed the connection in order). */
    ssize_t (*write)(cm_lane *lane, const struct iovec *parts, int n);
    ssize_t (*read)(cm_lane *lane, const struct iovec *parts, int n);
    void (*close)(cm_lane *lane);
    /* With want, the event loop's next sleep ends when this lane can be written. */
    void (*want_room)(cm_lane *lane, bool want);
    /* Returns the padding, in units of CM_PAD_UNIT, that should come between a header and this
       payload. */
    uint8_t (*pad_units)(const char *data, size_t bytes);
    /* Returns about how many bytes are on their way at once when the lane is busy: its rate times
       its round trip. 0: it does not know. */
    size_t (*in_flight)(const cm_lane *lane);
    /* Returns true if data sent over the lane has been unacknowledged, and nothing has come back,
       for this time. */
    bool (*unanswered)(const cm_lane *lane, double seconds);
    /* Called now and then for a lane that this rank made and whose peer has not proved itself.
       Connects again if the peer lives but its host could not keep the connection for it. silent:
       unanswered has returned true. Returns true if the peer's host answers nevertheless. */
    bool (*pursue)(cm_lane *lane, bool silent);

    /* in_memory only. look calls cm_receive_lane for every lane with something to read, and returns
       true if anything moved. sleeps tells all peers that this rank is going to sleep, and that
       they must wake it, or that it no longer sleeps; it returns true if there is something to do
       instead. */
    bool (*look)(void);
    bool (*sleeps)(bool sleeps);
    /* in_memory only. Returns the time until a sleeping rank should write again without an event,
       because a peer could not take its connection; INT_MAX: there is no such peer. */
    int (*patience_ms)(void);

    /* in_memory only: memory of this rank (shm/area.h) that a peer may map. give makes it known to
       the peer and sets its number there; it returns false if that cannot be done now. revoke
       returns true, and its number, if the peer knows it, and strikes it out. area returns memory
       that the peer gave, or NULL; forget strikes it out, after the peer has revoked it. */
    bool (*give)(cm_lane *lane, const cm_area *area, uint32_t *number);
    bool (*revoke)(cm_lane *lane, const cm_area *area, uint32_t *number);
    const cm_segment *(*area)(cm_lane *lane, uint32_t number);
    void (*forget)(cm_lane *lane, uint32_t number);

    /* Returns the name of the network interface that this rank's rail uses. NULL: there is none. */
    const char *(*interface)(int rail);
    void (*describe)(cm_describe_each *each, void *context);
} cm_transport;

/* ---- In lane.c, for transports --------------------------------------------------------------- */

/* add puts a new lane into the engine's list. The event loop calls cm_receive_lane for it. remove
   takes a lane out of the list and frees it. */
cm_lane *cm_lane_add(const cm_transport *by, int peer);
void cm_lane_remove(cm_lane *lane);

#pragma GCC visibility pop
#endif
