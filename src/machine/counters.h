/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.h: what the kernel counts of errors and throttling: memory errors, thermal throttling,
   errors and drops of networks, TCP's retransmissions. They move on a host that is not well. */
#ifndef CM_MACHINE_COUNTERS_H
#define CM_MACHINE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char name[96]; /* in words, "eth0: frames received with errors" */
    int64_t value;
    int64_t of; /* what it is a part of, "segments sent"; -1: of nothing that is counted */
} cm_machine_count;

typedef struct {
    cm_machine_count *count;
    size_t n, capacity;
    char not_readable[128]; /* the groups of which nothing can be read: "edac, infiniband"; or "" */
    double clock_hz;        /* mean of the processors' clocks at this moment; 0: not told */
} cm_machine_counters;

/* Reads all counters below root ("": this computer). Memory that is short leaves some out. */
void cm_machine_counters_read(const char *root, cm_machine_counters *counters);
void cm_machine_counters_free(cm_machine_counters *counters);

/* Reads how many TCP segments this host (its network namespace) has sent, and sent again. Returns
   false if that is not readable. */
bool cm_machine_tcp_read(const char *root, int64_t *sent, int64_t *again);

/* Calls each(text) for every counter that moved from before to after: "TCP segments sent again:
   3020 more, 47 % of all of this host". One that went backwards was reset, and counts from 0.
   Returns their number. */
typedef void cm_machine_each_moved(const char *text, void *context);
size_t cm_machine_counters_moved(const cm_machine_counters *before,
                                 const cm_machine_counters *after, cm_machine_each_moved *each,
                                 void *context);

/* Calls each(text) for every network card whose PCIe link is below its maximum: "eth0: PCIe link
   8.0 GT/s x4, its maximum is 16.0 GT/s x8". */
void cm_machine_slow_links(const char *root, cm_machine_each_moved *each, void *context);

#endif
