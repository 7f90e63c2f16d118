/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_addresses.c: which address of a peer is tried first; see tcp_addresses.h. */
#include "config.h"
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/engine/tcp/tcp_addresses.h"

/* ---- Cards ----------------------------------------------------------------------------------- */

static bool read_one(const char *text, cm_tcp_address *to)
{
    struct addrinfo *address,
        hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    if (sscanf(text, "%63[^;];%7[0-9]", to->name, to->port) != 2
        || getaddrinfo(to->name, to->port, &hints, &address) != 0)
        return false;
    memcpy(&to->address, address->ai_addr, address->ai_addrlen);
    to->length = address->ai_addrlen;
    freeaddrinfo(address);
    return true;
}

bool cm_tcp_addresses_read(const char *card, int rail, cm_tcp_addresses *to)
{
    const char *at = card;
    for (; rail > 0 && at; rail--)
        if ((at = strchr(at, ','))) at++;
    if (!at || !*at || *at == ',' || *at == '+') at = card; /* those of rail 0 */
    for (to->n = 0; to->n < CM_RAILS_MOST; at++) {
        if (!read_one(at, &to->address[to->n++])) return false;
        at += strcspn(at, "/,+");
        if (*at != '/') return true;
    }
    return false;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static bool is_here(int peer) { return strcmp(engine.peer[peer].host, engine.host) == 0; }

static bool is_mine(const cm_tcp_address *address)
{
    const cm_tcp_rails *own = cm_tcp_rails_own();
    for (int i = 0; i < own->interfaces; i++)
        if (cm_machine_interface_same(&own->interface[i].address, &address->address)) return true;
    return false;
}

/* Returns true if the peer has an address of its own in the network of one of this rank's. */
static bool shares(int peer, const cm_machine_interface *network)
{
    cm_tcp_addresses theirs;
    const char *card = strstr(engine.peer[peer].card, "tcp:");
    if (!card || !cm_tcp_addresses_read(card + 4, 0, &theirs)) return false;
    for (int k = 0; k < theirs.n; k++)
        if (cm_machine_interface_reaches(network, &theirs.address[k].address)
            && !is_mine(&theirs.address[k]))
            return true;
    return false;
}

/* Returns the first of this rank's interfaces whose network all other hosts share, or -1: none, or
   not all cards are known. */
static int common_network(void)
{
    static int found = -2;
    const cm_tcp_rails *own = cm_tcp_rails_own();
    if (found > -2) return found;
    for (int peer = 0; peer < engine.size; peer++)
        if (!engine.peer[peer].card) return -1;
    found = -1;
    for (int i = 0; i < own->interfaces && found < 0; i++) {
        bool all = true;
        for (int peer = 0; peer < engine.size && all; peer++)
            all = is_here(peer) || shares(peer, &own->interface[i]);
        if (all) found = i;
    }
    return found;
}

/* Smaller is better. */
static int rank_of(const cm_tcp_address *address, int common)
{
    const cm_tcp_rails *own = cm_tcp_rails_own();
    if (common >= 0 && cm_machine_interface_reaches(&own->interface[common], &address->address))
        return -1;
    for (int i = 0; i < own->interfaces; i++)
        if (cm_machine_interface_reaches(&own->interface[i], &address->address)) return i;
    return own->interfaces;
}

void cm_tcp_addresses_order(int peer, cm_tcp_addresses *to)
{
    int n = 0;
    if (to->n == 1) return;
    const bool here = is_here(peer);
    const int common = common_network();
    for (int k = 0; k < to->n; k++) {
        const cm_tcp_address address = to->address[k];
        int place = n;
        if (!here && is_mine(&address) && (n > 0 || k + 1 < to->n)) continue;
        for (; place > 0 && rank_of(&to->address[place - 1], common) > rank_of(&address, common);
             place--)
            to->address[place] = to->address[place - 1];
        to->address[place] = address;
        n++;
    }
    to->n = n;
}
