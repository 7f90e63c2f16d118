/* SPDX-License-Identifier: BSD-3-Clause */
/* copying.h: what this rank itself copies of a message between ranks of a host (share.h). A message
   that both ranks copy is cut into chunks, and each rank claims a chunk before it copies it: the
   receiver from the front, the sender from the end. One look copies a bounded amount, so that a
   long message does not keep the other peers waiting; the rest follows in the next looks. */
#ifndef CM_COPYING_H
#define CM_COPYING_H

#include <sys/types.h>
#include "comm/engine/engine.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Most bytes of a message that are copied before this rank looks at its other peers. The fuzzing
   harness, whose messages are short, has less. */
#ifndef CM_COPYING_LOOK_BYTES
#define CM_COPYING_LOOK_BYTES ((size_t)4 << 20)
#endif

/* Claims for a message, in a word that both ranks have mapped. It has the tag of its message, and
   how many chunks are claimed from the front, and from the end. */
typedef struct {
    _Atomic uint64_t *word; /* NULL: this rank copies everything, and nobody claims */
    uint32_t tag;
    size_t bytes, chunk_bytes, chunks;
} cm_claims;

/* Returns the claims of a message of this length. Both sides must get the same chunks; by_kernel:
   the sender's buffer is at CM_PLACE_PROCESS. */
cm_claims cm_claims_of(_Atomic uint64_t *word, uint32_t tag, size_t bytes, bool by_kernel);

/* A buffer of a peer: mapped here, or where the kernel reads and writes it. */
typedef struct {
    cm_lane *lane;   /* over which the peer has told its place */
    uint32_t number; /* of the region, if it is mapped */
    char *mapped;    /* NULL: in the process */
    pid_t process;
    uint64_t address;
    _Atomic uint64_t *word; /* of the claims for it */
} cm_peer_buffer;

typedef enum {
    CM_COPYING_LATER,   /* the look is over */
    CM_COPYING_DONE,    /* nothing is left to claim */
    CM_COPYING_REFUSED, /* the kernel does not copy the rest of what is claimed; see errno */
    CM_COPYING_LOST     /* the peer's process has ended, and the peer is lost */
} cm_copying_state;

/* This rank's part of a message. Parts that outlast a look are in a list, engine.copying. */
typedef struct cm_copying {
    cm_request *request; /* counts what a receiver has claimed in `here` */
    uint64_t handle;     /* the peer's */
    cm_claims claims;
    cm_peer_buffer other;
    bool out; /* from this rank to the peer: the sender's */
    char *own;
    size_t at, end; /* bytes of the message that are claimed and not copied yet */
    size_t copied;  /* bytes so far */
    size_t chunks;  /* claimed so far */
    struct cm_copying *next;
} cm_copying;

/* Claims n chunks, which become at and end. Returns false if fewer are left, or if the sender has
   withdrawn the message. */
bool cm_copying_claim(cm_copying *copying, size_t n);
/* Claims all that is left, so that nobody copies it. It begins at copying->end. Returns where it
   ends. */
size_t cm_copying_close(const cm_copying *copying);

/* Copies what is claimed and what can be claimed. Calls cm_share_copied once that is over, now or
   in a later look. The request is `copying` until then. */
void cm_copying_begin(const cm_copying *copying);
/* Continues with one of those that are in the list. */
void cm_copying_go_on(void);
/* The lane is closed: forgets what is copied over it. These requests have handles. */
void cm_copying_drop(const cm_lane *lane);
/* Returns true if one of them uses this region of the lane. */
bool cm_copying_uses(const cm_lane *lane, uint32_t number);

#pragma GCC visibility pop
#endif
