/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h: the message engine of the native backends: matching, requests, eager and rendezvous
   protocol, progress. It implements comm.h on top of a transport (transport.h), which moves bytes.
   It is single-threaded.

   bins.c      what waits in long queues, by source and tag
   match.c     posted receives and unexpected messages
   send.c      eager and rendezvous sends, the queue to each peer
   coalesce.c  short sends that leave together
   receive.c   turns a lane's bytes into messages
   credit.c    how much each peer may send unasked
   rail.c      long messages over several lanes at once
   allocate.c  cm_allocate, cm_free
   region.c      the memory that cm_allocate gives, if ranks of this host can map it
   share.c     long messages that ranks of a host copy once
   copying.c     what this rank copies of them, a bounded amount in a look
   copy.c      whether the kernel may copy for a pair, and for which messages it should
   direct.c    collective operations that read other ranks' memory themselves
   progress.c  decides when to look, to spin and to sleep
   request.c   the waits of comm.h
   group.c     groups
   failure.c   ranks that fail while the job goes on
   liveness.c     failures that cause no event
   events.c    the event loop in which a rank sleeps
   pending.c connections that have not greeted yet
   lane.c      the list of lanes
   leftover.c  what is never received or never completed
   transport.c the transports of this build
   life.c      joining, leaving and ending the job */
#ifndef CM_ENGINE_H
#define CM_ENGINE_H

#include <stdarg.h>
#include <stdatomic.h>
#include "comm/backend.h"
#include "comm/engine/bins.h"
#include "comm/engine/events.h"
#include "comm/engine/wire.h"
#include "comm/pmi/pmi_client.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* A lane's buffer for bytes read before their headers are known: headers with their payload or its
   beginning. It holds a frame and 16 KB; up to this size copying costs less than a second read. It
   is aligned, because otherwise the kernel's copy takes twice as long. */
enum { CM_STAGE_BYTES = 16384 + CM_FRAME_BYTES, CM_STAGE_ALIGNMENT = 64 };

/* Largest number of connections with a peer in each direction, over which long messages are
   spread. */
enum { CM_RAILS_MOST = 8 };

struct cm_group {
    cm_group_base base;
    uint32_t context;
    int *world;   /* world ranks of the members; shared with the shadow */
    int reported; /* how many entries of engine.failed receives from any source have been told */
    bool watched; /* this rank is connected to each member that is alive */
};

/* A group has an even context; its shadow has the next number. */
static inline bool cm_context_collective(uint32_t context) { return context & 1; }

/* Cost of an unexpected message in addition to its payload: bookkeeping, two bins of its own in a
   long queue, and malloc's overhead. */
enum { CM_ENVELOPE_BYTES = 352 };

/* The place of a buffer in memory that a peer shares. */
typedef struct {
    struct cm_lane *lane; /* the lane that said so; NULL: there is no place */
    uint32_t number;      /* of the memory on this lane, or CM_PLACE_PROCESS */
    uint32_t tag;         /* of the claims, and their word: share.c */
    uint16_t word;
    uint64_t offset; /* in that memory; CM_PLACE_PROCESS: the address */
} cm_place;

/* The number of a place that is not in memory which the peer shares, but anywhere in its process.
   Its word is one of the lane's. */
static const uint32_t CM_PLACE_PROCESS = UINT32_MAX;

/* What of the rest of a message the sender may write into a receive's buffer. */
enum { CM_WRITTEN_NOT, CM_WRITTEN_PARTLY, CM_WRITTEN_MAY_BE };

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
    int32_t source, tag; /* receive: source and tag as posted, in the group, or CM_ANY; send:
                            destination and tag */
    int peer;            /* world rank or CM_ANY */
    cm_group *group;     /* receives only */
    char *data;
    size_t bytes;  /* send: length; receive: capacity */
    bool detached; /* rendezvous: no wait is left for it, and data is its own copy */
    cm_status status;
    uint64_t order;                     /* receive: order of posting */
    uint64_t handle;                    /* rendezvous; 0 if none */
    size_t ahead;                       /* rendezvous: payload bytes sent ahead of the answer */
    bool striped;                       /* sent over all rails or, by share.c, in parts */
    uint8_t stripes;                    /* receive: bits of the rails whose stripe has not begun */
    uint8_t parts;                      /* number of parts still to be written or read */
    _Atomic uint64_t *claims;           /* send: the word of its claims; NULL: it is not offered */
    uint64_t *words;                    /* ... the bits of the words in use there, */
    uint8_t word;                       /* its bit, */
    uint32_t claims_tag;                /* its tag */
    bool by_kernel;                     /* ... and it is at CM_PLACE_PROCESS */
    bool answered;                      /* send: the receiver has answered, */
    uint64_t theirs;                    /* ... and this is its handle */
    bool copying;                       /* this rank copies its part: copying.h */
    uint8_t written;                    /* receive: CM_WRITTEN_... */
    size_t here;                        /* receive: bytes that are copied, or that this rank, the
                                           sender or the ring is about to bring */
    double began_s;                     /* receive: when its message came; 0: it is not timed */
    int timed_peer;                     /* ... and from whom: copy.c */
    struct cm_request *previous, *next; /* in the queue of posted receives; next: free list */
    cm_bin_link bin;                    /* ... if that is long */
};

