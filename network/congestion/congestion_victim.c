/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_victim.c: ping-pong, allreduce and exchanges of long messages: batches of operations,
   each of which is timed. Before each batch an operation is verified. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "congestion.h"

enum { TAG = 1, ELEMENT_BYTES = 8, GUARD_BYTES = 64 };

/* In the order of their numbers. */
const char *const congestion_victim_names[] = {"pingpong", "allreduce", "bandwidth", 0};

/* ---- Buffers --------------------------------------------------------------------------------- */

static size_t whole_elements(int64_t bytes)
{
    return ((size_t)bytes + ELEMENT_BYTES - 1) / ELEMENT_BYTES * ELEMENT_BYTES;
}

/* Bytes of one of the two buffers. Options are below 2^30 bytes and 4096 messages. */
static size_t room(const congestion_options *o)
{
    size_t size = whole_elements(o->size_bytes);
    size_t window = (size_t)o->window * (size_t)o->bandwidth_bytes;
    return (size > window ? size : window) + GUARD_BYTES;
}

size_t congestion_victim_bytes(const congestion_options *options) { return 2 * room(options); }

void congestion_victim_open(congestion_end *end, cm_group *group, const congestion_options *options)
{
    int pairs = cm_size(group) / 2, rank = cm_rank(group);
    size_t window = (size_t)options->window;
    *end = (congestion_end){.group = group,
                            .peer = rank < pairs ? rank + pairs : rank - pairs,
                            .leads = rank < pairs,
                            .size_bytes = (size_t)options->size_bytes,
                            .bandwidth_bytes = (size_t)options->bandwidth_bytes,
                            .window = (int)window,
                            .send = calloc(1, room(options)),
                            .receive = calloc(1, room(options)),
                            .requests = calloc(2 * window, sizeof *end->requests),
                            .time_s = calloc(CONGESTION_MOST_BATCH, sizeof *end->time_s)};
    if (rank == 2 * pairs) end->peer = -1;
    if (!end->send || !end->receive || !end->requests || !end->time_s)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the messages of a victim");
}

void congestion_victim_close(congestion_end *end)
{
    free(end->send);
    free(end->receive);
    free(end->requests);
    free(end->time_s);
}

/* ---- Ping-pong ------------------------------------------------------------------------------- */

static inline void bounce(congestion_end *end)
{
    if (end->leads) cm_send(end->group, end->send, end->size_bytes, end->peer, TAG);
    cm_recv(end->group, end->receive, end->size_bytes, end->peer, TAG, NULL);
    if (!end->leads) cm_send(end->group, end->send, end->size_bytes, end->peer, TAG);
}

/* Measures half of the round trip. */
static void pingpong(congestion_end *end, int64_t operations)
{
    for (int64_t k = 0; k < operations; k++) {
        double begin_s = cm_time();
        bounce(end);
        end->time_s[k] = (cm_time() - begin_s) / 2;
    }
}

/* The messages of a pair have a number each; those of the following rank are odd. */
static uint64_t number_of(const congestion_end *end, bool sent)
{
    return 2 * end->sequence + (sent != end->leads);
}

static void pingpong_verified(congestion_end *end)
{
    cm_pair_pattern_fill(end->send, end->size_bytes, number_of(end, true));
    cm_pair_pattern_poison(end->receive, end->size_bytes, number_of(end, false), GUARD_BYTES);
    bounce(end);
    cm_pair_pattern_check(end->receive, end->size_bytes, number_of(end, false), GUARD_BYTES,
                          &end->damage);
}

/* ---- Allreduce ------------------------------------------------------------------------------- */

static inline void sum(congestion_end *end)
{
    cm_allreduce(end->group, end->send, end->receive,
                 whole_elements((int64_t)end->size_bytes) / ELEMENT_BYTES, CM_INT64, CM_SUM,
                 CM_AUTO);
}

