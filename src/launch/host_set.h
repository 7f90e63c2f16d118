/* SPDX-License-Identifier: BSD-3-Clause */
/* host_set.h: the ranks of a job on several hosts, as one object with the calls of a rank_set.
   There is one proxy (proxy.h) on each host, started through a launcher like ssh, or as a child on
   this host. The proxies start each other in a tree (tree.h). */
#ifndef CM_LAUNCH_HOST_SET_H
#define CM_LAUNCH_HOST_SET_H

#include "launch/host_list.h"
#include "launch/per_host.h"
#include "launch/rank_set.h"

typedef struct host_set host_set;

typedef struct {
    const host_list *hosts;       /* hosts with their ranks placed */
    const char *launcher;         /* words separated by blanks; HOST and COMMAND are appended */
    bool step;                    /* it is srun, called once for all hosts; fan_out is unused */
    char *const *argv;            /* the program and its arguments */
    const char *const *variables; /* NULL-terminated: NAME=VALUE for the ranks */
    int size;
    int fan_out; /* start so many proxies from one host at most */
    bool bind;
    per_host_kind per_host; /* what the slots of each host count */
    double timeout_s;       /* a host that is silent for this long is lost */
    double start_timeout_s; /* a host that is not ready this long after its launcher's start is
                               lost; may be infinite */
} host_set_plan;

typedef struct {
    const rank_set_events *ranks;
    /* The job cannot start: a host cannot be reached or cannot run the program. text is one line
       without its newline. */
    void (*failed)(void *context, int status, const char *text);
    /* The ranks of these hosts can no longer be reached. text as above. */
    void (*lost)(void *context, const host *const *hosts, int n, int status, const char *text);
} host_set_events;

/* Starts the proxies; everything else happens in the event loop. The programs start when all hosts
   are ready. Returns 0, or prints one line and returns an exit status. */
int host_set_start(const host_set_plan *plan, const host_set_events *events, void *context,
                   int epoll, host_set **set);

void host_set_reap(host_set *set);    /* call it after SIGCHLD */
double host_set_clock(host_set *set); /* handles time limits; returns when to call it again */
int host_set_alive(const host_set *set);
pid_t host_set_pid(const host_set *set, int rank); /* process id on its host; 0 if not known
                                                      (yet) */
const char *host_set_host(const host_set *set, int rank);

/* As in rank_set.h. */
void host_set_answer(host_set *set, int rank, const char *line, size_t bytes);
void host_set_answer_all(host_set *set, const char *line, size_t bytes);
void host_set_keys(host_set *set, const char *text, size_t bytes); /* keys of pmi_server_events */
void host_set_signal(host_set *set, int signal);
void host_set_kill(host_set *set, int rank);
void host_set_hold_output(host_set *set, int stream, bool hold);
bool host_set_leftovers(host_set *set, int signal);
void host_set_free(host_set *set);

#endif
