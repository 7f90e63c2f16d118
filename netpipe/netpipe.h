/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.h: messages between pairs of ranks, verified and timed: what the programs of this folder
   share. Rank 0 leads: it says what comes next and collects what was measured. */
#ifndef NETPIPE_H
#define NETPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
#include "measure/samples.h"

enum { NETPIPE_LEADER = 0, NETPIPE_FOLLOWER = 1, NETPIPE_RANKS = 2 };
enum { NETPIPE_TAG_CONTROL = 1, NETPIPE_TAG_DATA = 2 };
enum { NETPIPE_LINE_BYTES = 64 }; /* alignment of buffers, and of the slots of a cold pool */

/* ---- netpipe_sizes.c ------------------------------------------------------------------------ */

/* Message sizes in bytes, ascending, each once, lower <= size <= upper (1 <= lower <= upper):
   from lower in half doublings (1, 2, 3, 4, 6, 8, 12, 16, ...), and beside each of them size -
   perturbation and size + perturbation once the steps are wide enough to keep neighbours apart.
   The caller frees *sizes. Returns their number, 0 when out of memory. */
size_t netpipe_sizes(int64_t lower, int64_t upper, int64_t perturbation, int64_t **sizes);

/* ---- netpipe_pattern.c ---------------------------------------------------------------------- */

/* What arrived wrong. first_* describe the first byte that was wrong, in the order it was seen. */
typedef struct {
    uint64_t wrong_bytes;
    uint64_t first_bytes;        /* size of that message */
    uint64_t first_offset;       /* in the message; >= first_bytes: memory behind the message */
    uint64_t first_sequence;     /* number of that message */
    unsigned char expected, got; /* the same: the message's length was wrong, first_offset */
    int32_t rank;                /* that saw it */
} netpipe_damage;

/* Fills a message: every byte depends on the message's size, the byte's offset and the sequence
   number. */
void netpipe_pattern_fill(unsigned char *data, size_t bytes, uint64_t sequence);

/* Fills with what differs from that message in every byte, so that a byte that never arrived is
   seen; and marks guard_bytes behind it. */
void netpipe_pattern_poison(unsigned char *data, size_t bytes, uint64_t sequence,
                            size_t guard_bytes);

/* Compares every byte with what fill() would have written, and guard_bytes behind the message
   with the marks of poison(). Adds to damage. */
void netpipe_pattern_check(const unsigned char *data, size_t bytes, uint64_t sequence,
                           size_t guard_bytes, netpipe_damage *damage);

/* Adds what another rank, or another message, has seen; whose first wrong byte came first stays. */
void netpipe_damage_add(netpipe_damage *damage, const netpipe_damage *other);

/* ---- netpipe_buffers.c ---------------------------------------------------------------------- */

typedef enum { NETPIPE_REUSED, NETPIPE_ALTERNATING, NETPIPE_COLD, NETPIPE_ONE } netpipe_policy;
extern const char *const netpipe_policies[]; /* their names, NULL at the end */

/* How buffers are to lie. */
typedef struct {
    netpipe_policy policy;
    size_t upper_bytes;                 /* longest message */
    size_t send_offset, receive_offset; /* of messages, from the beginning of a cache line */
    int receives; /* 1; 2: the next receive is posted while one is under way */
} netpipe_layout;

/* Where messages lie. send and receive are what the next message uses, upcoming (receives == 2)
   is for the receive after that; netpipe_buffers_turn is called after every message and moves
   them as the policy wants it. */
typedef struct {
    unsigned char *send, *receive, *upcoming;
    unsigned char *memory; /* what was allocated; the pool */
    size_t memory_bytes;
    netpipe_layout layout;
    size_t guard_bytes;                   /* behind every message, not used by the next */
    size_t slot_bytes, slots, step, slot; /* cold: the walk through the pool */
} netpipe_buffers;

/* Bytes that the buffers of one rank take. */
size_t netpipe_buffers_bytes(const netpipe_layout *layout);

/* Allocates and touches them. False: out of memory. */
bool netpipe_buffers_open(netpipe_buffers *buffers, const netpipe_layout *layout);
void netpipe_buffers_close(netpipe_buffers *buffers);

