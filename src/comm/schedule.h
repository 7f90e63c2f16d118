/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h: a collective operation of one rank as rounds of messages, each followed by local
   steps.

   A builder (collective.h) writes an algorithm down once; the blocking call runs the schedule to
   its end, the non-blocking one leaves it in a request and advances it whenever the layer makes
   progress.

   A round posts all its messages at once, waits for all of them, then takes its local steps in
   order. Steps are added in order; the first message after a local step opens the next round by
   itself, and cm_schedule_round opens one between messages that depend on each other. A round may
   have local steps only. Between two ranks messages match in the order in which both add them.

   Buffers named in a schedule must last until it is complete. An operation cut into segments is a
   schedule whose rounds send one segment while they receive the next. */
#ifndef CM_SCHEDULE_H
#define CM_SCHEDULE_H

#include "comm/backend.h"

/* An empty schedule for the next collective operation on group, out of this thread's idle ones.
   Takes the operation's tag, so every rank must call it for every operation, in the same order. op
   and type are used by cm_schedule_reduce. */
cm_schedule *cm_schedule_begin(cm_group *group, cm_collective collective, cm_type type, cm_op op);

/* Messages of bytes bytes (0 is a message) to or from a peer, which is not the caller. The message
   that arrives must have just this length. */
void cm_schedule_send(cm_schedule *schedule, const void *from, size_t bytes, int peer);
void cm_schedule_recv(cm_schedule *schedule, void *to, size_t bytes, int peer);

/* right = left op right, count elements; they do not overlap. */
void cm_schedule_reduce(cm_schedule *schedule, const void *left, void *right, size_t count);

/* Nothing when bytes is 0 or from is to; else they do not overlap. */
void cm_schedule_copy(cm_schedule *schedule, const void *from, void *to, size_t bytes);

void cm_schedule_round(cm_schedule *schedule);

/* Memory for partial results, blocks pieces of bytes each, that lasts as long as the schedule;
   aligned for every type. At most once a schedule. Status 3 when there is not so much. */
char *cm_schedule_stage(cm_schedule *schedule, size_t blocks, size_t bytes);

/* Runs a schedule to its end and releases it. While non-blocking operations are under way, these
   are advanced too: another rank may wait for them. */
void cm_schedule_run(cm_schedule *schedule);

/* Starts a schedule for a request; completed by cm_schedule_advance, released by
   cm_schedule_free. */
void cm_schedule_start(cm_schedule *schedule);

/* Whether this thread has operations under way, which a backend's blocking calls have to
   advance. */
bool cm_schedule_pending(void);

/* Returns this thread's idle schedules' memory to the system. */
void cm_schedule_trim(void);

#endif
