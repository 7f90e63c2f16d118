/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_clock.h: the clocks of a group's ranks, synchronised with rank 0's, so that all can
   begin an operation at one moment (SKaMPI's windows; Worsch, Reussner, Augustin: On Benchmarking
   Collective MPI Operations, EuroPVM/MPI 2002). */
#ifndef COLLECTIVE_CLOCK_H
#define COLLECTIVE_CLOCK_H

#include <stdbool.h>
#include "comm/comm.h"

/* What rank 0's clock had more than this rank's when this one read local_s; right within
   error_s. */
typedef struct {
    double local_s, offset_s, error_s;
} collective_clock_point;

typedef struct {
    cm_group *group;
    double (*read)(void); /* this rank's clock, in seconds */
    collective_clock_point first, last;
    double drift;            /* seconds a second by which the offset grows */
    int synchronised;        /* how many times */
    double error_s;          /* all ranks: the worst rank's, of the last time */
    double widest_s, jump_s; /* all ranks: the widest of those; how far a later time was from
                                       what was predicted for it, at most */
} collective_clock;

void collective_clock_open(collective_clock *clock, cm_group *group, double (*read)(void));

/* All ranks of the group, together. Each asks, of some ten round trips with rank 0 the shortest
   counts (Cristian, Probabilistic clock synchronization, 1989): half of it bounds the error. */
void collective_clock_synchronise(collective_clock *clock);

/* Rank 0's clock at the moment local_s of this rank's. */
double collective_clock_common(const collective_clock *clock, double local_s);

/* Waits until rank 0's clock says common_s. Returns by how much it is later by then. */
double collective_clock_wait(const collective_clock *clock, double common_s);

#endif
