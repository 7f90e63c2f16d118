/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.c: one rank's process, from fork to exec. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/exit.h"
#include "launch/spawn.h"
#include "machine/machine.h"

static _Noreturn void give_up(const spawn_plan *plan, const char *doing, int error)
{
    spawn_failure failure = {.rank = plan->rank, .error = error};
    snprintf(failure.doing, sizeof failure.doing, "%s", doing);
    ssize_t written = write(plan->report, &failure, sizeof failure);
    _exit(written == sizeof failure ? CM_EXIT_USAGE : CM_EXIT_SYSTEM);
}

/* dup2 clears close-on-exec, except onto itself. */
static bool move(int from, int to)
{
    if (from < 0) return true;
    if (from == to) return fcntl(to, F_SETFD, 0) == 0;
    return dup2(from, to) == to;
}

/* By this number a rank knows that its socket is cmrun's. */
static bool tell_socket(void)
{
    char number[24];
    struct stat status;
    if (fstat(SPAWN_PMI_FD, &status) != 0) return false;
    snprintf(number, sizeof number, "%llu", (unsigned long long)status.st_ino);
    return setenv("PMI_SOCKET", number, 1) == 0;
}

static _Noreturn void become(const spawn_plan *plan, pid_t parent)
{
    char rank[16];
    char why[160];
    /* The parent may have died before the signal was set, so this is checked afterwards. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) give_up(plan, "guard", errno);
    if (getppid() != parent) _exit(CM_EXIT_SYSTEM);
    setpgid(0, 0);
    *plan->group = getpid();
    snprintf(rank, sizeof rank, "%d", plan->rank);
    if (setenv("PMI_RANK", rank, 1) < 0) give_up(plan, "set the environment of", errno);
    errno = 0;
    if (plan->core >= 0 && cm_machine_bind(CM_BIND_PACK, plan->core, why, sizeof why) != 0)
        give_up(plan, "bind", errno ? errno : ENOTSUP);
    if (!move(plan->input, 0) || !move(plan->output[0], 1) || !move(plan->output[1], 2)
        || !move(plan->pmi, SPAWN_PMI_FD))
        give_up(plan, "connect", errno);
    if (!tell_socket()) give_up(plan, "set the environment of", errno);
    /* cmrun catches or ignores these signals; programs expect the defaults. */
    static const int defaults[] = {SIGPIPE, SIGINT, SIGQUIT};
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) signal(defaults[i], SIG_DFL);
    files_restore(plan->files);
    sigprocmask(SIG_SETMASK, plan->mask, NULL);
    execv(plan->path, plan->argv);
    give_up(plan, "execute", errno);
}

pid_t spawn(const spawn_plan *plan)
{
    pid_t parent = getpid(), child = fork();
    if (child == 0) become(plan, parent);
    if (child > 0) {
        /* Parent and child both do this, so the group exists before anyone signals it. EACCES means
           that the child has already done it and executed its program. */
        setpgid(child, child);
        *plan->group = child;
    }
    return child;
}

bool spawn_arrange_files(void)
{
    DIR *directory = opendir("/proc/self/fd");
    if (directory) {
        for (struct dirent *entry; (entry = readdir(directory));) {
            int fd = atoi(entry->d_name);
            if (fd > 2 && fd != dirfd(directory)) close(fd);
        }
        closedir(directory);
    }
    int fd;
    do fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd < SPAWN_PMI_FD);
    if (fd < 0) return false;
    if (fd != SPAWN_PMI_FD) {
        dup2(fd, SPAWN_PMI_FD);
        close(fd);
    }
    return fcntl(SPAWN_PMI_FD, F_SETFD, FD_CLOEXEC) == 0;
}

static int refuse(const char *name, const char *why)
{
    fprintf(stderr, "cmrun: cannot run '%s': %s; nothing was started\n", name, why);
    return CM_EXIT_USAGE;
}

static const char *why_not(const char *path)
{
    struct stat status;
    if (stat(path, &status) < 0) return strerror(errno);
    if (S_ISDIR(status.st_mode)) return "it is a directory";
    if (!S_ISREG(status.st_mode)) return "it is not a file";
    return access(path, X_OK) < 0 ? strerror(errno) : NULL;
}

int spawn_find(const char *name, char **path)
{
    if (!*name) return refuse(name, "the name is empty");
    if (strchr(name, '/')) {
        const char *why = why_not(name);
        if (why) return refuse(name, why);
        *path = strdup(name);
        if (*path) return 0;
    } else {
        const char *directory = getenv("PATH"), *seen = NULL;
        if (!directory) directory = "/usr/local/bin:/usr/bin:/bin";
        for (;;) {
            int length = (int)strcspn(directory, ":");
            if (asprintf(path, "%.*s/%s", length ? length : 1, length ? directory : ".", name)
                < 0) {
                *path = NULL;
                break;
            }
            const char *why = why_not(*path);
            if (!why) return 0;
            /* A file that exists but cannot run is a better reason than "not found". Like shells,
               go on searching. */
            if (!seen && access(*path, F_OK) == 0) seen = why;
            free(*path);
            *path = NULL;
            if (!directory[length]) {
                if (access(name, F_OK) == 0 && !why_not(name))
                    return refuse(name, "not found in PATH; the one in this folder is ./NAME");
                return refuse(name, seen ? seen : "not found in PATH");
            }
            directory += length + 1;
        }
    }
    fprintf(stderr, "cmrun: out of memory\n");
    return CM_EXIT_SYSTEM;
}
