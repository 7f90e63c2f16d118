/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c: joining a job, leaving it, and ending it when something fails. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"

cm_engine engine;

/* So long a rank spins for a message while there are cores enough; then it sleeps, and waking up
   costs some 30 us. */
static const double SPIN_S = 0.1;

enum { LINE_BYTES = 1024 };

/* ---- Failure
   ---------------------------------------------------------------------------------- */

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
                 peer, engine.peer[peer].host, cause);
    else snprintf(text, sizeof text, "%s: %s", engine.doing ? engine.doing : "start", cause);
    end_job(CM_EXIT_SYSTEM, peer, text);
}

void *cm_engine_allocate(size_t bytes, const char *what)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) cm_engine_fail(-1, "out of memory: %zu bytes for %s", bytes, what);
    return memory;
}

/* ---- Time
   ---------------------------------------------------------------------------------------- */

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

/* ---- Start
   ---------------------------------------------------------------------------------------- */

static int start_error(const char *text)
{
    fprintf(stderr, "clustermark: rank %d on %s: %s\n", engine.rank, engine.host, text);
    return CM_EXIT_SYSTEM;
}

static void hex(const unsigned char *bytes, size_t n, char *text)
{
    for (size_t i = 0; i < n; i++) sprintf(text + 2 * i, "%02x", bytes[i]);
}

static bool unhex(const char *text, unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned value;
        if (sscanf(text + 2 * i, "%2x", &value) != 1) return false;
        bytes[i] = (unsigned char)value;
    }
    return true;
}

/* Ranks on this host as the launcher says; 0 when it does not. */
static int launched_here(void)
{
    if (engine.environment.local_ranks) return engine.environment.local_ranks;
    const char *text = getenv("MPI_LOCALNRANKS");
    return text ? atoi(text) : 0;
}

static int count_addresses(const char *card)
{
    int n = 1;
    for (; *card; card++) n += *card == ',';
    return n;
}

/* Reads host|address|nonce|window|process; address is one for each rail. */
static bool read_card(char *card, cm_peer *peer)
{
    char *address = strchr(card, '|'), *nonce = address ? strchr(address + 1, '|') : NULL;
    char *window = nonce ? strchr(nonce + 1, '|') : NULL;
    char *process = window ? strchr(window + 1, '|') : NULL;
    if (!process || !cm_vigil_read(process + 1, peer)) return false;
    *address++ = *nonce++ = *window++ = 0;
    peer->host = strdup(card);
    peer->card = strdup(address);
    peer->credit = strtoull(window, NULL, 10);
    return peer->host && peer->card && strlen(nonce) == 2 * CM_NONCE_BYTES
           && unhex(nonce, peer->nonce, CM_NONCE_BYTES);
}

/* Every rank puts its card on the launcher's board, rank 0 also the job's secret; then all read
   all. */
