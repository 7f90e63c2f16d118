/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.h: messages between pairs of ranks, verified and timed: what the programs of this folder
   share. Rank 0 leads: it says what comes next and collects what was measured. */
#ifndef CM_PAIR_H
#define CM_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
#include "machine/cpus.h"
#include "measure/samples.h"
#include "sample/sample.h"

enum { CM_PAIR_LEADER = 0, CM_PAIR_FOLLOWER = 1, CM_PAIR_RANKS = 2 };
enum { CM_PAIR_TAG_CONTROL = 1, CM_PAIR_TAG_DATA = 2 };
enum { CM_PAIR_LINE_BYTES = 64 }; /* alignment of buffers, and of the slots of a cold pool */

/* ---- sizes.c ------------------------------------------------------------------------ */

/* Message sizes in bytes, ascending, each once, lower <= size <= upper (1 <= lower <= upper):
   from lower in half doublings (1, 2, 3, 4, 6, 8, 12, 16, ...), and beside each of them size -
   perturbation and size + perturbation once the steps are wide enough to keep neighbours apart.
   The caller frees *sizes. Returns their number, 0 when out of memory. */
size_t cm_pair_sizes(int64_t lower, int64_t upper, int64_t perturbation, int64_t **sizes);

/* ---- pattern.c ---------------------------------------------------------------------- */

/* What arrived wrong. first_* describe the first byte that was wrong, in the order it was seen. */
typedef struct {
    uint64_t wrong_bytes;
    uint64_t first_bytes;        /* size of that message */
    uint64_t first_offset;       /* in the message; >= first_bytes: memory behind the message */
    uint64_t first_sequence;     /* number of that message */
    unsigned char expected, got; /* the same: the message's length was wrong, first_offset */
    int32_t rank;                /* that saw it */
} cm_pair_damage;

/* Fills a message: every byte depends on the message's size, the byte's offset and the sequence
   number. */
void cm_pair_pattern_fill(unsigned char *data, size_t bytes, uint64_t sequence);

/* Fills with what differs from that message in every byte, so that a byte that never arrived is
   seen; and marks guard_bytes behind it. */
void cm_pair_pattern_poison(unsigned char *data, size_t bytes, uint64_t sequence,
                            size_t guard_bytes);

/* Compares every byte with what fill() would have written, and guard_bytes behind the message
   with the marks of poison(). Adds to damage. */
void cm_pair_pattern_check(const unsigned char *data, size_t bytes, uint64_t sequence,
                           size_t guard_bytes, cm_pair_damage *damage);

/* Adds what another rank, or another message, has seen; whose first wrong byte came first stays. */
void cm_pair_damage_add(cm_pair_damage *damage, const cm_pair_damage *other);

/* ---- buffers.c ---------------------------------------------------------------------- */

typedef enum { CM_PAIR_REUSED, CM_PAIR_ALTERNATING, CM_PAIR_COLD, CM_PAIR_ONE } cm_pair_policy;
extern const char *const cm_pair_policies[]; /* their names, NULL at the end */

/* How buffers are to lie. */
typedef struct {
    cm_pair_policy policy;
    size_t upper_bytes;                 /* longest message */
    size_t send_offset, receive_offset; /* of messages, from the beginning of a cache line */
    int receives; /* 1; 2: the next receive is posted while one is under way */
} cm_pair_layout;

/* Where messages lie. send and receive are what the next message uses, upcoming (receives == 2)
   is for the receive after that; cm_pair_buffers_turn is called after every message and moves
   them as the policy wants it. */
typedef struct {
    unsigned char *send, *receive, *upcoming;
    unsigned char *memory; /* what was allocated; the pool */
    size_t memory_bytes;
    cm_pair_layout layout;
    size_t guard_bytes;                   /* behind every message, not used by the next */
    size_t slot_bytes, slots, step, slot; /* cold: the walk through the pool */
} cm_pair_buffers;

/* Bytes that the buffers of one rank take. */
size_t cm_pair_buffers_bytes(const cm_pair_layout *layout);

/* Allocates and touches them. False: out of memory. */
bool cm_pair_buffers_open(cm_pair_buffers *buffers, const cm_pair_layout *layout);
void cm_pair_buffers_close(cm_pair_buffers *buffers);

/* Lays out slots for messages of this size, at most layout.upper_bytes. */
void cm_pair_buffers_size(cm_pair_buffers *buffers, size_t message_bytes);

static inline unsigned char *cm_pair_buffers_slot(cm_pair_buffers *buffers, size_t offset)
{
    buffers->slot += buffers->step;
    if (buffers->slot >= buffers->slots) buffers->slot -= buffers->slots;
    return buffers->memory + buffers->slot * buffers->slot_bytes + offset;
}

