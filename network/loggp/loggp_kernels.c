/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_kernels.c: trains of messages with one answer: back to back, with pauses, and with the
   answer received long after it has arrived. */
#include <sched.h>
#include <stdlib.h>
#include "loggp.h"
#include "pairs/exchange.h"

/* Waits for delay_s and returns how long it waited. Yields the core now and then: if the other rank
   shares it, that rank could not otherwise answer before the pause ends, and the receive would wait
   for it. */
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

/* An untimed round trip before a train. When a command has been answered, the follower still looks
   at what disturbs it, for longer than a short message takes; after this round trip it waits for
   the train as it waits in a ping-pong. */
static inline void lead_meeting(cm_pair_channel *channel, size_t bytes)
{
    cm_pair_send(channel, bytes);
    cm_pair_receive(channel, bytes, false);
}

static inline void follow_meeting(cm_pair_channel *channel, size_t bytes)
{
    cm_pair_receive(channel, bytes, false);
    cm_pair_send(channel, bytes);
}

/* Receives the answer, which is a copy of the first message. */
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
    follow_meeting(channel, bytes);
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
    loggp_end *end = (loggp_end *)channel;
    lead_meeting(channel, bytes);
    double begin_s = cm_time();
    lead_loop(channel, bytes, messages, false);
    end->train_s = cm_time() - begin_s;
}

static void lead_checked(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    lead_meeting(channel, bytes);
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

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean of the middle half of the calls: finer than the clock's step, and without those that were
   interrupted. Sorts them. */
static double middle_s(size_t n, double *calls_s)
{
    size_t first = n / 4, last = n - n / 4;
    double sum_s = 0;
    qsort(calls_s, n, sizeof *calls_s, ascending);
    for (size_t k = first; k < last; k++) sum_s += calls_s[k];
    return sum_s / (double)(last - first);
}

static void lead_delayed(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    loggp_end *end = (loggp_end *)channel;
    end->waited_s = 0;
    lead_meeting(channel, bytes);
    double begin_s = cm_time();
    cm_pair_send(channel, bytes);
    for (int64_t i = 1; i < messages; i++) {
        end->waited_s += pause_s(end->delay_s);
        double call_s = cm_time();
        cm_pair_send(channel, bytes);
        end->sends_s[i - 1] = cm_time() - call_s;
    }
    cm_pair_receive(channel, bytes, false);
    end->train_s = cm_time() - begin_s;
    end->send_s = middle_s((size_t)messages - 1, end->sends_s);
}

static void lead_late(cm_pair_channel *channel, size_t bytes, int64_t messages)
{
    loggp_end *end = (loggp_end *)channel;
    lead_meeting(channel, bytes);
    for (int64_t i = 0; i < messages; i++) cm_pair_send(channel, bytes);
    pause_s(end->delay_s);
    double begin_s = cm_time();
    cm_pair_receive(channel, bytes, false);
    end->receive_s = end->train_s = cm_time() - begin_s;
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
