/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_load.c: alltoall, incast and broadcast, without a pause until the victims have ended.

   The load surrounds the samples. The first aggressor tells the first victim that all aggressors
   have done some operations and go on; the victims begin after that. The first victim tells the
   first aggressor that all victims have ended; the aggressors end after that. */
#include <math.h>
#include <stdlib.h>
#include "congestion.h"

enum { TAG_DATA = 1, TAG_LOADING = 1, TAG_ENOUGH = 2, ROOT = 0 };

/* In the order of their numbers. */
const char *const congestion_load_names[] = {"alone", "alltoall", "incast", "broadcast", 0};

/* ---- Buffers --------------------------------------------------------------------------------- */

static size_t room(size_t bytes, int aggressors)
{
    size_t all;
    return __builtin_mul_overflow(bytes, (size_t)aggressors, &all) ? SIZE_MAX : all;
}

size_t congestion_load_bytes(const congestion_options *options, int aggressors)
{
    size_t one = room((size_t)options->load_bytes, aggressors), both;
    return __builtin_mul_overflow(one, (size_t)2, &both) ? SIZE_MAX : both;
}

void congestion_load_open(congestion_source *source, const congestion_place *place,
                          const congestion_options *options)
{
    size_t bytes = (size_t)options->load_bytes;
    *source =
        (congestion_source){.place = place,
                            .group = place->group,
                            .bytes = bytes,
                            .in = calloc(1, room(bytes, place->aggressors)),
                            .out = calloc(1, room(bytes, place->aggressors)),
                            .requests = calloc((size_t)place->aggressors, sizeof(cm_request *))};
    if (!source->in || !source->out || !source->requests)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the messages of an aggressor");
}

void congestion_load_close(congestion_source *source)
{
    free(source->in);
    free(source->out);
    free(source->requests);
}

static unsigned char *block(const congestion_source *s, unsigned char *blocks, int k)
{
    return blocks + (size_t)k * s->bytes;
}

/* The number of the message from one aggressor to another. */
static uint64_t number_of(const congestion_source *s, int from, int to)
{
    return (s->sequence * (uint64_t)cm_size(s->group) + (uint64_t)from)
               * (uint64_t)cm_size(s->group)
           + (uint64_t)to;
}

static void fill(congestion_source *s, int k, int from, int to)
{
    cm_pair_pattern_fill(block(s, s->in, k), s->bytes, number_of(s, from, to));
}

static void poison(congestion_source *s, unsigned char *blocks, int k, int from, int to)
{
    cm_pair_pattern_poison(block(s, blocks, k), s->bytes, number_of(s, from, to), 0);
}

static void check(congestion_source *s, const unsigned char *blocks, int k, int from, int to)
{
    cm_pair_pattern_check(blocks + (size_t)k * s->bytes, s->bytes, number_of(s, from, to), 0,
                          &s->damage);
}

/* ---- Operations ------------------------------------------------------------------------------ */

static void alltoall(congestion_source *s)
{
    cm_alltoall(s->group, s->in, s->bytes, s->out, CM_AUTO);
}

static void alltoall_prepare(congestion_source *s)
{
    int p = cm_size(s->group), own = cm_rank(s->group);
    for (int k = 0; k < p; k++) fill(s, k, own, k);
    for (int k = 0; k < p; k++) poison(s, s->out, k, k, own);
}

static void alltoall_check(congestion_source *s)
{
    int p = cm_size(s->group), own = cm_rank(s->group);
    for (int k = 0; k < p; k++) check(s, s->out, k, k, own);
}

/* All send to the root. */
static void incast(congestion_source *s)
{
    int p = cm_size(s->group);
    if (cm_rank(s->group) != ROOT) {
        cm_send(s->group, s->in, s->bytes, ROOT, TAG_DATA);
        return;
    }
    for (int k = 1; k < p; k++)
        s->requests[k] = cm_irecv(s->group, block(s, s->out, k), s->bytes, k, TAG_DATA);
    cm_waitall(p - 1, s->requests + 1, NULL);
}

static void incast_prepare(congestion_source *s)
{
    int p = cm_size(s->group), own = cm_rank(s->group);
    fill(s, 0, own, ROOT);
    for (int k = 1; k < p && own == ROOT; k++) poison(s, s->out, k, k, ROOT);
}

static void incast_check(congestion_source *s)
{
    int p = cm_size(s->group);
    for (int k = 1; k < p && cm_rank(s->group) == ROOT; k++) check(s, s->out, k, k, ROOT);
}

