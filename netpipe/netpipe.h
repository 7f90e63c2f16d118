/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.h: what the parts of cm-netpipe share. Two ranks: rank 0 leads, measures and writes
   the result; rank 1 follows what rank 0 tells it. */
#ifndef NETPIPE_H
#define NETPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
#include "measure/samples.h"
#include "option/option.h"
#include "result/result.h"

enum { NETPIPE_LEADER = 0, NETPIPE_FOLLOWER = 1, NETPIPE_RANKS = 2 };
enum { NETPIPE_TAG_CONTROL = 1, NETPIPE_TAG_DATA = 2 };
enum { NETPIPE_LINE_BYTES = 64 };   /* alignment of buffers, and of the slots of a cold pool */

typedef enum { NETPIPE_REUSED, NETPIPE_ALTERNATING, NETPIPE_COLD } netpipe_policy;
extern const char *const netpipe_policies[];   /* their names, NULL at the end */

typedef struct {
    int64_t lower_bytes, upper_bytes, perturbation_bytes;
    int64_t round_trips;      /* of a trial; 0: as many as last trial_s */
    double trial_s;
    cm_stop_rule rule;
    int64_t most_trials;      /* goes to rule.most */
    int64_t sweeps;
    double warm_up_s;
    int policy;               /* netpipe_policy */
    bool integrity, bind;
    cm_result_files files;
} netpipe_options;

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
    uint64_t first_bytes;      /* size of that message */
    uint64_t first_offset;     /* in the message; >= first_bytes: memory behind the message */
    uint64_t first_sequence;   /* number of that message */
    unsigned char expected, got;
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

/* ---- netpipe_buffers.c ---------------------------------------------------------------------- */

/* Where messages lie. send and receive are what the next message uses; netpipe_buffers_turn is
   called after every receive and moves them as the policy wants it. */
typedef struct {
    unsigned char *send, *receive;
    unsigned char *memory;     /* what was allocated; the pool */
    size_t memory_bytes;
    netpipe_policy policy;
    size_t guard_bytes;        /* behind every message, not used by the next */
    size_t slot_bytes, slots, step, slot;   /* cold: the walk through the pool */
} netpipe_buffers;

/* Bytes that the buffers of one rank take for messages of up to upper_bytes. */
size_t netpipe_buffers_bytes(netpipe_policy policy, size_t upper_bytes);

/* Allocates and touches them. False: out of memory. */
bool netpipe_buffers_open(netpipe_buffers *buffers, netpipe_policy policy, size_t upper_bytes);
void netpipe_buffers_close(netpipe_buffers *buffers);

/* Lays out slots for messages of this size. */
void netpipe_buffers_size(netpipe_buffers *buffers, size_t message_bytes);

static inline unsigned char *netpipe_buffers_slot(netpipe_buffers *buffers)
{
    buffers->slot += buffers->step;
    if (buffers->slot >= buffers->slots) buffers->slot -= buffers->slots;
    return buffers->memory + buffers->slot * buffers->slot_bytes;
}

static inline void netpipe_buffers_turn(netpipe_buffers *buffers)
{
    if (buffers->policy == NETPIPE_REUSED) return;
    if (buffers->policy == NETPIPE_ALTERNATING) {
        unsigned char *received = buffers->receive;
        buffers->receive = buffers->send;
        buffers->send = received;
    } else {
        buffers->send = netpipe_buffers_slot(buffers);
        buffers->receive = netpipe_buffers_slot(buffers);
    }
}

/* ---- Modes ---------------------------------------------------------------------------------- */

/* One rank's end of the pair. */
typedef struct {
    cm_group *group;
    int peer;
    netpipe_buffers buffers;
    bool verifying;            /* the untimed verification: receive buffers are poisoned first */
    uint64_t sequence;         /* of the next iteration's message */
    netpipe_damage damage;     /* seen by this rank */
} netpipe_channel;

typedef void netpipe_kernel(netpipe_channel *channel, size_t bytes, int64_t iterations);

/* A pattern of messages between the two. lead and follow are the timed loops of the two ends;
   the checked ones exchange the same messages, each filled before it is sent and checked when it
   has arrived. */
