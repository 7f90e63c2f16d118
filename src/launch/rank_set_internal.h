/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_set_internal.h: shared by starting ranks (rank_set_start.c) and running them
   (rank_set.c). */
#ifndef CM_LAUNCH_RANK_SET_INTERNAL_H
#define CM_LAUNCH_RANK_SET_INTERNAL_H

#include "comm/pmi/pmi_line.h"
#include "launch/guard.h"
#include "launch/loop.h"
#include "launch/rank_set.h"

typedef struct {
    pid_t pid;
    bool ended, cleared; /* waited for; its process group is empty */
    bool line_ended;
    watch pmi, out[RANK_STREAMS];
    cm_pmi_reader reader;
    char *unsent; /* answers that did not fit into the rank's socket */
    size_t unsent_bytes;
} local_rank;

struct rank_set {
    rank_set_plan plan;
    const rank_set_events *events;
    void *context;
    int epoll, alive;
    bool hold[RANK_STREAMS];
    watch report; /* a pipe of spawn_failure records */
    guard guard;
    pid_t *before; /* children that cmrun had before it started ranks; these are not ended */
    size_t n_before;
    local_rank *rank;
};

/* The loop calls these when a rank's PMI socket (number: its index in the set) or one of its pipes
   (number: index times RANK_STREAMS plus stream) is ready. */
void rank_set_pmi_ready(watch *watch, uint32_t events);
void rank_set_output_ready(watch *watch, uint32_t events);

#endif
