/* SPDX-License-Identifier: BSD-3-Clause */
/* virtual_place.h: `clustermark run --place virtual:HOSTS,...`: the benchmarks run on hosts of this
   machine that virtual-cluster makes for the run. */
#ifndef SUITE_VIRTUAL_PLACE_H
#define SUITE_VIRTUAL_PLACE_H

#include <signal.h>
#include "common/home.h"
#include "launcher.h"
#include "virtual.h"
#include "common/words.h"

typedef struct {
    char *text; /* that of --place, taken apart; the settings point into it */
    virtual_settings settings;
    char *program; /* virtual-cluster */
    char *first;   /* the host on which programs are launched */
    char *hosts;   /* "virtual1,virtual2" */
    bool up;
    sigset_t before; /* the signal mask before suite_virtual_up */
} suite_virtual;

/* True if the place is one of virtual hosts. place may be NULL. */
bool suite_virtual_is(const char *place);

/* Reads HOSTS[,RATE][,rate=RATE][,delay=TIME][,mtu=BYTES] behind "virtual:", and checks that this
   user and this build can have such hosts. Returns 0, or prints one line and returns the exit
   status. Free with suite_virtual_free in any case. */
int suite_virtual_read(const suite_home *home, const char *command, const char *place,
                       suite_virtual *hosts);
void suite_virtual_free(suite_virtual *hosts);

/* Makes the hosts. Call it before suite_children_open, which takes all processes that appear later
   for a benchmark's. SIGINT, SIGTERM and SIGHUP stay blocked;
   children must get the mask `before`. Returns 0, or prints one line and
   returns the exit status. */
int suite_virtual_up(suite_virtual *hosts);
/* Removes them, if they are there. Call it before suite_children_close, after which a signal would
   end this process first. */
void suite_virtual_down(suite_virtual *hosts);

/* Tells the launcher how programs are started on them. */
void suite_virtual_launcher(const suite_virtual *hosts, suite_launcher *launcher);
/* Turns a command into one that starts on the first host. */
void suite_virtual_wrap(const suite_virtual *hosts, suite_words *command);

#endif
