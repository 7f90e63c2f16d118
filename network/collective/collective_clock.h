/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_clock.h: the clocks of a group's ranks, synchronised with rank 0's, so that all can
   begin an operation at one moment (SKaMPI's windows; Worsch, Reussner, Augustin: On Benchmarking
   Collective MPI Operations, EuroPVM/MPI 2002). */
#ifndef COLLECTIVE_CLOCK_H
#define COLLECTIVE_CLOCK_H

#include <stdbool.h>
#include "comm/comm.h"

/* The offset of rank 0's clock from this rank's clock when this one read local_s. The error is at
   most error_s. */
typedef struct {
    double local_s, offset_s, error_s;
} collective_clock_point;

typedef struct {
    cm_group *group;
    double (*read)(void); /* this rank's clock, in seconds */
    collective_clock_point first, last;
    double drift;            /* growth of the offset, in seconds per second */
    int synchronised;        /* number of synchronisations */
    double error_s;          /* of the last one: the worst rank's; same on all ranks */
    double widest_s, jump_s; /* same on all ranks: the largest error_s so far; the largest distance
                                       of a later offset from the one predicted for it */
} collective_clock;

void collective_clock_open(collective_clock *clock, cm_group *group, double (*read)(void));

/* Synchronises the clocks; all ranks of the group call it. Each rank takes the shortest of some ten
   round trips with rank 0 (Cristian, Probabilistic clock synchronization, 1989). Half of it bounds
   the error. */
void collective_clock_synchronise(collective_clock *clock);

/* Returns the time of rank 0's clock when this rank's clock reads local_s. */
double collective_clock_common(const collective_clock *clock, double local_s);

/* Waits until rank 0's clock reads common_s. Returns the delay beyond that. */
double collective_clock_wait(const collective_clock *clock, double common_s);

#endif
