/* SPDX-License-Identifier: BSD-3-Clause */
/* host_launcher.c: the stderr and the end of a launcher, or of a proxy started without one. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "launch/host_set_internal.h"

static const double kill_after_s = 1; /* from TERM to KILL */

static void reap(remote *remote)
{
    int status;
    if (remote->pid > 0 && waitpid(remote->pid, &status, WNOHANG) > 0) {
        remote->pid = 0;
        remote->status = status;
    }
}

void host_set_reap(host_set *set)
{
    for (int i = 0; i < set->n; i++) reap(&set->remote[i]);
}

/* The end of the pipe and the end of its process arrive in any order, a moment apart. */
void remote_await_end(remote *remote)
{
    for (int tries = 0; remote->pid > 0 && tries < 50; tries++) {
        reap(remote);
        if (remote->pid > 0) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

void remote_pass_words(remote *remote)
{
    if (remote->words_used > 0 && write(2, remote->words, remote->words_used) < 0) { /* lost */
    }
    remote->words_used = 0;
}

/* Keeps what the launcher and the remote shell print on stderr until the proxy answers. If it never
   does, the last line is the reason; if it does, the text is passed on. */
void remote_words_ready(watch *watch, uint32_t events)
{
    remote *remote = watch->owner;
    (void)events;
    size_t room = sizeof remote->words - 1 - remote->words_used;
    if (room == 0) {
        memmove(remote->words, remote->words + remote->words_used / 2,
                remote->words_used - remote->words_used / 2);
        remote->words_used -= remote->words_used / 2;
        room = sizeof remote->words - 1 - remote->words_used;
    }
    ssize_t got = read(watch->fd, remote->words + remote->words_used, room);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
        loop_close(remote->set->epoll, watch);
        return;
    }
    remote->words_used += (size_t)got;
    if (remote->phase >= PHASE_THERE) remote_pass_words(remote);
}

const char *remote_last_words(remote *remote)
{
    if (remote->words_watch.fd >= 0) remote_words_ready(&remote->words_watch, EPOLLIN);
    while (remote->words_used > 0 && strchr(" \t\r\n", remote->words[remote->words_used - 1]))
        remote->words_used--;
    remote->words[remote->words_used] = '\0';
    char *line = strrchr(remote->words, '\n');
    return line ? line + 1 : remote->words;
}

const char *remote_how_ended(const remote *remote, char *text, size_t bytes)
{
    if (remote->pid > 0) snprintf(text, bytes, "still runs");
    else if (WIFSIGNALED(remote->status))
        snprintf(text, bytes, "was killed by signal %d", WTERMSIG(remote->status));
    else snprintf(text, bytes, "ended with status %d", WEXITSTATUS(remote->status));
    return text;
}

void remote_end(remote *remote)
{
    if (remote->pid <= 0) return;
    kill(remote->pid, SIGTERM);
    remote->kill_s = loop_now_s() + kill_after_s;
}

double remote_clock(remote *remote)
{
    if (remote->pid <= 0) return INFINITY;
    if (loop_now_s() >= remote->kill_s) {
        kill(remote->pid, SIGKILL);
        remote->kill_s = INFINITY;
    }
    return remote->kill_s;
}
