/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h: the message engine of the native backends: matching, requests, eager and rendezvous
   protocol, progress. Below it a transport (transport.h) moves bytes; above it stands comm.h. One
   thread.

   match.c     posted receives and unexpected messages
   send.c      eager and rendezvous, the queue to each peer
   coalesce.c  short sends that leave together
   receive.c   from a lane's bytes to messages
   rail.c      long messages over several lanes at once
   progress.c  when to look, when to spin, when to sleep
   request.c   comm.h's waits
   group.c     groups
   failure.c   ranks that fail while the job goes on
   vigil.c     failures that no event tells of
   lane.c      the list of lanes
   life.c      start, end, ending the job */
#ifndef CM_ENGINE_H
#define CM_ENGINE_H

#include <stdarg.h>
#include "comm/backend.h"
#include "comm/engine/wire.h"
#include "comm/pmi/pmi_client.h"

/* Bytes read ahead of what is known about them: headers with their payload or its beginning. A
   frame and 16 KB: up to there copying costs less than a second read. Aligned, or the kernel's copy
   takes twice as long. */
enum { CM_STAGE_BYTES = 16384 + CM_FRAME_BYTES, CM_STAGE_ALIGNMENT = 64 };

/* The connections with a peer, for either direction, over which long messages are spread. */
enum { CM_RAILS_MOST = 8 };

struct cm_group {
    cm_group_base base;
    uint32_t context;
    int *world;   /* world ranks of the members; shared with the shadow */
    int reported; /* of engine.failed, so many were told to receives from any source */
    bool watched; /* this rank has a connection to each member that is here */
};

/* A group's context is even, its shadow's the next number. */
static inline bool cm_context_collective(uint32_t context) { return context & 1; }

/* What an unexpected message costs beside its payload: bookkeeping, and memory's own. */
enum { CM_ENVELOPE_BYTES = 192 };

typedef enum {
    CM_REQUEST_SCHEDULE,
    CM_REQUEST_EAGER,
    CM_REQUEST_RENDEZVOUS,
    CM_REQUEST_RECEIVE
} cm_request_kind;

struct cm_request {
    cm_request_base base;
    uint8_t kind; /* cm_request_kind */
    bool complete;
    bool matched; /* receive: a message is assigned to it */
    uint32_t context;
    int32_t source, tag; /* receive: as posted, in the group; CM_ANY. Send: its destination,
                                tag */
    int peer;            /* world rank; CM_ANY */
    cm_group *group;     /* receive */
    char *data;
    size_t bytes;  /* send: length; receive: capacity */
    bool detached; /* rendezvous: nobody waits for it, data is a copy of its own */
    cm_status status;
    uint64_t order;  /* receive: order of posting */
    uint64_t handle; /* rendezvous; 0: none */
    size_t ahead;    /* rendezvous: payload that went ahead of the answer */
    bool striped;    /* over all rails */
    uint8_t stripes; /* receive: the rails whose stripe has not begun */
    uint8_t parts;   /* striped: so many are under way: to be written, or to be read */
    struct cm_request *previous, *next; /* in the queue of posted receives; next: free list */
};

/* A message that came before its receive. */
typedef struct cm_message {
    uint32_t context;
    int32_t source, tag;
    int peer; /* world rank of the sender */
    size_t bytes;
    size_t ahead;         /* payload that came with the announcement; eager: all */
    char *data;           /* that payload, as far as it has come */
    struct cm_lane *lane; /* where the rest of it still comes from; NULL: it is there */
    uint64_t handle;      /* rendezvous: the sender's; eager: 0 */
    bool striped;         /* ... and its rest will come over all rails */
    cm_request *send;     /* rendezvous with oneself */
    struct cm_message *previous, *next;           /* all, in order of arrival */
    struct cm_message *peer_previous, *peer_next; /* of this peer */
} cm_message;

