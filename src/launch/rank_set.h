/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_set.h: the ranks that run on this host, as one object: it starts them, carries their PMI
   lines, output and signals, sees them end and clears up after them. It decides nothing: what
   happens goes to whoever drives it, by rank_set_events. That is cmrun's job.c on one host; a proxy
   that forwards the same events and calls over its stdin and stdout can take that place on
   another. */
#ifndef CM_LAUNCH_RANK_SET_H
#define CM_LAUNCH_RANK_SET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct rank_set rank_set;

typedef struct {
    const char *path; /* the program, with a slash in it */
    char *const *argv;
    int first, stride, count; /* ranks first, first+stride, ...: count of them */
    int size;                 /* of the job */
    bool bind;                /* rank k of this host to its k-th core, modulo their number */
    bool capture;             /* stdout and stderr by the output event, else inherited */
    int input;                /* stdin of rank 0; the others have /dev/null */
} rank_set_plan;

enum { RANK_STDOUT, RANK_STDERR, RANK_STREAMS };

typedef struct {
    void (*line)(void *context, int rank, const char *line);       /* of PMI, without newline */
    void (*line_broken)(void *context, int rank, const char *why); /* no such line can be read */
    void (*line_end)(void *context, int rank); /* it closed its PMI socket, or is dying */
    void (*output)(void *context, int rank, int stream, const char *data, size_t bytes);
    void (*output_end)(void *context, int rank, int stream);
    /* All the rank said has been delivered before. status as from waitpid. */
    void (*ended)(void *context, int rank, pid_t pid, int status);
    void (*stopped)(void *context, int rank, int signal); /* signal 0: it goes on */
    /* The rank could not be started: doing ("start NAME", ...) failed with this errno text. ended
       follows. */
    void (*not_started)(void *context, int rank, const char *doing, const char *why);
} rank_set_events;

/* Starts the ranks; the rest happens in epoll's loop. Rank 0's program runs before the others are
   started, so that what cannot be executed starts nothing. Returns 0, or prints one line and
   returns an exit status: CM_EXIT_USAGE (program not executable), CM_EXIT_SYSTEM. SIGCHLD must be
   blocked; restore_signals is the mask the ranks get. */
int rank_set_start(const rank_set_plan *plan, const rank_set_events *events, void *context,
                   int epoll, const sigset_t *restore_signals, rank_set **set);

/* After SIGCHLD: collects who ended, was stopped or goes on. */
void rank_set_reap(rank_set *set);

int rank_set_alive(const rank_set *set); /* ranks that have not ended */
pid_t rank_set_pid(const rank_set *set, int rank);

void rank_set_answer(rank_set *set, int rank, const char *line, size_t bytes);
void rank_set_signal(rank_set *set, int signal); /* to all ranks and what they started */
void rank_set_kill(rank_set *set, int rank);     /* one rank and what it started */
void rank_set_hold_output(rank_set *set, int stream, bool hold); /* no more reading until false */

/* When no rank is alive: sends signal (0: none) to what they left behind; false when nothing is
   left. */
bool rank_set_leftovers(rank_set *set, int signal);

/* Delivers the output that still stands in the pipes and closes them. */
void rank_set_drain(rank_set *set);

void rank_set_free(rank_set *set); /* when nothing is left */

#endif
