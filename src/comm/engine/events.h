/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h: the event loop in which a rank sleeps: descriptors and what to do when they are ready.
   All are watched for something to read. */
#ifndef CM_EVENTS_H
#define CM_EVENTS_H

#include <stdbool.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

typedef struct cm_watch {
    bool (*ready)(struct cm_watch *watch); /* there is something to read; returns true if anything
                                              moved */
    bool last; /* called after all others, because it may close their lanes */
} cm_watch;

/* Ends the job if the kernel provides no event queue. */
void cm_events_open(void);
void cm_events_close(void);

/* Watches a descriptor until it is closed. watch must stay until then. */
void cm_events_add(int fd, cm_watch *watch);
/* With want, the next wait also returns when this descriptor can be written. */
void cm_events_want_room(int fd, cm_watch *watch, bool want);

/* Handles what is ready. With timeout_ms -1 it waits for the first event, for room where it is
   wanted, for a lost peer, or until there is something to do for lanes in memory; with 0 it only
   looks. Returns true if anything moved or a peer was lost. */
bool cm_events_poll(int timeout_ms);

#pragma GCC visibility pop
#endif
