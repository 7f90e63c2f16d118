/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.h: the proxies below this process, which is cmrun or a proxy itself. It starts at most
   fan_out of them; each of these starts those below it in the same way. A frame for one host goes
   down the branch that this host is on, a frame for all hosts down all branches, and the frames of
   all of them come up. Hosts have numbers in the whole job's tree: those on a branch follow the
   proxy that carries them. */
#ifndef CM_LAUNCH_TREE_H
#define CM_LAUNCH_TREE_H

#include <stdbool.h>
#include "launch/frame.h"

typedef struct tree tree;

enum { TREE_FAN_OUT_LEAST = 2, TREE_FAN_OUT_MOST = 65536, TREE_FAN_OUT = 32 };

typedef struct {
    char *const *names;     /* of the hosts below, in the order of their numbers */
    int first, n;           /* numbers first .. first + n - 1 */
    bool first_local;       /* the first one is this host, which needs no launcher */
    int fan_out;            /* TREE_FAN_OUT_LEAST .. TREE_FAN_OUT_MOST */
    const char *launcher;   /* words separated by blanks; HOST and COMMAND are appended */
    bool step;              /* it is srun, called once for all; then fan_out must not be below n */
    double timeout_s;       /* a branch that is silent for this long is lost */
    double start_timeout_s; /* so is one that is not ready this long after its launcher's start; may
                               be infinite */
} tree_plan;

typedef struct {
    /* The proxy of this host has sent a frame, which is no BEAT. */
    void (*came)(void *context, int host, const frame *frame);
    /* This host and those below it can no longer be reached. text says why, in one line without the
       host and without a newline. */
    void (*lost)(void *context, int host, int status, const char *text);
} tree_events;

/* Part i of n hosts, 0 <= i < fan_out, is one branch. Returns its number of hosts, 0 if there is no
   such branch; *begin is the first of them, which carries the others. */
int tree_part(int n, int fan_out, int i, int *begin);

/* Prepares the branches. The plan and its texts must live as long as the tree. Returns NULL if out
   of memory. */
tree *tree_new(const tree_plan *plan, const tree_events *events, void *context, int epoll);

/* Starts the proxies that carry a branch. Returns 0, or prints one line and returns
   CM_EXIT_SYSTEM. */
int tree_launch(tree *tree);

bool tree_has(const tree *tree, int host);
int tree_files(const tree *tree); /* how many open files it needs */

/* Sends a frame to one host, or to all. tree_say does this for a frame that is part of the job's
   description: a proxy that is not there yet gets it as soon as it is. */
void tree_send(tree *tree, int host, frame_kind kind, int flag, int rank, const char *data,
               size_t bytes);
void tree_send_all(tree *tree, const frame *frame);
void tree_say(tree *tree, const frame *frame);

/* Nothing more is wanted of the branch that carries this host, which has sent what makes no
   sense. */
void tree_cut(tree *tree, int host, const char *text);

/* Stops reading from all branches until called with false. */
void tree_pause(tree *tree, bool pause);

/* Sends CLEAR with signal TERM or KILL (0: none). Returns false if no proxy is left. */
bool tree_leftovers(tree *tree, int signal);

/* A child of this process that may be one of the launchers has ended. */
void tree_ended(tree *tree, int pid, int status);

void tree_reap(tree *tree);    /* call it after SIGCHLD, unless tree_ended is told of all */
double tree_clock(tree *tree); /* handles time limits; returns when to call it again */
void tree_free(tree *tree);    /* NULL is allowed */

#endif