/* Posted receives, in the order of posting. */
typedef struct {
    cm_request *first, *last;
    int n;
    bool binned; /* they are also in bins: match.c */
} cm_queue;

/* A message that arrived before its receive. */
typedef struct cm_message {
    uint32_t context;
    int32_t source, tag;
    int peer; /* world rank of the sender */
    size_t bytes;
    size_t ahead;         /* payload bytes that come with the announcement; eager: all */
    char *data;           /* these payload bytes, as far as they have arrived */
    struct cm_lane *lane; /* the lane on which the rest of them arrives; NULL if complete */
    uint64_t handle;      /* rendezvous: the sender's handle; eager: 0 */
    bool striped;         /* ... and the rest will arrive over all rails */
    cm_request *send;     /* rendezvous with this rank itself */
    cm_place place;       /* rendezvous: where its data can be copied from */
    struct cm_message *previous, *next;           /* list of all, in order of arrival */
    struct cm_message *peer_previous, *peer_next; /* list for this peer */
    cm_bin_link bin;                              /* if the list of all is long */
    int passed; /* receives from any source that this message fits, as the oldest, and that took
                   another one */
} cm_message;

_Static_assert(sizeof(cm_message) + 2 * 80 + 16 <= CM_ENVELOPE_BYTES, "a message costs no more");

/* The ordered bytes from a peer in one direction, and the state of the message that is arriving. */
typedef struct cm_lane {
    cm_watch watch; /* the first member */
    const struct cm_transport *by;
    struct {
        int number;
        void *state;
    } own;    /* the transport's own */
    int peer; /* world rank; -1: a stranger, whose handshake has not arrived */
    int rail;
    bool proven;                         /* the peer has proved who it is */
    bool connecting;                     /* this rank makes it, and it is not there yet */
    bool leaves;                         /* this rank will continue on the peer's connection */
    unsigned char nonce[CM_NONCE_BYTES]; /* this rank's nonce, if it made the connection */
    double since_s;                      /* when it came into being */
    double silent_s;      /* how long its host has left data unacknowledged; see liveness.c */
    bool held;            /* not to be read yet: the peer still writes on its own connection */
    bool retired;         /* nothing is written on it any more; its end is no failure */
    bool wants_room;      /* the event loop was asked to report room to write */
    size_t begin, end;    /* range of unread bytes in stage */
    char *target;         /* destination of the rest of the current payload */
    size_t missing;       /* bytes of the payload still to come */
    size_t last_bytes;    /* length of the previous payload; the next is probably as long */
    bool last;            /* the payload completes its message */
    cm_request *request;  /* the receive that the payload is for, or */
    cm_message *message;  /* the unexpected message that it fills */
    cm_place place;       /* belongs to the next header */
    struct cm_lane *next; /* list of all lanes */
    _Alignas(CM_STAGE_ALIGNMENT) char stage[CM_STAGE_BYTES];
} cm_lane;

/* Data to be written to a peer: a header with its padding (or a handshake), then payload. */
typedef struct cm_outgoing {
    char header[CM_FRAME_BYTES];
    size_t header_bytes, header_sent;
    const char *data;
    size_t bytes, sent;
    char *owned;         /* data is this copy; freed once written */
    bool grows;          /* several messages with their headers (coalesce.c); more may be
                            appended */
    bool moves;          /* MOVED: what follows is written on the peer's connection */
    cm_request *request; /* completes when all is written; striped: when all parts are */
    struct cm_outgoing *next;
} cm_outgoing;

