/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c: a child from fork to the end of all that it started. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child.h"
#include "launch/descendants.h"
#include "launch/loop.h"
#include "say.h"

static const double kill_after_s = 0.4; /* TERM, then KILL: all within a second */
static const double give_up_s = 5;      /* KILL, then no longer waiting */
static const int tick_ms = 100, soon_ms = 10;

bool suite_children_open(suite_children *children)
{
    *children = (suite_children){.signals.fd = -1};
    if (!guard_start(1, &children->guard) || !signals_start(&children->signals)) {
        suite_say("cannot prepare to start programs: %s", strerror(errno));
        suite_children_close(children);
        return false;
    }
    descendants_adopt();
    children->before = descendants_children(&children->n_before);
    return true;
}

void suite_children_close(suite_children *children)
{
    guard_stop(&children->guard);
    /* An interrupted process ends with a status that a second signal must not change. */
    if (children->signals.fd >= 0 && children->interrupted) close(children->signals.fd);
    else if (children->signals.fd >= 0) signals_stop(&children->signals);
    free(children->before);
    *children = (suite_children){.signals.fd = -1};
}

/* ---- One child ------------------------------------------------------------------------------- */

typedef struct {
    suite_children *children;
    const suite_child *child;
    pid_t pid;
    bool reaped;
    int status; /* as from waitpid, when reaped */
    double begin_s;
    double stopped_s; /* how long clustermark was stopped itself */
    double ending_s;  /* when TERM was sent; INFINITY: not */
    bool overtime;
} course;

static bool open_as(const char *path, int flags, int fd)
{
    int opened = open(path, flags | O_CLOEXEC, 0666);
    if (opened < 0) return false;
    if (opened == fd) return fcntl(fd, F_SETFD, 0) == 0;
    bool moved = dup2(opened, fd) == fd;
    close(opened);
    return moved;
}

/* Runs in the child. Any failure is passed to the parent as an errno. */
static _Noreturn void become(const suite_children *children, const suite_child *child, pid_t parent,
                             int report)
{
    static const int defaults[] = {SIGPIPE, SIGINT, SIGQUIT};
    const int create = O_WRONLY | O_CREAT | O_TRUNC;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (getppid() == parent && open_as("/dev/null", O_RDONLY, 0)
        && open_as(child->output ? child->output : "/dev/null", create, 1)
        && (!child->errors || open_as(child->errors, create, 2))
        && (!child->folder || chdir(child->folder) == 0)) {
        for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
            signal(defaults[i], SIG_DFL);
        /* A Ctrl-Z of before setpgid waits here. The child must not stop before it executes, which
           its parent waits for; the parent has the same signal and passes it on afterwards. */
        if (signal(SIGTSTP, SIG_IGN) != SIG_IGN) signal(SIGTSTP, SIG_DFL);
        sigprocmask(SIG_SETMASK, &children->signals.before, NULL);
        execvp(child->argv[0], child->argv);
    }
    int error = errno;
    ssize_t written = write(report, &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
}

/* Returns the child's process, or -1 and *error. */
static pid_t start(suite_children *children, const suite_child *child, int *error)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0) {
        *error = errno;
        return -1;
    }
    pid_t parent = getpid(), pid = fork();
    *error = errno;
    if (pid == 0) become(children, child, parent, report[1]);
    close(report[1]);
    if (pid > 0) {
        setpgid(pid, pid);
        children->guard.group[0] = pid;
        int failure;
        if (read(report[0], &failure, sizeof failure) == sizeof failure) {
            *error = failure;
            while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
            children->guard.group[0] = 0;
            pid = -1;
        }
    }
    close(report[0]);
    return pid;
}

static void reap(course *c)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        if (pid == c->pid) {
            c->reaped = true;
            c->status = status;
        } else if (pid == c->children->guard.pid) c->children->guard.pid = 0;
}

/* Sends the signal to every child that is not the guard and was not there before, and to their
   groups. Returns true if there was one. */