/* Lays out slots for messages of this size, at most layout.upper_bytes. */
void netpipe_buffers_size(netpipe_buffers *buffers, size_t message_bytes);

static inline unsigned char *netpipe_buffers_slot(netpipe_buffers *buffers, size_t offset)
{
    buffers->slot += buffers->step;
    if (buffers->slot >= buffers->slots) buffers->slot -= buffers->slots;
    return buffers->memory + buffers->slot * buffers->slot_bytes + offset;
}

static inline void netpipe_buffers_turn(netpipe_buffers *buffers)
{
    unsigned char *sent = buffers->send, *received = buffers->receive;
    switch (buffers->layout.policy) {
    case NETPIPE_ONE:
    case NETPIPE_REUSED:
        if (!buffers->upcoming) return;
        buffers->receive = buffers->upcoming;
        buffers->upcoming = received;
        return;
    case NETPIPE_ALTERNATING:
        buffers->receive = buffers->upcoming ? buffers->upcoming : sent;
        if (buffers->upcoming) buffers->upcoming = sent;
        buffers->send = received;
        return;
    case NETPIPE_COLD:
        buffers->send = netpipe_buffers_slot(buffers, buffers->layout.send_offset);
        received = netpipe_buffers_slot(buffers, buffers->layout.receive_offset);
        buffers->receive = buffers->upcoming ? buffers->upcoming : received;
        if (buffers->upcoming) buffers->upcoming = received;
        return;
    }
}

/* ---- netpipe_compute.c ---------------------------------------------------------------------- */

/* Computing that needs no memory: so many units, each of some tenth of a microsecond. progress:
   calls cm_progress some ten microseconds apart. */
typedef struct {
    int64_t units;
    bool progress;
    double result;
    double spent_s; /* leader, after NETPIPE_COMPUTE: the time that took at the slower end */
} netpipe_load;
void netpipe_compute(netpipe_load *load);

/* ---- Modes ---------------------------------------------------------------------------------- */

typedef struct netpipe_conduct netpipe_conduct;
typedef struct netpipe_pairs netpipe_pairs;

/* One rank's end of a pair. */
typedef struct {
    cm_group *group;
    int peer;
    netpipe_buffers buffers;
    bool verifying;        /* the untimed verification: receive buffers are poisoned first */
    uint64_t sequence;     /* of the next iteration's message */
    netpipe_damage damage; /* seen by this rank */
    cm_request *posted;    /* the receive of the next message, when it is posted early */
    double *turn_s;        /* modes that time each turn: room for every iteration's time */
    netpipe_load load;     /* modes that compute while messages are under way */
    const netpipe_conduct *conduct; /* leader: how the others are told */
    netpipe_pairs *pairs;           /* with netpipe_pairs_conduct, else NULL */
} netpipe_channel;

typedef void netpipe_kernel(netpipe_channel *channel, size_t bytes, int64_t iterations);
typedef void netpipe_preparation(netpipe_channel *channel, size_t bytes);

/* A pattern of messages between two ranks. lead and follow are the timed loops of the two ends;
   the checked ones exchange the same messages, each filled before it is sent and checked when it
   has arrived. What prepares them (NULL: nothing) is done before either end begins, untimed. */
typedef struct {
    const char *name;              /* "stream" */
    const char *direction;         /* which way messages go */
    const char *iteration;         /* what one is called, in the plural: "round_trips" */
    const char *sample;            /* what one sample is */
    const char *constant;          /* what the time of a message without bytes is: "latency" */
    double messages_per_iteration; /* one after another: time of one = elapsed / (iterations *
                                       this) */
    double directions;             /* in that time so many messages pass at once */
    int64_t least_iterations;      /* of a trial */
    int receives;                  /* netpipe_layout's */
    bool early;                    /* receives are posted before the peer can send */
    bool turns;                    /* lead writes channel->turn_s: each iteration is a sample */
    netpipe_preparation *prepare_lead, *prepare_follow;
    netpipe_kernel *lead, *follow, *lead_checked, *follow_checked;
    /* Both ends: the same messages with channel->load between their start and their end; the
       checked one too. And the load alone. */
    netpipe_kernel *overlap, *overlap_checked, *lead_compute, *follow_compute;
} netpipe_mode;

