/* SPDX-License-Identifier: BSD-3-Clause */
/* host_launch.c: starts a proxy on a host. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "comm/comm.h"
#include "launch/host_set_internal.h"

/* Appends text, quoted so that a shell reads it as one word. */
static void quote(FILE *out, const char *text)
{
    putc('\'', out);
    for (; *text; text++)
        if (*text == '\'') fputs("'\\''", out);
        else putc(*text, out);
    putc('\'', out);
}

/* Returns the command that the launcher runs on the host: this same program. */
static char *proxy_command(const char *self)
{
    char *command = NULL;
    size_t bytes;
    const char *libraries = getenv("LD_LIBRARY_PATH");
    FILE *out = open_memstream(&command, &bytes);
    if (!out) return NULL;
    fputs("exec ", out);
    if (libraries && *libraries) {
        fputs("env LD_LIBRARY_PATH=", out);
        quote(out, libraries);
        putc(' ', out);
    }
    quote(out, self);
    fputs(" --proxy", out);
    if (fclose(out) == 0) return command;
    free(command);
    return NULL;
}

/* Returns the words of the launcher, HOST and COMMAND. The words lie behind the array, in the same
   allocation. */
static char **launcher_words(const char *launcher, const char *name, char *command)
{
    static const char *const blanks = " \t";
    size_t length = strlen(launcher), n = 0;
    /* At most every second character begins a word. */
    char **word = malloc((length / 2 + 4) * sizeof *word + length + 1), *rest;
    if (!word) return NULL;
    char *copy = (char *)(word + length / 2 + 4);
    memcpy(copy, launcher, length + 1);
    for (char *w = strtok_r(copy, blanks, &rest); w; w = strtok_r(NULL, blanks, &rest))
        word[n++] = w;
    word[n++] = (char *)name;
    word[n++] = command;
    word[n] = NULL;
    return word;
}

static _Noreturn void become(char *const *word, const char *path, const int theirs[3],
                             const files_limit *files, pid_t parent)
{
    sigset_t mask;
    /* Signals from the keyboard reach the launcher as well. It must survive them until cmrun has
       passed them on. */
    static const int keyboard[] = {SIGINT, SIGQUIT, SIGTSTP};
    sigemptyset(&mask);
    for (size_t i = 0; i < sizeof keyboard / sizeof keyboard[0]; i++) sigaddset(&mask, keyboard[i]);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(CM_EXIT_SYSTEM);
    for (int i = 0; i < 3; i++)
        if (dup2(theirs[i], i) < 0) _exit(CM_EXIT_SYSTEM);
    files_restore(files);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (path) execv(path, word);
    else execvp(word[0], word);
    fprintf(stderr, "cannot run '%s': %s\n", path ? path : word[0], strerror(errno));
    _exit(127);
}

static void close_ends(int ends[3][2])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (ends[i][k] >= 0) close(ends[i][k]);
}

/* ends holds pipes for stdin, stdout and stderr; [0] is the end to read from. Returns false on
   failure; see errno. */
static bool start(remote *remote, char *const *word, const char *path, int ends[3][2])
{
    for (int i = 0; i < 3; i++)
        if (pipe2(ends[i], O_CLOEXEC) < 0) return false;
    const int theirs[3] = {ends[0][0], ends[1][1], ends[2][1]};
    pid_t parent = getpid();
    fflush(NULL);
    remote->launched_s = loop_now_s();
    remote->pid = fork();
    if (remote->pid == 0) become(word, path, theirs, &remote->set->files, parent);
    if (remote->pid < 0) {
        remote->pid = 0;
        return false;
    }
    int in = ends[1][0], out = ends[0][1], words = ends[2][0];
    for (int i = 0; i < 3; i++) close(theirs[i]);
    for (int i = 0; i < 3; i++) ends[i][0] = ends[i][1] = -1;
    fcntl(words, F_SETFL, O_NONBLOCK);
    remote->words_watch.fd = words;
    return loop_watch(remote->set->epoll, &remote->words_watch, EPOLLIN)
           & channel_open(&remote->channel, remote->set->epoll, in, out);
}

int remote_launch(remote *remote)
{
    char self[PATH_MAX] = "";
    int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    bool local = remote->host->local, started = false;
    char *own[] = {self, "--proxy", NULL};
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) {
        char *command = local ? NULL : proxy_command(self);
        char **word = command
                          ? launcher_words(remote->set->plan.launcher, remote->host->name, command)
                          : NULL;
        if (local) started = start(remote, own, self, ends);
        else if (word) started = start(remote, word, NULL, ends);
        free(word);
        free(command);
    }
    if (started) return 0;
    fprintf(stderr, "cmrun: host '%s': cannot start its launcher: %s\n", remote->host->name,
            strerror(errno));
    close_ends(ends);
    return CM_EXIT_SYSTEM;
}
