/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.h: how far apart two cores are, in nanoseconds a bounce of a flag, and whether that
   changed. Virtual cores move: they are threads of one core, cores of one chip or cores of two
   chips, for seconds to minutes, and what the virtual machine says of its topology stays. */
#ifndef CM_DISTANCE_H
#define CM_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Distances by this factor apart are of different classes. On a virtual machine of two cores of an
   EPYC of the third generation the distance moved between 35, 55 to 75 and 220 ns; within a class,
   98 of 100 looks were within 8 % of the median. */
#define CM_DISTANCE_FACTOR 1.6

/* No two cores of a host are this far apart: the host of a virtual machine held one of them. */
#define CM_DISTANCE_MOST_NS 1000

/* Returns true if both are known and of different classes. */
bool cm_distance_differs(double one_ns, double other_ns);

/* Returns the distance from the times of n batches of bounces, a bounce each, which it reorders:
   their lowest decile. Interrupts and stolen time only make batches longer, and of ten batches they
   may hit eight. NaN if n is 0. */
double cm_distance_of(size_t n, double *batch_ns);

/* A distance is taken for changed if this number of looks in a row agree on it. On that machine up
   to 1.2 % of the looks were off by a factor of 2 to 7, in episodes of up to 5 ms; so looks that
   settle a doubt are CM_DISTANCE_PAUSE_S apart. */
#define CM_DISTANCE_PAUSE_S 0.01
enum { CM_DISTANCE_LOOKS = 3 };

/* The distance of a pair over a launch. All of it 0 before the first look. */
typedef struct {
    size_t looks;            /* accepted: all but those in doubt and those given up */
    double first_ns, now_ns; /* of these */
    double least_ns, most_ns;
    size_t changes;
    double from_ns, to_ns; /* the greatest change */
    double level_ns;       /* the class: its first looks' median */
    size_t in_doubt;
    double doubt_ns[CM_DISTANCE_LOOKS]; /* the last looks, if they do not belong to the level */
} cm_distance;

/* Adds what a look found; NaN, or more than CM_DISTANCE_MOST_NS, changes nothing. Returns false as
   long as a look is in doubt: the caller looks again after CM_DISTANCE_PAUSE_S, a few times at
   most. The first looks always are. */
bool cm_distance_add(cm_distance *distance, double look_ns);

/* Drops what is in doubt, if looking again did not settle it. */
void cm_distance_drop(cm_distance *distance);

#ifdef __cplusplus
}
#endif
#endif