static inline void cm_pair_buffers_turn(cm_pair_buffers *buffers)
{
    unsigned char *sent = buffers->send, *received = buffers->receive;
    switch (buffers->layout.policy) {
    case CM_PAIR_ONE:
    case CM_PAIR_REUSED:
        if (!buffers->upcoming) return;
        buffers->receive = buffers->upcoming;
        buffers->upcoming = received;
        return;
    case CM_PAIR_ALTERNATING:
        buffers->receive = buffers->upcoming ? buffers->upcoming : sent;
        if (buffers->upcoming) buffers->upcoming = sent;
        buffers->send = received;
        return;
    case CM_PAIR_COLD:
        buffers->send = cm_pair_buffers_slot(buffers, buffers->layout.send_offset);
        received = cm_pair_buffers_slot(buffers, buffers->layout.receive_offset);
        buffers->receive = buffers->upcoming ? buffers->upcoming : received;
        if (buffers->upcoming) buffers->upcoming = received;
        return;
    }
}

/* ---- compute.c ---------------------------------------------------------------------- */

/* Computing that needs no memory: so many units, each of some tenth of a microsecond. progress:
   calls cm_progress some ten microseconds apart. */
typedef struct {
    int64_t units;
    bool progress;
    double result;
    double spent_s; /* leader, after CM_PAIR_COMPUTE: the time that took at the slower end */
} cm_pair_load;
void cm_pair_compute(cm_pair_load *load);

/* ---- Modes ---------------------------------------------------------------------------------- */

typedef struct cm_pair_conduct cm_pair_conduct;
typedef struct cm_pairs cm_pairs;

/* One rank's end of a pair. */
typedef struct {
    cm_group *group;
    int peer;
    cm_pair_buffers buffers;
    bool integrity;        /* every message of a trial is checked, inside the timing */
    bool verifying;        /* the untimed verification: receive buffers are poisoned first */
    uint64_t sequence;     /* of the next iteration's message */
    cm_pair_damage damage; /* seen by this rank */
    cm_request *posted;    /* the receive of the next message, when it is posted early */
    double *turn_s;        /* modes that time each turn: room for every iteration's time */
    cm_pair_load load;     /* modes that compute while messages are under way */
    const cm_pair_conduct *conduct; /* leader: how the others are told */
    cm_pairs *pairs;                /* with cm_pairs_conduct, else NULL */
} cm_pair_channel;

typedef void cm_pair_kernel(cm_pair_channel *channel, size_t bytes, int64_t iterations);
typedef void cm_pair_preparation(cm_pair_channel *channel, size_t bytes);

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
    int receives;                  /* cm_pair_layout's */
    bool early;                    /* receives are posted before the peer can send */
    bool turns;                    /* lead writes channel->turn_s: each iteration is a sample */
    cm_pair_preparation *prepare_lead, *prepare_follow;
    cm_pair_kernel *lead, *follow, *lead_checked, *follow_checked;
    /* Both ends: the same messages with channel->load between their start and their end; the
       checked one too. And the load alone. */
    cm_pair_kernel *overlap, *overlap_checked, *lead_compute, *follow_compute;
} cm_pair_mode;

/* Each with receives posted when they are needed, and posted early. */
enum { CM_PAIR_IN_TIME, CM_PAIR_EARLY, CM_PAIR_POSTINGS };
extern const cm_pair_mode cm_pair_pingpong[CM_PAIR_POSTINGS]; /* pingpong.c */
extern const cm_pair_mode cm_pair_turns[CM_PAIR_POSTINGS];    /* turns.c */
extern const cm_pair_mode cm_pair_stream[CM_PAIR_POSTINGS];   /* stream.c */
extern const cm_pair_mode cm_pair_stream_reverse[CM_PAIR_POSTINGS];
extern const cm_pair_mode cm_pair_both[CM_PAIR_POSTINGS]; /* both.c */
extern const cm_pair_mode cm_pair_overlap[CM_PAIR_POSTINGS];

/* ---- place.c ------------------------------------------------------------------------ */

cm_machine_cpus cm_pair_own_cpus(void); /* this process may run on; none: not known */

/* Have the ranks of some host fewer processors than they are? cpus: of each rank of the group.
   False where it is not known. */
bool cm_pair_cores_shared(const cm_group *group, const cm_machine_cpus *cpus);

/* ---- What rank 0 has others do -------------------------------------------------------------- */

typedef enum {
    CM_PAIR_QUIT,           /* the end */
    CM_PAIR_SIZE,           /* lay out buffers for messages of `bytes` */
    CM_PAIR_VERIFY,         /* `iterations` checked exchanges, untimed */
    CM_PAIR_TRIAL,          /* `iterations` exchanges */
    CM_PAIR_CHECKED,        /* the same, every message checked */
    CM_PAIR_REPORT,         /* hand over the damage seen so far */
    CM_PAIR_PLACE,          /* say which processors this rank may run on */
    CM_PAIR_LOAD,           /* a load of `iterations` units from now on; bytes 1: with calls of
                           cm_progress */
    CM_PAIR_COMPUTE,        /* `iterations` loads */
    CM_PAIR_OVERLAP,        /* `iterations` exchanges, a load in each */
    CM_PAIR_OVERLAP_VERIFY, /* the same, untimed, each message checked */
    CM_PAIR_OPERATIONS
} cm_pair_operation;

