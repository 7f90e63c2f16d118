/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_rails.h: over which interfaces this rank's rails run. */
#ifndef CM_TRANSPORT_RAILS_H
#define CM_TRANSPORT_RAILS_H

#include "comm/engine/engine.h"
#include "machine/interface.h"

/* A count of rails runs over one interface, else each rail has its own. */
typedef struct {
    int rails, interfaces;
    cm_machine_interface interface[CM_RAILS_MOST];
} cm_transport_rails;

/* As CM_RAILS and CM_INTERFACE ask; one_host: loopback unless they name others. Ends the job when
   they name what is not there. */
void cm_transport_rails_choose(bool one_host, cm_transport_rails *rails);

/* "eth0,eth1": room for size characters. */
void cm_transport_rails_names(const cm_transport_rails *rails, char *text, size_t size);

#endif
