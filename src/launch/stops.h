/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.h: records which ranks are stopped by a signal, and since when. No other part notices a
   stopped rank. Stops that cmrun itself causes do not count. */
#ifndef CM_LAUNCH_STOPS_H
#define CM_LAUNCH_STOPS_H

#include <stdbool.h>

typedef struct stops stops;

stops *stops_new(int ranks);   /* returns NULL if out of memory */
void stops_free(stops *stops); /* NULL is allowed */

/* The rank was stopped by signal; 0 means that it runs again or has ended. */
void stops_note(stops *stops, int rank, int signal, double now_s);

/* cmrun stops all ranks itself (pause is true) or lets them run again, which restarts the times. */
void stops_pause(stops *stops, bool pause, double now_s);

/* Returns a rank that has been stopped for limit_s, and its signal. Returns -1 if there is none;
   then *next_s is the earliest time at which there may be one (infinite: not known yet). */
int stops_find(const stops *stops, double limit_s, double now_s, int *signal, double *next_s);

#endif