/* Each with receives posted when they are needed, and posted early. */
enum { NETPIPE_IN_TIME, NETPIPE_EARLY, NETPIPE_POSTINGS };
extern const netpipe_mode netpipe_pingpong[NETPIPE_POSTINGS]; /* netpipe_pingpong.c */
extern const netpipe_mode netpipe_turns[NETPIPE_POSTINGS];    /* netpipe_turns.c */
extern const netpipe_mode netpipe_stream[NETPIPE_POSTINGS];   /* netpipe_stream.c */
extern const netpipe_mode netpipe_stream_reverse[NETPIPE_POSTINGS];
extern const netpipe_mode netpipe_both[NETPIPE_POSTINGS]; /* netpipe_both.c */
extern const netpipe_mode netpipe_overlap[NETPIPE_POSTINGS];

/* ---- netpipe_place.c ------------------------------------------------------------------------ */

/* Processors by the operating system's number, a bit each. */
enum { NETPIPE_CPUS = 1024 };
typedef struct {
    uint64_t word[NETPIPE_CPUS / 64];
} netpipe_cpus;

netpipe_cpus netpipe_own_cpus(void); /* this process may run on; none: not known */

/* "0-3,8"; "unknown" when there are none. text has room for capacity bytes. */
const char *netpipe_cpus_text(const netpipe_cpus *cpus, char *text, size_t capacity);

/* Have the ranks of some host fewer processors than they are? cpus: of each rank of the group.
   False where it is not known. */
bool netpipe_cores_shared(const cm_group *group, const netpipe_cpus *cpus);

/* ---- What rank 0 has others do -------------------------------------------------------------- */

typedef enum {
    NETPIPE_QUIT,           /* the end */
    NETPIPE_SIZE,           /* lay out buffers for messages of `bytes` */
    NETPIPE_VERIFY,         /* `iterations` checked exchanges, untimed */
    NETPIPE_TRIAL,          /* `iterations` exchanges */
    NETPIPE_CHECKED,        /* the same, every message checked */
    NETPIPE_REPORT,         /* hand over the damage seen so far */
    NETPIPE_PLACE,          /* say which processors this rank may run on */
    NETPIPE_LOAD,           /* a load of `iterations` units from now on; bytes 1: with calls of
                           cm_progress */
    NETPIPE_COMPUTE,        /* `iterations` loads */
    NETPIPE_OVERLAP,        /* `iterations` exchanges, a load in each */
    NETPIPE_OVERLAP_VERIFY, /* the same, untimed, each message checked */
    NETPIPE_OPERATIONS
} netpipe_operation;

struct netpipe_conduct {
    /* Has all ranks at work on the operation when its own part begins. Returns the time of the
       exchanges in seconds (cm_time). */
    double (*command)(netpipe_channel *channel, const netpipe_mode *mode,
                      netpipe_operation operation, int64_t bytes, int64_t iterations);
    /* What all others have seen wrong is added to the leader's own. */
    void (*report)(netpipe_channel *channel);
    /* cpus[rank] of all ranks of the group; none where a rank does not say. */
    void (*place)(netpipe_channel *channel, netpipe_cpus *cpus);
};

static inline double netpipe_command(netpipe_channel *channel, const netpipe_mode *mode,
                                     netpipe_operation operation, int64_t bytes, int64_t iterations)
{
    return channel->conduct->command(channel, mode, operation, bytes, iterations);
}

/* Returns all wrong bytes. */
static inline uint64_t netpipe_report(netpipe_channel *channel)
{
    channel->conduct->report(channel);
    return channel->damage.wrong_bytes;
}

/* netpipe_control.c: one follower, told by messages. It answers each command, so that it is at
   work when the leader begins; an answer that is not the command's counts as damage. */
extern const netpipe_conduct netpipe_control;
void netpipe_follow(netpipe_channel *channel, const netpipe_mode *mode); /* until NETPIPE_QUIT */

