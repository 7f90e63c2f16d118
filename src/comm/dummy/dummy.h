/* SPDX-License-Identifier: BSD-3-Clause */
/* dummy.h: the dummy backend: one process is rank 0, the other ranks are echo peers on a virtual
   clock.

   It exists to test measuring, statistics, model fits and verification against known answers, and
   to run any program as a job of one. It says nothing about concurrency.

   CM_DUMMY="key=value,..." sets it up (settings.c has the table). Without CM_DUMMY there is one
   rank, no peer, and the clock is the computer's: a serial build. With peers the clock is virtual:
   it moves by what messages cost and by call_us for each call of the layer, and computing takes no
   time (compute=1 adds the real time that passes).

   What a message costs. n bytes to or from peer k take, on an idle link,

       t(n) = latency_us + n / bandwidth_MB_per_s                             n <= eager_bytes
       t(n) = rendezvous_latency_us + n / rendezvous_bandwidth_MB_per_s       above

   Both directions of each link work at the same time; within one, messages follow each other, n /
   bandwidth apart, and never overtake. All links meet in rank 0's network card, which moves
   nic_MB_per_s each way. Above the eager limit a send completes when its last byte has left; below,
   at once, unless buffer_bytes already wait on that link. jitter=J multiplies each message's time
   by a factor drawn evenly from [1-J, 1+J]. Communication here is reliable, so a lost message
   (loss, a probability) arrives retransmit_us later. corrupt is the probability that a peer's
   answer has one bit flipped. seed starts the random numbers: equal settings and calls give equal
   times.

   How a peer behaves: it takes turns. It listens to whatever rank 0 sends it, and answers when rank
   0 asks, which is when rank 0 waits for a message that the peer could send.

   1. Rank 0's sends to peer k form a turn, which ends when rank 0 asks k for the first time. The
      first send after that begins a new turn, and what was not asked for is forgotten.
   2. k answers after it has received the last message of the turn, with the messages of the turn in
      their order, each once: same data, same tag. A receive with a tag takes the first one with
      that tag. An answer is cut to the capacity of the receive. So
        ping-pong: one message, the same back;
        windows: n messages, the same n back in order;
        ping: n messages one way, then one answer, which is the first cut to the capacity asked for.
   3. If rank 0 must block for a tag that no message of the turn carries, k answers with that tag
      and as many bytes as the receive has room for: the data of the turn's last message, then
      zeros.
   4. If rank 0 must block for k and has sent it nothing, k sends zeros, as many as the receive has
      room for (a probe: none), with the tag asked for (0 for any), leaving at that moment.
   5. A receive from any source takes, by rules 2 and 3 in this order, the peer whose answer is
      ready first; by rule 4 the peers in turn. Messages of rank 0 to itself come before all of
      these.
   6. cm_test and cm_iprobe bring only answers by rule 2; cm_test those of rules 3 and 4 after it
      has failed 1000 times on one receive, so that polling ends.
   7. In cm_sendrecv with peers all ranks are taken to do the same: what comes in is a copy of what
      goes out, cut to the capacity, and left when ours left: the exchange of Warschko (1998),
      section 6.1.
   8. A turn keeps the payload of its first 1024 messages and 16 MiB (always of the first); later
      ones cost their time and are not echoed.

   Groups and collectives, with peers: every peer passes the arguments that rank 0 passes. So a
   split gives a group of all ranks; a sum over p ranks is p times rank 0's value, a maximum its
   value; gathered blocks are copies of rank 0's; a broadcast leaves rank 0's data as they are; what
   a peer scatters from is zeros. Times: ceil(log2 p) latencies for all, plus that many transfers
   (barrier, bcast, reduce, scan; allreduce twice), or p - 1 transfers (the others). Algorithms over
   point-to-point messages run too, at the times the messages take; there the peers contribute
   zeros, as many as expected.

   Every rank has its own host name. */
#ifndef CM_DUMMY_H
#define CM_DUMMY_H

#include "comm/backend.h"

/* ---- settings.c ------------------------------------------------------------------------------ */

typedef struct {
    double ranks, latency_us, bandwidth_MB_per_s, eager_bytes, rendezvous_latency_us,
        rendezvous_bandwidth_MB_per_s, nic_MB_per_s, buffer_bytes, jitter, loss, retransmit_us,
        corrupt, seed, call_us, compute;
} cm_dummy_settings;

/* Parses text (NULL: nothing set); eager_bytes is the default of that key. Returns 0, or prints one
   line and returns CM_EXIT_USAGE. */