typedef struct {
    const char *name;
    const char *sample;             /* what one sample is */
    /* One after another: time of one = elapsed / (iterations * this). */
    double messages_per_iteration;
    netpipe_kernel *lead, *follow, *lead_checked, *follow_checked;
} netpipe_mode;

extern const netpipe_mode netpipe_pingpong;   /* netpipe_pingpong.c */

/* ---- netpipe_place.c ------------------------------------------------------------------------ */

/* Processors by the operating system's number, a bit each. */
enum { NETPIPE_CPUS = 1024 };
typedef struct { uint64_t word[NETPIPE_CPUS / 64]; } netpipe_cpus;

netpipe_cpus netpipe_own_cpus(void);          /* this process may run on; none: not known */

/* "0-3,8"; "unknown" when there are none. text has room for capacity bytes. */
const char *netpipe_cpus_text(const netpipe_cpus *cpus, char *text, size_t capacity);

/* Have these two ranks of one host but one processor together? False where it is not known. */
bool netpipe_share_one(const netpipe_cpus *one, const netpipe_cpus *other);

/* Ranks of the same host with a lower number, or all of them. */
int netpipe_ranks_before(const cm_group *group, int rank);
int netpipe_ranks_on_host(const cm_group *group, int rank);

/* ---- netpipe_control.c: rank 0 tells rank 1 what comes next --------------------------------- */

typedef enum {
    NETPIPE_QUIT,       /* the end */
    NETPIPE_SIZE,       /* lay out buffers for messages of `bytes` */
    NETPIPE_VERIFY,     /* `iterations` checked exchanges, untimed */
    NETPIPE_TRIAL,      /* `iterations` exchanges */
    NETPIPE_CHECKED,    /* the same, every message checked */
    NETPIPE_REPORT,     /* answer with the damage seen so far */
    NETPIPE_PLACE,      /* answer with the processors this rank may run on */
    NETPIPE_OPERATIONS
} netpipe_operation;

/* Leader: sends the command and waits for the follower's answer, so that the follower is at work
   when this returns; then does the leader's part of it. An answer that is not the command's
   counts as damage. Returns the time of the leader's part in seconds (cm_time). */
double netpipe_command(netpipe_channel *channel, const netpipe_mode *mode,
                       netpipe_operation operation, int64_t bytes, int64_t iterations);

/* Leader: what the follower has seen wrong is added to the leader's own; returns all wrong
   bytes. */
uint64_t netpipe_report(netpipe_channel *channel);

/* Leader: the processors that the follower may run on; none when it does not say. */
netpipe_cpus netpipe_follower_cpus(netpipe_channel *channel);

/* Follower: obeys until NETPIPE_QUIT. */
void netpipe_follow(netpipe_channel *channel, const netpipe_mode *mode);

/* ---- netpipe_measure.c ---------------------------------------------------------------------- */

/* What is known of one size. */
typedef struct {
    int64_t bytes;
    int64_t round_trips;       /* of a trial */
    cm_samples samples;        /* seconds a message, one a trial */
    cm_summary summary;
    cm_stop stop;
} netpipe_point;

/* Round trips until warm_up_s have passed; nothing is kept. */
void netpipe_warm_up(netpipe_channel *channel, const netpipe_mode *mode,
                     const netpipe_options *options);

/* Verifies, then measures one size (point->bytes). round_trips of the point is the first guess
   at how many make a trial (at least 1), and in the end what was used. Returns false when out of
   memory. When bytes arrived wrong channel->damage says so and nothing was measured. */
bool netpipe_measure(netpipe_channel *channel, const netpipe_mode *mode,
                     const netpipe_options *options, netpipe_point *point);

/* ---- netpipe_lead.c ------------------------------------------------------------------------- */

/* Rank 0: measures everything, writes the result, ends the follower. Returns the exit status. */
int netpipe_lead(const cm_program *program, int argc, char **argv, const netpipe_options *options,
                 const netpipe_mode *mode, netpipe_channel *channel);

/* ---- netpipe_fit.c -------------------------------------------------------------------------- */

/* Comment lines "# fit: ..." : Hockney's latency and bandwidth over all sizes, and two protocols
   with their crossover where those describe the data better. n medians, ascending sizes. */
void netpipe_write_fits(cm_result *result, size_t n, const double *bytes, const double *median_s);

#endif