/* One connection with a peer. Rail 0 carries all messages; the other rails carry parts of long
   ones. */
typedef struct {
    cm_lane *tx; /* the lane on which this rank writes: the first one that existed, or, if both
                    ranks made one, the lower rank's in the end */
    cm_lane *rx; /* the lane on which the peer writes, to be read; NULL if none */
    cm_outgoing *first, *last;
    bool moving;   /* MOVED is in the queue */
    bool moved;    /* MOVED has come */
    bool accepted; /* the peer has made a connection; a second one is refused */
} cm_rail;

/* A peer whose connection broke is lost until cm_failure_settle has read what it had sent. */
typedef enum { CM_PEER_HERE, CM_PEER_LOST, CM_PEER_GONE } cm_peer_state;

typedef struct cm_peer {
    cm_rail rail[CM_RAILS_MOST];
    int detached; /* detached rendezvous that it has not answered */
    bool unsent;  /* in engine.unsent */
    cm_queue posted;
    cm_message *message_first, *message_last;
    int messages;                               /* ... their number */
    struct cm_peer *waits_before, *waits_after; /* of those with messages, by whose turn it is */
    uint8_t state;                              /* cm_peer_state */
    bool left;                                  /* it has said goodbye */
    bool recalled;  /* it was asked for unused credit and has not answered */
    size_t credit;  /* bytes that may still be sent to it eagerly */
    size_t granted; /* ... and that it may still send here; credit.c has these three */
    size_t owed;    /* credit of its messages that were taken but not yet returned to it */
    size_t held;    /* credit of its messages that are kept here */
    char *host;
    uint64_t computer; /* computer.h */
    uint64_t which;    /* cm_machine_processors: those that it may run on, */
    int processors;    /* ... and how many they are */
    uint64_t tuning;   /* tuning.h: its tables' checksum */
    long pid; /* its process id on its host, 0 if unknown; its start time in the kernel's ticks */
    unsigned long long started;
    bool in_memory;                      /* the transport to it is (transport_table.h) */
    struct cm_copy *copy;                /* copy.h; NULL: nothing is known yet */
    int stopped_looks;                   /* how many times in a row it was seen stopped */
    char *card;                          /* its addresses; cm_transport_open has written them */
    unsigned char nonce[CM_NONCE_BYTES]; /* from its card */
} cm_peer;

typedef struct {
    bool open, finalizing;
    bool coalesces; /* cm_coalesce(true) is in effect */
    bool coalesced; /* messages are held back by it */
    int rank, size;
    int rails;
    size_t stripe_above; /* longest message that is sent over one rail */
    size_t eager_most;   /* longest message that is sent eagerly */
    int striped;         /* number of receives that wait for stripes */
    int local_ranks;     /* ranks on this host */
    int ranks_here;      /* ranks on this computer, as far as cards were read, */
    int ranks_alike;     /* ... those of them that may run on the same processors as this one, */
    int ranks_as_zero;   /* ... and those on the same processors as rank 0; 0: unknown */
    bool any_in_memory, all_in_memory; /* peers that are reached through memory */
    bool oversubscribed; /* all ranks are on this computer, with fewer processors for them */
    cm_environment environment;
    double spin_s;
    bool companion_due; /* cm_companion_hold is to be called */
    bool hands_over;    /* spinning yields the core after each look: ranks take turns on it */
    cm_pmi *pmi;
    unsigned char secret[CM_SECRET_BYTES]; /* secret of the job */
    unsigned char nonce[CM_NONCE_BYTES];   /* nonce on this rank's card */
    size_t window;                         /* credit that each sender has here at the start */
    size_t pool_free;                      /* what no sender has */
    int asked_in_vain;                     /* number of requests for which there was too little */
    size_t copied_bytes;          /* payload of unsent sends that are complete for the program */
    size_t kept_bytes, kept_most; /* credit of unexpected messages: current and largest */
    char host[256];
    uint64_t computer;
    cm_peer *peer; /* by world rank */
    cm_group *world;
    uint32_t next_context;
    cm_lane *lanes;
    int n_lanes;
    int *unsent; /* peers with data to write */
    int n_unsent;
    cm_queue any;                             /* receives posted for any source */
    cm_message *message_first, *message_last; /* all unexpected messages */
    int messages;                             /* ... their number */
    bool messages_binned;
    cm_peer *waits_first, *waits_last; /* peers with messages; the first one's turn is next */
    const cm_message *probed;          /* what the last probe from any source found, */
    int32_t probed_tag;                /* ... asked for with this tag; NULL: it has been taken */
    unsigned asked;                    /* receives and probes from any source so far */
    cm_bins bins;
    uint64_t posted;      /* receives posted so far */
    cm_request **handles; /* rendezvous in progress: slot -> request */
    uint32_t *generations;
    uint32_t n_handles, free_handle_hint;
    struct cm_copying *copying; /* messages that this rank copies: copying.h */
    cm_request *free_requests;
    cm_outgoing *free_outgoing;
    bool returns; /* cm_on_failure(CM_RETURN) is in effect */
    bool goes_on; /* ... or was in effect: ranks may have failed, and say goodbye when they leave */
    int *failed;  /* world ranks in the order in which their failures were noticed */
    int n_failed;
    const char *doing;   /* name of the current operation, for error lines */
    double idle_since_s; /* start of the current period without a message; 0: not idle */
    unsigned polls, idle_looks;
    uint64_t activity, activity_seen; /* progress steps that moved something: so far, and at the
                                         last decision */
} cm_engine;

