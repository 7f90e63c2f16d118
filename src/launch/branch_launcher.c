/* SPDX-License-Identifier: BSD-3-Clause */
/* branch_launcher.c: the stderr and the end of a launcher, or of a proxy started without one. */
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
#include "launch/tree_internal.h"

static const double kill_after_s = 1; /* from TERM to KILL */

void branch_reap(branch *branch)
{
    int status;
    if (branch->pid > 0 && waitpid(branch->pid, &status, WNOHANG) > 0) {
        branch->pid = 0;
        branch->status = status;
    }
}

/* The end of the pipe and the end of its process arrive in any order, a moment apart. */
void branch_await_end(branch *branch)
{
    for (int tries = 0; branch->pid > 0 && tries < 50; tries++) {
        branch_reap(branch);
        if (branch->pid > 0) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

void branch_pass_words(branch *branch)
{
    if (branch->words_used > 0 && write(2, branch->words, branch->words_used) < 0) { /* lost */
    }
    branch->words_used = 0;
}

/* Keeps what the launcher and the branch shell print on stderr until the proxy answers. If it never
   does, the last line is the reason; if it does, the text is passed on. */
void branch_words_ready(watch *watch, uint32_t events)
{
    branch *branch = watch->owner;
    (void)events;
    size_t room = sizeof branch->words - 1 - branch->words_used;
    if (room == 0) {
        memmove(branch->words, branch->words + branch->words_used / 2,
                branch->words_used - branch->words_used / 2);
        branch->words_used -= branch->words_used / 2;
        room = sizeof branch->words - 1 - branch->words_used;
    }
    ssize_t got = read(watch->fd, branch->words + branch->words_used, room);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
        loop_close(branch->tree->epoll, watch);
        return;
    }
    branch->words_used += (size_t)got;
    if (branch->phase >= BRANCH_THERE) branch_pass_words(branch);
}

const char *branch_last_words(branch *branch)
{
    if (branch->words_watch.fd >= 0) branch_words_ready(&branch->words_watch, EPOLLIN);
    while (branch->words_used > 0 && strchr(" \t\r\n", branch->words[branch->words_used - 1]))
        branch->words_used--;
    branch->words[branch->words_used] = '\0';
    char *line = strrchr(branch->words, '\n');
    return line ? line + 1 : branch->words;
}

const char *branch_how_ended(const branch *branch, char *text, size_t bytes)
{
    if (branch->pid > 0) snprintf(text, bytes, "still runs");
    else if (WIFSIGNALED(branch->status))
        snprintf(text, bytes, "was killed by signal %d", WTERMSIG(branch->status));
    else snprintf(text, bytes, "ended with status %d", WEXITSTATUS(branch->status));
    return text;
}

void branch_end(branch *branch)
{
    if (branch->pid <= 0) return;
    kill(branch->pid, SIGTERM);
    branch->kill_s = loop_now_s() + kill_after_s;
}

double branch_clock(branch *branch)
{
    if (branch->pid <= 0) return INFINITY;
    if (loop_now_s() >= branch->kill_s) {
        kill(branch->pid, SIGKILL);
        branch->kill_s = INFINITY;
    }
    return branch->kill_s;
}

void branch_free(branch *branch)
{
    channel_close(&branch->channel);
    if (branch->pid > 0) branch_await_end(branch);
    if (branch->pid > 0) {
        kill(branch->pid, SIGKILL);
        while (waitpid(branch->pid, NULL, 0) < 0 && errno == EINTR) {}
    }
    if (branch->phase >= BRANCH_THERE && branch->words_watch.fd >= 0)
        branch_words_ready(&branch->words_watch, EPOLLIN);
    loop_close(branch->tree->epoll, &branch->words_watch);
}
