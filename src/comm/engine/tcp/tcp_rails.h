/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_rails.h: the interfaces that this rank's rails use. */
#ifndef CM_TCP_RAILS_H
#define CM_TCP_RAILS_H

#include "comm/engine/engine.h"
#include "machine/interface.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* If CM_RAILS names interfaces, each rail has its own. Otherwise all rails use the same one, and
   the interfaces are addresses of this host, of which a peer tries one after the other. */
typedef struct {
    int rails, interfaces;
    bool alternatives;
    unsigned used; /* bits of the alternatives over which there was a connection */
    cm_machine_interface interface[CM_RAILS_MOST];
} cm_tcp_rails;

/* Chooses this rank's, by CM_RAILS and CM_INTERFACE. With one_host it uses loopback unless they
   name other interfaces. Ends the job if they name an interface that does not exist. */
const cm_tcp_rails *cm_tcp_rails_choose(bool one_host);
const cm_tcp_rails *cm_tcp_rails_own(void); /* those that were chosen */

/* The local end of a connection, which tells the alternative that is used. */
void cm_tcp_rails_use(int fd);

/* Writes the names, "eth0,eth1": of alternatives, those that were used, or the first. text has room
   for size characters. */
void cm_tcp_rails_names(char *text, size_t size);

#pragma GCC visibility pop
#endif
