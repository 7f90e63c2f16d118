/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.h: verified and timed messages between pairs of ranks, for all programs that measure them.
   Rank 0 leads: it decides what comes next and collects the measurements. */
#ifndef CM_PAIR_H
#define CM_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
#include "machine/cpus.h"
#include "measure/cpu.h"
#include "measure/distance.h"
#include "measure/samples.h"
#include "pairs/line.h"
#include "sample/disturbance.h"
#include "sample/sample.h"

enum { CM_PAIR_LEADER = 0, CM_PAIR_FOLLOWER = 1, CM_PAIR_RANKS = 2 };
enum { CM_PAIR_TAG_CONTROL = 1, CM_PAIR_TAG_DATA = 2, CM_PAIR_TAG_LINE = 9 };
enum { CM_PAIR_LINE_BYTES = 64 }; /* alignment of buffers, and of the slots of a cold pool */

/* ---- sizes.c ------------------------------------------------------------------------ */

/* Sets *sizes to an array of message sizes in bytes, ascending and without repetitions, with lower
   <= size <= upper (1 <= lower <= upper). The sizes grow from lower as 1, 2, 3, 4, 6, 8, 12, 16,
   ... Where the steps are wide enough to keep neighbours apart, size - perturbation and size +
   perturbation are added. Returns the number of sizes, or 0 if memory is short. The caller frees
   *sizes. */
size_t cm_pair_sizes(int64_t lower, int64_t upper, int64_t perturbation, int64_t **sizes);

/* ---- pattern.c ---------------------------------------------------------------------- */

/* The wrong data that arrived. first_* describe the first wrong byte that was found. */
typedef struct {
    uint64_t wrong_bytes;
    uint64_t first_bytes;        /* size of that message */
    uint64_t first_offset;       /* in the message; >= first_bytes: in the memory after it */
    uint64_t first_sequence;     /* number of that message */
    unsigned char expected, got; /* if equal, the message had the wrong length, first_offset */
    int32_t rank;                /* the rank that found it */
} cm_pair_damage;

/* Fills a message with a pattern. Every byte depends on the message's size, on its offset and on
   the sequence number. */
void cm_pair_pattern_fill(unsigned char *data, size_t bytes, uint64_t sequence);

/* Fills a buffer with a pattern that differs from that message in every byte, so that missing bytes
   are detected. Fills the guard_bytes after it with marks. */
void cm_pair_pattern_poison(unsigned char *data, size_t bytes, uint64_t sequence,
                            size_t guard_bytes);

/* Compares every byte with the pattern of cm_pair_pattern_fill, and guard_bytes after the message
   with the marks of cm_pair_pattern_poison. Adds the differences to damage. */
void cm_pair_pattern_check(const unsigned char *data, size_t bytes, uint64_t sequence,
                           size_t guard_bytes, cm_pair_damage *damage);

/* Adds the damage of another rank or message. If damage already has a first wrong byte, that one is
   kept. */
void cm_pair_damage_add(cm_pair_damage *damage, const cm_pair_damage *other);

/* ---- buffers.c ---------------------------------------------------------------------- */

typedef enum { CM_PAIR_REUSED, CM_PAIR_ALTERNATING, CM_PAIR_COLD, CM_PAIR_ONE } cm_pair_policy;
extern const char *const cm_pair_policies[]; /* names of the policies, NULL at the end */

/* Memory from malloc, or from cm_allocate. */
typedef enum { CM_PAIR_ORDINARY, CM_PAIR_SHARED } cm_pair_memory;
extern const char *const cm_pair_memories[]; /* their names, NULL at the end */

/* The layout of buffers that a program requests. */
typedef struct {
    cm_pair_policy policy;
    size_t upper_bytes;                 /* longest message */
    size_t send_offset, receive_offset; /* bytes from the beginning of a cache line to a message */
    int receives; /* 1, or 2 if the next receive is posted before the current one completes */
    int window;   /* with several messages in flight (policy reused only): the number of buffers in
                     each direction, one for each message or 1 for all; otherwise 0 */
    cm_pair_memory memory;
} cm_pair_layout;

