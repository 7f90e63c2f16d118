/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c: joining a job, leaving it, and ending it when something fails. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "comm/computer.h"
#include "comm/engine/cards.h"
#include "comm/engine/companion.h"
#include "comm/engine/copy.h"
#include "comm/engine/credit.h"
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"
#include "comm/hosts.h"
#include "comm/tuning.h"
#include "machine/machine.h"

cm_engine engine;

/* A rank spins this long for a message if there are enough processors. Then it sleeps; waking up
   costs about 30 us. */
static const double SPIN_S = 0.1;

/* With more ranks than processors, a rank with peers in memory hands its processor over between
   looks for this time before it sleeps. */
static const double HAND_OVER_S = 1e-3;

enum { LINE_BYTES = 1024 };

/* ---- Failure --------------------------------------------------------------------------------- */

static _Noreturn void end_job(int status, int blames, const char *text)
{
    char line[LINE_BYTES];
    snprintf(line, sizeof line, "clustermark: rank %d on %s: %s", engine.rank,
             engine.host[0] ? engine.host : "this host", text);
    if (engine.pmi) {
        cm_pmi_abort(engine.pmi, status, blames, line);
    } else {
        fprintf(stderr, "%s\n", line);
    }
    _exit(status);
}

void cm_abort(int status, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    end_job(status, -1, text);
}

void cm_engine_fail(int peer, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    cm_engine_vfail(peer, format, list);
}

_Noreturn void cm_engine_vfail(int peer, const char *format, va_list list)
{
    char cause[LINE_BYTES / 2], text[LINE_BYTES];
    vsnprintf(cause, sizeof cause, format, list);
    if (peer >= 0)
        snprintf(text, sizeof text, "%s: rank %d on %s: %s", engine.doing ? engine.doing : "start",
                 peer, engine.peer[peer].host ? engine.peer[peer].host : "an unknown host", cause);
    else snprintf(text, sizeof text, "%s: %s", engine.doing ? engine.doing : "start", cause);
    end_job(CM_EXIT_SYSTEM, peer, text);
}

void *cm_engine_allocate(size_t bytes, const char *what)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) cm_engine_fail(-1, "out of memory: %zu bytes for %s", bytes, what);
    return memory;
}

/* ---- Time ------------------------------------------------------------------------------------ */

double cm_engine_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cm_time(void) { return cm_engine_now(); }

double cm_time_resolution(void)
{
    double least = 1;
    for (int i = 0; i < 1000; i++) {
        double start = cm_engine_now(), end;
        do end = cm_engine_now();
        while (end == start);
        if (end - start < least) least = end - start;
    }
    return least;
}

/* ---- Start ----------------------------------------------------------------------------------- */

static int start_error(const char *text)
{
    fprintf(stderr, "clustermark: rank %d on %s: %s\n", engine.rank, engine.host, text);
    return CM_EXIT_SYSTEM;
}

/* Finds how this rank waits for messages: whether ranks take turns on the processors of this
   computer, or on those that this rank may run on. Whether a collective's algorithms are those of
   such a job, all ranks must decide alike: all are on one computer, which has too few, or they do
   where rank 0 may run. */
static void choose_waiting(void)
{
    const cm_peer *own = &engine.peer[engine.rank], *zero = &engine.peer[0];
    const bool beyond_all = engine.ranks_here > cm_machine_online();
    const bool beyond_own = beyond_all || engine.ranks_alike > own->processors;
    engine.oversubscribed =
        engine.ranks_here == engine.size && (beyond_all || engine.ranks_as_zero > zero->processors);
    engine.hands_over = beyond_own && engine.any_in_memory;
    engine.spin_s = engine.environment.spin_us >= 0 ? 1e-6 * engine.environment.spin_us
                    : engine.hands_over             ? HAND_OVER_S
                    : beyond_own                    ? 0
                                                    : SPIN_S;
}

