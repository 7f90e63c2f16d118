/* SPDX-License-Identifier: BSD-3-Clause */
/* transport.h: the seam below the engine. A transport moves ordered bytes between this rank and its
   peers over lanes. Each has a room of its own (tcp/, shm/). A build links one or both: CM_WITH_TCP
   and CM_WITH_SHM. With one, the engine calls its functions directly; with both, through the lane's
   table. */
#ifndef CM_TRANSPORT_H
#define CM_TRANSPORT_H

#include "comm/engine/shm/shm.h"
#include "comm/engine/tcp/tcp.h"
#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

#if defined CM_TRANSPORT_TABLE || (defined CM_WITH_TCP && defined CM_WITH_SHM)
#define CM_LANE_CALL(lane, verb) (lane)->by->verb
#define CM_LANE_IN_MEMORY(lane) (lane)->by->in_memory
#elif defined CM_WITH_SHM
#define CM_LANE_CALL(lane, verb) cm_shm_##verb
#define CM_LANE_IN_MEMORY(lane) true
#else
#define CM_LANE_CALL(lane, verb) cm_tcp_##verb
#define CM_LANE_IN_MEMORY(lane) false
#endif

/* Returns true if reading the lane takes no system call. */
static inline bool cm_lane_in_memory(const cm_lane *lane)
{
    (void)lane;
    return CM_LANE_IN_MEMORY(lane);
}

static inline ssize_t cm_lane_write(cm_lane *lane, const struct iovec *parts, int n)
{
    return CM_LANE_CALL(lane, write)(lane, parts, n);
}

static inline ssize_t cm_lane_read(cm_lane *lane, const struct iovec *parts, int n)
{
    return CM_LANE_CALL(lane, read)(lane, parts, n);
}

static inline void cm_lane_close(cm_lane *lane) { CM_LANE_CALL(lane, close)(lane); }

static inline void cm_lane_want_room(cm_lane *lane, bool want)
{
    if (!lane || lane->wants_room == want) return;
    lane->wants_room = want;
    CM_LANE_CALL(lane, want_room)(lane, want);
}

static inline uint8_t cm_lane_pad_units(const cm_lane *lane, const char *data, size_t bytes)
{
    (void)lane;
    return CM_LANE_CALL(lane, pad_units)(data, bytes);
}

static inline size_t cm_lane_in_flight(const cm_lane *lane)
{
    return CM_LANE_CALL(lane, in_flight)(lane);
}

static inline bool cm_lane_unanswered(const cm_lane *lane, double seconds)
{
    return CM_LANE_CALL(lane, unanswered)(lane, seconds);
}

static inline bool cm_lane_pursue(cm_lane *lane, bool silent)
{
    return CM_LANE_CALL(lane, pursue)(lane, silent);
}

/* The calls below are for lanes in memory only. */
#if defined CM_TRANSPORT_TABLE || defined CM_WITH_SHM
#define CM_LANE_SHARES(lane, verb) CM_LANE_CALL(lane, verb)
#else
#define CM_LANE_SHARES(lane, verb) (lane)->by->verb
#endif

static inline bool cm_lane_give(cm_lane *lane, const cm_area *area, uint32_t *number)
{
    return CM_LANE_SHARES(lane, give)(lane, area, number);
}

static inline bool cm_lane_revoke(cm_lane *lane, const cm_area *area, uint32_t *number)
{
    return CM_LANE_SHARES(lane, revoke)(lane, area, number);
}

static inline const cm_segment *cm_lane_area(cm_lane *lane, uint32_t number)
{
    return CM_LANE_SHARES(lane, area)(lane, number);
}

static inline void cm_lane_forget(cm_lane *lane, uint32_t number)
{
    CM_LANE_SHARES(lane, forget)(lane, number);
}

/* ---- In transport.c: the transports of this build -------------------------------------------- */

/* Opens the transports and raises the limit on open files. Writes this rank's addresses into card
   (printable, no blanks, no '|'; one for each rail, separated by commas), and sets *rails. Ends the
   job on failure. */
void cm_transport_open(bool one_host, char *card, size_t capacity, int *rails);
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

/* Reads all lanes in memory. Returns true if anything moved. */
bool cm_transport_look(void);
/* sleeps of transport_table.h for all transports. */
bool cm_transport_sleeps(bool sleeps);

/* patience_ms of transport_table.h for all transports. */
int cm_transport_patience_ms(void);

/* Returns the backend's name. */
const char *cm_transport_backend(void);
void cm_transport_describe(cm_describe_each *each, void *context);

#pragma GCC visibility pop
#endif