/* The slowest victim's time of each: a victim is done when it has the sum. */
static void allreduce(congestion_end *end, int64_t operations)
{
    for (int64_t k = 0; k < operations; k++) {
        double begin_s = cm_time();
        sum(end);
        end->time_s[k] = cm_time() - begin_s;
    }
    cm_reduce(end->group, end->time_s, end->time_s, (size_t)operations, CM_DOUBLE, CM_MAX, 0,
              CM_AUTO);
}

/* Element i of rank r is (r + 1) f(i): the sum over p ranks is p (p + 1) / 2 f(i), exactly. */
static int64_t factor(uint64_t sequence, size_t i)
{
    return (int64_t)((i * 2654435761u + sequence * 40503u) % 1000003) + 1;
}

static void compare(congestion_end *end, size_t i, int64_t expected, int64_t got)
{
    unsigned char right[ELEMENT_BYTES], there[ELEMENT_BYTES];
    memcpy(right, &expected, sizeof right);
    memcpy(there, &got, sizeof there);
    for (size_t k = 0; k < ELEMENT_BYTES; k++) {
        if (right[k] == there[k] || end->damage.wrong_bytes++ > 0) continue;
        end->damage.first_bytes = end->size_bytes;
        end->damage.first_offset = i * ELEMENT_BYTES + k;
        end->damage.first_sequence = end->sequence;
        end->damage.expected = right[k];
        end->damage.got = there[k];
    }
}

static void allreduce_verified(congestion_end *end)
{
    int64_t p = cm_size(end->group), rank = cm_rank(end->group), value;
    size_t elements = whole_elements((int64_t)end->size_bytes) / ELEMENT_BYTES;
    for (size_t i = 0; i < elements; i++) {
        value = (rank + 1) * factor(end->sequence, i);
        memcpy(end->send + i * ELEMENT_BYTES, &value, ELEMENT_BYTES);
        value = -value;
        memcpy(end->receive + i * ELEMENT_BYTES, &value, ELEMENT_BYTES);
    }
    sum(end);
    for (size_t i = 0; i < elements; i++) {
        memcpy(&value, end->receive + i * ELEMENT_BYTES, ELEMENT_BYTES);
        compare(end, i, p * (p + 1) / 2 * factor(end->sequence, i), value);
    }
}

/* ---- Bandwidth ------------------------------------------------------------------------------- */

/* Both ends of a pair send a window of messages at once. */
static inline void exchange(congestion_end *end)
{
    size_t bytes = end->bandwidth_bytes;
    for (int k = 0; k < end->window; k++)
        end->requests[k] =
            cm_irecv(end->group, end->receive + (size_t)k * bytes, bytes, end->peer, TAG);
    for (int k = 0; k < end->window; k++)
        end->requests[end->window + k] =
            cm_isend(end->group, end->send + (size_t)k * bytes, bytes, end->peer, TAG);
    cm_waitall(2 * end->window, end->requests, NULL);
}

static void bandwidth(congestion_end *end, int64_t operations)
{
    for (int64_t k = 0; k < operations; k++) {
        double begin_s = cm_time();
        exchange(end);
        end->time_s[k] = cm_time() - begin_s;
    }
}

static void bandwidth_verified(congestion_end *end)
{
    size_t bytes = end->bandwidth_bytes, window = (size_t)end->window;
    uint64_t sent = number_of(end, true) * window, got = number_of(end, false) * window;
    for (size_t k = 0; k < window; k++) {
        cm_pair_pattern_fill(end->send + k * bytes, bytes, sent + k);
        cm_pair_pattern_poison(end->receive + k * bytes, bytes, got + k,
                               k + 1 == window ? GUARD_BYTES : 0);
    }
    exchange(end);
    for (size_t k = 0; k < window; k++)
        cm_pair_pattern_check(end->receive + k * bytes, bytes, got + k,
                              k + 1 == window ? GUARD_BYTES : 0, &end->damage);
}

/* ---- Batches --------------------------------------------------------------------------------- */