int cm_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    int status;
    if (engine.open) return start_error("cm_init was called twice");
    if ((status = cm_launch_check())) return status;
    if ((status = cm_environment_read(&engine.environment))) return status;
    if ((status = cm_transport_check())) return status;
    if ((status = cm_tuning_open(engine.environment.tuning))) return status;
    if (gethostname(engine.host, sizeof engine.host - 1) != 0) strcpy(engine.host, "localhost");
    for (char *c = engine.host; *c; c++)
        if (*c == '|' || *c == ' ') *c = '_';
    engine.computer = cm_computer_here(engine.host);
    if ((status = cm_pmi_open_to_gather(&engine.pmi))) return status;
    engine.rank = engine.pmi ? cm_pmi_rank(engine.pmi) : 0;
    engine.size = engine.pmi ? cm_pmi_size(engine.pmi) : 1;
    engine.local_ranks = 1;
    engine.peer = calloc((size_t)engine.size, sizeof *engine.peer);
    engine.unsent = calloc((size_t)engine.size, sizeof *engine.unsent);
    engine.failed = calloc((size_t)engine.size, sizeof *engine.failed);
    int *world = calloc((size_t)engine.size, sizeof *world);
    if (!engine.peer || !engine.unsent || !engine.failed || !world)
        return start_error("out of memory");
    for (int rank = 0; rank < engine.size; rank++) world[rank] = rank;
    cm_credit_open();
    cm_copy_admit();
    if (engine.size > 1) {
        if ((status = cm_cards_exchange())) return status;
    } else {
        if (!(engine.peer[0].host = strdup(engine.host))) return start_error("out of memory");
        engine.peer[0].computer = engine.computer;
    }
    choose_waiting();
    if (!engine.rails) cm_rail_open(1);
    engine.next_context = 2;
    engine.world = cm_engine_group_new(0, engine.rank, engine.size, world);
    engine.open = true;
    return 0;
}

/* ---- End ------------------------------------------------------------------------------------- */

/* In a job that goes on, the launcher's barrier might wait for dead ranks. So each rank tells every
   other rank that it will send no more messages, and stays until all living ranks have told it the
   same. Then the end of a connection is not a failure, and a rank that is merely done first does
   not seem to have failed. */
static void say_goodbye(void)
{
    engine.returns = true;
    cm_wire_header header = {.kind = CM_WIRE_GOODBYE};
    for (int rank = 0; rank < engine.size; rank++)
        if (rank != engine.rank) cm_send_header(rank, 0, &header);
    for (int rank = 0; rank < engine.size; rank++) {
        const cm_peer *peer = &engine.peer[rank];
        while (rank != engine.rank && !peer->left && peer->state != CM_PEER_GONE)
            cm_progress_step(CM_ANY, true);
    }
    while (engine.n_unsent) cm_progress_step(CM_ANY, true);
}

/* All ranks are at the end, so what they sent has been written. A connection that has just been
   accepted takes several looks to its messages. */
static void read_what_is_there(void)
{
    enum { IDLE = 3, LOOKS = 10000 };
    for (int looks = 0, idle = 0; idle < IDLE && looks < LOOKS; looks++) {
        bool moved = cm_transport_look();
        moved |= cm_events_poll(0);
        idle = moved ? 0 : idle + 1;
    }
}

