/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.c: receives signals by signalfd. */
#include "config.h"
#include <sys/signalfd.h>
#include <unistd.h>
#include "launch/signals.h"

static const int taken[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                            SIGUSR2, SIGTSTP, SIGCONT, SIGTTIN, SIGTTOU};

bool signals_ignored(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool signals_start(signals *signals)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) sigaddset(&set, taken[i]);
    /* A shell without job control starts its background jobs with SIGINT and SIGQUIT ignored, which
       protects them from the keyboard. This is kept below, but a signal sent on purpose (kill -INT)
       is passed on. */
    signals->keyboard_ignored = signals_ignored(SIGINT);
    if (signals_ignored(SIGINT)) signal(SIGINT, SIG_DFL);
    if (signals_ignored(SIGQUIT)) signal(SIGQUIT, SIG_DFL);
    /* A SIGHUP that nohup ignores stays ignored: if it were blocked, the kernel would queue it in
       spite of SIG_IGN, and signalfd would report it. */
    if (signals_ignored(SIGHUP)) sigdelset(&set, SIGHUP);
    signal(SIGCHLD, SIG_DFL); /* if SIGCHLD were ignored, children would end without a status */
    signal(SIGPIPE, SIG_IGN);
    if (sigprocmask(SIG_BLOCK, &set, &signals->before) < 0) return false;
    sigdelset(&set, SIGTTIN);
    sigdelset(&set, SIGTTOU);
    signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return signals->fd >= 0;
}

void signals_stop(signals *signals)
{
    close(signals->fd);
    signals->fd = -1;
    if (signals->keyboard_ignored) {
        signal(SIGINT, SIG_IGN);
        signal(SIGQUIT, SIG_IGN);
    }
    sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

int signals_next(const signals *signals)
{
    struct signalfd_siginfo info;
    while (read(signals->fd, &info, sizeof info) == sizeof info) {
        int signal = (int)info.ssi_signo;
        bool keyboard = info.ssi_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT);
        if (keyboard && signals->keyboard_ignored) continue;
        return signal;
    }
    return 0;
}

void signals_stop_self(int signal)
{
    sigset_t one, before;
    sigemptyset(&one);
    sigaddset(&one, signal);
    raise(signal); /* stays pending while blocked, takes effect when unblocked */
    sigprocmask(SIG_UNBLOCK, &one, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
}