/* One direction's ordered bytes from a peer, with what is known of the message that is arriving. */
typedef struct cm_lane {
    int fd;
    int peer; /* world rank; -1: a stranger, its greeting has not come */
    int rail;
    bool proven;                         /* the peer has proved who it is */
    unsigned char nonce[CM_NONCE_BYTES]; /* ours, when this rank made the connection */
    double since_s;                      /* a stranger: when it came */
    double silent_s;      /* so long its host has left something unanswered; see vigil.c */
    bool wants_room;      /* the transport was asked to say when there is room to write */
    size_t begin, end;    /* unread bytes in stage */
    char *target;         /* where the rest of the current payload goes */
    size_t missing;       /* bytes of it */
    size_t last_bytes;    /* length of the payload before: the next is likely to be as long */
    bool last;            /* it completes its message */
    cm_request *request;  /* the receive that it is for, or */
    cm_message *message;  /* the unexpected message it fills */
    struct cm_lane *next; /* all lanes */
    _Alignas(CM_STAGE_ALIGNMENT) char stage[CM_STAGE_BYTES];
} cm_lane;

/* What is to be written to a peer: header with its padding (or greeting), then payload. */
typedef struct cm_outgoing {
    char header[CM_FRAME_BYTES];
    size_t header_bytes, header_sent;
    const char *data;
    size_t bytes, sent;
    char *owned;         /* data is this copy, freed when it is written */
    bool grows;          /* messages with their headers (coalesce.c); others may join */
    cm_request *request; /* complete when all is written; striped: when all parts are */
    struct cm_outgoing *next;
} cm_outgoing;

/* One connection with a peer. Rail 0 carries all messages; the others, parts of long ones. */
typedef struct {
    cm_lane *tx; /* the lane that this rank writes on; the first one there was */
    cm_lane *rx; /* the lane that the peer writes on: where to look; NULL: there is
                                none */
    cm_outgoing *first, *last;
    bool accepted; /* the peer has made a connection: another one is refused */
} cm_rail;

/* A peer whose connection broke is lost until cm_failure_settle has heard it out. */
typedef enum { CM_PEER_HERE, CM_PEER_LOST, CM_PEER_GONE } cm_peer_state;

typedef struct {
    cm_rail rail[CM_RAILS_MOST];
    int detached; /* rendezvous that nobody waits for and that it has not answered */
    bool pending; /* is in engine.pending */
    cm_request *posted_first, *posted_last;
    cm_message *message_first, *message_last;
    uint8_t state; /* cm_peer_state */
    bool left;     /* it said goodbye */
    size_t credit; /* what may still be sent to it eagerly */
    size_t owed;   /* credit of its messages that were taken and not yet reported */
    size_t held;   /* credit of its messages that are kept here */
    char *host;
    long pid; /* its process on its host, 0: unknown; and in the kernel's time */
    unsigned long long started;
    int stopped_looks;                   /* so often in a row it was seen stopped */
    char *card;                          /* the transport's addresses of it, one for each rail */
    unsigned char nonce[CM_NONCE_BYTES]; /* from its card */
} cm_peer;

