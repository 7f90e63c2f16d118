/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h: the bytes that this computer's memory moves, by the counters of its controllers
   (perf_event_open). They count all processes. */
#ifndef CM_MACHINE_TRAFFIC_H
#define CM_MACHINE_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

enum { CM_MACHINE_TRAFFIC_EVENTS = 256 };

/* An event of one controller of one socket. */
typedef struct {
    uint32_t type;
    uint64_t config;
    int cpu;      /* a processor of the socket */
    double bytes; /* of each count */
    int file;     /* once it is open */
} cm_machine_traffic_event;

typedef struct {
    cm_machine_traffic_event event[CM_MACHINE_TRAFFIC_EVENTS];
    size_t n;
    char said[128]; /* what counts ("uncore_imc, 16 events"), or why nothing does; for people */
} cm_machine_traffic;

/* Finds the reads and writes of Intel's and AMD's memory controllers in /sys: uncore_imc,
   uncore_imc_free_running, amd_umc. root is a prefix of every path. */
void cm_machine_traffic_find(const char *root, cm_machine_traffic *traffic);

/* Opens what was found; n becomes 0 where the system refuses. */
void cm_machine_traffic_open(cm_machine_traffic *traffic);
/* Returns the bytes that were moved since cm_machine_traffic_open; below 0 if nothing counts them.
   */
double cm_machine_traffic_bytes(const cm_machine_traffic *traffic);
void cm_machine_traffic_close(cm_machine_traffic *traffic);

#endif