/* A linker's name that no program of a user has. */
#define engine cm_engine_state
extern cm_engine engine;

/* match.c */
/* Removes the receive that it returns. */
cm_request *cm_match_posted(uint32_t context, int32_t source, int32_t tag, int peer);
void cm_match_post(cm_request *receive);
void cm_match_repost(cm_request *receive); /* puts a matched receive back to its place */
void cm_match_unpost(cm_request *receive);
/* Returns the unexpected message that this receive or probe would get, or NULL. Those from any
   source take turns between the sources: take removes the message and ends its source's turn; after
   probe the next such receive gets this message. */
cm_message *cm_match_take(uint32_t context, int32_t source, int32_t tag, int peer);
const cm_message *cm_match_probe(uint32_t context, int32_t source, int32_t tag, int peer);
void cm_match_keep(cm_message *message);
void cm_match_drop(cm_message *message);

/* request.c */
cm_request *cm_request_take(cm_request_kind kind);
void cm_request_give(cm_request *request);
uint64_t cm_handle_take(cm_request *request);
cm_request *cm_handle_find(uint64_t handle);              /* returns NULL if there is no such
                                                             rendezvous */
void cm_handle_set(uint64_t handle, cm_request *request); /* replaces the request of a handle */
void cm_handle_give(uint64_t handle);

/* send.c */
/* Starts a send. The request may be complete already. */
cm_request *cm_send_start(cm_group *group, const void *data, size_t bytes, int dest, int tag);
void cm_send_header(int peer, int rail, const cm_wire_header *header);
void cm_send_data(cm_request *send, uint64_t receiver_handle); /* the receiver is ready */
/* Sends a part of a striped message. The request is told when it is written. */
void cm_send_part(cm_request *send, int rail, const cm_wire_header *header, const char *data,
                  size_t bytes);
bool cm_send_flush(int peer); /* writes as much as possible; returns true if anything was written */
/* Connects to the peer unless connected. Returns false if the peer is lost. */
bool cm_send_connect(int peer, int rail);
/* After all that waits in the queue, this rank continues on the connection that the peer made. */
void cm_send_move(int peer, int rail);
void cm_send_pend(int peer); /* the next progress step has work to do for this peer */
cm_outgoing *cm_send_enqueue(int peer, cm_rail *rail, const void *header, size_t header_bytes);
void cm_send_drop(int peer); /* empties the queue to a peer that has failed */
/* Handles a send within the eager limit that the peer does not take: copies what is not written
   yet, and the send is complete. Does nothing if there are too many copies already. */
void cm_send_detach(cm_request *send);
void cm_send_forget(cm_request *send); /* frees a detached send whose peer has failed */

/* coalesce.c */
/* Starts and completes a send that may be held back. Returns NULL if it may not. */
cm_request *cm_coalesce_start(cm_group *group, const void *data, size_t bytes, int dest, int tag);
void cm_coalesce_release(void); /* writes the messages held back */

/* rail.c */
/* A stripe's place in a message of the given length, of which the first `ahead` bytes were sent
   with the announcement. */
