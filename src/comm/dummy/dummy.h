/* SPDX-License-Identifier: BSD-3-Clause */
/* dummy.h: the dummy backend: one process is rank 0, the other ranks are echo peers on a virtual
   clock.

   It exists to test measuring, statistics, model fits and verification against known answers, and
   to run any program as a job of one. It cannot test concurrency.

   CM_DUMMY="key=value,..." configures it (settings.c has the table). Without CM_DUMMY there is one
   rank and no peer, and the clock is the computer's: a serial build. With peers the clock is
   virtual: each message advances it by its cost and each call of the layer by call_us, and
   computation takes no time (compute=1 adds the real time that passes).

   Cost of a message. On an idle link, n bytes to or from peer k take

       t(n) = latency_us + n / bandwidth_MB_per_s                             n <= eager_bytes
       t(n) = rendezvous_latency_us + n / rendezvous_bandwidth_MB_per_s       above

   Both directions of a link work at the same time. Within a direction messages follow each other at
   n / bandwidth and never overtake. All links meet in rank 0's network card, which moves
   nic_MB_per_s in each direction. Above the eager limit a send completes when its last byte has
   left. Below, it completes at once unless buffer_bytes already wait on that link. jitter=J
   multiplies each message's time by a factor from the uniform distribution on [1-J, 1+J].
   Communication is reliable here, so a lost message (loss, a probability) arrives retransmit_us
   later. corrupt is the probability that a peer's answer has one bit flipped. seed starts the
   random numbers: equal settings and calls give equal times.

   CM_DELAY_NS is added to every message at its sender, without jitter. Rank 0's clock advances by
   it before the message leaves. A peer spends it before each of its messages, one after the other.
   Collectives at the times below are a library's own and are not delayed.

   Behavior of a peer. It takes turns: it receives all that rank 0 sends to it, and answers when
   rank 0 asks. Rank 0 asks when it waits for a message that the peer could send.

   1. Rank 0's sends to peer k form a turn, which ends when rank 0 asks k for the first time. The
      next send begins a new turn, and messages that were not asked for are dropped.
   2. After k has received the last message of the turn, it answers with the messages of the turn in
      their order, each once, with the same data and the same tag. A receive with a tag takes the
      first one with that tag. An answer is cut to the capacity of the receive. Thus
        ping-pong: one message, the same back;
        windows: n messages, the same n back in order;
        ping: n messages one way, then one answer: the first message, cut to the capacity.
   3. If rank 0 must block for a tag that no message of the turn has, k answers with that tag and
      fills the receive with the data of the turn's last message, then zeros.
   4. If rank 0 must block for k and has sent it nothing, k fills the receive with zeros (a probe
      finds no bytes). The answer has the requested tag (0 for any) and leaves at that moment.
   5. A receive from any source uses rules 2 and 3, in this order, and takes the peer whose answer
      is ready first. By rule 4 it takes the peers in turn. Messages of rank 0 to itself come before
      all of these.
   6. cm_test and cm_iprobe find only answers by rule 2. After cm_test has failed 1000 times on one
      receive, it also finds those by rules 3 and 4, so that polling ends.
   7. In cm_sendrecv with peers, all ranks are assumed to do the same: the received message is a
      copy of the one sent, cut to the capacity, and left when that one left. This is the exchange
      of Warschko (1998), section 6.1.
   8. A turn keeps the payload of its first 1024 messages and 16 MiB (always that of the first
      message). Later ones cost their time and are not echoed.

   Groups and collectives with peers: every peer passes the same arguments as rank 0. So a split
   gives a group of all ranks; a sum over p ranks is p times rank 0's value, and a maximum is its
   value; gathered blocks are copies of rank 0's; a broadcast leaves rank 0's data as they are; a
   peer scatters zeros. The time is ceil(log2 p) latencies, plus as many transfers (barrier, bcast,
   reduce, scan, reduce_scatter; allreduce twice as many) or p - 1 transfers (the others).
   Algorithms made of point-to-point messages work too, and take the time of their messages; in
   these the peers contribute zeros of the expected length.

   Every rank has its own host name. */
#ifndef CM_DUMMY_H
#define CM_DUMMY_H

#include "comm/backend.h"

/* ---- settings.c ------------------------------------------------------------------------------ */

typedef struct {
    double ranks, latency_us, bandwidth_MB_per_s, eager_bytes, rendezvous_latency_us,
        rendezvous_bandwidth_MB_per_s, nic_MB_per_s, buffer_bytes, jitter, loss, retransmit_us,
        corrupt, seed, call_us, compute;
    double delay_s; /* CM_DELAY_NS, which is no key of CM_DUMMY */
} cm_dummy_settings;

/* Parses text (NULL: nothing set); eager_bytes is the default of that key. Sets delay_s to 0.
   Returns 0, or prints one line and returns CM_EXIT_USAGE. */
int cm_dummy_settings_parse(const char *text, size_t eager_bytes, cm_dummy_settings *settings);
void cm_dummy_settings_describe(const cm_dummy_settings *settings,
                                void (*each)(const char *, const char *, void *), void *context);

/* ---- network.c ------------------------------------------------------------------------------- */

/* Opens links to all peers. Returns false if out of memory. */
bool cm_dummy_network_open(const cm_dummy_settings *settings);
void cm_dummy_network_close(void);

