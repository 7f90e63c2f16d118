/* SPDX-License-Identifier: BSD-3-Clause */
/* transport.h: the seam below the engine. A transport moves ordered bytes between this rank and its
   peers over lanes. Each has a room of its own (tcp/, shm/), which describes it in a table
   (transport_table.h). CM_TRANSPORTS in config.h lists those of this build. */
#ifndef CM_TRANSPORT_H
#define CM_TRANSPORT_H

#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Returns true if reading the lane takes no system call. */
static inline bool cm_lane_in_memory(const cm_lane *lane) { return lane->by->in_memory; }

static inline ssize_t cm_lane_write(cm_lane *lane, const struct iovec *parts, int n)
{
    return lane->by->write(lane, parts, n);
}

static inline ssize_t cm_lane_read(cm_lane *lane, const struct iovec *parts, int n)
{
    return lane->by->read(lane, parts, n);
}

static inline void cm_lane_close(cm_lane *lane) { lane->by->close(lane); }

static inline void cm_lane_want_room(cm_lane *lane, bool want)
{
    if (!lane || lane->wants_room == want) return;
    lane->wants_room = want;
    lane->by->want_room(lane, want);
}

static inline uint8_t cm_lane_pad_units(const cm_lane *lane, const char *data, size_t bytes)
{
    return lane->by->pad_units(data, bytes);
}

static inline size_t cm_lane_in_flight(const cm_lane *lane) { return lane->by->in_flight(lane); }

static inline bool cm_lane_unanswered(const cm_lane *lane, double seconds)
{
    return lane->by->unanswered(lane, seconds);
}

static inline bool cm_lane_pursue(cm_lane *lane, bool silent)
{
    return lane->by->pursue(lane, silent);
}

/* Returns true if the calls below, those of cm_sharing, are possible. */
static inline bool cm_lane_shares(const cm_lane *lane) { return lane->by->sharing != NULL; }

static inline bool cm_lane_give(cm_lane *lane, const cm_region *region, uint32_t *number)
{
    return lane->by->sharing->give(lane, region, number);
}

static inline bool cm_lane_revoke(cm_lane *lane, const cm_region *region, uint32_t *number)
{
    return lane->by->sharing->revoke(lane, region, number);
}

static inline const cm_mapping *cm_lane_region(cm_lane *lane, uint32_t number)
{
    return lane->by->sharing->region(lane, number);
}

static inline void cm_lane_forget(cm_lane *lane, uint32_t number)
{
    lane->by->sharing->forget(lane, number);
}

static inline _Atomic uint64_t *cm_lane_word(cm_lane *lane, bool mine, unsigned n)
{
    return lane->by->sharing->word(lane, mine, n);
}

static inline pid_t cm_lane_process(cm_lane *lane) { return lane->by->sharing->process(lane); }

/* ---- In transport.c: the transports of this build -------------------------------------------- */

/* Prints one line and returns an exit status unless CM_TRANSPORT is auto or names a transport of
   this build. */
int cm_transport_check(void);

/* Opens the transports and raises the limit on open files. Writes this rank's addresses into card:
   NAME:ADDRESS of each transport, separated by '+' (printable, no blanks, no '|'). Sets *rails.
   Ends the job on failure. */
void cm_transport_open(bool one_host, char *card, size_t capacity, int *rails);
/* Returns the number of rails that a card has addresses for. */
int cm_transport_rails(const char *card);
/* Closes all lanes. */
void cm_transport_close(void);

/* Returns true if this build has a transport that does not reach every peer. Then all cards are
   needed at the start, and cm_transport_meet must be called once the engine holds them: it decides
   by which transport each peer is reached. It ends the job if one cannot be reached. */
bool cm_transport_meets(void);
void cm_transport_meet(void);

/* Returns a new lane on this rail to the peer whose card the engine holds, usable at once. Returns
   NULL if the peer is not there; it is then lost. */
cm_lane *cm_transport_connect(int peer, int rail);

/* Returns the name of the interface that this rank's rail uses. */
const char *cm_transport_interface(int rail);

/* Makes memory that ranks of this host may map: make of cm_sharing. Returns -1 if no transport
   shares memory. */
int cm_transport_make(size_t bytes, cm_mapping *mapping);

/* Returns true if a transport of this build has the property. */
bool cm_transport_has(cm_property property);

/* Reads all lanes in memory. Returns true if anything moved. */
bool cm_transport_look(void);
/* sleeps of transport_table.h for all transports. */
bool cm_transport_sleeps(bool sleeps);

/* patience_ms of transport_table.h for all transports. */
int cm_transport_patience_ms(void);

void cm_transport_describe(cm_describe_each *each, void *context);

#pragma GCC visibility pop
#endif