/* The buffers of messages. The next message uses send and receive; the receive after that uses
   upcoming (receives == 2). cm_pair_buffers_turn is called after every message and advances these
   pointers according to the policy. With a window, send and receive point to the first of
   layout.window buffers, slot_bytes apart. */
typedef struct {
    unsigned char *send, *receive, *upcoming;
    unsigned char *memory; /* the allocated memory: the pool */
    size_t memory_bytes;
    cm_pair_layout layout;
    size_t guard_bytes;                   /* unused bytes after every message */
    size_t slot_bytes, slots, step, slot; /* cold: the walk through the pool */
} cm_pair_buffers;

/* Returns the number of bytes that the buffers of one rank take. */
size_t cm_pair_buffers_bytes(const cm_pair_layout *layout);

/* Allocates and touches the buffers. Returns false if memory is short. */
bool cm_pair_buffers_open(cm_pair_buffers *buffers, const cm_pair_layout *layout);
void cm_pair_buffers_close(cm_pair_buffers *buffers);

/* Lays out the slots for messages of this size, at most layout.upper_bytes. */
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

/* A computation that needs no memory. */
typedef struct {
    int64_t units;  /* its length, in units of about a tenth of a microsecond each */
    bool progress;  /* calls cm_progress about every ten microseconds */
    double result;  /* result of the computation */
    double spent_s; /* leader, after CM_PAIR_COMPUTE: its time in seconds on the slower rank */
} cm_pair_load;
void cm_pair_compute(cm_pair_load *load); /* does the computation */

/* ---- window.c ----------------------------------------------------------------------- */

/* The requests of a window. cm_pair_flight_open returns false if memory is short. */
typedef struct {
    int messages;
    cm_request **send, **receive; /* [messages] */
    cm_status *status;            /* [messages], of the receives */
} cm_pair_flight;
bool cm_pair_flight_open(cm_pair_flight *flight, int messages);
void cm_pair_flight_close(cm_pair_flight *flight);

/* ---- cost.c ------------------------------------------------------------------------- */

/* The cost of the trials' exchanges, for one rank or summed over all ranks. */
typedef struct {
    cm_cpu cpu;
    double lasted_s; /* time spent in exchanges */
    double messages; /* number of messages, counted on the leading ranks only */
} cm_pair_cost;
void cm_pair_cost_add(cm_pair_cost *cost, const cm_pair_cost *other);

/* ---- distance.c --------------------------------------------------------------------- */

/* What one look found of a rank that leads a pair: the distance to its peer, NaN if it is not known
   or if the rank leads none, and the two ranks in cm_world(). peer: -1 if they share no line, so
   that their distance will not be known later, either. */
typedef struct {
    double ns;
    int32_t rank, peer;
} cm_pair_looked;

/* What is said of the distances of all pairs of a run. */
typedef struct {
    size_t pairs;                   /* whose distances are known at the last look */
    double least_ns, most_ns;       /* of these; NaN: none */
    cm_distance one;                /* if there is one pair in all */
    size_t changed;                 /* number of pairs with a change */
    int changed_rank, changed_peer; /* the pair with the greatest change, and what it was */
    double from_ns, to_ns;
} cm_pair_distances_said;

/* The distances of all pairs, on the leader. All 0 before the first look. */
typedef struct {
    int ranks;
    int in_vain; /* looks in a row that found no distance; after a few nobody looks any more */
    bool anew;   /* the pairs have changed */
    cm_pair_looked *looked; /* [ranks] of the last look */
    cm_distance *of;        /* [ranks] by the rank that leads */
    cm_pair_distances_said said;
} cm_pair_distances;

/* ---- Modes ---------------------------------------------------------------------------------- */

typedef struct cm_pair_conduct cm_pair_conduct;
typedef struct cm_pairs cm_pairs;

