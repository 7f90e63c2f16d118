/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_direct.h: blocks that one rank copies itself, from or into the memory of another rank
   of its host. The owner of the memory offers it in a short message. The mover copies the block and
   answers how many bytes it has moved. If the system did not let it, the rest follows as an
   ordinary message; both know its length from the answer. */
#ifndef CM_COLLECTIVE_DIRECT_H
#define CM_COLLECTIVE_DIRECT_H

#include "comm/collective.h"

/* What the owner's message has: CM_SCHEDULE_OFFER_BYTES, so without what fills the struct up. The
   length, its low byte first, only shows that both ranks mean the same call. */
typedef struct {
    cm_backend_place place;
    uint8_t bytes[7];
} cm_direct_offer;

/* A block as its owner or its mover has it. */
typedef struct {
    cm_collective collective;
    int peer; /* the other rank in the group */
    char *data;
    size_t bytes;
    size_t whole; /* bytes of the block of which this is a part; the offer has it */
    bool out;     /* mover: it writes */
    cm_direct_offer own;
    const cm_direct_offer *offer; /* mover: of the owner */
    uint64_t moved;               /* the mover's answer */
    cm_schedule_part rest;        /* what follows as a message */
} cm_direct_block;

/* Returns the length from which on blocks between these ranks are moved directly, SIZE_MAX if they
   are not all on one host. All ranks of the operation get the same answer. */
size_t cm_direct_least(cm_schedule *schedule, int rank, int size);

/* Sets a block that is the data of this rank, for its peer in the schedule, and offers it. */
void cm_direct_own(cm_direct_block *block, const cm_schedule *schedule, void *data, size_t bytes,
                   size_t whole, int peer, bool written);
/* Sets a block that this rank will move. */
void cm_direct_foreign(cm_direct_block *block, const cm_schedule *schedule, void *data,
                       size_t bytes, size_t whole, int peer, bool out);
/* Add the messages of the offer. It is heard in slot. From there to end is room for what a peer
   with another length may send instead; slots of several peers share it. */
void cm_direct_say(const cm_direct_block *block, cm_schedule *schedule, int peer);
void cm_direct_hear(cm_direct_block *block, cm_schedule *schedule, cm_direct_offer *slot,
                    const void *end, int peer);

/* Ends the job if the offer is for a call with another length. */
void cm_direct_check(const cm_direct_block *block);

/* Local steps, whose context is a block. move copies it and sets answer and rest; owe sets the rest
   from the answer that came. */
cm_schedule_function cm_direct_move, cm_direct_owe;

/* In collective_direct_reduction.c. */
cm_builder cm_direct_reduce, cm_direct_allreduce, cm_direct_reduce_scatter;

#endif