double cm_dummy_now_s(void);
void cm_dummy_advance_to(double time_s); /* does nothing if that time has passed */
void cm_dummy_tick(void);                /* adds the cost of one call */
void cm_dummy_delay(void);               /* CM_DELAY_NS, for a message of rank 0 */
bool cm_dummy_chance(double probability);
uint64_t cm_dummy_random(void);

typedef enum { CM_DUMMY_OUT, CM_DUMMY_IN } cm_dummy_direction;
typedef struct {
    double sent_s, arrived_s;
} cm_dummy_journey; /* times at which the buffer is free and the message has arrived */

/* Occupies the link to peer for a message that is ready at start_s. */
cm_dummy_journey cm_dummy_travel(cm_dummy_direction direction, int peer, size_t bytes,
                                 double start_s);

/* Returns when a message leaves that the peer begins to send at start_s: after CM_DELAY_NS, which
   its messages spend one after the other. */
double cm_dummy_peer_leaves_s(int peer, double start_s);

/* Returns the time of one message on an idle link, without jitter or loss. */
double cm_dummy_latency_s(size_t bytes);
double cm_dummy_transfer_s(size_t bytes);

extern const cm_dummy_settings *cm_dummy; /* in effect from cm_init on */

/* ---- groups, messages, requests -------------------------------------------------------------- */

typedef struct cm_dummy_message {
    struct cm_dummy_message *next;
    int source, tag;
    size_t bytes, capacity;    /* capacity: of the payload */
    double time_s;             /* time of arrival */
    cm_request *sender;        /* the send, if this is a message to rank 0 itself above the eager
                                  limit; otherwise NULL */
    const unsigned char *data; /* payload, after this structure or in the sender's buffer */
    unsigned char payload[];
} cm_dummy_message;

typedef struct {
    cm_dummy_message *first, **end;
} cm_dummy_queue;

/* The messages that a peer has received in the current turn. */
typedef struct {
    cm_dummy_queue heard;
    size_t messages, bytes; /* messages and bytes kept, including answered ones */
    double ready_s;         /* arrival of the last message */
    bool asked;             /* rank 0 has asked for an answer; its next send begins a new turn */
} cm_dummy_turn;

struct cm_group {
    cm_group_base base;
    cm_dummy_queue incoming;          /* messages not matched by a receive */
    cm_request *posted, **posted_end; /* receives not matched by a message, oldest first */
    cm_dummy_turn *turn;              /* one for each rank */
    int next_peer;                    /* where rule 5 goes on */
};

typedef enum { CM_DUMMY_SEND, CM_DUMMY_RECEIVE, CM_DUMMY_COLLECTIVE } cm_dummy_kind;

struct cm_request {
    cm_request_base base;
    cm_dummy_kind kind;
    bool done; /* matched; complete once the clock reaches time_s */
    double time_s;
    cm_status status;
    cm_group *group;
    unsigned char *buffer; /* receives */
    size_t capacity;
    int source, tag;
    unsigned polls;                     /* rule 6 */
    cm_request *next;                   /* in group->posted */
    cm_request *live_next, **live_link; /* in the list of all requests */
};

void cm_dummy_queue_open(cm_dummy_queue *queue);
void cm_dummy_queue_add(cm_dummy_queue *queue, cm_dummy_message *message);
void cm_dummy_queue_clear(cm_dummy_queue *queue);

/* Returns a message with room for `bytes` after it. Ends the job if out of memory. */
cm_dummy_message *cm_dummy_message_new(int source, int tag, size_t bytes);
void cm_dummy_message_free(cm_dummy_message *message);
void cm_dummy_spare_close(void); /* frees what was kept for the next messages */

/* Returns the first message in queue from source with tag (either may be CM_ANY), or NULL. With
   take it is removed from the queue. */
cm_dummy_message *cm_dummy_queue_find(cm_dummy_queue *queue, int source, int tag, bool take);

/* ---- peer.c ---------------------------------------------------------------------------------- */

/* Gives the peer a message from rank 0 that arrives at arrival_s. */
void cm_dummy_peer_hear(cm_group *group, int peer, const void *data, size_t bytes, int tag,
                        double arrival_s);

/* Asks for a message from source (a peer or CM_ANY) with tag (or CM_ANY) of at most capacity bytes;
   a probe asks for any length. With force, rules 3 and 4 apply too, which always succeed. Returns
   NULL if there is no message. */
cm_dummy_message *cm_dummy_peer_ask(cm_group *group, int source, int tag, size_t capacity,
                                    bool probe, bool force);

/* Returns a peer's message of `bytes` that leaves at start_s. If data is shorter, the rest is
   zero. */
cm_dummy_message *cm_dummy_peer_send(int peer, int tag, size_t bytes, const void *data,
                                     size_t data_bytes, double start_s);

/* ---- request.c ------------------------------------------------------------------------------- */

cm_request *cm_dummy_request_new(cm_dummy_kind kind, cm_group *group);

/* Matches request with a message and consumes the message. Ends the job if it does not fit. */
void cm_dummy_request_match(cm_request *request, cm_dummy_message *message);

/* Tries to match a posted receive, after those posted before it. force is as in
   cm_dummy_peer_ask. */
void cm_dummy_request_resolve(cm_request *request, bool force);

#endif
