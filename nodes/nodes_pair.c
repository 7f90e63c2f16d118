/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_pair.c: latency and bandwidth, each way, between two hosts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "machine/counters.h"
#include "memory/memory.h"
#include "nodes.h"

enum { PINGS = 400 };

void nodes_buffers_open(size_t bytes, nodes_buffers *buffers)
{
    *buffers = (nodes_buffers){
        .bytes = bytes, .out = cm_run_array(bytes), .in = cm_run_array(NODES_WINDOW * bytes)};
    for (size_t k = 0; k < bytes; k++) buffers->out[k] = (unsigned char)(k * 7 + k / 251);
}

void nodes_buffers_close(nodes_buffers *buffers)
{
    cm_memory_free(buffers->out);
    cm_memory_free(buffers->in);
}

/* ---- Latency --------------------------------------------------------------------------------- */

enum { LAST = 0, MORE = 1 };

static double ping(int peer, double limit_s)
{
    double *half_s = malloc(PINGS * sizeof *half_s), begin_s = cm_time(), median_s;
    if (!half_s) cm_abort(CM_EXIT_SYSTEM, "out of memory for %d round trips", PINGS);
    unsigned char more = MORE;
    size_t n = 0;
    while (more == MORE) {
        double sent_s = cm_time();
        more = n + 1 < PINGS && sent_s - begin_s < limit_s ? MORE : LAST;
        cm_send(cm_world(), &more, 1, peer, NODES_TAG_DATA);
        cm_recv(cm_world(), &more, 1, peer, NODES_TAG_DATA, NULL);
        half_s[n++] = (cm_time() - sent_s) / 2;
    }
    median_s = nodes_median(half_s, n);
    free(half_s);
    return median_s;
}

static void pong(int peer)
{
    unsigned char more;
    do {
        cm_recv(cm_world(), &more, 1, peer, NODES_TAG_DATA, NULL);
        cm_send(cm_world(), &more, 1, peer, NODES_TAG_DATA);
    } while (more == MORE);
}

/* ---- Bandwidth ------------------------------------------------------------------------------- */

/* Sends count messages, NODES_WINDOW of them at once. Returns the time until the last has
   arrived. */
static double stream(nodes_buffers *b, int peer, int64_t count)
{
    cm_request *request[NODES_WINDOW] = {NULL};
    cm_send(cm_world(), &count, sizeof count, peer, NODES_TAG_DATA);
    double begin_s = cm_time();
    for (int64_t k = 0; k < count; k++) {
        cm_request **slot = &request[k % NODES_WINDOW];
        cm_wait(slot, NULL);
        *slot = cm_isend(cm_world(), b->out, b->bytes, peer, NODES_TAG_DATA);
    }
    cm_waitall(NODES_WINDOW, request, NULL);
    cm_recv(cm_world(), NULL, 0, peer, NODES_TAG_DATA, NULL);
    return cm_time() - begin_s;
}

/* Checks the first message, untimed for all except the shortest stream. */
static int64_t drain(nodes_buffers *b, int peer)
{
    cm_request *request[NODES_WINDOW] = {NULL};
    int64_t count;
    cm_recv(cm_world(), &count, sizeof count, peer, NODES_TAG_DATA, NULL);
    if (count == 0) return 0;
    if (count == 1) memset(b->in, 0, b->bytes);
    for (int64_t k = 0; k < count; k++) {
        const size_t slot = (size_t)(k % NODES_WINDOW);
        cm_wait(&request[slot], NULL);
        request[slot] =
            cm_irecv(cm_world(), b->in + slot * b->bytes, b->bytes, peer, NODES_TAG_DATA);
    }
    cm_waitall(NODES_WINDOW, request, NULL);
    cm_send(cm_world(), NULL, 0, peer, NODES_TAG_DATA);
    for (size_t k = 0; count == 1 && k < b->bytes; k++) b->wrong_bytes += b->in[k] != b->out[k];
    return count;
}

/* Sends one message, for the check and to choose the length of the stream, then a few messages, and
   then the messages that count. */
static double send_rate(nodes_buffers *b, int peer, double trial_s)
{
    double time_s = stream(b, peer, 1), each_s = time_s;
    if (time_s < trial_s) each_s = stream(b, peer, NODES_WINDOW) / NODES_WINDOW;
    int64_t count = (int64_t)(trial_s / fmax(each_s, 1e-7));
    if (count < NODES_WINDOW) count = NODES_WINDOW;
    if (count * each_s > 4 * trial_s) count = 2; /* a very slow link: two messages are enough */
    time_s = stream(b, peer, count);
    const int64_t end = 0;
    cm_send(cm_world(), &end, sizeof end, peer, NODES_TAG_DATA);
    return (double)count * (double)b->bytes / time_s;
}

/* ---- Segments -------------------------------------------------------------------------------- */

/* What the host has sent so far; a host is in one pair at a time. */
static void count_segments(double count[2])
{
    int64_t sent, again;
    const bool known = cm_machine_tcp_read("", &sent, &again);
    count[0] = known ? (double)sent : NAN;
    count[1] = known ? (double)again : NAN;
}

enum { RATE, SEGMENTS, AGAIN, VALUES };

/* Adds this host's to the other's. */
static void add_segments(const double before[2], const double other[VALUES], nodes_pair *pair)
{
    double now[2];
    count_segments(now);
    const double segments = now[0] - before[0] + other[SEGMENTS];
    const double again = now[1] - before[1] + other[AGAIN];
    if (segments > 0 && again >= 0) pair->tcp = (nodes_segments){segments, again};
}

/* ---- A pair ---------------------------------------------------------------------------------- */

void nodes_pair_trial(nodes_buffers *buffers, int peer, bool leads, double trial_s,
                      nodes_pair *pair)
{
    double before[2], other[VALUES];
    count_segments(before);
    if (leads) {
        cm_send(cm_world(), NULL, 0, peer, NODES_TAG_PAIR);
        nodes_wait(NULL, 0, peer, NODES_TAG_PAIR);
        pair->latency_s = ping(peer, trial_s / 2);
        pair->out_B_per_s = send_rate(buffers, peer, trial_s);
        while (drain(buffers, peer) > 0) continue;
        cm_recv(cm_world(), other, sizeof other, peer, NODES_TAG_DATA, NULL);
        pair->in_B_per_s = other[RATE];
        pair->tcp = (nodes_segments){0};
        add_segments(before, other, pair);
    } else {
        nodes_wait(NULL, 0, peer, NODES_TAG_PAIR);
        cm_send(cm_world(), NULL, 0, peer, NODES_TAG_PAIR);
        pong(peer);
        while (drain(buffers, peer) > 0) continue;
        other[RATE] = send_rate(buffers, peer, trial_s);
        double now[2];
        count_segments(now);
        other[SEGMENTS] = now[0] - before[0];
        other[AGAIN] = now[1] - before[1];
        cm_send(cm_world(), other, sizeof other, peer, NODES_TAG_DATA);
    }
}