static int exchange_cards(void)
{
    char card[1024], address[640], key[32], secret[2 * CM_SECRET_BYTES + 1];
    char nonce[2 * CM_NONCE_BYTES + 1], process[64];
    bool one_host = launched_here() == engine.size;
    int rails, status = cm_transport_open(one_host, address, sizeof address, &rails);
    if (status) return status;
    cm_rail_open(rails);
    if (!cm_auth_random(engine.nonce, CM_NONCE_BYTES)
        || (engine.rank == 0 && !cm_auth_random(engine.secret, CM_SECRET_BYTES)))
        return start_error("the system gives no random numbers");
    hex(engine.nonce, CM_NONCE_BYTES, nonce);
    cm_vigil_write(process, sizeof process);
    snprintf(card, sizeof card, "%s|%s|%s|%zu|%s", engine.host, address, nonce, engine.window,
             process);
    snprintf(key, sizeof key, "card-%d", engine.rank);
    if ((status = cm_pmi_put(engine.pmi, key, card))) return status;
    if (engine.rank == 0) {
        hex(engine.secret, CM_SECRET_BYTES, secret);
        if ((status = cm_pmi_put(engine.pmi, "secret", secret))) return status;
    }
    if ((status = cm_pmi_barrier(engine.pmi))) return status;
    if ((status = cm_pmi_get(engine.pmi, "secret", secret, sizeof secret))) return status;
    if (strlen(secret) != 2 * CM_SECRET_BYTES || !unhex(secret, engine.secret, CM_SECRET_BYTES))
        return start_error("the job's secret from the launcher makes no sense");
    engine.local_ranks = 0;
    for (int rank = 0; rank < engine.size; rank++) {
        snprintf(key, sizeof key, "card-%d", rank);
        if ((status = cm_pmi_get(engine.pmi, key, card, sizeof card))) return status;
        if (!read_card(card, &engine.peer[rank]))
            return start_error("a rank's card from the launcher makes no sense");
        if (strcmp(engine.peer[rank].host, engine.host) == 0) engine.local_ranks++;
    }
    for (int rank = 0; rank < engine.size; rank++) {
        const cm_peer *peer = &engine.peer[rank], *zero = &engine.peer[0];
        const int theirs = count_addresses(peer->card), first = count_addresses(zero->card);
        if (theirs != first)
            cm_abort(CM_EXIT_USAGE,
                     "CM_RAILS: rank %d on %s has %d, rank 0 on %s %d: all ranks must have the "
                     "same number of rails",
                     rank, peer->host, theirs, zero->host, first);
    }
    /* Hosts may have one name. */
    bool several = engine.local_ranks != engine.size || (!one_host && launched_here());
    if (several && !cm_auth_strong()) {
        if (engine.rank == 0)
            fprintf(
                stderr,
                "clustermark: ranks on several hosts need a build with libcrypto, with which they "
                "prove to each other who they are; this one is without\n");
        return CM_EXIT_USAGE;
    }
    return 0;
}

int cm_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    int status;
    if (engine.open) return start_error("cm_init was called twice");
    if ((status = cm_launch_check())) return status;
    if ((status = cm_environment_read(&engine.environment))) return status;
    if (gethostname(engine.host, sizeof engine.host - 1) != 0) strcpy(engine.host, "localhost");
    for (char *c = engine.host; *c; c++)
        if (*c == '|' || *c == ' ') *c = '_';
    if ((status = cm_pmi_open(&engine.pmi))) return status;
    engine.rank = engine.pmi ? cm_pmi_rank(engine.pmi) : 0;
    engine.size = engine.pmi ? cm_pmi_size(engine.pmi) : 1;
    engine.local_ranks = 1;
    engine.peer = calloc((size_t)engine.size, sizeof *engine.peer);
    engine.pending = calloc((size_t)engine.size, sizeof *engine.pending);
    engine.failed = calloc((size_t)engine.size, sizeof *engine.failed);
    int *world = calloc((size_t)engine.size, sizeof *world);
    if (!engine.peer || !engine.pending || !engine.failed || !world)
        return start_error("out of memory");
    for (int rank = 0; rank < engine.size; rank++) world[rank] = rank;
    engine.window = engine.environment.pool_bytes / (size_t)(engine.size > 1 ? engine.size - 1 : 1);
    if (engine.size > 1) {
        if ((status = exchange_cards())) return status;
    } else if (!(engine.peer[0].host = strdup(engine.host))) {
        return start_error("out of memory");
    }
    /* Asked once: the C library reads a file of the kernel each time. */
    const bool beyond_cores = engine.local_ranks > sysconf(_SC_NPROCESSORS_ONLN);
    engine.crowded = beyond_cores && engine.local_ranks == engine.size;
    engine.spin_s = engine.environment.spin_us >= 0 ? 1e-6 * engine.environment.spin_us
                    : beyond_cores                  ? 0
                                                    : SPIN_S;
    if (!engine.rails) cm_rail_open(1);
    engine.next_context = 2;
    engine.world = cm_engine_group_new(0, engine.rank, engine.size, world);
    engine.open = true;
    return 0;
}

