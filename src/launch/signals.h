/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.h: cmrun takes its signals from a file, in its event loop. */
#ifndef CM_LAUNCH_SIGNALS_H
#define CM_LAUNCH_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef struct {
    int fd;                /* readable when a signal came */
    sigset_t before;       /* mask that cmrun was started with */
    bool keyboard_ignored; /* SIGINT and SIGQUIT of a terminal are not for this job */
} signals;

/* Blocks what is passed on, SIGCHLD and terminal stops, ignores SIGPIPE; false: see errno. */
bool signals_start(signals *signals);

/* The next signal that is to be acted on; 0: none now. */
int signals_next(const signals *signals);

/* Stops this process as signal (SIGTSTP) does by default; returns when it runs again. */
void signals_stop_self(int signal);

#endif