static bool signal_children(const course *c, int signal)
{
    const suite_children *children = c->children;
    size_t n;
    bool any = false;
    pid_t *pid = descendants_children(&n);
    for (size_t k = 0; k < n; k++) {
        bool ours = pid[k] != children->guard.pid;
        for (size_t b = 0; ours && b < children->n_before; b++)
            ours = pid[k] != children->before[b];
        if (!ours) continue;
        any = true;
        pid_t group = getpgid(pid[k]);
        if (group > 1 && group != getpgrp()) kill(-group, signal);
        kill(pid[k], signal);
    }
    free(pid);
    return any;
}

static void end(course *c)
{
    if (c->ending_s != INFINITY) return;
    c->ending_s = loop_now_s();
    signal_children(c, SIGTERM);
}

/* A stop by the keyboard stops the child, too, and no time passes for it. */
static void stop(course *c)
{
    double begin_s = loop_now_s();
    signal_children(c, SIGTSTP);
    signals_stop_self(SIGTSTP);
    signal_children(c, SIGCONT);
    c->stopped_s += loop_now_s() - begin_s;
}

/* Signals between two children. */
static int interrupted(suite_children *children)
{
    for (int signal; (signal = signals_next(&children->signals));)
        if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT)
            children->interrupted = signal;
        else if (signal == SIGTSTP) signals_stop_self(signal);
    return children->interrupted;
}

static void take_signals(course *c)
{
    for (int signal; (signal = signals_next(&c->children->signals));) {
        switch (signal) {
        case SIGINT:
        case SIGTERM:
        case SIGHUP:
        case SIGQUIT:
            c->children->interrupted = signal;
            if (c->ending_s == INFINITY) end(c);
            else c->ending_s = loop_now_s() - c->child->grace_s - kill_after_s;
            break;
        case SIGTSTP:
            stop(c);
            break;
        default: /* SIGCHLD is looked at in every round; others are none of ours */
            break;
        }
    }
}

static void wait_for_signal(const course *c, int timeout_ms)
{
    struct pollfd file = {.fd = c->children->signals.fd, .events = POLLIN};
    poll(&file, 1, timeout_ms);
}

/* Waits until the child is gone, and then, quickly, until everything that it left behind is gone.
   */
static void watch_over(course *c)
{
    const suite_child *child = c->child;
    bool killed = false, left = true;
    double gone_s = INFINITY;
    while (!c->reaped || left) {
        double now_s = loop_now_s(), elapsed_s = now_s - c->begin_s - c->stopped_s;
        take_signals(c);
        reap(c);
        if (c->reaped) {
            if (gone_s == INFINITY) {
                gone_s = now_s;
                left = signal_children(c, SIGTERM);
            } else left = signal_children(c, now_s > gone_s + kill_after_s ? SIGKILL : 0);
        } else if (elapsed_s >= child->limit_s && c->ending_s == INFINITY) {
            c->overtime = true;
            end(c);
        } else if (child->tick) child->tick(child->context, elapsed_s);
        if (now_s > c->ending_s + fmax(child->grace_s, kill_after_s)) {
            signal_children(c, SIGKILL);
            killed = true;
        }
        if (killed && now_s > c->ending_s + child->grace_s + give_up_s) break;
        if (now_s > gone_s + give_up_s) break;
        if (!c->reaped || left)
            wait_for_signal(c, c->reaped || c->ending_s != INFINITY ? soon_ms : tick_ms);
    }
}

suite_child_end suite_child_run(suite_children *children, const suite_child *child, int *status)
{
    course c = {.children = children, .child = child, .ending_s = INFINITY};
    *status = 0;
    if (interrupted(children)) return SUITE_CHILD_INTERRUPTED;
    c.begin_s = loop_now_s();
    c.pid = start(children, child, status);
    if (c.pid < 0) return SUITE_CHILD_NOT_STARTED;
    watch_over(&c);
    children->guard.group[0] = 0;
    if (children->interrupted) return SUITE_CHILD_INTERRUPTED;
    if (c.overtime) return SUITE_CHILD_OVERTIME;
    if (WIFSIGNALED(c.status)) {
        *status = WTERMSIG(c.status);
        return SUITE_CHILD_KILLED;
    }
    *status = WEXITSTATUS(c.status);
    return SUITE_CHILD_EXITED;
}
