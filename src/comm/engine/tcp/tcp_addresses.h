/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_addresses.h: the addresses of a peer, in the order in which they are tried. */
#ifndef CM_TCP_ADDRESSES_H
#define CM_TCP_ADDRESSES_H

#include "comm/engine/tcp/tcp_rails.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

typedef struct {
    struct sockaddr_storage address;
    socklen_t length;
    char name[64], port[8]; /* as on the card */
} cm_tcp_address;

typedef struct {
    cm_tcp_address address[CM_RAILS_MOST];
    int n;
} cm_tcp_addresses;

/* Reads those of a rail from a card. Returns false if it is malformed. */
bool cm_tcp_addresses_read(const char *card, int rail, cm_tcp_addresses *to);

/* Puts the addresses of a peer in order: first those in a network of this rank, as this rank's
   interfaces are ordered (but the first network that all hosts share before any other, if all cards
   are known), then the others. Leaves out an address that this host has, too, unless the peer is on
   this host or has no other: a container engine's bridge has the same one on every host. */
void cm_tcp_addresses_order(int peer, cm_tcp_addresses *to);

#pragma GCC visibility pop
#endif