/* One rank's end of a pair. */
typedef struct {
    cm_group *group;
    int peer;
    cm_pair_buffers buffers;
    bool integrity;        /* check every message of a trial, inside the timing */
    bool verifying;        /* in the untimed verification: poison receive buffers first */
    uint64_t sequence;     /* number of the next iteration's message */
    cm_pair_damage damage; /* found by this rank */
    cm_request *posted;    /* the receive of the next message, if it is posted early */
    cm_pair_flight flight; /* for modes with several messages in flight */
    double *turn_s;        /* for modes that time each turn: room for every iteration's time */
    cm_pair_load load;     /* for modes that compute while messages are in flight */
    bool costs;            /* count the cost of trials; the same on all ranks */
    cm_pair_cost cost;     /* of this rank since the last report */
    cm_pair_cost all_cost; /* leader: of all ranks between the last two reports */
    cm_pair_line line;     /* shared with the peer */
    cm_pair_distances distances;    /* leader */
    const cm_pair_conduct *conduct; /* leader: how it controls the other ranks */
    cm_pairs *pairs;                /* with cm_pairs_conduct, otherwise NULL */
    cm_sample_watch *watch;         /* on ranks that follow, otherwise NULL */
    /* The causes, CM_DISTURBED_..., that disturbed the last exchange and the one before it. On a
       following rank, disturbed is about that rank. On the leader both are about all following
       ranks; a single follower reports its causes one command later. */
    unsigned disturbed, disturbed_before;
} cm_pair_channel;

typedef void cm_pair_kernel(cm_pair_channel *channel, size_t bytes, int64_t iterations);
typedef void cm_pair_preparation(cm_pair_channel *channel, size_t bytes);

/* A pattern of messages between two ranks. lead and follow are the timed loops of the two ends. The
   checked loops exchange the same messages, but fill each message before sending it and check it on
   arrival. The preparations (NULL: none) run untimed before either end begins. */
typedef struct {
    const char *name;              /* "stream" */
    const char *direction;         /* the direction of the messages */
    const char *iteration;         /* name of the iterations, in the plural: "round_trips" */
    const char *sample;            /* what one sample is */
    const char *constant;          /* name of the time of a message without bytes: "latency" */
    double messages_per_iteration; /* number of consecutive messages: the time of one is elapsed /
                                      (iterations * this) */
    double directions;             /* number of messages that travel at once in that time */
    int64_t least_iterations;      /* of a trial */
    int receives;                  /* as in cm_pair_layout */
    bool early;                    /* receives are posted before the peer can send */
    bool turns;                    /* lead writes channel->turn_s: each iteration is a sample */
    cm_pair_preparation *prepare_lead, *prepare_follow;
    cm_pair_kernel *lead, *follow, *lead_checked, *follow_checked;
    /* overlap: exchanges the same messages, at both ends, with channel->load between their start
       and their end. overlap_checked also checks them. lead_compute and follow_compute: the load
       alone. */
    cm_pair_kernel *overlap, *overlap_checked, *lead_compute, *follow_compute;
} cm_pair_mode;

/* Each mode exists with receives that are posted when needed, and with receives posted early. */
enum { CM_PAIR_IN_TIME, CM_PAIR_EARLY, CM_PAIR_POSTINGS };
extern const cm_pair_mode cm_pair_pingpong[CM_PAIR_POSTINGS]; /* pingpong.c */
extern const cm_pair_mode cm_pair_turns[CM_PAIR_POSTINGS];    /* turns.c */
extern const cm_pair_mode cm_pair_stream[CM_PAIR_POSTINGS];   /* stream.c */
extern const cm_pair_mode cm_pair_stream_reverse[CM_PAIR_POSTINGS];
extern const cm_pair_mode cm_pair_both[CM_PAIR_POSTINGS]; /* both.c */
extern const cm_pair_mode cm_pair_overlap[CM_PAIR_POSTINGS];

/* window.c: returns the mode with this number of messages in flight, in one direction (reverse:
   from rank 1) or in both. The channel needs a flight of this number, and the layout a window of
   this number or of 1. */
cm_pair_mode cm_pair_window(bool both, bool reverse, int messages);

/* ---- place.c ------------------------------------------------------------------------ */

/* Returns the processors that this process may run on, or the empty set if they are unknown. */
cm_machine_cpus cm_pair_own_cpus(void);

/* Returns true if some host has more ranks than processors on which these may run. cpus has a set
   for each rank of the group. Returns false if it is unknown. */
bool cm_pair_cores_shared(const cm_group *group, const cm_machine_cpus *cpus);

