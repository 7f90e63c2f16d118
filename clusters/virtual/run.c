/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: the commands run, link and list. */
#include "config.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/comm.h"
#include "virtual.h"

static void print(const char *host, void *context) { fprintf(context, " %s", host); }

/* True if the cluster has the host; otherwise one line names those that it has. */
static bool is_there(const char *name, const char *host)
{
    char *all = NULL, *end;
    size_t length = strlen(name), bytes;
    if (strncmp(host, name, length) == 0 && strtol(host + length, &end, 10) > 0 && !*end
        && virtual_exists(host))
        return true;
    FILE *list = open_memstream(&all, &bytes);
    const int n = virtual_each_host(name, list ? print : NULL, list);
    const bool told = list && fclose(list) == 0;
    virtual_fail("no host %s; %s%s", host, n ? "hosts:" : "there are none: `up` makes some",
                 told ? all : "");
    free(all);
    return false;
}

/* What `up` was told, for the results. */
static void tell_settings(const char *name)
{
    char path[VIRTUAL_TEXT], text[VIRTUAL_TEXT];
    virtual_path(name, "settings", path);
    FILE *file = fopen(path, "re");
    if (!file) return;
    if (fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        setenv("CM_VIRTUAL", text, 1);
    }
    fclose(file);
}

/* ---- A command ------------------------------------------------------------------------------- */

/* Passes SIGTERM and SIGHUP on to the child until it ends: not SIGINT, which a terminal sends to
   all, and which cmrun must not get twice. Returns its status as shells have it. */
static int attend(pid_t child, const sigset_t *signals)
{
    for (;;) {
        int status, signal;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == child)
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        signal = sigwaitinfo(signals, NULL);
        if (signal == SIGTERM || signal == SIGHUP) kill(child, signal);
    }
}

/* Passes on a SIGINT that came while it was blocked and the child was not there. */
static void pass_early(pid_t child)
{
    sigset_t pending;
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGINT)) kill(child, SIGINT);
}

static pid_t start(char **words, const sigset_t *mask)
{
    pid_t pid = fork();
    if (pid < 0) virtual_fail("fork: %s", strerror(errno));
    if (pid) return pid;
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(words[0], words);
    _exit(virtual_fail("%s: %s", words[0], strerror(errno)));
}

/* Separate IPC and PID namespaces: MPI must not find shared memory between the "hosts", and ranks
   must end with the command. The kernel keeps from the first process of a PID namespace the signals
   that it does not handle, so the command is the second one. */
static int run_there(const char *host, char **words)
{
    sigset_t signals, before;
    sigemptyset(&signals);
    for (const int *each = (const int[]){SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0}; *each; each++)
        sigaddset(&signals, *each);
    sigprocmask(SIG_BLOCK, &signals, &before);
    signal(SIGCHLD, SIG_DFL);
    if (unshare(CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID) != 0
        || sethostname(host, strlen(host)) != 0)
        return virtual_fail("%s: namespaces: %s", host, strerror(errno));
    const pid_t first = fork();
    if (first < 0) return virtual_fail("fork: %s", strerror(errno));
    if (first == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const pid_t command = start(words, &before);
        if (command > 0) pass_early(command);
        _exit(command < 0 ? CM_EXIT_SYSTEM : attend(command, &signals));
    }
    pass_early(first);
    const int status = attend(first, &signals);
    if (status == 128 + SIGINT || status == 128 + SIGTERM || status == 128 + SIGHUP) {
        signal(status - 128, SIG_DFL); /* a loop of a shell ends, too, at the terminal's SIGINT */
        raise(status - 128);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    return status;
}

int virtual_run(const char *name, char **words, bool as_ssh)
{
    static const char as_given[] = "exec \"$@\"";
    /* As bash does it: no shell waits for a single program, so that none reports its end. */
    static const char like_ssh[] = "cd /\n"
                                   "case \"$*\" in\n"
                                   "[!/]* | *[\";&|\"]*) exec sh -c \"$*\" ;;\n"
                                   "*) exec sh -c \"exec $*\" ;;\n"
                                   "esac";
    const char *const script = as_ssh ? like_ssh : as_given;
    const char *const before[] = {"ip",           "netns", "exec", words[0], "unshare",
                                  "--mount-proc", "sh",    "-c",   script,   "sh"};
    enum { BEFORE = sizeof before / sizeof before[0] };
    int status = virtual_need_root();
    if (status) return status;
    if (!is_there(name, words[0])) return CM_EXIT_USAGE;
    size_t n = 0;
    while (words[1 + n]) n++;
    char **all = calloc(BEFORE + n + 1, sizeof *all);
    if (!all) return virtual_fail("out of memory");
    for (size_t k = 0; k < BEFORE; k++) all[k] = (char *)(uintptr_t)before[k];
    memcpy(all + BEFORE, words + 1, n * sizeof *all);
    tell_settings(name);
    status = run_there(words[0], all);
    free(all);
    return status;
}

/* ---- link and list --------------------------------------------------------------------------- */

int virtual_link(const char *name, const char *host, const char *state)
{
    int status = virtual_need_root();
    if (status) return status;
    if (!is_there(name, host)) return CM_EXIT_USAGE;
    return virtual_ip("-n %s link set eth0 %s", host, state) ? 0 : CM_EXIT_SYSTEM;
}

static void show(const char *host, void *context)
{
    char command[VIRTUAL_TEXT], line[256];
    (void)context;
    printf("%s", host);
    snprintf(command, sizeof command, "ip -n %s -o addr show up scope global", host);
    FILE *lines = popen(command, "re");
    while (lines && fgets(line, sizeof line, lines)) {
        char address[128];
        if (sscanf(line, "%*s %*s %*s %127s", address) == 1) printf(" %s", address);
    }
    if (lines) pclose(lines);
    putchar('\n');
}

int virtual_list(const char *name)
{
    virtual_each_host(name, show, NULL);
    return fflush(stdout) == 0 ? 0 : CM_EXIT_SYSTEM;
}