typedef struct {
    bool open, finalizing;
    bool coalesces; /* cm_coalesce(true) is in force */
    bool coalesced; /* something waits because of it */
    int rank, size;
    int rails;
    size_t stripe_above; /* the longest message that is sent over one rail */
    size_t eager_most;   /* the longest one that is sent eagerly */
    int striped;         /* receives whose stripes are awaited */
    int local_ranks;     /* ranks on this host */
    bool crowded;        /* all ranks are on it, and more than its cores */
    cm_environment environment;
    double spin_s;
    cm_pmi *pmi;
    unsigned char secret[CM_SECRET_BYTES]; /* of the job */
    unsigned char nonce[CM_NONCE_BYTES];   /* of this rank's card */
    size_t window;                         /* credit that each sender starts with here */
    size_t copied_bytes;          /* payload of sends that their program takes for complete */
    size_t kept_bytes, kept_most; /* credit of unexpected messages: now, at most */
    char host[256];
    cm_peer *peer; /* by world rank */
    cm_group *world;
    uint32_t next_context;
    cm_lane *lanes;
    int n_lanes;
    int *pending; /* peers with something to write */
    int n_pending;
    cm_request *any_first, *any_last;         /* receives posted for any source */
    cm_message *message_first, *message_last; /* all unexpected messages */
    uint64_t posted;                          /* receives posted so far */
    cm_request **handles;                     /* rendezvous under way: slot -> request */
    uint32_t *generations;
    uint32_t n_handles, free_handle_hint;
    cm_request *free_requests;
    cm_outgoing *free_outgoing;
    bool returns; /* cm_on_failure(CM_RETURN) is in force */
    bool goes_on; /* ... or was: ranks may have failed, and leave by saying goodbye */
    int *failed;  /* world ranks, in the order in which they were noticed */
    int n_failed;
    const char *doing;   /* the operation under way, for failure lines */
    double idle_since_s; /* start of the present stretch without a message; 0: not idle */
    unsigned polls, idle_looks;
    uint64_t activity, activity_seen; /* looks that moved something; as of the last
                                                  decision */
} cm_engine;

extern cm_engine engine;

/* match.c */
/* and removes it */
cm_request *cm_match_posted(uint32_t context, int32_t source, int32_t tag, int peer);
void cm_match_post(cm_request *receive);
void cm_match_repost(cm_request *receive); /* a matched one, to where it was */
void cm_match_unpost(cm_request *receive);
/* The first unexpected message that this receive or probe would get; NULL. */
cm_message *cm_match_unexpected(uint32_t context, int32_t source, int32_t tag, int peer);
void cm_match_keep(cm_message *message);
void cm_match_drop(cm_message *message);

/* request.c */
cm_request *cm_request_take(cm_request_kind kind);
void cm_request_give(cm_request *request);
uint64_t cm_handle_take(cm_request *request);
cm_request *cm_handle_find(uint64_t handle);              /* NULL: no such rendezvous */
void cm_handle_set(uint64_t handle, cm_request *request); /* another one takes its place */
void cm_handle_give(uint64_t handle);

/* send.c */
/* Starts a send; the request may be complete already. */
cm_request *cm_send_start(cm_group *group, const void *data, size_t bytes, int dest, int tag);
void cm_send_header(int peer, int rail, const cm_wire_header *header);
void cm_send_data(cm_request *send, uint64_t receiver_handle); /* the receiver is ready */
/* A part of a striped send; its request is told of its end. */
void cm_send_part(cm_request *send, int rail, const cm_wire_header *header, const char *data,
                  size_t bytes);
bool cm_send_flush(int peer); /* writes what can be written; whether anything was */
/* makes a lane to it unless there is one; false: it is lost */
bool cm_send_connect(int peer, int rail);
void cm_send_pend(int peer); /* something is to be done for it at the next look */
cm_outgoing *cm_send_enqueue(int peer, cm_rail *rail, const void *header, size_t header_bytes);
void cm_send_drop(int peer); /* empties the queue to a peer that has failed */
/* A send within the eager limit that the peer does not take: completes it by a copy of what is not
   written yet, unless there are too many copies already. */
void cm_send_detach(cm_request *send);
void cm_send_forget(cm_request *send); /* frees a detached one, whose peer has failed */

/* coalesce.c */
/* Starts, and completes, a send that may wait for others; NULL: it may not. */
cm_request *cm_coalesce_start(cm_group *group, const void *data, size_t bytes, int dest, int tag);
void cm_coalesce_release(void); /* writes what waits */

/* rail.c */
/* A stripe's place in a message of so many bytes, of which the first `ahead` went with the
   announcement. */