/* ---- Commands of rank 0 to the others ------------------------------------------------------- */

typedef enum {
    CM_PAIR_QUIT,           /* end */
    CM_PAIR_SIZE,           /* lay out buffers for messages of `bytes` */
    CM_PAIR_VERIFY,         /* `iterations` checked exchanges, untimed */
    CM_PAIR_TRIAL,          /* `iterations` exchanges */
    CM_PAIR_CHECKED,        /* the same, with every message checked */
    CM_PAIR_REPORT,         /* report the damage seen so far */
    CM_PAIR_PLACE,          /* report the processors that this rank may run on */
    CM_PAIR_LOOK,           /* bounce a flag with the peer, and report how far it is away */
    CM_PAIR_LOAD,           /* use a load of `iterations` units from now on; if bytes is 1, with
                               calls of cm_progress */
    CM_PAIR_COMPUTE,        /* `iterations` loads */
    CM_PAIR_OVERLAP,        /* `iterations` exchanges, each with a load */
    CM_PAIR_OVERLAP_VERIFY, /* the same, untimed, with each message checked */
    CM_PAIR_OPERATIONS
} cm_pair_operation;

/* How the leader controls the other ranks. */
struct cm_pair_conduct {
    /* Starts the operation on all ranks before the leader's own part begins. Returns the time of
       the exchanges in seconds (cm_time). */
    double (*command)(cm_pair_channel *channel, const cm_pair_mode *mode,
                      cm_pair_operation operation, int64_t bytes, int64_t iterations);
    /* Adds the damage that all other ranks have found to the leader's own. */
    void (*report)(cm_pair_channel *channel);
    /* Sets cpus[rank] for all ranks of the group, to the empty set if a rank does not know. */
    void (*place)(cm_pair_channel *channel, cm_machine_cpus *cpus);
    /* Lets all pairs look how far apart they are, at once. Sets looked[rank] for all ranks of the
       group. */
    void (*look)(cm_pair_channel *channel, cm_pair_looked *looked);
};

static inline double cm_pair_command(cm_pair_channel *channel, const cm_pair_mode *mode,
                                     cm_pair_operation operation, int64_t bytes, int64_t iterations)
{
    return channel->conduct->command(channel, mode, operation, bytes, iterations);
}

/* Collects the damage and returns the number of all wrong bytes. */
static inline uint64_t cm_pair_report(cm_pair_channel *channel)
{
    channel->conduct->report(channel);
    return channel->damage.wrong_bytes;
}

/* distance.c, leader: looks how far apart all pairs are, and again as long as a pair seems to have
   moved, a few times. Does nothing where ranks are no processes of their own, or once no pair could
   find its distance. Ends the job if memory is short. */
void cm_pair_look(cm_pair_channel *channel);

/* Every rank, if the pairs are others from now on: forgets the line of the last pair, of which one
   rank may have waited while the other one was in another pair. Their distances may be found. */
void cm_pair_look_anew(cm_pair_channel *channel);

/* Returns the greatest distance of all pairs at the last look; NaN if none is known. */
double cm_pair_distance_now(const cm_pair_channel *channel);

/* Returns what is to be said; no pairs if they were not the same in the whole run. */
cm_pair_distances_said cm_pair_distances_say(const cm_pair_channel *channel);

/* Returns the distance of the pair that this rank leads, since the pairs are these. */
const cm_distance *cm_pair_distance_of(const cm_pair_channel *channel, int rank);

/* Every rank: frees the line and the distances. */
void cm_pair_look_close(cm_pair_channel *channel);

/* control.c: controls a single follower by messages. The follower answers each command before it
   obeys, so that the leader begins when the follower is ready. An answer that does not match the
   command counts as damage. */
extern const cm_pair_conduct cm_pair_control;
void cm_pair_follow(cm_pair_channel *channel, const cm_pair_mode *mode); /* until CM_PAIR_QUIT */

/* obey.c: both cm_pair_control and cm_pairs_conduct call these at each end: first cm_pair_prepare,
   before any rank begins, then cm_pair_obey_at_cost (cost.c). The latter calls cm_pair_obey, counts
   its cost if channel->costs is true, and returns its time in seconds. leads is true on the leading
   end. */
