/* SPDX-License-Identifier: BSD-3-Clause */
/* host_set_internal.h: shared by launching proxies (host_launch.c), carrying cmrun's stdin to rank
   0 (host_input.c) and running a host_set (host_set.c). */
#ifndef CM_LAUNCH_HOST_SET_INTERNAL_H
#define CM_LAUNCH_HOST_SET_INTERNAL_H

#include "launch/channel.h"
#include "launch/files.h"
#include "launch/host_set.h"

/* cmrun's stdin on its way to a rank on another host. One frame is under way at a time; the next
   follows when the rank has taken it. */
typedef struct {
    int epoll;
    channel *channel; /* NULL: nothing to carry, or not yet started */
    watch in;         /* fd 0 */
    bool waiting;     /* until the rank has taken the last frame */
    bool background;  /* the terminal belongs to another job at the moment */
} host_input;

void host_input_none(host_input *input);
void host_input_start(host_input *input, int epoll, channel *channel);
void host_input_taken(host_input *input, bool gone);
double host_input_clock(host_input *input, double otherwise_s); /* returns when to call it again */
void host_input_stop(host_input *input);

typedef enum { PHASE_LAUNCHED, PHASE_THERE, PHASE_READY, PHASE_STARTED, PHASE_BYE } host_phase;
typedef enum { CLEAR_NOT, CLEAR_TERM, CLEAR_KILL } clear_level;

typedef struct remote {
    host_set *set;
    const host *host;
    channel channel;
    host_phase phase;
    uint64_t computer;   /* comm/computer.h, as its proxy says */
    clear_level cleared; /* how the proxy was asked to end the processes left behind */
    pid_t pid;           /* process id of the launcher, or of the proxy itself; 0 once waited for */
    int status;          /* status from waitpid, once waited for */
    double launched_s;   /* when its launcher was started */
    double kill_s;       /* when to kill it; infinite: do not */
    watch words_watch;   /* stderr of the launcher */
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
    remote *remote;   /* hosts with ranks */
    remote **of_rank; /* for each rank */
    bool started, hold[RANK_STREAMS];
    bool *ended; /* for each rank */
    pid_t *pid;
    double beat_s;
    host_input input;
};

/* Starts the launcher of a remote. Returns 0, or prints one line and returns CM_EXIT_SYSTEM. */
int remote_launch(remote *remote);

/* The launcher's stderr is ready to be read. The text is kept until the proxy answers; if it never
   does, the last line is the reason. remote_pass_words passes the text on. */
void remote_words_ready(watch *watch, uint32_t events);
void remote_pass_words(remote *remote);
const char *remote_last_words(remote *remote);

/* remote_await_end waits a moment for the launcher to end; remote_how_ended writes how it ended. */
void remote_await_end(remote *remote);
const char *remote_how_ended(const remote *remote, char *text, size_t bytes);

/* Sends TERM to the launcher of a lost host. remote_clock follows with KILL and returns when to
   call it again. */
void remote_end(remote *remote);
double remote_clock(remote *remote);

#endif