typedef struct {
    bool pairs; /* each pair has times; otherwise rank 0 has those of all */
    void (*measure)(congestion_end *end, int64_t operations);
    void (*verify)(congestion_end *end);
} kind;
static const kind kinds[CONGESTION_VICTIMS] = {
    [CONGESTION_PINGPONG] = {true, pingpong, pingpong_verified},
    [CONGESTION_ALLREDUCE] = {false, allreduce, allreduce_verified},
    [CONGESTION_BANDWIDTH] = {true, bandwidth, bandwidth_verified},
};

/* Returns the seconds that the operations took. One operation before them is not timed: after the
   verification the ranks of a pair are not ready at the same time. */
static double run_batch(congestion_end *end, const kind *now, int64_t operations)
{
    bool takes_part = end->peer >= 0 || !now->pairs;
    if (takes_part) now->verify(end);
    end->sequence++;
    if (takes_part) now->measure(end, 1);
    double begin_s = cm_time();
    if (takes_part) now->measure(end, operations);
    return cm_time() - begin_s;
}

static void keep(const congestion_end *end, const kind *now, int64_t operations,
                 cm_histogram *histogram)
{
    if (now->pairs ? end->peer < 0 || !end->leads : cm_rank(end->group) != 0) return;
    for (int64_t k = 0; k < operations; k++) cm_histogram_add(histogram, end->time_s[k]);
}

/* Adds the histograms of all victims to that of rank 0. */
static void collect(cm_group *group, cm_histogram *own, cm_histogram *histogram)
{
    double ends[2] = {own->n ? -own->min_s : -INFINITY, own->n ? own->max_s : -INFINITY};
    cm_reduce(group, own->count, own->count, CM_HISTOGRAM_BINS, CM_INT64, CM_SUM, 0, CM_AUTO);
    cm_reduce(group, &own->n, &own->n, 1, CM_INT64, CM_SUM, 0, CM_AUTO);
    cm_reduce(group, &own->sum_s, &own->sum_s, 1, CM_DOUBLE, CM_SUM, 0, CM_AUTO);
    cm_reduce(group, ends, ends, 2, CM_DOUBLE, CM_MAX, 0, CM_AUTO);
    own->min_s = -ends[0];
    own->max_s = ends[1];
    if (cm_rank(group) == 0) cm_histogram_merge(histogram, own);
}

/* Rank 0's plan for the next batch. */
typedef struct {
    int64_t operations; /* 0: end */
    int64_t kept;
} plan;

/* Returns the number of operations that last a batch, estimated from the last ones. */
static int64_t next_operations(int64_t last, double lasted_s, double batch_s)
{
    double n = lasted_s > 0 ? batch_s / lasted_s * (double)last : CONGESTION_MOST_BATCH;
    return (int64_t)fmax(fmin(n, fmin(2.0 * (double)last, CONGESTION_MOST_BATCH)), 1);
}

void congestion_victim_sample(congestion_end *end, congestion_victim victim,
                              const cm_sampling *sampling, double warm_up_s, double length_s,
                              cm_histogram *histogram)
{
    enum { LEAST = 2 }; /* a median of fewer is none (congestion_estimate.c) */
    const kind *now = &kinds[victim];
    int64_t kept = 0;
    cm_histogram *own = calloc(1, sizeof *own);
    if (!own) cm_abort(CM_EXIT_SYSTEM, "out of memory for a histogram");
    plan next = {.operations = 1};
    double begin_s = cm_time();
    for (;;) {
        cm_bcast(end->group, &next, sizeof next, 0, CM_AUTO);
        if (next.operations == 0) break;
        double lasted_s = run_batch(end, now, next.operations);
        if (next.kept) {
            keep(end, now, next.operations, own);
            kept += next.operations;
        }
        double spent_s = cm_time() - begin_s;
        next.operations = next_operations(next.operations, lasted_s, sampling->trial_s);
        if (!next.kept && spent_s >= warm_up_s) {
            next.kept = 1;
            begin_s = cm_time();
        } else if (kept >= LEAST && spent_s >= length_s) next.operations = 0;
    }
    collect(end->group, own, histogram);
    free(own);
}