/* ---- End
   ------------------------------------------------------------------------------------------ */

/* Where the job goes on, the launcher's barrier might wait for the dead. So each rank tells each
   other one that no message follows, and stays until it has been told by all that are here: then
   the end of a connection is no failure, and nobody finds a rank gone that only was done first. */
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
    while (engine.n_pending) cm_progress_step(CM_ANY, true);
}

void cm_finalize(void)
{
    if (!engine.open) return;
    engine.doing = "cm_finalize";
    while (engine.n_pending) cm_progress_step(CM_ANY, true);
    if (engine.goes_on) say_goodbye();
    if (engine.pmi) {
        bool done = engine.size == 1 || engine.goes_on;
        engine.finalizing = true;
        if (!done && cm_pmi_barrier_start(engine.pmi) != 0) exit(CM_EXIT_SYSTEM);
        while (!done) {
            if (cm_pmi_barrier_done(engine.pmi, &done) != 0) exit(CM_EXIT_SYSTEM);
            if (!done)
                cm_progress_step(CM_ANY, true); /* others may still want what was
                                                            detached */
        }
        cm_transport_close();
        if (cm_pmi_finalize(engine.pmi) != 0) exit(CM_EXIT_SYSTEM);
    }
    for (int rank = 0; rank < engine.size; rank++) {
        free(engine.peer[rank].host);
        free(engine.peer[rank].card);
    }
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
    for (uint32_t slot = 0; slot < engine.n_handles; slot++) {
        cm_request *send = engine.handles[slot];
        if (!send || !send->detached) continue;
        free(send->data);
        free(send);
    }
    free(engine.world->world);
    free(engine.world->base.shadow);
    free(engine.world);
    free(engine.handles);
    free(engine.generations);
    free(engine.pending);
    free(engine.failed);
    free(engine.peer);
    memset(&engine, 0, sizeof engine);
}

/* ---- Description
   ------------------------------------------------------------------------------------ */

void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    char text[64];
    each("comm", "sockets", context);
    each("comm_version", PACKAGE_VERSION, context);
    cm_transport_describe(each, context);
    snprintf(text, sizeof text, "%zu", engine.environment.eager_bytes);
    each("eager_bytes", text, context);
    snprintf(text, sizeof text, "%d", engine.rails);
    each("rails", text, context);
    snprintf(text, sizeof text, "%zu", engine.stripe_above);
    if (engine.rails > 1) each("rail_bytes", text, context);
    snprintf(text, sizeof text, "%zu", engine.environment.ahead_bytes);
    each("ahead_bytes", text, context);
    snprintf(text, sizeof text, "%zu", engine.environment.piece_bytes);
    each("piece_bytes", text, context);
    snprintf(text, sizeof text, "%zu", engine.window);
    each("credit_bytes_per_peer", text, context);
    snprintf(text, sizeof text, "%zu", engine.kept_most);
    each("unexpected_bytes_most", text, context);
    each("nodelay", engine.environment.nodelay ? "1" : "0", context);
    snprintf(text, sizeof text, "%.0f", 1e6 * engine.spin_s);
    each("spin_us", text, context);
    each("waiting", engine.spin_s > 0 ? "spins, then sleeps" : "sleeps", context);
}

bool cm_comm_has(cm_property property)
{
    switch (property) {
    case CM_HAS_PROCESSES:
    case CM_HAS_PMI:
    case CM_HAS_SURVIVAL:
    case CM_HAS_SOCKET_BUFFERS:
    case CM_HAS_RAILS:
        return true;
    case CM_HAS_NATIVE:
        break;
    }
    return false;
}

/* All ranks must choose alike, and hosts may differ: only where there is one. */
bool cm_backend_crowded(void) { return engine.crowded; }

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