struct cm_pair_conduct {
    /* Has all ranks at work on the operation when its own part begins. Returns the time of the
       exchanges in seconds (cm_time). */
    double (*command)(cm_pair_channel *channel, const cm_pair_mode *mode,
                      cm_pair_operation operation, int64_t bytes, int64_t iterations);
    /* What all others have seen wrong is added to the leader's own. */
    void (*report)(cm_pair_channel *channel);
    /* cpus[rank] of all ranks of the group; none where a rank does not say. */
    void (*place)(cm_pair_channel *channel, cm_machine_cpus *cpus);
};

static inline double cm_pair_command(cm_pair_channel *channel, const cm_pair_mode *mode,
                                     cm_pair_operation operation, int64_t bytes, int64_t iterations)
{
    return channel->conduct->command(channel, mode, operation, bytes, iterations);
}

/* Returns all wrong bytes. */
static inline uint64_t cm_pair_report(cm_pair_channel *channel)
{
    channel->conduct->report(channel);
    return channel->damage.wrong_bytes;
}

/* control.c: one follower, told by messages. It answers each command, so that it is at
   work when the leader begins; an answer that is not the command's counts as damage. */
extern const cm_pair_conduct cm_pair_control;
void cm_pair_follow(cm_pair_channel *channel, const cm_pair_mode *mode); /* until CM_PAIR_QUIT */

/* What both ways of leading do at each end: cm_pair_prepare before anyone begins, then
   cm_pair_obey. */
void cm_pair_prepare(cm_pair_channel *channel, const cm_pair_mode *mode,
                     cm_pair_operation operation, int64_t bytes, bool leads);
void cm_pair_obey(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_operation operation,
                  int64_t bytes, int64_t iterations, bool leads);

/* pairs.c: many pairs at once, told by broadcast, times and damage gathered. Every rank
   sets channel->peer (< 0: it sits out) and who leads a pair; rank 0 conducts whether or not it is
   in one. A barrier goes before every exchange; its time is that of the slowest pair. */
struct cm_pairs {
    bool leads;     /* this rank leads its pair: times it */
    bool both_ends; /* who follows times it, too: the slower end counts (open: no) */
    int ranks;
    double *time_s;         /* rank 0: of the last exchange, [rank]; NaN where none is timed */
    cm_samples *kept;       /* rank 0: what cm_pairs_keep was told to keep, [rank] */
    cm_pair_damage *damage; /* rank 0: room for all ranks' */
};
extern const cm_pair_conduct cm_pairs_conduct;

/* Every rank. False: out of memory. */
bool cm_pairs_open(cm_pairs *pairs, const cm_group *group, bool leads);
void cm_pairs_close(cm_pairs *pairs);
void cm_pairs_follow(cm_pair_channel *channel, const cm_pair_mode *mode); /* all but 0 */

/* Rank 0: forgets what was kept; keeps the last exchange's times, divided by messages. The latter
   false: out of memory. */
void cm_pairs_forget(cm_pairs *pairs);
bool cm_pairs_keep(cm_pairs *pairs, double messages);

/* Rank 0: pairs by the medians of what was kept, known by their leaders. False: out of memory. */
typedef struct {
    int slowest, fastest;
    double slowest_s, fastest_s;
} cm_pairs_spread;
bool cm_pairs_compare(const cm_pairs *pairs, cm_pairs_spread *spread);

/* ---- measure.c ------------------------------------------------------------------------------ */

/* Exchanges for sampling->warm_up_s; nothing is kept. */
void cm_pair_warm_up(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_sampling *sampling, int64_t bytes);

/* Modes that time each turn need room in channel->turn_s for so many of a trial, and one more; 0
   for the others. */
int64_t cm_pair_most_turns(const cm_pair_mode *mode, const cm_sampling *sampling);

/* What is known of one size. */
typedef struct {
    int64_t bytes;
    int64_t iterations; /* of a trial */
    cm_samples samples; /* seconds a message, one a trial, or one a turn */
    cm_summary summary;
    cm_stop stop;
} cm_pair_point;

/* Verifies, then measures one size (point->bytes). iterations of the point is the first guess at
   how many make a trial (0: none), and in the end what was used. Returns false when out of memory.
   When bytes arrived wrong channel->damage says so and nothing was measured. */
bool cm_pair_measure(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_sampling *sampling, cm_pair_point *point);

#endif