int cm_dummy_settings_parse(const char *text, size_t eager_bytes, cm_dummy_settings *settings);
void cm_dummy_settings_describe(const cm_dummy_settings *settings,
                                void (*each)(const char *, const char *, void *), void *context);

/* ---- network.c ------------------------------------------------------------------------------- */

/* Opens links to all peers; false: out of memory. */
bool cm_dummy_network_open(const cm_dummy_settings *settings);
void cm_dummy_network_close(void);

double cm_dummy_now_s(void);
void cm_dummy_advance_to(double time_s); /* nothing happens when that time is past */
void cm_dummy_tick(void);                /* the cost of one call */
bool cm_dummy_chance(double probability);
uint64_t cm_dummy_random(void);

typedef enum { CM_DUMMY_OUT, CM_DUMMY_IN } cm_dummy_direction;
typedef struct {
    double sent_s, arrived_s;
} cm_dummy_journey; /* buffer free, message there */

/* Takes the link to peer for a message that is ready at start_s. */
cm_dummy_journey cm_dummy_travel(cm_dummy_direction direction, int peer, size_t bytes,
                                 double start_s);

/* What one message costs on an idle link, without jitter or loss. */
double cm_dummy_latency_s(size_t bytes);
double cm_dummy_transfer_s(size_t bytes);

extern const cm_dummy_settings *cm_dummy; /* in force from cm_init on */

/* ---- groups, messages, requests -------------------------------------------------------------- */

typedef struct cm_dummy_message {
    struct cm_dummy_message *next;
    int source, tag;
    size_t bytes;
    double time_s;             /* of arrival */
    cm_request *sender;        /* a message to oneself above the eager limit: its send, else NULL */
    const unsigned char *data; /* payload, behind this structure or the sender's buffer */
    unsigned char payload[];
} cm_dummy_message;

typedef struct {
    cm_dummy_message *first, **end;
} cm_dummy_queue;

/* What a peer has heard in the present turn. */
typedef struct {
    cm_dummy_queue heard;
    size_t messages, bytes; /* kept, answered ones included */
    double ready_s;         /* arrival of the last */
    bool asked;             /* rank 0 has asked: the next send begins a turn */
} cm_dummy_turn;

struct cm_group {
    cm_group_base base;
    cm_dummy_queue incoming;          /* messages that no receive has matched */
    cm_request *posted, **posted_end; /* receives that no message has matched, oldest first */
    cm_dummy_turn *turn;              /* one a rank */
    int next_peer;                    /* rule 5 */
};

typedef enum { CM_DUMMY_SEND, CM_DUMMY_RECEIVE, CM_DUMMY_COLLECTIVE } cm_dummy_kind;

struct cm_request {
    cm_request_base base;
    cm_dummy_kind kind;
    bool done; /* matched; complete when the clock reaches time_s */
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

/* A message with room for bytes behind it; ends the job when there is no memory. */
cm_dummy_message *cm_dummy_message_new(int source, int tag, size_t bytes);
void cm_dummy_message_free(cm_dummy_message *message);

/* First in queue from source with tag (either may be CM_ANY); taken out when take is set. NULL:
   none. */
cm_dummy_message *cm_dummy_queue_find(cm_dummy_queue *queue, int source, int tag, bool take);

/* ---- peer.c ---------------------------------------------------------------------------------- */

/* Peer hears a message from rank 0 that arrives at arrival_s. */
void cm_dummy_peer_hear(cm_group *group, int peer, const void *data, size_t bytes, int tag,
                        double arrival_s);

/* Asks for a message from source (a peer or CM_ANY) with tag (or CM_ANY), at most capacity bytes;
   probe: of any length. force: by rules 3 and 4 too, which never fails. NULL: none. */
cm_dummy_message *cm_dummy_peer_ask(cm_group *group, int source, int tag, size_t capacity,
                                    bool probe, bool force);

/* A peer's message with bytes of data (short: the rest zeros) that leaves at start_s. */
cm_dummy_message *cm_dummy_peer_send(int peer, int tag, size_t bytes, const void *data,
                                     size_t data_bytes, double start_s);

/* ---- request.c ------------------------------------------------------------------------------- */

cm_request *cm_dummy_request_new(cm_dummy_kind kind, cm_group *group);

/* Matches request with a message and consumes the message; ends the job when it does not fit. */
void cm_dummy_request_match(cm_request *request, cm_dummy_message *message);

/* Tries to match a posted receive, after those posted before it; force: as in cm_dummy_peer_ask. */
void cm_dummy_request_resolve(cm_request *request, bool force);

#endif