/* What both ways of leading do at each end: netpipe_prepare before anyone begins, then
   netpipe_obey. */
void netpipe_prepare(netpipe_channel *channel, const netpipe_mode *mode,
                     netpipe_operation operation, int64_t bytes, bool leads);
void netpipe_obey(netpipe_channel *channel, const netpipe_mode *mode, netpipe_operation operation,
                  int64_t bytes, int64_t iterations, bool leads);

/* netpipe_pairs.c: many pairs at once, told by broadcast, times and damage gathered. Every rank
   sets channel->peer (< 0: it sits out) and who leads a pair; rank 0 conducts whether or not it is
   in one. A barrier goes before every exchange; its time is that of the slowest pair. */
struct netpipe_pairs {
    bool leads;     /* this rank leads its pair: times it */
    bool both_ends; /* who follows times it, too: the slower end counts (open: no) */
    int ranks;
    double *time_s;         /* rank 0: of the last exchange, [rank]; NaN where none is timed */
    cm_samples *kept;       /* rank 0: what netpipe_pairs_keep was told to keep, [rank] */
    netpipe_damage *damage; /* rank 0: room for all ranks' */
};
extern const netpipe_conduct netpipe_pairs_conduct;

/* Every rank. False: out of memory. */
bool netpipe_pairs_open(netpipe_pairs *pairs, const cm_group *group, bool leads);
void netpipe_pairs_close(netpipe_pairs *pairs);
void netpipe_pairs_follow(netpipe_channel *channel, const netpipe_mode *mode); /* all but 0 */

/* Rank 0: forgets what was kept; keeps the last exchange's times, divided by messages. The latter
   false: out of memory. */
void netpipe_pairs_forget(netpipe_pairs *pairs);
bool netpipe_pairs_keep(netpipe_pairs *pairs, double messages);

/* Rank 0: pairs by the medians of what was kept, known by their leaders. False: out of memory. */
typedef struct {
    int slowest, fastest;
    double slowest_s, fastest_s;
} netpipe_pairs_spread;
bool netpipe_pairs_compare(const netpipe_pairs *pairs, netpipe_pairs_spread *spread);

/* ---- Sampling ------------------------------------------------------------------------------- */

typedef struct {
    int64_t iterations; /* of a trial; 0: as many as last trial_s */
    double trial_s, warm_up_s;
    cm_stop_rule rule; /* rule.most > 0 */
    bool integrity;    /* check every message, inside the timing */
} netpipe_sampling;

/* netpipe_calibrate.c: exchanges until warm_up_s have passed; nothing is kept. */
void netpipe_warm_up(netpipe_channel *channel, const netpipe_mode *mode,
                     const netpipe_sampling *sampling, int64_t bytes);

/* How many iterations last at least trial_s, the trials being NETPIPE_TRIAL or NETPIPE_CHECKED.
   guess comes from a smaller message; 0: there is none. All of it is warm-up and discarded. */
int64_t netpipe_calibrate(netpipe_channel *channel, const netpipe_mode *mode,
                          const netpipe_sampling *sampling, netpipe_operation trial, int64_t bytes,
                          int64_t guess);

/* The most iterations of a trial. Modes that time each turn need room for them all in
   channel->turn_s. */
int64_t netpipe_most_iterations(const netpipe_mode *mode, const netpipe_sampling *sampling);

/* What is known of one size. */
typedef struct {
    int64_t bytes;
    int64_t iterations; /* of a trial */
    cm_samples samples; /* seconds a message, one a trial, or one a turn */
    cm_summary summary;
    cm_stop stop;
} netpipe_point;

/* netpipe_measure.c: verifies, then measures one size (point->bytes). iterations of the point is
   the first guess at how many make a trial (0: none), and in the end what was used. Returns
   false when out of memory. When bytes arrived wrong channel->damage says so and nothing was
   measured. */
bool netpipe_measure(netpipe_channel *channel, const netpipe_mode *mode,
                     const netpipe_sampling *sampling, netpipe_point *point);

#endif
