/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_table.h: what a transport defines; see transport.h. */
#ifndef CM_TRANSPORT_TABLE_H
#define CM_TRANSPORT_TABLE_H

#include <sys/types.h>
#include <sys/uio.h>
#include "comm/engine/engine.h"
#include "comm/engine/region.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

typedef void cm_describe_each(const char *key, const char *value, void *context);

/* Words of claims in each direction of a lane. */
enum { CM_LANE_WORDS = 24 };

/* Memory of this rank that ranks of its host may map (region.h). */
typedef struct {
    /* Makes memory, zero. Returns its descriptor, or -1; see errno. */
    int (*make)(size_t bytes, cm_mapping *mapping);
    /* Makes a region known to the peer and sets its number there. Returns false if that cannot be
       done now. */
    bool (*give)(cm_lane *lane, const cm_region *region, uint32_t *number);
    /* This rank frees the region. Returns true, and its number, if the peer knows it. */
    bool (*revoke)(cm_lane *lane, const cm_region *region, uint32_t *number);
    /* Returns a region that the peer gave, or NULL. */
    const cm_mapping *(*region)(cm_lane *lane, uint32_t number);
    /* The peer has revoked it. */
    void (*forget)(cm_lane *lane, uint32_t number);
    /* Returns a word of this lane that both ranks have mapped, for the claims of a transfer from
       this rank (mine) or from the peer; n < CM_LANE_WORDS. */
    _Atomic uint64_t *(*word)(cm_lane *lane, bool mine, unsigned n);
    /* Returns the peer's process as the kernel knows it; 0 if this PID namespace cannot see it, or
       if it has ended. */
    pid_t (*process)(cm_lane *lane);
} cm_sharing;

/* Members that may be NULL say so. */
typedef struct cm_transport {
    const char *name; /* on cards and in CM_TRANSPORT: lower-case letters and digits */
    unsigned has;     /* bits 1 << cm_property: the properties that a build with it has */
    bool in_memory;   /* reading and looking take no system call */

    /* Listens, only for ranks on this host if one_host. Writes this rank's address for the other
       ranks, in the transport's own format: printable, no blanks, no '|', no '+'; a part for each
       rail, separated by commas. Sets *rails. Ends the job on failure. */
    void (*open)(bool one_host, char *address, size_t capacity, int *rails);
    /* Stops listening. All lanes are closed. */
    void (*shut)(void);

    /* The address in the calls below is what open has written at the other rank; it ends at '+' or
       0. */

    /* Returns true if the rank with this address can be reached. Both ranks get the same answer.
       NULL: every rank can, as far as is known before the first attempt. */
    bool (*reaches)(const char *address);
    /* What is wrong with a rank that it does not reach, and what would be right. NULL if reaches
       is. */
    const char *beyond;
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
    /* Called now and then. If this rank made the lane, and its peer has not proved itself but lives
       and its host could not keep the connection for it, connects again, and writes there what was
       written before. silent: unanswered has returned true. Returns true if the peer's host answers
       nevertheless. */
    bool (*pursue)(cm_lane *lane, bool silent);

    /* look calls cm_receive_lane for every lane with something to read, and returns true if
       anything moved. NULL: the event loop finds these lanes. */
    bool (*look)(void);
    /* Tells all peers that this rank is going to sleep, and that they must wake it, or that it no
       longer sleeps. Returns true if there is something to do instead. NULL: events wake it. */
    bool (*sleeps)(bool sleeps);
    /* Returns the time until a sleeping rank should write again without an event, because a peer or
       the kernel could not take its connection; INT_MAX: there is no such peer. NULL: there never
       is. */
    int (*patience_ms)(void);

    const cm_sharing *sharing; /* in_memory only. NULL: it shares no memory of the program */

    /* Returns the name of the network interface that this rank's rail uses. NULL: it uses none. */
    const char *(*interface)(int rail);
    /* Says what it has chosen: keys of results, with their values. */
    void (*describe)(cm_describe_each *each, void *context);
} cm_transport;

/* A transport NAME defines the table cm_NAME. */
#define CM_TRANSPORT_DECLARE(name) \
    extern const cm_transport cm_##name __attribute__((visibility("hidden")));

/* ---- In lane.c, for transports --------------------------------------------------------------- */

/* add puts a new lane into the engine's list. The event loop calls cm_receive_lane for it. remove
   takes a lane out of the list and frees it. */
cm_lane *cm_lane_add(const cm_transport *by, int peer);
void cm_lane_remove(cm_lane *lane);

#pragma GCC visibility pop
#endif
