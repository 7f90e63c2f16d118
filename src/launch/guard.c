/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.c: waits for cmrun's death and then kills the ranks' process groups. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "launch/guard.h"

static _Noreturn void watch_over(const guard *guard, int lifeline)
{
    char byte;
    ssize_t got;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    /* Leaves cmrun's process group, so that a signal to that group does not reach the guard. */
    setpgid(0, 0);
    /* A reader that waits for the end of cmrun's output must not wait for the guard. */
    for (int fd = 0; fd < 64; fd++)
        if (fd != lifeline) close(fd);
    do got = read(lifeline, &byte, 1);
    while (got > 0 || (got < 0 && errno == EINTR));
    for (size_t i = 0; i < guard->n; i++)
        if (guard->group[i] > 0) kill(-guard->group[i], SIGKILL);
    _exit(0);
}

bool guard_start(size_t n, guard *guard)
{
    int ends[2];
    size_t bytes = n * sizeof *guard->group;
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return false;
    if (pipe2(ends, O_CLOEXEC) < 0) {
        munmap(shared, bytes);
        return false;
    }
    guard->n = n;
    guard->group = shared;
    guard->lifeline = ends[1];
    guard->pid = fork();
    if (guard->pid == 0) watch_over(guard, ends[0]);
    int error = errno;
    close(ends[0]);
    if (guard->pid > 0) return true;
    close(ends[1]);
    munmap(shared, bytes);
    errno = error;
    return false;
}

void guard_stop(guard *guard)
{
    if (guard->pid <= 0) return;
    for (size_t i = 0; i < guard->n; i++) guard->group[i] = 0;
    close(guard->lifeline);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR) {}
    munmap((void *)guard->group, guard->n * sizeof *guard->group);
    guard->pid = 0;
}
