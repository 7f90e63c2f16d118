/* SPDX-License-Identifier: BSD-3-Clause */
/* line.h: a cache line that two ranks of one host share, on which they bounce a flag: how far apart
   their cores are now, whatever the communication layer does. */
#ifndef CM_PAIRS_LINE_H
#define CM_PAIRS_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include "comm/comm.h"

struct cm_pair_page;

/* One rank's end. All 0 before the first look. */
typedef struct {
    bool asked;                /* the two ranks have tried to open a page */
    int peer;                  /* with which they have */
    int32_t peer_of_job;       /* its rank in cm_world(), if there is a page */
    struct cm_pair_page *page; /* NULL: there is none */
    uint32_t looks;
} cm_pair_line;

/* Both ranks of a pair call it at the same time, exactly one with leads. They bounce the flag about
   100 times there and back, which takes 3 to 50 us; the first time with a peer they also open a
   page. Returns the leader's time of a bounce, half the time there and back, in nanoseconds; NaN on
   the other rank, and where it is not known: the ranks are on two hosts, more than the cores they
   may use, kept from each other's memory, or one did not come or did not answer within
   milliseconds. Waits no longer than that. */
double cm_pair_line_look(cm_pair_line *line, cm_group *group, int peer, bool leads);

void cm_pair_line_close(cm_pair_line *line);

#endif
