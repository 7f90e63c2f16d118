/* SPDX-License-Identifier: BSD-3-Clause */
/* transport.c: the transports of this build; see transport.h. */
#include "config.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "base/launch_rank.h"
#include "comm/engine/events.h"
#include "comm/engine/limits.h"
#include "comm/engine/pending.h"
#include "comm/engine/transport.h"

CM_TRANSPORTS(CM_TRANSPORT_DECLARE)

/* In the order in which they are tried. */
#define ENTRY(name) &cm_##name,
static const cm_transport *const linked[] = {CM_TRANSPORTS(ENTRY)};
enum { LINKED = sizeof linked / sizeof *linked };

static struct {
    bool open[LINKED];
    int peers[LINKED]; /* number of peers that are reached by it */
} used;

/* ---- Opening --------------------------------------------------------------------------------- */

/* CM_TRANSPORT names one, or leaves the choice to this file. */
static bool wanted(const cm_transport *transport)
{
    const char *name = engine.environment.transport;
    return strcmp(name, "auto") == 0 || strcmp(name, transport->name) == 0;
}

int cm_transport_check(void)
{
    for (int i = 0; i < LINKED; i++)
        if (wanted(linked[i])) return 0;
    char names[256] = "";
    for (int i = 0; i < LINKED; i++) {
        strcat(names, i < LINKED - 1 ? ", " : " or ");
        strcat(names, linked[i]->name);
    }
    if (cm_launch_rank() == 0)
        fprintf(stderr, "clustermark: CM_TRANSPORT=%s: expected auto%s in this build\n",
                engine.environment.transport, names);
    return CM_EXIT_USAGE;
}

void cm_transport_open(bool one_host, char *card, size_t capacity, int *rails)
{
    bool any = false;
    int regions = 0;
    enum { LISTENERS = 8 }; /* about; how many rails there are is known once they are open */
    *rails = 1;
    cm_limits_files(LISTENERS, 0, 0);
    cm_events_open();
    for (int i = 0; i < LINKED; i++) {
        int mine = 1;
        used.open[i] = wanted(linked[i]);
        if (!used.open[i]) continue;
        const int n = snprintf(card, capacity, "%s%s:", any ? "+" : "", linked[i]->name);
        if (n < 0 || (size_t)n >= capacity) cm_engine_fail(-1, "no room for an address");
        card += n;
        capacity -= (size_t)n;
        linked[i]->open(one_host, card, capacity, &mine);
        capacity -= strlen(card);
        card += strlen(card);
        any = true;
        if (mine > *rails) *rails = mine;
        if (linked[i]->sharing) regions = CM_REGIONS_MOST;
    }
    /* Its count of used descriptors has the listeners. */
    cm_limits_files(0, *rails, CM_PENDING + regions);
}

void cm_transport_close(void)
{
    while (engine.lanes) cm_lane_close(engine.lanes);
    for (int i = 0; i < LINKED; i++)
        if (used.open[i]) linked[i]->shut();
    cm_events_close();
}

/* ---- Who reaches whom ------------------------------------------------------------------------ */

/* Returns the address of a card for this transport, or NULL. */
static const char *address_on(const char *card, const cm_transport *transport)
{
    const size_t n = strlen(transport->name);
    while (card && (strncmp(card, transport->name, n) != 0 || card[n] != ':')) {
        card = strchr(card, '+');
        if (card) card++;
    }
    return card ? card + n + 1 : NULL;
}

int cm_transport_rails(const char *card)
{
    int most = 1, n = 1;
    for (; *card; card++) {
        n = *card == '+' ? 1 : n + (*card == ',');
        if (n > most) most = n;
    }
    return most;
}

/* Returns the index of the transport by which the peer is reached, or -1. */
static int choice(int peer)
{
    for (int i = 0; i < LINKED; i++) {
        const cm_transport *by = linked[i];
        const char *address = used.open[i] ? address_on(engine.peer[peer].card, by) : NULL;
        if (address && (!by->reaches || by->reaches(address))) return i;
    }
    return -1;
}

/* Through the launcher, the lines of several ranks become one. */
static _Noreturn void refuse_peer(int peer)
{
    const cm_peer *p = &engine.peer[peer];
    for (int i = 0; i < LINKED; i++)
        if (used.open[i] && linked[i]->beyond)
            cm_abort(CM_EXIT_USAGE, "rank %d on %s %s, or %s", peer, p->host, linked[i]->beyond,
                     LINKED > 1 ? "--with-comm=hybrid without CM_TRANSPORT=shm"
                                : "a build configured --with-comm=hybrid");
    cm_engine_fail(peer, "none of its addresses ('%s') is for a transport of this rank", p->card);
}

bool cm_transport_meets(void)
{
    bool limited = false;
    for (int i = 0; i < LINKED; i++) limited |= linked[i]->reaches != NULL;
    return limited;
}

void cm_transport_meet(void)
{
    int in_memory = 0;
    memset(used.peers, 0, sizeof used.peers);
    for (int peer = 0; peer < engine.size; peer++) {
        if (peer == engine.rank) continue;
        const int by = choice(peer);
        if (by < 0) refuse_peer(peer);
        engine.peer[peer].in_memory = linked[by]->in_memory;
        in_memory += linked[by]->in_memory;
        used.peers[by]++;
    }
    engine.all_in_memory = in_memory > 0 && in_memory == engine.size - 1;
    engine.any_in_memory = in_memory > 0;
}

cm_lane *cm_transport_connect(int peer, int rail)
{
    const int which = choice(peer);
    if (which < 0) refuse_peer(peer);
    const cm_transport *by = linked[which];
    return by->connect(peer, rail, address_on(engine.peer[peer].card, by));
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
    bool moved = false;
    for (int i = 0; i < LINKED; i++)
        if (linked[i]->look) moved |= linked[i]->look();
    return moved;
}

bool cm_transport_sleeps(bool sleeps)
{
    bool work = false;
    for (int i = 0; i < LINKED; i++)
        if (linked[i]->sleeps) work |= linked[i]->sleeps(sleeps);
    return work;
}

int cm_transport_patience_ms(void)
{
    int least = INT_MAX;
    for (int i = 0; i < LINKED; i++) {
        const int ms = linked[i]->patience_ms ? linked[i]->patience_ms() : INT_MAX;
        if (ms < least) least = ms;
    }
    return least;
}

/* ---- Memory of the program ------------------------------------------------------------------- */

int cm_transport_make(size_t bytes, cm_mapping *mapping)
{
    for (int i = 0; i < LINKED; i++)
        if (used.open[i] && linked[i]->sharing) return linked[i]->sharing->make(bytes, mapping);
    return -1;
}

/* ---- Description ----------------------------------------------------------------------------- */

bool cm_transport_has(cm_property property)
{
    unsigned has = 0;
    for (int i = 0; i < LINKED; i++) has |= linked[i]->has;
    return has >> property & 1;
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