static void broadcast(congestion_source *s) { cm_bcast(s->group, s->in, s->bytes, ROOT, CM_AUTO); }

static void broadcast_prepare(congestion_source *s)
{
    if (cm_rank(s->group) == ROOT) fill(s, 0, ROOT, ROOT);
    else poison(s, s->in, 0, ROOT, ROOT);
}

static void broadcast_check(congestion_source *s) { check(s, s->in, 0, ROOT, ROOT); }

typedef struct {
    void (*perform)(congestion_source *s);
    void (*prepare)(congestion_source *s);
    void (*check)(congestion_source *s);
    bool each; /* each aggressor sends to each other one; otherwise one sends or receives */
} kind;
static const kind kinds[CONGESTION_LOADS] = {
    [CONGESTION_ALLTOALL] = {alltoall, alltoall_prepare, alltoall_check, true},
    [CONGESTION_INCAST] = {incast, incast_prepare, incast_check, false},
    [CONGESTION_BROADCAST] = {broadcast, broadcast_prepare, broadcast_check, false},
};

static double bytes_of(const kind *now, double bytes, double p)
{
    return bytes * (p - 1) * (now->each ? p : 1);
}

static void verify(congestion_source *s, const kind *now)
{
    now->prepare(s);
    now->perform(s);
    now->check(s);
    s->sequence++;
}

/* ---- Until the victims have ended ------------------------------------------------------------ */

/* The first aggressor's plan for the next batch. */
typedef struct {
    int64_t operations; /* 0: end */
    int64_t meet;       /* a barrier follows: all have done their part */
} plan;

typedef struct {
    double begin_s; /* of all; then of the load, once the victims know of it */
    bool told;
    congestion_work work;
} course;

/* Returns the seconds that the batch took. */
static double run_batch(congestion_source *s, const kind *now, const plan *next, course *c)
{
    double begin_s = cm_time(), last_s = begin_s, now_s;
    for (int64_t k = 0; k < next->operations; k++) {
        now->perform(s);
        now_s = cm_time();
        c->work.longest_s = fmax(c->work.longest_s, now_s - last_s);
        last_s = now_s;
    }
    if (next->meet) cm_barrier(s->group, CM_AUTO);
    c->work.operations += next->operations;
    return last_s - begin_s;
}

/* On the first aggressor: decides what is next. The load counts from the moment at which the
   victims are notified; everything before it is warm-up. */
static void decide(const congestion_source *s, const cm_sampling *sampling, double lasted_s,
                   plan *next, course *c)
{
    int victim = s->place->victim_root;
    double n = lasted_s > 0 ? sampling->trial_s / lasted_s * (double)next->operations : 1;
    next->operations = (int64_t)fmax(fmin(n, 2.0 * (double)next->operations), 1);
    if (!c->told && cm_time() - c->begin_s >= sampling->warm_up_s) {
        c->told = true;
        next->meet = 0;
        c->work = (congestion_work){0};
        c->begin_s = cm_time();
        cm_send(cm_world(), NULL, 0, victim, TAG_LOADING);
    } else if (c->told && cm_iprobe(cm_world(), victim, TAG_ENOUGH, NULL)) {
        cm_recv(cm_world(), NULL, 0, victim, TAG_ENOUGH, NULL);
        next->operations = 0;
    }
}

void congestion_load_run(congestion_source *s, congestion_load load, const cm_sampling *sampling,
                         congestion_work *work)
{
    const kind *now = &kinds[load];
    plan next = {.operations = 1, .meet = 1};
    verify(s, now);
    course c = {.begin_s = cm_time()};
    for (;;) {
        cm_bcast(s->group, &next, sizeof next, ROOT, CM_AUTO);
        if (next.operations == 0) break;
        double lasted_s = run_batch(s, now, &next, &c);
        if (cm_rank(s->group) == ROOT) decide(s, sampling, lasted_s, &next, &c);
    }
    /* A broadcast's root runs ahead. */
    cm_barrier(s->group, CM_AUTO);
    c.work.seconds = cm_time() - c.begin_s;
    c.work.bytes = (double)c.work.operations * bytes_of(now, (double)s->bytes, cm_size(s->group));
    verify(s, now);
    *work = c.work;
}

void congestion_load_await(const congestion_place *place)
{
    cm_recv(cm_world(), NULL, 0, place->load_root, TAG_LOADING, NULL);
}

void congestion_load_end(const congestion_place *place)
{
    cm_send(cm_world(), NULL, 0, place->load_root, TAG_ENOUGH);
}
