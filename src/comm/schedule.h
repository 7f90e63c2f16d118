/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h: a collective operation of one rank as rounds of messages, each followed by local
   steps. A builder (collective.h) records an algorithm once. The blocking call runs the schedule to
   its end; the non-blocking one stores it in a request and advances it whenever the layer makes
   progress.
   A round posts all its messages at once, waits for all of them, then runs its local steps in
   order. The first message after a local step opens the next round; cm_schedule_round opens one
   between messages that depend on each other. A round may consist of local steps only. Between two
   ranks, messages match in the order in which both ranks add them. Buffers named in a schedule must
   stay valid until it is complete. An operation that is cut into segments is a schedule whose
   rounds send one segment while they receive the next. */
#ifndef CM_SCHEDULE_H
#define CM_SCHEDULE_H

#include "comm/backend.h"

/* Returns an empty schedule for the next collective operation on group, if possible an idle one of
   this thread. Takes the operation's tag, so every rank must call it for every operation, in the
   same order. op and type are used by cm_schedule_reduce. */
cm_schedule *cm_schedule_begin(cm_group *group, cm_collective collective, cm_type type, cm_op op);

/* Adds a message to or from a peer, which is not the caller. A message of 0 bytes is sent too. The
   message that arrives must have exactly this length. */
void cm_schedule_send(cm_schedule *schedule, const void *from, size_t bytes, int peer);
void cm_schedule_recv(cm_schedule *schedule, void *to, size_t bytes, int peer);

/* Adds right = left op right on count elements. The operands do not overlap. */
void cm_schedule_reduce(cm_schedule *schedule, const void *left, void *right, size_t count);

/* Adds a copy, unless bytes is 0 or from == to. The buffers do not overlap. */
void cm_schedule_copy(cm_schedule *schedule, const void *from, void *to, size_t bytes);

void cm_schedule_round(cm_schedule *schedule);

/* Adds a local step that calls this function with the group's message space of collectives. context
   must stay valid until the schedule is complete. The function returns true when its work is done.
   Before that it returns false after about CM_SCHEDULE_LOOK_BYTES and is called again once the rank
   has looked at its other messages. */
enum { CM_SCHEDULE_LOOK_BYTES = 4 << 20 };
typedef bool cm_schedule_function(cm_group *group, void *context);
void cm_schedule_call(cm_schedule *schedule, cm_schedule_function *function, void *context);

/* A message that local steps of earlier rounds decide upon: what it consists of is read when its
   round begins. It is not sent if bytes is 0; both ranks must come to the same length. */
typedef struct {
    char *data;
    size_t bytes;
} cm_schedule_part;
void cm_schedule_send_part(cm_schedule *schedule, const cm_schedule_part *part, int peer);
void cm_schedule_recv_part(cm_schedule *schedule, const cm_schedule_part *part, int peer);

/* A message of this length may stand for a longer block, as what the other rank needs to get it
   itself. cm_schedule_offers tells the schedule how to read the length of the block, for the line
   on ranks whose lengths do not match. From then on, until it is called with NULL, a message of
   cm_schedule_send that is as long as an offer follows one of 0 bytes, which says that it is none;
   all ranks of these messages must do this. recv_offer receives an offer of *bytes bytes. Its
   buffer has more room, for a block that a rank with another length sends instead. */
enum { CM_SCHEDULE_OFFER_BYTES = 23 };
typedef size_t cm_schedule_offered(const void *message);
void cm_schedule_offers(cm_schedule *schedule, cm_schedule_offered *offered);
void cm_schedule_send_offer(cm_schedule *schedule, const void *offer, int peer);
void cm_schedule_recv_offer(cm_schedule *schedule, void *to, size_t room, const size_t *bytes,
                            int peer);
/* Ends the job because of such ranks. */
_Noreturn void cm_schedule_mismatch(cm_collective collective, int peer, size_t sent,
                                    size_t expected);

/* Returns the space of messages and the collective that the schedule is for, and a peer's rank in
   the group. */
cm_group *cm_schedule_group(const cm_schedule *schedule);
cm_collective cm_schedule_collective(const cm_schedule *schedule);
int cm_schedule_rank(const cm_schedule *schedule, int peer);

/* From here on, and until the next call, a peer is an index into ranks, which gives its rank in the
   group; NULL: the rank itself, as at first. So the builder of one algorithm records its part among
   some of the ranks. ranks is read while messages are added. */
void cm_schedule_among(cm_schedule *schedule, const int *ranks);

/* Returns memory for partial results: blocks pieces of `bytes` each, aligned for every type, valid
   as long as the schedule. Call it at most CM_SCHEDULE_STAGES times for each schedule. Ends the job
   with status 3 if there is not enough memory. */
enum { CM_SCHEDULE_STAGES = 8 };
char *cm_schedule_stage(cm_schedule *schedule, size_t blocks, size_t bytes);

/* Runs a schedule to its end and releases it. Pending non-blocking operations are advanced too,
   because another rank may wait for them. */
void cm_schedule_run(cm_schedule *schedule);

/* Starts a schedule for a request. cm_schedule_advance completes it, cm_schedule_free releases
   it. */
void cm_schedule_start(cm_schedule *schedule);

/* Returns true if this thread has pending operations, which a backend's blocking calls must
   advance. */
bool cm_schedule_pending(void);

/* Returns true if a pending operation has local work that it left after a part of it, so that a
   backend must not sleep. */
bool cm_schedule_working(void);

/* Fills the request that each of this thread's pending operations needs next, at most `most`, and
   returns how many there are. Only a backend that plays time waits for exactly these; others
   look. */
int cm_schedule_awaited(int most, cm_request **requests);

/* Returns the memory of this thread's idle schedules to the system. */
void cm_schedule_trim(void);

#endif
