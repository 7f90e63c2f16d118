/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: starts `ip`, and says what went wrong. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/comm.h"
#include "virtual.h"

static volatile sig_atomic_t caught;
static void note(int signal) { caught = signal; }

void virtual_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note}, before;
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
        if (sigaction(signals[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[k], &action, NULL); /* nohup and shells have others ignored */
}

int virtual_interrupted(void) { return caught; }

int virtual_fail(const char *format, ...)
{
    va_list list;
    fputs("virtual-cluster: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return CM_EXIT_SYSTEM;
}

int virtual_need_root(void)
{
    return geteuid() == 0 ? 0 : virtual_fail("network namespaces need root");
}

/* Its stderr is in the file behind errors. A terminal's signals do not reach it: it must not stop
   half-way. */
static pid_t start(char **words, int errors)
{
    pid_t pid = fork();
    if (pid) return pid;
    setpgid(0, 0);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    dup2(errors, 2);
    execvp(words[0], words);
    dprintf(2, "%s\n", strerror(errno));
    _exit(127);
}

bool virtual_ip(const char *format, ...)
{
    enum { WORDS = 32 };
    char text[512], said[256] = "", *words[WORDS + 1] = {"ip"}, *rest = text, *word;
    int n = 1, status = -1, ends[2];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char *copy = strdup(text);
    while ((word = strsep(&rest, " ")) && n < WORDS) words[n++] = word;
    words[n] = NULL;
    if (!copy || pipe2(ends, O_CLOEXEC) < 0) {
        free(copy);
        virtual_fail("ip: %s", strerror(errno));
        return false;
    }
    pid_t pid = start(words, ends[1]);
    close(ends[1]);
    size_t used = 0;
    for (;;) {
        ssize_t got = read(ends[0], said + used, sizeof said - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
    }
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    said[strcspn(said, "\n")] = '\0';
    if (status) virtual_fail("ip %s: %s", copy, *said ? said : "failed");
    free(copy);
    return status == 0;
}