void cm_finalize(void)
{
    if (!engine.open) return;
    engine.doing = "cm_finalize";
    while (engine.n_unsent || engine.copying) cm_progress_step(CM_ANY, true);
    if (engine.goes_on) say_goodbye();
    if (engine.pmi) {
        bool done = engine.size == 1 || engine.goes_on;
        if (!done) cm_companion_hold();
        /* Data may wait for two connections to become one. */
        while (engine.n_unsent) cm_progress_step(CM_ANY, true);
        engine.finalizing = true;
        if (!done && cm_pmi_leave_start(engine.pmi) != 0) exit(CM_EXIT_SYSTEM);
        while (!done) {
            if (cm_pmi_barrier_done(engine.pmi, &done) != 0) exit(CM_EXIT_SYSTEM);
            if (!done)
                cm_progress_step(CM_ANY, true); /* other ranks may still need detached sends */
        }
        read_what_is_there();
        cm_leftover_say();
        cm_transport_close();
        if (cm_pmi_finalize(engine.pmi) != 0) exit(CM_EXIT_SYSTEM);
    } else {
        cm_leftover_say();
    }
    cm_cards_free();
    cm_copy_free();
    /* A companion's handshake may not have been written yet. */
    for (int rank = 0; rank < engine.size; rank++) cm_send_drop(rank);
    while (engine.free_requests) {
        cm_request *next = engine.free_requests->next;
        free(engine.free_requests);
        engine.free_requests = next;
    }
    while (engine.free_outgoing) {
        cm_outgoing *next = engine.free_outgoing->next;
        free(engine.free_outgoing);
        engine.free_outgoing = next;
    }
    while (engine.message_first) {
        cm_message *message = engine.message_first;
        cm_match_drop(message);
        free(message->data);
        free(message);
    }
    cm_bins_free(&engine.bins);
    for (uint32_t slot = 0; slot < engine.n_handles; slot++) {
        cm_request *send = engine.handles[slot];
        if (!send || !send->detached) continue;
        free(send->data);
        free(send);
    }
    cm_hosts_free(engine.world->base.hosts);
    free(engine.world->world);
    free(engine.world->base.shadow);
    free(engine.world);
    free(engine.handles);
    free(engine.generations);
    free(engine.unsent);
    free(engine.failed);
    free(engine.peer);
    memset(&engine, 0, sizeof engine);
}

/* ---- Description ----------------------------------------------------------------------------- */

void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    char text[64];
    each("comm", CM_COMM, context);
    each("comm_version", PACKAGE_VERSION, context);
    cm_transport_describe(each, context);
    snprintf(text, sizeof text, "%zu", engine.environment.eager_bytes);
    each("eager_bytes", text, context);
    snprintf(text, sizeof text, "%d", engine.rails);
    if (cm_comm_has(CM_HAS_RAILS)) each("rails", text, context);
    snprintf(text, sizeof text, "%zu", engine.stripe_above);
    if (engine.rails > 1) each("rail_bytes", text, context);
    const cm_ahead ahead = engine.environment.ahead;
    if (ahead.grows && engine.all_in_memory) strcpy(text, "0");
    else snprintf(text, sizeof text, "%s%zu", ahead.grows ? "at least " : "", ahead.bytes);
    each("ahead_bytes", text, context);
    cm_copy_describe(each, context);
    snprintf(text, sizeof text, "%zu", engine.window);
    each("credit_bytes_per_peer", text, context);
    snprintf(text, sizeof text, "%zu", engine.environment.pool_bytes);
    each("pool_bytes", text, context);
    snprintf(text, sizeof text, "%zu", engine.kept_most);
    each("unexpected_bytes_most", text, context);
    snprintf(text, sizeof text, "%.0f", 1e6 * engine.spin_s);
    each("spin_us", text, context);
    each("waiting",
         engine.spin_s == 0  ? "sleeps"
         : engine.hands_over ? "hands its core over, then sleeps"
                             : "spins, then sleeps",
         context);
    snprintf(text, sizeof text, "%d", engine.environment.delay_ns);
    if (engine.environment.delay_ns) each("delay_ns", text, context);
    each("tuning", cm_tuning_source(cm_world()), context);
}

bool cm_comm_has(cm_property property)
{
    switch (property) {
    case CM_HAS_PROCESSES:
    case CM_HAS_PMI:
    case CM_HAS_SURVIVAL:
        return true;
    default:
        return cm_transport_has(property);
    }
}

/* All ranks must choose alike, but hosts may differ. So this is true only on a single host. */
bool cm_backend_oversubscribed(void) { return engine.oversubscribed; }

bool cm_backend_native_available(cm_collective collective)
{
    (void)collective;
    return false;
}
bool cm_backend_collective(cm_group *group, const cm_collective_call *call)
{
    (void)group, (void)call;
    return false;
}
cm_request *cm_backend_icollective(cm_group *group, const cm_collective_call *call)
{
    (void)group, (void)call;
    return NULL;
}
