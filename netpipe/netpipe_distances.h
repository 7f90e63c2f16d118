/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_distances.h: --distances: two ranks of each computer at each of the distances between its
   processors. */
#ifndef NETPIPE_DISTANCES_H
#define NETPIPE_DISTANCES_H

#include "netpipe.h"

enum { NETPIPE_DISTANCES = 4, NETPIPE_DISTANCE_SIZES = 2, NETPIPE_WHY = 160 };
extern const cm_machine_way netpipe_distance_way[NETPIPE_DISTANCES];

/* The facts that each rank of a pair has before the measurement. */
typedef struct {
    int processor[NETPIPE_DISTANCES]; /* that this rank gets; -1: there is no such pair, */
    char lacking[NETPIPE_DISTANCES][NETPIPE_WHY]; /* and why not */
} netpipe_places;

/* The pair of a computer, as rank 0 knows it. */
typedef struct {
    int leader, follower; /* ranks of the world; follower -1: the computer has one rank */
    int host;             /* number of the leader's host */
    const char *name;     /* of that host */
    netpipe_places places[CM_PAIR_RANKS];
} netpipe_host;

/* Runs --distances. Every rank calls it. Returns the exit status on rank 0, otherwise 0. */
int netpipe_distances_run(const cm_benchmark *benchmark);

/* ---- netpipe_distances_result.c: rank 0 writes ----------------------------------------------- */

/* The slowest host's times, by distance and size. */
typedef struct {
    cm_sample_tally tally;
    cm_summary slowest[NETPIPE_DISTANCES][NETPIPE_DISTANCE_SIZES]; /* n 0: not measured */
    int64_t bytes[NETPIPE_DISTANCE_SIZES];
} netpipe_distances_found;

/* Opens the result and writes the metadata, with what each of the n hosts lacks. */
cm_result *netpipe_distances_open(const cm_benchmark *benchmark, const netpipe_host *host,
                                  size_t n);
void netpipe_distances_row(cm_result *result, const netpipe_host *host, int distance, int size,
                           const cm_pair_point *point, netpipe_distances_found *found);
int netpipe_distances_close(cm_result *result, const cm_pair_damage *damage,
                            const netpipe_distances_found *found);

#endif
