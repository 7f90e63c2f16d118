/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_kernels.c: the loops of warschko-1995, section 6.1, for a word of 1, 2, 4 or 8 bytes,
   whose size the compiler knows, and for blocks of any size. Both ends are timed. */
#include "pairs/exchange.h"
#include "patterns.h"

/* ---- Ping: one sends, one receives ---------------------------------------------------------- */

/* Enough for the messages to follow each other. */
enum { LEAST_PINGS = 4 };

/* The receiver announces that it is ready before a train begins. This also ends the train before:
   none of its messages is still under way. The announcement is not timed. */
static void ping_await(cm_pair_channel *channel, size_t bytes)
{
    (void)bytes;
    cm_recv(channel->group, NULL, 0, channel->peer, CM_PAIR_TAG_DATA, NULL);
}

static void ping_ready(cm_pair_channel *channel, size_t bytes)
{
    (void)bytes;
    cm_pair_send(channel, 0);
}

/* The untimed verification ends with the first message coming back, so that a rank that only
   answers is verified too. */
static inline void ping_lead(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                             bool checked)
{
    uint64_t first = channel->sequence;
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_fill(channel, bytes, checked);
        cm_pair_send(channel, bytes);
        channel->sequence += checked;
    }
    if (!channel->verifying) return;
    cm_status status;
    cm_pair_poison(channel, channel->buffers.receive, bytes, first);
    cm_recv(channel->group, channel->buffers.receive, bytes, channel->peer, CM_PAIR_TAG_DATA,
            &status);
    cm_pair_check_received(channel, bytes, first, &status);
}

static inline void ping_follow(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                               bool checked)
{
    uint64_t first = channel->sequence;
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_receive(channel, bytes, checked);
        channel->sequence += checked;
    }
    if (!channel->verifying) return;
    cm_pair_pattern_fill(channel->buffers.send, bytes, first);
    cm_pair_send(channel, bytes);
}

/* ---- PingPong: one sends, the other sends back ---------------------------------------------- */

static inline void pingpong_lead(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                 bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_fill(channel, bytes, checked);
        cm_pair_send(channel, bytes);
        cm_pair_receive(channel, bytes, checked);
        channel->sequence += checked;
    }
}

static inline void pingpong_follow(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                   bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_receive(channel, bytes, checked);
        cm_pair_fill(channel, bytes, checked);
        cm_pair_send(channel, bytes);
        channel->sequence += checked;
    }
}

/* ---- Pairwise Exchange: both send, both receive --------------------------------------------- */

static inline void exchange_lead(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                 bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_fill(channel, bytes, checked);
        cm_pair_send(channel, bytes);
        cm_pair_receive(channel, bytes, checked);
        channel->sequence += checked;
    }
}
#define exchange_follow exchange_lead

/* With two blocking sends each would wait for the other's receive forever. */
static inline void started_lead(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                                bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        cm_pair_fill(channel, bytes, checked);
        cm_request *send =
            cm_isend(channel->group, channel->buffers.send, bytes, channel->peer, CM_PAIR_TAG_DATA);
        cm_pair_receive(channel, bytes, checked);
        cm_wait(&send, NULL);
        channel->sequence += checked;
    }
}
#define started_follow started_lead

/* ---- Each loop for each size ---------------------------------------------------------------- */

#define ONE_KERNEL(name, loop, size, checked)                                    \
    static void name(cm_pair_channel *channel, size_t bytes, int64_t iterations) \
    {                                                                            \
        (void)bytes;                                                             \
        loop(channel, size, iterations, checked);                                \
    }
#define FOUR_KERNELS(name, suffix, size)                              \
    ONE_KERNEL(name##_lead_##suffix, name##_lead, size, false)        \
    ONE_KERNEL(name##_follow_##suffix, name##_follow, size, false)    \
    ONE_KERNEL(name##_lead_checked_##suffix, name##_lead, size, true) \
    ONE_KERNEL(name##_follow_checked_##suffix, name##_follow, size, true)
#define ALL_KERNELS(name)    \
    FOUR_KERNELS(name, 1, 1) \
    FOUR_KERNELS(name, 2, 2) \
    FOUR_KERNELS(name, 4, 4) \
    FOUR_KERNELS(name, 8, 8) \
    FOUR_KERNELS(name, block, bytes)

ALL_KERNELS(ping)
ALL_KERNELS(pingpong)
ALL_KERNELS(exchange)
FOUR_KERNELS(started, block, bytes)

#define MODE(loops, suffix)                                                                     \
    {                                                                                           \
        WORDS, .constant = "latency", .iteration = "iterations", .messages_per_iteration = 1,   \
               .receives = 1, .lead = loops##_lead_##suffix, .follow = loops##_follow_##suffix, \
               .lead_checked = loops##_lead_checked_##suffix,                                   \
               .follow_checked = loops##_follow_checked_##suffix,                               \
    }
#define MODES(loops)                                                                       \
    {                                                                                      \
        MODE(loops, 1), MODE(loops, 2), MODE(loops, 4), MODE(loops, 8), MODE(loops, block) \
    }
#define SAMPLE(what) \
    "a trial: time of its iterations at the slower end / iterations; an iteration is " what

enum { BLOCK = PATTERNS_WORD_SIZES, KINDS };
static const cm_pair_mode modes[PATTERNS][KINDS] = {
#define WORDS                                                                              \
    .name = "ping", .direction = "0 to 1", .sample = SAMPLE("a message"), .directions = 1, \
    .least_iterations = LEAST_PINGS, .prepare_lead = ping_await, .prepare_follow = ping_ready
    [PATTERNS_PING] = MODES(ping),
#undef WORDS
#define WORDS                                            \
    .name = "ping-pong", .direction = "0 to 1 and back", \
    .sample = SAMPLE("a message there and one back"), .directions = 2, .least_iterations = 1
    [PATTERNS_PINGPONG] = MODES(pingpong),
#undef WORDS
#define WORDS                                        \
    .name = "exchange", .direction = "both at once", \
    .sample = SAMPLE("a message each way at once"), .directions = 2, .least_iterations = 1
    [PATTERNS_EXCHANGE] = MODES(exchange),
};
static const cm_pair_mode started = MODE(started, block);

const cm_pair_mode *patterns_mode(patterns_pattern pattern, patterns_transfer transfer,
                                  int64_t bytes, bool both_send)
{
    int kind = BLOCK;
    if (pattern == PATTERNS_EXCHANGE && !both_send) return &started;
    if (transfer == PATTERNS_WORD) kind = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    return &modes[pattern][kind];
}
