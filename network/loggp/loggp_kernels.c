/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_kernels.c: trains of messages with one answer: back to back, with pauses, and with the
   answer taken long after it has come. */
#include <sched.h>
#include "loggp.h"
#include "pairs/exchange.h"

/* The clock's readings that begin and end the pause are a part of what is timed around it; the
   pause itself is known exactly, however late it ends. Now and then whoever shares the core gets
   it: were it the other rank, it could not answer before the pause is over, and the receive would
   wait for it. */
static double pause_s(double delay_s)
{
    enum { READINGS_PER_YIELD = 300 };
    double begin_s = cm_time(), now_s = begin_s;
    for (int k = 1; now_s - begin_s < delay_s; k++) {
        if (k % READINGS_PER_YIELD == 0) sched_yield();
        now_s = cm_time();
    }
    return now_s - begin_s;
}

double loggp_clock_s(void)
{
    enum { READINGS = 1000, TRIES = 5 };
    double least_s = 0;
    for (int k = 0; k < TRIES; k++) {
        double begin_s = cm_time(), end_s = begin_s;
        for (int i = 0; i < READINGS; i++) end_s = cm_time();
        double time_s = (end_s - begin_s) / READINGS;
        if (k == 0 || time_s < least_s) least_s = time_s;
    }
    return least_s;
}

/* The answer is what the first message was. */
static inline void answered(cm_pair_channel *channel, size_t bytes, uint64_t first, bool checked)
{
    uint64_t next = channel->sequence;
    channel->sequence = first;
    cm_pair_receive(channel, bytes, checked);
    channel->sequence = next;
}

static inline void lead_loop(cm_pair_channel *channel, size_t bytes, int64_t messages, bool checked)
{
    uint64_t first = channel->sequence;
    for (int64_t i = 0; i < messages; i++) {
        cm_pair_fill(channel, bytes, checked);
        cm_pair_send(channel, bytes);
        channel->sequence += checked;
    }
    answered(channel, bytes, first, checked);
}

static inline void follow_loop(cm_pair_channel *channel, size_t bytes, int64_t messages,
                               bool checked)
{
    uint64_t first = channel->sequence;
    for (int64_t i = 0; i < messages; i++) {
        cm_pair_receive(channel, bytes, checked);
        channel->sequence += checked;
    }
    uint64_t next = channel->sequence;
    channel->sequence = first;
    cm_pair_fill(channel, bytes, checked);
    cm_pair_send(channel, bytes);
    channel->sequence = next;
}

static void lead(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    lead_loop(channel, bytes, messages, false);
}

static void lead_checked(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    lead_loop(channel, bytes, messages, true);
}

static void follow(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    follow_loop(channel, bytes, messages, false);
}

static void follow_checked(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    follow_loop(channel, bytes, messages, true);
}

static void lead_delayed(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    loggp_end *end = (loggp_end *)channel;
    end->waited_s = 0;
    for (int64_t i = 0; i < messages; i++) {
        if (i > 0) end->waited_s += pause_s(end->delay_s);
        cm_pair_send(channel, bytes);
    }
    cm_pair_receive(channel, bytes, false);
}

static void lead_late(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    loggp_end *end = (loggp_end *)channel;
    for (int64_t i = 0; i < messages; i++) cm_pair_send(channel, bytes);
    pause_s(end->delay_s);
    double begin_s = cm_time();
    cm_pair_receive(channel, bytes, false);
    end->receive_s = cm_time() - begin_s;
}

#define WORDS                                                                                 \
    .direction = "0 to 1, the answer back", .iteration = "messages", .constant = "latency",   \
    .sample = "a train", .messages_per_iteration = 1, .directions = 1, .least_iterations = 1, \
    .receives = 1, .lead_checked = lead_checked, .follow = follow,                            \
    .follow_checked = follow_checked

const cm_pair_mode loggp_modes[LOGGP_KERNELS] = {
    [LOGGP_TRAIN] = {.name = "train", WORDS, .lead = lead},
    [LOGGP_DELAYED] = {.name = "delayed", WORDS, .lead = lead_delayed},
    [LOGGP_LATE] = {.name = "late", WORDS, .lead = lead_late},
};
