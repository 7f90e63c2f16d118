/* SPDX-License-Identifier: BSD-3-Clause */
/* host_set_internal.h: what launching proxies (host_launch.c), carrying cmrun's stdin to rank 0
   (host_input.c) and running a host_set (host_set.c) share. */
#ifndef CM_LAUNCH_HOST_SET_INTERNAL_H
#define CM_LAUNCH_HOST_SET_INTERNAL_H

#include "launch/channel.h"
#include "launch/files.h"
#include "launch/host_set.h"

/* cmrun's stdin on its way to a rank elsewhere: one frame at a time, the next when the rank has
   taken it. */
typedef struct {
    int epoll;
    channel *channel; /* NULL: nothing to carry, or not yet */
    watch in;         /* fd 0 */
    bool waiting;     /* for the rank */
    bool background;  /* a terminal that is another job's for now */
} host_input;

void host_input_none(host_input *input);
void host_input_start(host_input *input, int epoll, channel *channel);
void host_input_taken(host_input *input, bool gone);
double host_input_clock(host_input *input, double otherwise_s); /* when to be called again */
void host_input_stop(host_input *input);

typedef enum { PHASE_LAUNCHED, PHASE_THERE, PHASE_READY, PHASE_STARTED, PHASE_BYE } host_phase;
typedef enum { CLEAR_NOT, CLEAR_TERM, CLEAR_KILL } clear_level;

typedef struct remote {
    host_set *set;
    const host *host;
    channel channel;
    host_phase phase;
    clear_level cleared; /* asked to end what is left, how */
    pid_t pid;           /* launcher, or the proxy itself; 0: waited for */
    int status;          /* then, as from waitpid */
    double launched_s;   /* when its launcher was started */
    double kill_s;       /* when to kill it; infinite: not now */
    watch words_watch;   /* the launcher's stderr */
    size_t words_used;
    char words[4096];
} remote;

struct host_set {
    host_set_plan plan;
    const host_set_events *events;
    void *context;
    int epoll, n, alive;
    files_limit files;
    char *folder;
    remote *remote; /* those with ranks */
    bool started, hold[RANK_STREAMS];
    bool *ended; /* of each rank */
    pid_t *pid;
    double beat_s;
    host_input input;
};

/* Starts the launcher of a remote. Returns 0, or prints one line and returns CM_EXIT_SYSTEM. */
int remote_launch(remote *remote);

/* The launcher's stderr is ready. Its words are kept until the proxy is there, since the last line
   of them is the reason when it never is; remote_pass_words passes them on. */
void remote_words_ready(watch *watch, uint32_t events);
void remote_pass_words(remote *remote);
const char *remote_last_words(remote *remote);

/* A moment for the launcher's end to be seen, and how it ended, as text. */
void remote_await_end(remote *remote);
const char *remote_how_ended(const remote *remote, char *text, size_t bytes);

/* TERM to the launcher of a host that is lost; remote_clock follows with KILL, and returns when to
   call it again. */
void remote_end(remote *remote);
double remote_clock(remote *remote);

#endif
