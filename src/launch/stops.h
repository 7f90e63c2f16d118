/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.h: ranks that a signal has stopped, which no one else notices: for how long now, and
   whether it was cmrun that stopped them. */
#ifndef CM_LAUNCH_STOPS_H
#define CM_LAUNCH_STOPS_H

#include <stdbool.h>

typedef struct stops stops;

stops *stops_new(int ranks);   /* NULL: out of memory */
void stops_free(stops *stops); /* NULL is allowed */

/* The rank was stopped by a signal; 0: it runs again, or is no more. */
void stops_note(stops *stops, int rank, int signal, double now_s);

/* cmrun stops all ranks itself (true), or has let them go on: time begins anew. */
void stops_pause(stops *stops, bool pause, double now_s);

/* A rank that has been stopped for limit_s, and its signal; -1: none, and *next_s says when there
   may be one (infinite: not yet to be said). */
int stops_find(const stops *stops, double limit_s, double now_s, int *signal, double *next_s);

#endif
