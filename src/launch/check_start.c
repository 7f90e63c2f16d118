/* SPDX-License-Identifier: BSD-3-Clause */
/* check_start.c: starts and ends the helper of cmrun --check on a host. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/exit.h"
#include "launch/check_internal.h"
#include "launch/launcher.h"
#include "launch/loop.h"

void check_lose(check_remote *host, const char *format, ...)
{
    va_list list;
    if (host->lost) return;
    va_start(list, format);
    if (vasprintf(&host->lost, format, list) < 0) host->lost = NULL;
    va_end(list);
    host->phase = CHECK_LOST;
}

static _Noreturn void become(char *const *word, const char *path, int pipes[3][2],
                             const files_limit *files, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || dup2(pipes[0][0], 0) < 0 || dup2(pipes[1][1], 1) < 0
        || dup2(pipes[2][1], 2) < 0)
        _exit(CM_EXIT_SYSTEM);
    files_restore(files);
    signal(SIGPIPE, SIG_DFL);
    if (path) execv(path, word);
    else execvp(word[0], word);
    fprintf(stderr, "cannot run '%s': %s\n", path ? path : word[0], strerror(errno));
    _exit(127);
}

static bool launch(const check *check, check_remote *host, char *const *word, const char *path)
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    bool opened = true;
    const pid_t parent = getpid();
    for (int i = 0; i < 3 && opened; i++) opened = pipe2(pipes[i], O_CLOEXEC) == 0;
    fflush(NULL);
    host->pid = opened ? fork() : -1;
    if (host->pid == 0) become(word, path, pipes, check->files, parent);
    const int cause = errno;
    host->in = pipes[0][1];
    host->out = pipes[1][0];
    host->err = pipes[2][0];
    const int theirs[] = {pipes[0][0], pipes[1][1], pipes[2][1]};
    for (int i = 0; i < 3; i++)
        if (theirs[i] >= 0) close(theirs[i]);
    if (host->pid > 0) {
        fcntl(host->in, F_SETFL, O_NONBLOCK);
        fcntl(host->out, F_SETFL, O_NONBLOCK);
        fcntl(host->err, F_SETFL, O_NONBLOCK);
        return true;
    }
    host->pid = 0;
    errno = cause;
    return false;
}

bool check_start(const check *check, check_remote *host)
{
    const check_plan *plan = check->plan;
    static char option[] = "--check-host";
    char self[PATH_MAX] = "", *text = NULL, **word = NULL;
    char *own[] = {self, option, NULL};
    const bool local = plan->hosts->host[host->number].local;
    bool started = readlink("/proc/self/exe", self, sizeof self - 1) > 0;
    if (started && !local)
        word = launcher_words(plan->launcher, host->name, 0, self, option, &text);
    started =
        started && (local || word) && launch(check, host, local ? own : word, local ? self : NULL);
    if (!started) check_lose(host, "cannot start its launcher: %s", strerror(errno));
    host->since_s = loop_now_s();
    free(word);
    free(text);
    return started;
}

/* The helper ends when its stdin does, unless its host is silent. */
void check_end(check_remote *host)
{
    int *const files[] = {&host->in, &host->out, &host->err};
    static const int signals[] = {0, SIGTERM, SIGKILL};
    for (int i = 0; i < 3; i++) {
        if (*files[i] >= 0) close(*files[i]);
        *files[i] = -1;
    }
    for (int i = host->phase == CHECK_LOST; i < 3 && host->pid > 0; i++) {
        if (signals[i]) kill(host->pid, signals[i]);
        for (int tries = 0; host->pid > 0 && tries < 200; tries++) {
            if (waitpid(host->pid, NULL, WNOHANG) != 0) host->pid = 0;
            else nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        }
    }
}
