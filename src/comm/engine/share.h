/* SPDX-License-Identifier: BSD-3-Clause */
/* share.h: rendezvous between ranks of a host without the way through a ring. A PLACE in front of a
   header says where a buffer is: in a region (cm_allocate) that the other rank can map, or anywhere
   in the process, if the kernel may copy for the pair (copy.h).

   Sender's buffer: PLACE, READY_TO_SEND. The receiver copies the message out of it and says TAKEN.
   Both buffers: the receiver answers with PLACE, CLEAR_TO_SEND. It copies from the front of the
   message, the sender from its end. Each chunk is claimed in a word that both have mapped, of the
   sender's region or of the lane, so that a sender that is busy with something else keeps nobody
   waiting. The sender says in WRITTEN how much it has copied, the receiver says TAKEN when there is
   nothing left to claim. Receiver's buffer, a region: READY_TO_SEND, then PLACE, CLEAR_TO_SEND. The
   sender copies the message into it and says WRITTEN.

   The kernel may refuse what it has allowed before: some memory cannot be pinned, and a process can
   forbid copies at any time. What a side has claimed and cannot copy then goes through the ring, in
   a STRIPE. A receiver that is refused claims all that is left and says in TAKEN which bytes these
   are; one that has not told its buffer lets its claims go and asks for everything. Later messages
   of the pair go through the ring (cm_copy_refuse).

   Each side may decline: who finds no use for a PLACE behaves as if there were none. In a job that
   goes on after failures no rank writes into memory of another one, because a rank that counts as
   failed may only have been stopped. */
#ifndef CM_SHARE_H
#define CM_SHARE_H

#include "comm/engine/copy.h"
#include "comm/engine/copying.h"
#include "comm/engine/engine.h"
#include "comm/engine/region.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Messages of at least this many bytes are copied in this way. */
enum { CM_SHARE_LEAST_BYTES = 16384 };

/* Returns true if a message may be sent in this way: it is worth trying. */
static inline bool cm_share_likely(int peer, const void *data, size_t bytes)
{
    return bytes >= CM_SHARE_LEAST_BYTES && engine.peer[peer].in_memory
           && (cm_region_of(data, bytes)
               || (bytes >= CM_COPY_LEAST_BYTES && cm_copy_wanted(peer, bytes)));
}

/* Returns the lane to a peer over which regions can be spoken of, or NULL. */
cm_lane *cm_share_lane(int peer);

/* Writes the PLACE of a send's data before its READY_TO_SEND. Returns false if there is none, or
   the peer cannot get it now. */
bool cm_share_offer(cm_request *send);
/* The data are to be sent from another place. Returns false if the receiver copies them already. */
bool cm_share_withdraw(cm_request *send);
/* The send needs its word of the region no more. */
void cm_share_end(cm_request *send);

/* Checks that a place can have this number of bytes; ends the job if it cannot. */
void cm_share_examine(const cm_place *place, size_t bytes);
/* Copies an announced message of a peer, or as much of it as this rank claims. Returns false if
   nothing can be copied; the data must then be requested. */
bool cm_share_take(cm_request *receive, int peer, uint64_t sender_handle, const cm_place *place);
/* Writes the PLACE of a receive's buffer, if that is a region, before its CLEAR_TO_SEND. */
void cm_share_ask(cm_request *receive);
/* The receiver has answered: with a place, unless its lane is NULL. Returns false if it has done so
   before. */
bool cm_share_answer(cm_request *send, uint64_t receiver_handle, const cm_place *place);
/* This rank has copied its part of a message, or the kernel refuses to: copying.h. */
void cm_share_copied(const cm_copying *copying, cm_copying_state state);

/* WRITTEN, TAKEN and STRIPE. Return false if they make no sense. */
bool cm_share_written(cm_request *receive, const cm_wire_header *header);
bool cm_share_taken(cm_request *send, const cm_wire_header *header);
bool cm_share_expect(cm_request *receive, const cm_wire_header *header);
/* The payload of a STRIPE has arrived. Returns true if the message is whole. */
bool cm_share_arrived(cm_request *receive);

/* The peer has freed a region. */
void cm_share_forget(cm_lane *lane, uint32_t number);
/* The lane is closed, and with it the mappings of its regions. */
void cm_share_lane_gone(const cm_lane *lane);

#pragma GCC visibility pop
#endif
