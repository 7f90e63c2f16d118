/* SPDX-License-Identifier: BSD-3-Clause */
/* window.c: keeps several messages in flight. An iteration starts a window of sends, the peer has
   posted a window of receives, and both wait for all of them. In one direction, the receiver
   acknowledges each window with an empty message, so that the sender is never a whole window ahead;
   in both directions, the peer's messages have the same effect. Each message of a window has its
   own buffers, or all of them share one send buffer and one receive buffer, as in osu_bw. In the
   latter case the messages are equal, so that it does not matter which one arrives last. */
#include <stdlib.h>
#include "exchange.h"

static inline bool is_shared(const cm_pair_buffers *buffers) { return buffers->layout.window == 1; }

static inline unsigned char *slot(const cm_pair_buffers *buffers, unsigned char *first, int k)
{
    return is_shared(buffers) ? first : first + (size_t)k * buffers->slot_bytes;
}

/* Returns the sequence number of message k of the window, on which its data depend. */
static inline uint64_t number(const cm_pair_channel *channel, int k)
{
    return channel->sequence + (is_shared(&channel->buffers) ? 0 : (uint64_t)k);
}

/* Returns true if message k fills its send buffer and poisons its receive buffer. Shared buffers
   are written once per window, because they must not change while a message in them is in
   flight. */
static inline bool is_written(const cm_pair_channel *channel, int k)
{
    return k == 0 || !is_shared(&channel->buffers);
}

static inline void start_sends(cm_pair_channel *channel, size_t bytes, bool checked)
{
    const cm_pair_flight *flight = &channel->flight;
    for (int k = 0; k < flight->messages; k++) {
        unsigned char *data = slot(&channel->buffers, channel->buffers.send, k);
        if (checked && is_written(channel, k))
            cm_pair_pattern_fill(data, bytes, number(channel, k));
        flight->send[k] = cm_isend(channel->group, data, bytes, channel->peer, CM_PAIR_TAG_DATA);
    }
}

static inline void start_receives(cm_pair_channel *channel, size_t bytes, bool checked)
{
    const cm_pair_flight *flight = &channel->flight;
    for (int k = 0; k < flight->messages; k++)
        flight->receive[k] =
            cm_pair_post(channel, slot(&channel->buffers, channel->buffers.receive, k), bytes,
                         number(channel, k), checked && is_written(channel, k));
}

static inline void await_sends(cm_pair_channel *channel)
{
    cm_waitall(channel->flight.messages, channel->flight.send, NULL);
}

static inline void await_receives(cm_pair_channel *channel, size_t bytes, bool checked)
{
    const cm_pair_flight *flight = &channel->flight;
    cm_pair_buffers *buffers = &channel->buffers;
    unsigned char *first = buffers->receive;
    cm_waitall(flight->messages, flight->receive, checked ? flight->status : NULL);
    for (int k = 0; checked && k < flight->messages; k++) {
        buffers->receive = slot(buffers, first, k);
        cm_pair_check_received(channel, bytes, number(channel, k), &flight->status[k]);
    }
    buffers->receive = first;
}

static inline void next_window(cm_pair_channel *channel, bool checked)
{
    if (checked) channel->sequence += (uint64_t)channel->flight.messages;
}

/* ---- In one direction ------------------------------------------------------------------------ */

static inline void sending(cm_pair_channel *channel, size_t bytes, int64_t iterations, bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        start_sends(channel, bytes, checked);
        await_sends(channel);
        if (checked) cm_pair_await_acknowledgement(channel, bytes, channel->sequence);
        else cm_pair_await_signal(channel);
        next_window(channel, checked);
    }
}

static inline void receiving(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                             bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        start_receives(channel, bytes, checked);
        await_receives(channel, bytes, checked);
        if (checked) cm_pair_acknowledge(channel, bytes, channel->sequence);
        else cm_pair_signal(channel);
        next_window(channel, checked);
    }
}

/* ---- In both directions ---------------------------------------------------------------------- */

static inline void exchanging(cm_pair_channel *channel, size_t bytes, int64_t iterations,
                              bool checked)
{
    for (int64_t i = 0; i < iterations; i++) {
        start_receives(channel, bytes, checked);
        start_sends(channel, bytes, checked);
        await_receives(channel, bytes, checked);
        await_sends(channel);
        next_window(channel, checked);
    }
}

#define KERNEL(name, loop, checked)                                              \
    static void name(cm_pair_channel *channel, size_t bytes, int64_t iterations) \
    {                                                                            \
        loop(channel, bytes, iterations, checked);                               \
    }
KERNEL(send_windows, sending, false)
KERNEL(send_windows_checked, sending, true)
KERNEL(receive_windows, receiving, false)
KERNEL(receive_windows_checked, receiving, true)
KERNEL(exchange_windows, exchanging, false)
KERNEL(exchange_windows_checked, exchanging, true)

/* ---- The modes ------------------------------------------------------------------------------- */

#define WORDS .iteration = "windows", .receives = 1, .least_iterations = 1
#define ONE_WAY(from, to)                                                                        \
    WORDS, .name = "stream", .directions = 1, .direction = from " to " to, .constant = "gap",    \
           .sample = "a trial: time of its windows, each with its acknowledgement, / messages, " \
                     "seconds per message"

static const cm_pair_mode forward = {
    ONE_WAY("0", "1"),
    .lead = send_windows,
    .lead_checked = send_windows_checked,
    .follow = receive_windows,
    .follow_checked = receive_windows_checked,
};
static const cm_pair_mode backward = {
    ONE_WAY("1", "0"),
    .lead = receive_windows,
    .lead_checked = receive_windows_checked,
    .follow = send_windows,
    .follow_checked = send_windows_checked,
};
static const cm_pair_mode both_ways = {
    WORDS,
    .name = "both",
    .directions = 2,
    .direction = "both at once",
    .constant = "exchange",
    .sample = "a trial: time of its windows / messages that a rank sent, seconds per exchange; in "
              "an exchange a message goes each way",
    .lead = exchange_windows,
    .lead_checked = exchange_windows_checked,
    .follow = exchange_windows,
    .follow_checked = exchange_windows_checked,
};

cm_pair_mode cm_pair_window(bool both, bool reverse, int messages)
{
    cm_pair_mode mode = both ? both_ways : reverse ? backward : forward;
    mode.messages_per_iteration = messages;
    return mode;
}

bool cm_pair_flight_open(cm_pair_flight *flight, int messages)
{
    const size_t n = (size_t)messages;
    *flight = (cm_pair_flight){.messages = messages,
                               .send = calloc(n, sizeof *flight->send),
                               .receive = calloc(n, sizeof *flight->receive),
                               .status = calloc(n, sizeof *flight->status)};
    return flight->send && flight->receive && flight->status;
}

void cm_pair_flight_close(cm_pair_flight *flight)
{
    free(flight->send);
    free(flight->receive);
    free(flight->status);
    *flight = (cm_pair_flight){0};
}
