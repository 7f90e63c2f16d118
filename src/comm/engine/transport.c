/* SPDX-License-Identifier: BSD-3-Clause */
/* transport.c: the transports of this build; see transport.h. */
#include "config.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "comm/engine/events.h"
#include "comm/engine/limits.h"
#include "comm/engine/strangers.h"
#include "comm/engine/transport.h"

const cm_transport cm_shm = {
    .name = "shm",
    .in_memory = true,
    .open = cm_shm_open,
    .shut = cm_shm_shut,
    .reaches = cm_shm_reaches,
    .connect = cm_shm_connect,
    .write = cm_shm_write,
    .read = cm_shm_read,
    .close = cm_shm_close,
    .want_room = cm_shm_want_room,
    .pad_units = cm_shm_pad_units,
    .in_flight = cm_shm_in_flight,
    .unanswered = cm_shm_unanswered,
    .pursue = cm_shm_pursue,
    .look = cm_shm_look,
    .sleeps = cm_shm_sleeps,
    .patience_ms = cm_shm_patience_ms,
    .give = cm_shm_give,
    .revoke = cm_shm_revoke,
    .area = cm_shm_area,
    .forget = cm_shm_forget,
    .describe = cm_shm_describe,
};

const cm_transport cm_tcp = {
    .name = "tcp",
    .open = cm_tcp_open,
    .shut = cm_tcp_shut,
    .reaches = cm_tcp_reaches,
    .connect = cm_tcp_connect,
    .write = cm_tcp_write,
    .read = cm_tcp_read,
    .close = cm_tcp_close,
    .want_room = cm_tcp_want_room,
    .pad_units = cm_tcp_pad_units,
    .in_flight = cm_tcp_in_flight,
    .unanswered = cm_tcp_unanswered,
    .pursue = cm_tcp_pursue,
    .interface = cm_tcp_interface,
    .describe = cm_tcp_describe,
};

/* In the order in which they are tried. */
static const cm_transport *const linked[] = {
#ifdef CM_WITH_SHM
    &cm_shm,
#endif
#ifdef CM_WITH_TCP
    &cm_tcp,
#endif
};
enum { LINKED = sizeof linked / sizeof linked[0] };

static struct {
    bool open[LINKED];
    int peers[LINKED]; /* number of peers that are reached by it */
} used;

/* CM_TRANSPORT names one, or leaves the choice to this file. */
static bool wanted(const cm_transport *transport)
{
    const char *name = engine.environment.transport;
    return strcmp(name, "auto") == 0 || strcmp(name, transport->name) == 0;
}

static _Noreturn void refuse_name(void)
{
    cm_abort(CM_EXIT_USAGE, "CM_TRANSPORT=%s: this build has only %s; expected auto or %s",
             engine.environment.transport, linked[0]->name, linked[0]->name);
}

/* A card has the addresses of each transport, separated by '+'. */
void cm_transport_open(bool one_host, char *card, size_t capacity, int *rails)
{
    bool any = false;
    *rails = 1;
    cm_events_open();
    for (int i = 0; i < LINKED; i++) {
        int mine = 1;
        used.open[i] = wanted(linked[i]);
        if (!used.open[i]) continue;
        if (any) strcat(card, "+");
        const size_t length = any ? strlen(card) : 0;
        linked[i]->open(one_host, card + length, capacity - length - 1, &mine);
        if (mine > *rails) *rails = mine;
        any = true;
    }
    if (!any) refuse_name();
    /* Its count of used descriptors has the listeners. */
    cm_limits_files(0, *rails,
                    CM_STRANGERS + (used.open[0] && linked[0]->in_memory ? CM_AREAS_MOST : 0));
}

void cm_transport_close(void)
{
    while (engine.lanes) cm_lane_close(engine.lanes);
    for (int i = 0; i < LINKED; i++)
        if (used.open[i]) linked[i]->shut();
    cm_events_close();
}

/* ---- Who reaches whom ------------------------------------------------------------------------ */

/* Returns the part of a peer's card that is this transport's, or NULL. */
static const char *address_of(int peer, const cm_transport *transport)
{
    const char *address = engine.peer[peer].card;
    while (address && (*address == '@') != transport->in_memory) {
        address = strchr(address, '+');
        if (address) address++;
    }
    return address;
}

/* Returns the index of the transport by which the peer is reached, or -1. */
static int choice(int peer)
{
    for (int i = 0; i < LINKED; i++) {
        const char *address = used.open[i] ? address_of(peer, linked[i]) : NULL;
        if (address && linked[i]->reaches(address)) return i;
    }
    return -1;
}

/* Through the launcher, the lines of several ranks become one. */
static _Noreturn void refuse_peer(int peer)
{
    cm_abort(CM_EXIT_USAGE,
             "rank %d on %s does not share this host's memory; expected all ranks on one host, or "
             "%s",
             peer, engine.peer[peer].host,
             LINKED > 1 ? "--with-comm=hybrid without CM_TRANSPORT=shm"
                        : "a build configured --with-comm=hybrid");
}

bool cm_transport_meets(void) { return linked[0]->in_memory; }

void cm_transport_meet(void)
{
    memset(used.peers, 0, sizeof used.peers);
    for (int peer = 0; peer < engine.size; peer++) {
        if (peer == engine.rank) continue;
        const int by = choice(peer);
        if (by < 0) refuse_peer(peer);
        engine.peer[peer].in_memory = linked[by]->in_memory;
        used.peers[by]++;
    }
    engine.all_in_memory = linked[0]->in_memory && used.peers[0] == engine.size - 1;
    engine.any_in_memory = linked[0]->in_memory && used.peers[0] > 0;
}

cm_lane *cm_transport_connect(int peer, int rail)
{
    const int which = choice(peer);
    if (which < 0) refuse_peer(peer);
    const cm_transport *by = linked[which];
    return by->connect(peer, rail, address_of(peer, by));
}

const char *cm_transport_interface(int rail)
{
    for (int i = 0; i < LINKED; i++)
        if (used.open[i] && linked[i]->interface) return linked[i]->interface(rail);
    return "memory";
}

/* ---- Looking and sleeping -------------------------------------------------------------------- */

bool cm_transport_look(void)
{
#ifdef CM_WITH_SHM
    return cm_shm_look();
#else
    return false;
#endif
}

bool cm_transport_sleeps(bool sleeps)
{
#ifdef CM_WITH_SHM
    return cm_shm_sleeps(sleeps);
#else
    return (void)sleeps, false;
#endif
}

int cm_transport_patience_ms(void)
{
#ifdef CM_WITH_SHM
    return cm_shm_patience_ms();
#else
    return INT_MAX;
#endif
}

/* ---- Description ----------------------------------------------------------------------------- */

const char *cm_transport_backend(void)
{
    return LINKED > 1 ? "hybrid" : linked[0] == &cm_shm ? "shm" : "sockets";
}

void cm_transport_describe(cm_describe_each *each, void *context)
{
    char names[32] = "", text[16];
    for (int i = 0; i < LINKED; i++) {
        if (!used.open[i] || (!used.peers[i] && engine.size > 1)) continue;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? "+" : "",
                 linked[i]->name);
    }
    each("transport", names[0] ? names : linked[0]->name, context);
    for (int i = 0; i < LINKED; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_peers", linked[i]->name);
        snprintf(text, sizeof text, "%d", used.peers[i]);
        if (LINKED > 1) each(key, text, context);
        linked[i]->describe(each, context);
    }
}
