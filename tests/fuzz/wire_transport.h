/* SPDX-License-Identifier: BSD-3-Clause */
/* wire_transport.h: a transport whose other ends are the fuzzer's: what peers say is put into
   lines, what the engine says is read as a peer would read it, and must make sense. */
#ifndef CM_FUZZ_WIRE_TRANSPORT_H
#define CM_FUZZ_WIRE_TRANSPORT_H

#include "fuzz.h"
#include "comm/engine/transport.h"

enum { LINES = 9, HANDLES = 16, SAID_MOST = 1 << 20 };

typedef struct {
    cm_lane *lane; /* NULL: closed */
    int claims;    /* the rank it last greeted as */
    bool ended;    /* the peer says no more */
    char *said;    /* by the peer, and not yet read: said[taken .. n) */
    size_t taken, n, capacity;
    size_t read_bytes;                              /* by the engine, in all */
    unsigned char first[sizeof(cm_wire_handshake)]; /* of what it has read */
    size_t room;                          /* the engine may write so much before the line is full */
    char head[sizeof(cm_wire_handshake)]; /* of what it is writing */
    size_t head_bytes, payload;
    cm_wire_handshake handshake; /* the engine's */
    bool greeted;
    bool checked; /* the engine believes the peer, and rightly so */
} line;

/* Announced by the engine (its sends) or answered by it (its receives). */
/* bytes: all */
typedef struct {
    uint64_t handle;
    size_t rest;
    int rank;
    size_t bytes;
} rendezvous;

typedef struct {
    line line[LINES];
    bool in_memory; /* the lines are read as memory is */
    int n;          /* lines there have been */
    size_t piece;   /* most that one read gets */
    size_t room;    /* of a full line that is to be written on again */
    rendezvous sends[HANDLES], receives[HANDLES];
    unsigned n_sends, n_receives;
    struct {
        uint64_t handle;
        size_t rest, bytes;
    } announced[HANDLES]; /* by the peers */
    unsigned n_announced;
    bool forgotten; /* the region of the peers */
} wire;

/* Memory that ranks share: the engine's region has a place for each buffer of the scene, that of
   the peers (all have the same one) is as long as the longest message. */
enum { PLACES = 12, PLACE_BYTES = 1 << 17 };
extern cm_region fuzz_region;
extern cm_mapping fuzz_theirs;

/* A peer's process has this memory and no other: first the word that the engine is asked to try. */
enum { PROCESS_BYTES = 1 << 17 };
extern char fuzz_process[PROCESS_BYTES];
static const uint64_t FUZZ_WORD = 0x5555555555555555;
extern _Atomic uint64_t fuzz_words_of_lanes[2][CM_LANE_WORDS];

extern wire fuzz_wire;

void wire_reset(void);
line *wire_stranger(void); /* somebody connects; NULL: there are LINES already */
void wire_say(line *line, const void *bytes, size_t n);
void wire_deliver(void); /* the engine reads all that was said */

#endif
