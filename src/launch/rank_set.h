/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_set.h: the ranks that run on this host, as one object. It starts them, carries their PMI
   lines, output and signals, notices their ends and clears up after them. It decides nothing: all
   events go to its owner through rank_set_events. The owner is job.c on one host; on other hosts it
   is a proxy, which forwards the same events and calls over its stdin and stdout. */
#ifndef CM_LAUNCH_RANK_SET_H
#define CM_LAUNCH_RANK_SET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct rank_set rank_set;

typedef struct {
    const char *path; /* path of the program, with a slash in it */
    char *const *argv;
    int first, stride, count; /* ranks first, first + stride, ...; count of them */
    int size;                 /* ranks of the job */
    int core;                 /* binds the k-th rank here to core `core` + k modulo the cores; -1:
                                 binds none */
    bool capture;             /* stdout and stderr go to the output event; otherwise they are
                                 inherited */
    int input;                /* stdin of rank 0; the others read /dev/null */
    int files;                /* how many files are open beside those that all need */
} rank_set_plan;

enum { RANK_STDOUT, RANK_STDERR, RANK_STREAMS };

typedef struct {
    void (*line)(void *context, int rank, const char *line);       /* a PMI line, without newline */
    void (*line_broken)(void *context, int rank, const char *why); /* its PMI lines cannot be read
                                                                      further */
    void (*line_end)(void *context, int rank); /* it closed its PMI socket, or is dying */
    void (*output)(void *context, int rank, int stream, const char *data, size_t bytes);
    void (*output_end)(void *context, int rank, int stream);
    /* All output and lines of the rank have been delivered before. status comes from waitpid. */
    void (*ended)(void *context, int rank, pid_t pid, int status);
    void (*stopped)(void *context, int rank, int signal); /* signal 0: it runs again */
    /* The rank could not be started: doing ("start NAME", ...) failed, with why as the text of
       errno. ended follows. */
    void (*not_started)(void *context, int rank, const char *doing, const char *why);
    /* A child of this process that is no rank has ended. May be NULL. */
    void (*other_ended)(void *context, pid_t pid, int status);
} rank_set_events;

/* Starts the ranks; everything else happens in the event loop. Rank 0's program runs before the
   others are started, so a program that cannot be executed starts nothing. Returns 0, or prints one
   line and returns CM_EXIT_USAGE (the program cannot be executed) or CM_EXIT_SYSTEM. SIGCHLD must
   be blocked; restore_signals is the signal mask of the ranks. */
int rank_set_start(const rank_set_plan *plan, const rank_set_events *events, void *context,
                   int epoll, const sigset_t *restore_signals, rank_set **set);

/* Call it after SIGCHLD: handles ranks that ended, were stopped or run again. */
void rank_set_reap(rank_set *set);

int rank_set_alive(const rank_set *set); /* number of ranks that have not ended */
pid_t rank_set_pid(const rank_set *set, int rank);

void rank_set_answer(rank_set *set, int rank, const char *line, size_t bytes);
void rank_set_answer_all(rank_set *set, const char *line, size_t bytes);
void rank_set_signal(rank_set *set, int signal); /* to all ranks and the processes they started */
void rank_set_kill(rank_set *set, int rank);     /* one rank and the processes it started */
void rank_set_hold_output(rank_set *set, int stream, bool hold); /* stops reading until called with
                                                                    false */

/* Call it when no rank is alive. Sends signal (0: none) to the processes that ranks left behind.
   Returns false if none is left. */
bool rank_set_leftovers(rank_set *set, int signal);

/* Delivers the output that is left in the pipes, then closes them. */
void rank_set_drain(rank_set *set);

void rank_set_free(rank_set *set); /* call it when nothing is left */

#endif
