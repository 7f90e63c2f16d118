/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_set_start.c: starts all ranks on this host, or none. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/exit.h"
#include "launch/descendants.h"
#include "launch/rank_set_internal.h"
#include "launch/spawn.h"
#include "machine/machine.h"

static const char *meaning(const char *doing, int error)
{
    if (strcmp(doing, "execute") == 0 && error == ENOEXEC)
        return "it is not a program for this machine (a script needs a first line like #!/bin/sh)";
    if (strcmp(doing, "execute") == 0 && error == ENOENT)
        return "its interpreter or dynamic loader does not exist";
    return strerror(error);
}

static void report_ready(watch *watch, uint32_t events)
{
    rank_set *set = watch->owner;
    spawn_failure failure;
    (void)events;
    for (;;) {
        ssize_t got = read(watch->fd, &failure, sizeof failure);
        if (got == sizeof failure)
            set->events->not_started(set->context, failure.rank, failure.doing,
                                     meaning(failure.doing, failure.error));
        else if (got < 0 && errno == EINTR) continue;
        else if (got < 0 && errno == EAGAIN) return;
        else {
            loop_close(set->epoll, watch);
            return;
        }
    }
}

static bool set_environment(const rank_set_plan *plan)
{
    char size[16], count[16], fd[16];
    snprintf(size, sizeof size, "%d", plan->size);
    snprintf(count, sizeof count, "%d", plan->count);
    snprintf(fd, sizeof fd, "%d", SPAWN_PMI_FD);
    /* Variables left by another launcher around this one would contradict ours. */
    static const char *const foreign[] = {"PMI_PORT", "PMI_ID", "PMI_SPAWNED", "MPI_LOCALRANKID",
                                          "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) unsetenv(foreign[i]);
    return setenv("PMI_FD", fd, 1) == 0 && setenv("PMI_SIZE", size, 1) == 0
           && setenv("CM_LOCAL_RANKS", count, 1) == 0 && setenv("CM_LAUNCHER", "cmrun", 1) == 0;
}

/* Files that are needed only during the start. */
typedef struct {
    int null, report[2], theirs[3]; /* /dev/null; a pipe's two ends; the ends of one child */
    files_limit files;
    const sigset_t *mask;
} starting;

static void close_files(int *fd, int n)
{
    for (int i = 0; i < n; i++) {
        if (fd[i] >= 0) close(fd[i]);
        fd[i] = -1;
    }
}

/* Starts one rank. Returns -1 on failure; see errno. */
static int start_one(rank_set *set, int i, starting *with)
{
    local_rank *local = &set->rank[i];
    const rank_set_plan *plan = &set->plan;
    int ends[2], *theirs = with->theirs;
    theirs[0] = theirs[1] = theirs[2] = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -1;
    local->pmi = (watch){.fd = ends[0], .ready = rank_set_pmi_ready, .owner = set, .number = i};
    theirs[0] = ends[1];
    for (int stream = 0; plan->capture && stream < RANK_STREAMS; stream++) {
        if (pipe2(ends, O_CLOEXEC) < 0) return -1;
        if (fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0) {
            close_files(ends, 2);
            return -1;
        }
        local->out[stream] = (watch){.fd = ends[0],
                                     .ready = rank_set_output_ready,
                                     .owner = set,
                                     .number = i * RANK_STREAMS + stream};
        theirs[1 + stream] = ends[1];
        if (!loop_watch(set->epoll, &local->out[stream], EPOLLIN)) return -1;
    }
    if (!loop_watch(set->epoll, &local->pmi, EPOLLIN)) return -1;
    int rank = plan->first + plan->stride * i;
    spawn_plan one = {.path = plan->path,
                      .argv = plan->argv,
                      .rank = rank,
                      .core = plan->core >= 0 ? plan->core + i : -1,
                      .input = rank == 0 ? plan->input : with->null,
                      .output = {theirs[1], theirs[2]},
                      .pmi = theirs[0],
                      .report = with->report[1],
                      .mask = with->mask,
                      .files = &with->files,
                      .group = &set->guard.group[i]};
    pid_t pid = spawn(&one);
    if (pid < 0) return -1;
    local->pid = pid;
    set->alive++;
    close_files(theirs, 3);
    return 0;
}

/* Waits until the first rank executes its program. Prints a line if it could not. */
static int first_runs(const rank_set *set, int report)
{
    spawn_failure failure;
    ssize_t got;
    do got = read(report, &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    if (got != sizeof failure) return 0;
    const char *why = meaning(failure.doing, failure.error);
    if (strcmp(failure.doing, "execute") == 0)
        fprintf(stderr, "cmrun: cannot run '%s': %s; nothing was started\n", set->plan.path, why);
    else
        fprintf(stderr, "cmrun: cannot %s rank %d: %s; nothing was started\n", failure.doing,
                failure.rank, why);
    return strcmp(failure.doing, "execute") == 0 ? CM_EXIT_USAGE : CM_EXIT_SYSTEM;
}

static int start_all(rank_set *set, starting *with)
{
    int status;
    for (int i = 0; i < set->plan.count; i++) {
        if (i < 2) {
            /* One pipe reports for the first rank, which is waited for, and another for all the
               others. */
            close_files(with->report, 2);
            if (pipe2(with->report, O_CLOEXEC) < 0) goto system;
        }
        if (start_one(set, i, with) < 0) {
            fprintf(stderr, "cmrun: cannot start rank %d of %d: %s%s\n",
                    set->plan.first + set->plan.stride * i, set->plan.size, strerror(errno),
                    errno == EAGAIN ? " (the limit on processes is ulimit -u)" : "");
            return CM_EXIT_SYSTEM;
        }
        if (i == 0) {
            close_files(with->report + 1, 1);
            if ((status = first_runs(set, with->report[0]))) return status;
        }
    }
    if (fcntl(with->report[0], F_SETFL, O_NONBLOCK) < 0) goto system;
    set->report = (watch){.fd = with->report[0], .ready = report_ready, .owner = set};
    with->report[0] = -1;
    if (loop_watch(set->epoll, &set->report, EPOLLIN)) return 0;
system:
    fprintf(stderr, "cmrun: cannot watch over the ranks: %s\n", strerror(errno));
    return CM_EXIT_SYSTEM;
}

static void kill_started(rank_set *set)
{
    rank_set_signal(set, SIGKILL);
    for (int i = 0; i < set->plan.count; i++) {
        if (set->rank[i].pid <= 0) continue;
        while (waitpid(set->rank[i].pid, NULL, 0) < 0 && errno == EINTR) {}
        set->rank[i].ended = true;
    }
    rank_set_leftovers(set, SIGKILL);
}

int rank_set_start(const rank_set_plan *plan, const rank_set_events *events, void *context,
                   int epoll, const sigset_t *restore_signals, rank_set **result)
{
    starting with = {
        .null = -1, .report = {-1, -1}, .theirs = {-1, -1, -1}, .mask = restore_signals};
    /* Files of each rank: its PMI socket and, if captured, its stdout and stderr. */
    int status =
        files_provide(plan->count, "ranks", plan->capture ? 3 : 1, plan->files, &with.files);
    if (status) return status;
    rank_set *set = calloc(1, sizeof *set);
    local_rank *rank = calloc((size_t)plan->count, sizeof *rank);
    if (!set || !rank) {
        free(set);
        free(rank);
        fprintf(stderr, "cmrun: out of memory for %d ranks\n", plan->count);
        return CM_EXIT_SYSTEM;
    }
    *set = (rank_set){.plan = *plan,
                      .events = events,
                      .context = context,
                      .epoll = epoll,
                      .rank = rank,
                      .report.fd = -1};
    for (int i = 0; i < plan->count; i++)
        rank[i].pmi.fd = rank[i].out[0].fd = rank[i].out[1].fd = -1;
    descendants_adopt();
    set->before = descendants_children(&set->n_before);
    /* Found once here; the children inherit the result. */
    if (plan->core >= 0) cm_machine_cores();
    with.null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (with.null < 0 || !set_environment(plan) || !guard_start((size_t)plan->count, &set->guard)) {
        fprintf(stderr, "cmrun: cannot prepare to start ranks: %s\n", strerror(errno));
        status = CM_EXIT_SYSTEM;
    } else if ((status = start_all(set, &with))) kill_started(set);
    close_files(&with.null, 1);
    close_files(with.report, 2);
    close_files(with.theirs, 3);
    if (status) rank_set_free(set);
    else *result = set;
    return status;
}
