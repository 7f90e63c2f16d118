/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.h: cmrun reads its signals from a file, in its event loop. */
#ifndef CM_LAUNCH_SIGNALS_H
#define CM_LAUNCH_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef struct {
    int fd;                /* readable when a signal has arrived */
    sigset_t before;       /* signal mask with which cmrun was started */
    bool keyboard_ignored; /* SIGINT and SIGQUIT from a terminal are not meant for this job */
} signals;

/* Returns true if this process ignores the signal. */
bool signals_ignored(int signal);

/* Blocks the signals that are passed on, SIGCHLD and terminal stops, and ignores SIGPIPE. A SIGHUP
   that is ignored (nohup) stays so. Returns false on failure; see errno. */
bool signals_start(signals *signals);

/* Undoes what signals_start changed, but SIGPIPE and SIGCHLD stay as they are. */
void signals_stop(signals *signals);

/* Returns the next signal to handle, 0 if there is none now. */
int signals_next(const signals *signals);

/* Stops this process as signal (SIGTSTP) does by default. Returns when the process runs again. */
void signals_stop_self(int signal);

#endif