void cm_pair_prepare(cm_pair_channel *channel, const cm_pair_mode *mode,
                     cm_pair_operation operation, int64_t bytes, bool leads);
void cm_pair_obey(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_operation operation,
                  int64_t bytes, int64_t iterations, bool leads);
double cm_pair_obey_at_cost(cm_pair_channel *channel, const cm_pair_mode *mode,
                            cm_pair_operation operation, int64_t bytes, int64_t iterations,
                            bool leads);

/* pairs.c: controls many pairs at once. Commands are broadcast; times and damage are gathered.
   Every rank sets channel->peer (< 0: it does not take part) and whether it leads its pair. Rank 0
   gives the commands even if it is in no pair. A barrier precedes every exchange. The time of an
   exchange is that of the slowest pair. */
typedef struct {
    double time_s;
    uint64_t disturbed;
} cm_pairs_end; /* of a rank, at the end of an exchange */
struct cm_pairs {
    bool leads;     /* this rank leads its pair and times it */
    bool both_ends; /* the following rank also times it, and the slower end counts; false after
                       cm_pairs_open */
    int ranks;
    cm_pairs_end *end;      /* rank 0: [rank], as gathered */
    double *time_s;         /* rank 0: [rank], times of the last exchange; NaN if not timed */
    cm_samples *kept;       /* rank 0: [rank], times kept by cm_pairs_keep */
    cm_pair_damage *damage; /* rank 0: room for the damage of all ranks */
};
extern const cm_pair_conduct cm_pairs_conduct;

/* Every rank calls cm_pairs_open, which returns false if memory is short. */
bool cm_pairs_open(cm_pairs *pairs, const cm_group *group, bool leads);
void cm_pairs_close(cm_pairs *pairs);
/* Every rank except rank 0 calls it. Obeys commands until CM_PAIR_QUIT. */
void cm_pairs_follow(cm_pair_channel *channel, const cm_pair_mode *mode);

/* Rank 0: cm_pairs_forget discards the kept times. cm_pairs_keep keeps the times of the last
   exchange, divided by messages; it returns false if memory is short. */
void cm_pairs_forget(cm_pairs *pairs);
bool cm_pairs_keep(cm_pairs *pairs, double messages);

/* Rank 0: compares the pairs by the medians of their kept times. A pair is identified by its
   leader's rank. Returns false if memory is short. */
typedef struct {
    int slowest, fastest;
    double slowest_s, fastest_s;
} cm_pairs_spread;
bool cm_pairs_compare(const cm_pairs *pairs, cm_pairs_spread *spread);

/* The limit of the metric largest_us in bytes. The largest time of messages up to this size shows
   whether some were delayed; that of longer messages would only show their length. */
enum { CM_PAIR_SHORT_BYTES = 1024 };

/* ---- measure.c ------------------------------------------------------------------------------ */

/* Exchanges messages of this size for sampling->warm_up_s seconds and keeps no sample. */
void cm_pair_warm_up(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_sampling *sampling, int64_t bytes);

/* Returns the largest number of turns in a trial, for modes that time each turn; channel->turn_s
   needs room for one more. Returns 0 for other modes. */
int64_t cm_pair_most_turns(const cm_pair_mode *mode, const cm_sampling *sampling);

/* The measurement of one message size. */
typedef struct {
    int64_t bytes;
    int64_t iterations; /* of a trial */
    cm_samples samples; /* seconds per message, one sample for each trial or for each turn */
    cm_summary summary;
    cm_stop stop;
    double first_ns, last_ns; /* distance of the pair before and after, of several pairs the
                                 greatest; NaN if it is not known */
} cm_pair_point;

/* Verifies and then measures one size, point->bytes. On entry, point->iterations is a first guess
   at the number of iterations of a trial (0: none); on return, it is the number that was used.
   Returns false if memory is short. If bytes arrived wrong, channel->damage says so and the point
   has no summary. */
bool cm_pair_measure(cm_pair_channel *channel, const cm_pair_mode *mode,
                     const cm_sampling *sampling, cm_pair_point *point);

#endif