typedef struct {
    size_t offset, bytes;
} cm_stripe;
cm_stripe cm_rail_stripe(size_t bytes, size_t ahead, int rail);
/* What of such a message may go ahead: rail 0's whole part. */
size_t cm_rail_ahead(size_t bytes);
/* Sends the stripes: the receiver is ready. */
void cm_rail_send(cm_request *send, uint64_t receiver_handle);
void cm_rail_written(cm_request *send); /* a part of it, or given up */
/* Whether a message can be announced as striped. */
bool cm_rail_possible(size_t bytes, size_t ahead);
/* The receive will get stripes, and the payload ahead of them if that is still coming. */
void cm_rail_expect(cm_request *receive, bool coming);
/* The stripe that this header announces may come, to the receive's data + header->offset; false: it
   may not. */
bool cm_rail_take(cm_request *receive, int rail, const cm_wire_header *header);
bool cm_rail_arrived(cm_request *receive); /* a part of it; whether it is the last one */
void cm_rail_forget(cm_request *receive);  /* its stripes will not come */
/* Sets what depends on the number of rails. */
void cm_rail_open(int rails);
/* For lines about a connection: " (rail 1, eth1)", or "" where there is one rail. Valid until the
   next call. */
const char *cm_rail_name(int rail);

/* receive.c */
void cm_receive_start(cm_request *receive); /* takes an unexpected message or posts */
/* gives it this message, frees that */
void cm_receive_take(cm_request *receive, cm_message *message);
bool cm_receive_lane(cm_lane *lane); /* reads what is there; whether anything was */

/* greeting.c. write: this rank's, to peer. begins: whether the first n bytes, fewer than a greeting
   has, can become one. take: whether the lane may go on; a stranger's may not. */
void cm_greeting_write(cm_wire_greeting *greeting, int peer, int rail, cm_auth_role role,
                       const unsigned char *own_nonce, const unsigned char *peer_nonce);
bool cm_greeting_begins(const cm_lane *lane, const char *bytes, size_t n);
bool cm_greeting_take(cm_lane *lane, const cm_wire_greeting *greeting);

/* progress.c */
/* One look for messages; sleeps when nothing came for long and may_sleep. peer: where one is
   expected, or CM_ANY. Returns whether anything moved. */
bool cm_progress_step(int peer, bool may_sleep);
void cm_progress_wait(cm_request *request); /* until complete */

/* failure.c */
/* The connection to a peer broke: ends the job, or, where failures return, marks it for
   cm_failure_settle; false: it was marked before. May be called wherever a lane is read or
   written. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool cm_failure_lose(int peer, const char *format, ...);
/* Takes what a lost peer had still sent, then ends all that waits for it. Not while a lane is
   read. */
void cm_failure_settle(int peer);
/* Ends an operation by the failure of a rank of its group; the job, where failures do not return or
   the operation belongs to a collective one. */
void cm_failure_end(cm_request *request, int failed);
/* Where the job goes on: a receive just posted, whose source may have failed. */
void cm_failure_check(cm_request *receive);
/* The same for a probe that found nothing: whether it ends by a failure. */
bool cm_failure_probe(cm_group *group, int source, cm_status *status);

/* life.c */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn))
#endif
void cm_engine_fail(int peer, const char *format, ...);  /* peer -1: none; ends the job, status 3 */
_Noreturn void cm_engine_vfail(int peer, const char *format, va_list list);
void *cm_engine_allocate(size_t bytes, const char *what); /* never NULL */
double cm_engine_now(void);

/* vigil.c. write, read: the part of a card that says which process a rank is; false: it makes no
   sense. */
void cm_vigil_write(char *card, size_t capacity);
bool cm_vigil_read(const char *card, cm_peer *peer);
int cm_vigil_ms(void);    /* until the next look is due */
bool cm_vigil_look(void); /* looks, when it is due; whether a peer was lost */

/* group.c */
cm_group *cm_engine_group_new(uint32_t context, int rank, int size, int *world); /* takes world */

#endif
