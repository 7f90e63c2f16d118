/* SPDX-License-Identifier: BSD-3-Clause */
/* host_set_internal.h: shared by carrying cmrun's stdin to rank 0 (host_input.c) and running a
   host_set (host_set.c). */
#ifndef CM_LAUNCH_HOST_SET_INTERNAL_H
#define CM_LAUNCH_HOST_SET_INTERNAL_H

#include "launch/host_set.h"
#include "launch/tree.h"
#include "launch/loop.h"

/* cmrun's stdin on its way to a rank on another host. One frame is under way at a time; the next
   follows when the rank has taken it. */
typedef struct {
    int epoll;
    tree *tree;      /* NULL: nothing to carry, or not yet started */
    int host;        /* number of the rank's host */
    watch in;        /* fd 0 */
    bool waiting;    /* until the rank has taken the last frame */
    bool background; /* the terminal belongs to another job at the moment */
} host_input;

void host_input_none(host_input *input);
void host_input_start(host_input *input, int epoll, tree *tree, int host);
void host_input_taken(host_input *input, bool gone);
double host_input_clock(host_input *input, double otherwise_s); /* returns when to call it again */
void host_input_stop(host_input *input);

typedef enum { PHASE_AWAITED, PHASE_READY, PHASE_STARTED, PHASE_BYE } host_phase;

/* A host with ranks. Its number in the tree is its index in host_set.remote. */
typedef struct remote {
    const host *host;
    host_phase phase;
    bool lost;
    uint64_t computer; /* comm/computer.h, as its proxy says */
    int carrier;       /* number of the host whose proxy starts its proxy; -1: cmrun does */
    int below;         /* how many hosts it carries; their numbers follow its own */
} remote;

struct host_set {
    host_set_plan plan;
    const host_set_events *events;
    void *context;
    int epoll, n, alive;
    char *folder;
    tree *tree;
    remote *remote;
    char **names;        /* of the remotes */
    const host **losing; /* room for those that are being lost */
    remote **of_rank;    /* for each rank */
    bool started, hold[RANK_STREAMS];
    bool *ended; /* for each rank */
    pid_t *pid;
    host_input input;
};

#endif