typedef struct {
    size_t offset, bytes;
} cm_stripe;
cm_stripe cm_rail_stripe(size_t bytes, size_t ahead, int rail);
/* Returns how much of such a message may be sent ahead: rail 0's whole part. */
size_t cm_rail_ahead(size_t bytes);
/* Sends the stripes once the receiver is ready. */
void cm_rail_send(cm_request *send, uint64_t receiver_handle);
void cm_rail_written(cm_request *send); /* a part of it was written or given up */
/* Returns true if a message can be announced as striped. */
bool cm_rail_possible(size_t bytes, size_t ahead);
/* The receive will get stripes, and also the payload ahead of them if that is still arriving. */
void cm_rail_expect(cm_request *receive, bool coming);
/* Returns true if the stripe that this header announces may be received, at the receive's data +
   header->offset. */
bool cm_rail_take(cm_request *receive, int rail, const cm_wire_header *header);
bool cm_rail_arrived(cm_request *receive); /* a part arrived; returns true if it was the last one */
void cm_rail_forget(cm_request *receive);  /* its stripes will not arrive */
/* Sets what depends on the number of rails. */
void cm_rail_open(int rails);
/* For lines about a connection: " (rail 1, eth1)", or "" where there is one rail. Valid until the
   next call. */
const char *cm_rail_name(int rail);

/* receive.c */
void cm_receive_start(cm_request *receive); /* takes an unexpected message or posts the receive */
/* Gives the receive this message, and frees the message. */
void cm_receive_take(cm_request *receive, cm_message *message);
/* Asks the sender of an announced message for all of it. */
void cm_receive_ask(cm_request *receive, int peer, uint64_t sender_handle);
bool cm_receive_lane(cm_lane *lane); /* reads what has arrived; returns true if there was
                                        anything */

/* In handshake.c. write makes this rank's handshake to peer. begins returns true if the first n
   bytes, fewer than a handshake has, can become one. take returns true if the lane may continue; a
   stranger's lane may not. */
void cm_handshake_write(cm_wire_handshake *handshake, int peer, int rail, cm_auth_role role,
                        const unsigned char *own_nonce, const unsigned char *peer_nonce);
bool cm_handshake_begins(const cm_lane *lane, const char *bytes, size_t n);
bool cm_handshake_take(cm_lane *lane, const cm_wire_handshake *handshake);

/* progress.c */
/* One progress step: looks for messages, and sleeps if none arrived for long and may_sleep is true.
   peer is the rank from which a message is expected, or CM_ANY. Returns true if anything moved. */
bool cm_progress_step(int peer, bool may_sleep);
void cm_progress_wait(cm_request *request); /* until the request is complete */

/* failure.c */
/* The connection to a peer broke. Ends the job or, if failures return, marks the peer for
   cm_failure_settle. Returns false if it was marked before. May be called wherever a lane is read
   or written. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool cm_failure_lose(int peer, const char *format, ...);
/* Takes what a lost peer had still sent, then ends all operations that wait for it. Must not be
   called while a lane is being read. */
void cm_failure_settle(int peer);
/* Ends an operation because a rank of its group failed. Ends the job instead if failures do not
   return or if the operation is part of a collective. */
void cm_failure_end(cm_request *request, int failed);
/* For jobs that go on: checks a receive that was just posted, whose source may have failed. */
void cm_failure_check(cm_request *receive);
/* The same for a probe that found nothing. Returns true if the probe ends because of a failure. */
bool cm_failure_probe(cm_group *group, int source, cm_status *status);

/* life.c */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn))
#endif
void cm_engine_fail(int peer, const char *format, ...);  /* peer -1: none; ends the job with status
                                                            3 */
_Noreturn void cm_engine_vfail(int peer, const char *format, va_list list);
void *cm_engine_allocate(size_t bytes, const char *what); /* never NULL */
double cm_engine_now(void);

/* In liveness.c. write and read handle the part of a card that identifies a rank's process. read
   returns false if it is malformed. */
void cm_liveness_write(char *card, size_t capacity);
bool cm_liveness_read(const char *card, cm_peer *peer);
double cm_liveness_silence_s(void); /* time after which a host that does not answer is lost */
int cm_liveness_ms(void);           /* milliseconds until the next check */
bool cm_liveness_look(void);        /* checks if it is time; returns true if a peer was lost */

/* leftover.c */
/* Prints a line on stderr if there are messages that nobody received or operations that never
   completed. */
void cm_leftover_say(void);

/* group.c */
cm_group *cm_engine_group_new(uint32_t context, int rank, int size, int *world); /* takes ownership
                                                                                    of world */

#pragma GCC visibility pop
#endif
