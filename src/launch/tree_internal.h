/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_internal.h: shared by the tree (tree.c), its branches (branch.c), starting the proxy that
   carries one (branch_launch.c) and the end of its launcher (branch_launcher.c). */
#ifndef CM_LAUNCH_TREE_INTERNAL_H
#define CM_LAUNCH_TREE_INTERNAL_H

#include <sys/types.h>
#include "launch/channel.h"
#include "launch/files.h"
#include "launch/tree.h"

typedef enum { BRANCH_LAUNCHED, BRANCH_THERE, BRANCH_READY, BRANCH_BYE } branch_phase;
typedef enum { CLEAR_NOT, CLEAR_TERM, CLEAR_KILL } clear_level;

typedef struct branch branch;
typedef struct step step;

struct branch {
    tree *tree;
    int number, below; /* the host that carries it; how many hosts that one carries */
    int from;          /* host that the next frame comes from */
    bool local;        /* its proxy is on this host */
    bool awaited;      /* its proxy, which a step starts, has not connected yet */
    channel channel;
    branch_phase phase;  /* of the proxy that carries it */
    clear_level cleared; /* how the proxy was asked to end the processes left behind */
    pid_t pid;           /* process id of the launcher, or of the proxy itself; 0 once waited for */
    int status;          /* status from waitpid, once waited for */
    double launched_s;   /* when its launcher was started */
    double kill_s;       /* when to kill it; infinite: do not */
    watch words_watch;   /* stderr of the launcher */
    size_t words_used;
    char words[4096];
};

struct tree {
    tree_plan plan;
    const tree_events *events;
    void *context;
    int epoll, n;
    files_limit files;
    branch *branch;
    step *step; /* NULL: each branch has a launcher of its own */
    char *said; /* frames for proxies that are not there yet */
    size_t said_bytes, said_capacity;
    double beat_s;
    bool paused;
};

const char *branch_name(const branch *branch);

/* Reports the branch as lost and closes its connection. */
__attribute__((format(printf, 3, 4))) void branch_fail(branch *branch, int status,
                                                       const char *format, ...);

/* Starts the launcher of a branch. Returns 0, or prints one line and returns CM_EXIT_SYSTEM. */
int branch_launch(branch *branch);

/* Starts srun, which starts proxies on the hosts with these names. *in becomes its stdin. Returns
   false on failure; see errno. */
bool branch_launch_step(branch *launcher, const char *names, int hosts, int *in);

/* The launcher's stderr is ready to be read. The text is kept until the proxy answers; if it never
   does, the last line is the reason. branch_pass_words passes the text on. */
void branch_words_ready(watch *watch, uint32_t events);
void branch_pass_words(branch *branch);
const char *branch_last_words(branch *branch);

/* branch_await_end waits a moment for the launcher to end; branch_how_ended writes how it ended. */
void branch_reap(branch *branch);
void branch_await_end(branch *branch);
const char *branch_how_ended(const branch *branch, char *text, size_t bytes);

/* Sends TERM to the launcher of a lost branch. branch_clock follows with KILL and returns when to
   call it again. */
void branch_end(branch *branch);
double branch_clock(branch *branch);
void branch_free(branch *branch); /* ends what is left of it */

/* One srun for all branches that are not on this host (step_launch.c). step_reap and step_left are
   as in tree.h. step_launch returns 0, or prints one line and returns CM_EXIT_SYSTEM. */
int step_launch(tree *tree);
void step_reap(step *step);
bool step_left(step *step, int signal);
void step_free(step *step); /* NULL is allowed */

#endif
